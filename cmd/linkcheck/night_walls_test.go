package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// htmlPage is a page of a title, a few words and what else stands in it.
func htmlPage(title, body string) http.HandlerFunc {
	return lab.Text("text/html; charset=utf-8", "<!DOCTYPE html><html><head><title>"+title+"</title></head><body>"+body+"</body></html>")
}

// A world of walls: what stands before a page, or in its place, is told by its name from
// the first night on, is never dead and never fine, and the pages beside it are.
func TestWorldOfWalls(t *testing.T) {
	const password = `<form><label>Name</label><input name=u><label>Password</label><input type="password" name=p></form>`
	wiki := func(w http.ResponseWriter, r *http.Request) {
		switch id := r.URL.Query().Get("id"); id {
		case "start", "":
			lab.Page("The wiki", "Grist, its mills and its millers, by those who know them.")(w, r)
		default:
			htmlPage(id, "<h1>This topic does not exist yet</h1><p>You have followed a link to a topic that does not exist yet.")(w, r)
		}
	}
	l := newLibrary(t, nil)
	kinds := []struct {
		name            string
		site            lab.Site
		path            string
		outcome, reason string
		state           string // on the last night
	}{
		{"login", lab.Site{"*": htmlPage("Sign in - Library", password), "/robots.txt": lab.NotFound}, "/papers/%d.html", "auth", "login-page", "restricted"},
		{"redirect", lab.Site{"*": lab.Redirect(302, "http://idp.uni.test/idp/profile/SAML2/Redirect/SSO?SAMLRequest=x"), "/robots.txt": lab.NotFound}, "/papers/%d.html", "auth", "login-page", "restricted"},
		{"wall", lab.Site{"*": htmlPage("", `<script src="/_Incapsula_Resource?SWJIYLWA=7"></script>`), "/robots.txt": lab.NotFound}, "/papers/%d.html", "blocked", "challenge", "restricted"},
		{"error", lab.Site{"/papers/0.html": htmlPage("Seite nicht gefunden", "<h1>Ach</h1>"), "/papers/1.html": htmlPage("404 Not Found", "<h1>Oh</h1>"), "/papers/2.html": htmlPage("Página no encontrada | Biblioteca", "<h1>Oh</h1>")}, "/papers/%d.html", "suspect", "error-text", "suspect"},
		{"sale", lab.Site{"*": htmlPage("sale.test", `This domain name is for sale. <a href="https://www.afternic.com/forsale/sale.test">Buy</a>`), "/robots.txt": lab.NotFound}, "/papers/%d.html", "suspect", "parked", "suspect"},
		{"wiki", lab.Site{"/doku.php": wiki}, "/doku.php?id=lost%d", "suspect", "soft-404", "suspect"},
		{"script", lab.Site{"*": htmlPage("Archive", `<div id="app"></div><script src="/app.js"></script>`), "/robots.txt": lab.NotFound}, "/papers/%d", "reachable", "made-by-script", "alive"},
		{"closed", lab.Site{"/item/0": htmlPage("Grist", "For members of the society. Ask at the desk."), "/item/1": htmlPage("Bran", "For members of the society."), "/item/2": htmlPage("Flour", "For members of the society.")}, "/item/%d", "auth", "no-access", "restricted"},
		{"own", lab.Site{"*": htmlPage("Turnstile", "Wait until the wheel has turned."), "/robots.txt": lab.NotFound}, "/papers/%d.html", "blocked", "challenge", "restricted"},
		{"open", lab.Site{"/papers/0.html": lab.Page("Grist", "Sign in at the desk, said the miller; you are not found in my book."), "/papers/1.html": lab.Page("Bran", password), "/papers/2.html": lab.Page("Flour", "This domain is for sale, said the seal. "+strings.Repeat("He had it from his father, and he from his. ", 6))}, "/papers/%d.html", "ok", "http-200", "alive"},
		{"wiki2", lab.Site{"/doku.php": wiki}, "/doku.php?id=start&x=%d", "ok", "http-200", "alive"},
	}
	sites := lab.Web{"idp.uni.test": {"*": htmlPage("Uni", password), "/robots.txt": lab.NotFound}}
	var text strings.Builder
	for _, k := range kinds {
		sites[k.name+".test"] = k.site
		for i := range 3 {
			fmt.Fprintf(&text, "http://%s.test"+k.path+"\n", k.name, i)
		}
	}
	l.serveWeb(sites)
	l.write("a.txt", text.String())
	rules := func(name, text string) string {
		file := filepath.Join(l.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	walls := rules("walls.toml", "[challenge]\ntexts = [\"until the wheel has turned\"]\n")
	access := rules("access.toml", "[[rule]]\nname = \"Closed\"\nhosts = [\"closed.test\"]\nmust-not-contain = [\"For members of the society\"]\n")
	told := 0
	for _, night := range []float64{0, 1, 4, 8, 20, 40} {
		l.runWell(night, "--wall-rules", walls, "--access-rules", access)
		for url, got := range l.links() {
			name, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ".test")
			for _, k := range kinds {
				if k.name != name {
					continue
				}
				if told++; got.Outcome != k.outcome || got.Reason != k.reason || got.State != k.state {
					t.Errorf("night %v: %s: %s %s(%s), want %s %s(%s)", night, url, got.State, got.Outcome, got.Reason, k.state, k.outcome, k.reason)
				}
				if wrong := got.Outcome != "ok" && got.Message == "It is there."; wrong || got.State == "dead" {
					t.Errorf("night %v: %s: %q, %s", night, url, got.Message, got.State)
				}
			}
		}
	}
	if want := 6 * 3 * len(kinds); told != want {
		t.Errorf("%d rows were looked at, want %d", told, want)
	}
	last := l.links()
	for url, sentence := range map[string]string{
		"http://login.test/papers/0.html": "The site asks visitors to log in before it shows the page.",
		"http://closed.test/item/0":       "The page is there, but the site does not open its text to us.",
		"http://wall.test/papers/0.html":  "The site asks visitors to prove that they are human.",
		"http://script.test/papers/0":     "The page is made by a script; only the server could be checked.",
		"http://error.test/papers/0.html": "The server delivers a text that says it was not found.",
	} {
		if got := last[url].Message; got != sentence {
			t.Errorf("%s: %q, want %q", url, got, sentence)
		}
	}
	for _, flag := range []string{"--wall-rules", "--access-rules"} {
		s := l.run(41, flag, rules("bad.toml", "[login]\nhost = [\"a.test\"]\n"))
		if s.code != exit.BadUsage || !strings.Contains(s.err, flag) || !strings.Contains(s.err, "unknown key") {
			t.Errorf("%s: %+v", flag, s)
		}
	}
}

// OUTCOMES section 5.1.18: on its last strike a link is asked for as browsers ask, and
// one that browsers get is not dead; others die on the night on which they would.
func TestSecondOpinionBeforeDead(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://fussy.test/a.html\nhttp://honest.test/a.html\nhttp://honest.test/b.html#part\nhttp://honest.test/b.html#other\nhttp://slow.test/a.html"})
	page := lab.Page("Grist", "A table of the prices of grist at the mill, year by year.")
	web := l.serveWeb(lab.Web{
		"fussy.test": {"/a.html": func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.UserAgent(), "Mozilla/") {
				lab.NotFound(w, r)
				return
			}
			page(w, r)
		}},
		"honest.test": {},
		"slow.test":   {"/a.html": lab.Status(503)},
	})
	died := map[string]float64{}
	asked := map[float64]int{}
	for night := range 24 {
		night := float64(night)
		l.runWell(night)
		asked[night] = len(web.pages())
		for url, got := range l.links() {
			if _, dead := died[url]; got.State == "dead" && !dead {
				died[url] = night
			}
			if url == "http://fussy.test/a.html" && got.State == "dead" {
				t.Fatalf("night %v: a page that browsers get is dead: %+v", night, got)
			}
		}
	}
	want := map[string]float64{"http://honest.test/a.html": 7, "http://honest.test/b.html#part": 7, "http://honest.test/b.html#other": 7, "http://slow.test/a.html": 16}
	if fmt.Sprint(died) != fmt.Sprint(want) {
		t.Errorf("dead are %v, want %v", died, want)
	}
	if asked[0] != 5 || asked[7] != 5+3 { // a retry among them, and three answers that would settle
		t.Errorf("requests a night: %v", asked)
	}
	for url, words := range map[string][]string{
		"http://fussy.test/a.html":  {"blocked", "answers-differ", `"HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 200 OK"`},
		"http://honest.test/a.html": {"gone", "http-404", `"HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 404 Not Found"`},
		"http://slow.test/a.html":   {"temporary", "http-503", `"HTTP/1.1 503 Service Unavailable; asked as browsers ask: HTTP/1.1 503 Service Unavailable"`},
	} {
		told := l.ok("explain", url)
		for _, word := range words {
			if !strings.Contains(told, word) {
				t.Errorf("explain %s lacks %q:\n%s", url, word, told)
			}
		}
	}
}
