package walls

import (
	"os"
	"strings"
	"testing"
)

// The lists of this package are in order, and nothing in them is found everywhere.
func TestOwnLists(t *testing.T) {
	lists, rules := own()
	for i, list := range lists.all() {
		if len(*list) < 3 {
			t.Errorf("list %d has %d items", i, len(*list))
		}
	}
	shipped := map[string]bool{}
	for _, r := range rules {
		shipped[r.Name] = true
	}
	for _, name := range []string{"ScienceDirect", "SpringerLink", "Oxford Academic", "Taylor & Francis", "JSTOR"} {
		if !shipped[name] {
			t.Errorf("no rule for %s", name)
		}
	}
	r := New(Lists{}, nil)
	page := r.Read("Annals of the Observatory", "<title>Annals of the Observatory</title><p>Volume seven holds the positions of comets.", 8)
	title, failed := page.Error()
	if page.has(allKinds) || page.Challenge(false) || page.Challenge(true) || page.Parked("site.org") || page.Login(true) || page.Shell() || title || failed {
		t.Errorf("an ordinary page: %b", page.found)
	}
}

func TestReadLists(t *testing.T) {
	for _, bad := range []string{"x", "[login]\nhost = [\"a.org\"]", "[login]\nhosts = \"a.org\"", "[login]\nhosts = [\"\"]", "[parked]\ntexts = [\" a \"]", "[error]\ntitles = [\"" + strings.Repeat("a", maxItem+1) + "\"]"} {
		if _, err := ReadLists(bad); err == nil {
			t.Errorf("%.60q is taken", bad)
		}
	}
	for _, bad := range []string{"[[rule]]", "[[rule]]\nname = \"A\"\nhosts = [\"a.org\"]", "[[rule]]\nname = \"A\"\ntitle = [\"bb\"]", "[[rules]]\nname = \"A\"", "[[rule]]\nname = \"A\"\nhosts = [\"a.org\"]\ntitle = [\"b\"]"} {
		if _, err := ReadAccess(bad); err == nil {
			t.Errorf("%.60q is taken", bad)
		}
	}
	for _, name := range []string{"walls.toml", "access.toml"} { // what is shipped can be given back
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, lists := ReadLists(string(text))
		_, rules := ReadAccess(string(text))
		if (lists == nil) == (rules == nil) {
			t.Errorf("%s: as lists %v, as rules %v", name, lists, rules)
		}
	}
}

func TestLoginAddress(t *testing.T) {
	r := New(Lists{}, nil)
	for _, row := range []struct {
		host, path, query string
		sure, perhaps     bool
	}{
		{"site.org", "/login", "?next=/a", true, true},
		{"site.org", "/login", "", true, true},
		{"site.org", "/a/b/login.php", "", false, true},
		{"site.org", "/a/b/login.php", "?Return_URL=%2Fa", true, true},
		{"site.org", "/a/b/login.php", "?next=", false, true},
		{"site.org", "/Shibboleth.sso/Login", "", true, true},
		{"site.org", "/a/wayfarers", "", false, false},
		{"site.org", "/wayf", "?x", true, true},
		{"idp.uni.edu", "/x/y/z", "", true, true},
		{"idp.org", "/x/y/z", "", false, false},
		{"cas.org", "/x", "", false, false},
		{"login.uni.edu.site.org", "/x/y/z", "", true, true},
		{"site.org", "/papers/blogin", "?url=x", false, false},
		{"site.org", "/x/y/z", "?SAMLRequest=fZ", true, true},
		{"site.org", "/x/y/z", "?entityID=https://a&return=b", true, true},
		{"a.okta.com", "/", "", true, true},
		{"notokta.com", "/", "", false, false},
	} {
		if sure, perhaps := r.LoginAddress("site.org", row.host, row.path, row.query); sure != row.sure || perhaps != row.perhaps {
			t.Errorf("%s%s%s: %v %v", row.host, row.path, row.query, sure, perhaps)
		}
	}
	if sure, _ := r.LoginAddress("idp.uni.edu", "idp.uni.edu", "/x/y/z", ""); sure {
		t.Error("a page of the host that was linked")
	}
	if !r.LoginItself("/login", "") || r.LoginItself("/login", "?url=http://a.org/") || r.LoginItself("/a", "") {
		t.Error("which login pages are linked for themselves")
	}
}

func TestTitles(t *testing.T) {
	r := New(Lists{}, nil)
	for _, row := range []struct {
		title                  string
		whole, edge            bool // as that of a login page
		errorTitle, errorWords bool // where there is little to read, and a long text
	}{
		{"Sign in", true, true, false, false},
		{"SIGN IN | Annals", true, true, false, false},
		{"Sign in to Annals", false, true, false, false},
		{"Annals sign in", false, true, false, false},
		{"Sign in: Annals", false, true, false, false},
		{"A sign in heaven", false, false, false, false},
		{"Designing interfaces", false, false, false, false},
		{"用户登录", true, true, false, false},
		{"图书馆登录", false, true, false, false},
		{"Annals - Not Found", false, false, true, true},
		{"404", false, false, true, false},
		{"Error 404 (Not Found)!!1", false, false, true, true},
		{"404 – Seite nicht gefunden", false, false, true, true},
		{"Oops! That page can’t be found.", false, false, false, false},
		{"Oops! Page can’t be found.", false, false, true, true},
		{"Страница не найдена | Библиотека", false, false, true, true},
		{"Not Found in Translation", false, false, false, false},
		{"Room 404", false, false, false, false},
	} {
		parts := titleParts(strings.ToLower(row.title))
		if got := r.titles.login.whole(parts); got != row.whole {
			t.Errorf("%q: whole %v", row.title, got)
		}
		if got := r.titles.login.edge(parts); got != row.edge {
			t.Errorf("%q: edge %v", row.title, got)
		}
		short, _ := r.Read(row.title, "", little-1).Error()
		long, page := r.Read(row.title, "", notice).Error()
		if short != row.errorTitle || long != row.errorWords || page {
			t.Errorf("%q: error %v, in a long page %v %v", row.title, short, long, page)
		}
	}
}

// Access rules hold on their hosts, and say nothing of a page that was not read whole.
func TestNoAccess(t *testing.T) {
	more, err := ReadAccess(`[[rule]]
name = "Reader"
platform = ['<meta name="generator" content="Reader"']
must-contain = ["Read the text"]
[[rule]]
name = "Shelf"
hosts = ["shelf.org"]
paths = ["/item/"]
title = ["Shelf of"]`)
	if err != nil {
		t.Fatal(err)
	}
	r := New(Lists{}, more)
	const reader, denied = `<meta name="generator" content="Reader">`, "You do not currently have access to this article."
	for _, row := range []struct {
		host, path, title, body string
		cut                     bool
		want                    string
	}{
		{"academic.oup.com", "/a", "A", denied, false, "Oxford Academic"},
		{"academic.oup.com", "/a", "A", "You do not\n <b>currently</b> have access to this article.", false, "Oxford Academic"},
		{"academic.oup.com", "/a", "A", "The whole article.", false, ""},
		{"oup.com.site.org", "/a", "A", denied, false, ""},
		{"site.org", "/a", "A", denied, false, ""},
		{"link.springer.com", "/article/1", "A", "This is a preview of subscription content, log in via an institution to check access.", false, "SpringerLink"},
		{"www.sciencedirect.com", "/science/article/pii/S1", "A", "Check access to the full text by signing in through your organization.", false, "ScienceDirect"},
		{"www.sciencedirect.com", "/help", "A", "Check access to the full text by signing in through your organization.", false, ""},
		{"www.tandfonline.com", "/doi/abs/1", "A", `<div id="accessDenialWidget">`, false, "Taylor & Francis"},
		{"www.jstor.org", "/stable/1", "A", "Alternate access options", false, "JSTOR"},
		{"any.org", "/a", "A", reader, false, "Reader"},
		{"any.org", "/a", "A", reader, true, ""},
		{"any.org", "/a", "A", reader + "Read the TEXT", false, ""},
		{"www.shelf.org", "/item/1", "Welcome", "", false, "Shelf"},
		{"www.shelf.org", "/item/1", "Shelf of maps", "", false, ""},
		{"www.shelf.org", "/", "Welcome", "", false, ""},
	} {
		visible := strings.Join(strings.Fields(strings.NewReplacer("<b>", "", "</b>", "").Replace(row.body)), " ")
		page := r.Read(row.title, row.body, 10)
		if got := r.NoAccess(row.host, row.path, page, !row.cut, func() string { return visible }); got != row.want {
			t.Errorf("%s%s %q: %q, want %q", row.host, row.path, row.body, got, row.want)
		}
	}
}

// Whatever a page holds, it is judged without a fault, and an access rule speaks only of
// its own hosts.
func FuzzPage(f *testing.F) {
	f.Add("Sign in", `<input type=password name="SAMLRequest"><script></script>`, 3)
	f.Add("404 Not Found", "verify you are human<noscript>", 300)
	f.Add("", "", 0)
	r := New(Lists{}, nil)
	f.Fuzz(func(t *testing.T, title, body string, words int) {
		p := r.Read(title, body, words)
		title404, page404 := p.Error()
		if page404 && !title404 && words < little {
			t.Errorf("%q: an error page without the title of one", title)
		}
		p.Login(true)
		p.Challenge(true)
		p.Parked(title)
		p.Shell()
		r.LoginAddress("a.org", title, body, title)
		if name := r.NoAccess("a.org", "/"+title, p, true, func() string { return body }); name != "" {
			t.Errorf("%q speaks of a.org", name)
		}
	})
}

// A login page is a form and little else; a page with such a form at its head has a text
// beside it.
func TestLogin(t *testing.T) {
	const field = `<form><label>Name</label><input name=u><label>Password</label><input type='PASSWORD' name=p></form>`
	words := func(n int) string { return "<p>" + strings.Repeat("grist ", n) }
	r := New(Lists{}, nil)
	for _, row := range []struct {
		title, body string
		words       int
		redirected  bool
		want        bool
	}{
		{"Sign in", field, 10, false, true},
		{"Sign in", field + words(150), 160, false, true}, // and how to get an account
		{"Sign in", "<header>" + field + "</header>" + words(250), 260, false, false},
		{"Sign in", words(10), 10, false, false},
		{"Sign-On | Library", field, 10, false, true},
		{"Log-in to the library", field + words(40), 50, false, true},
		{"Log in the fire", "<nav>" + words(90) + "</nav>" + field + words(100), 200, false, false},
		{"Bitte melden Sie sich an", field, 10, false, true},
		{"Вход в личный кабинет", field, 10, false, true},
		{"The art of identification", field + words(25), 35, false, false},
		{"Annals", field, 10, false, false},
		{"Annals", field, 10, true, true},
		{"Annals", field + words(90), 100, true, false},
		{"Sign in", `<form><input type=email></form>`, 5, false, true},
		{"Sign in", `<script src=a></script>`, 0, false, true},
		{"Annals", `<form><input type=hidden name=SAMLRequest value=x></form>`, 2, false, true},
		{"Annals", `<!-- <input type=hidden name=SAMLRequest value=x> -->` + words(9), 9, false, false},
		{"Sign in", `<script>var a = '<input type="password">'</script>` + words(20), 20, false, false},
	} {
		if got := r.Read(row.title, row.body, row.words).Login(row.redirected); got != row.want {
			t.Errorf("%q %.80q: %v", row.title, row.body, got)
		}
	}
}
