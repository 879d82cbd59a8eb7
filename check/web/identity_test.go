package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// knownText is the memory of some looks at a page, at another site or the link's own.
func knownText(t *testing.T, page http.HandlerFunc, looks int, site string) *likeness.Memory {
	t.Helper()
	w := serve(t, lab.Web{"known.org": {"/k": page}}, Options{})
	r := w.probe("http://known.org/k")
	var m likeness.Memory
	for i := range looks {
		m = m.After(r.Look.At(site), r.Title, time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC))
	}
	if int(m.Looks) != looks {
		t.Fatalf("%+v", m)
	}
	return &m
}

// OUTCOMES section 1.5, identity before moved.
func TestIdentityBeforeMoved(t *testing.T) {
	whales := lab.Page("Whales of the north", "The whales of the north come to our bay in spring, when the ice has gone, and stay until the herring leave it in autumn.")
	casino := lab.Page("Spin tonight", "Spin the wheel tonight and win a car, a boat and a holiday for two in the sun, no deposit needed, no questions asked.")
	titled := lab.Page("Whales of the north", "All about the animals that swim by our pier, with a map of the places from which they are seen best.")
	// A text of 24 sentences, and others that begin as it does.
	partly := func(title string, kept int) http.HandlerFunc {
		var b strings.Builder
		for i := range 24 {
			thing := "whale"
			if i >= kept {
				thing = "wheel"
			}
			for k := range 9 {
				fmt.Fprintf(&b, "%s%c%c ", thing, 'a'+i, 'a'+k)
			}
			b.WriteString("ends here. ")
		}
		return lab.Page(title, b.String())
	}
	all := partly("Whales", 24)
	const away = "http://www.other.org/p/7"
	refresh := func(to string) http.HandlerFunc {
		return lab.Text("text/html", `<meta http-equiv="refresh" content="0;URL=`+to+`"><p>Go on.`)
	}
	tests := []struct {
		name    string
		link    string
		before  http.HandlerFunc // nil: not known
		looks   int
		site    string
		answer  http.HandlerFunc
		end     http.HandlerFunc
		outcome check.Outcome
		flag    string
	}{
		{"the same text", "http://site.org/a", whales, 1, "", lab.Redirect(301, away), whales, check.Moved, ""},
		{"another text", "http://site.org/a", whales, 1, "", lab.Redirect(301, away), casino, check.OK, "other-site"},
		{"another text, 308", "http://site.org/a", whales, 9, "", lab.Redirect(308, away), casino, check.OK, "other-site"},
		{"another text, 302", "http://site.org/a", whales, 9, "", lab.Redirect(302, away), casino, check.OK, ""},
		{"the same text, 302", "http://site.org/a", whales, 9, "", lab.Redirect(302, away), whales, check.OK, ""},
		{"another text, Refresh", "http://site.org/a", whales, 9, "", refresh(away), casino, check.OK, "meta-refresh other-site"},
		{"the same text, Refresh", "http://site.org/a", whales, 9, "", refresh(away), whales, check.Moved, "meta-refresh"},
		{"two thirds of the text", "http://site.org/a", all, 9, "", lab.Redirect(301, away), partly("Seals", 16), check.Moved, ""},
		{"two fifths of the text", "http://site.org/a", all, 9, "", lab.Redirect(301, away), partly("Seals", 10), check.OK, "other-site"},
		{"two fifths of the text, by its name", "http://site.org/x/7", all, 9, "", lab.Redirect(301, away), partly("Seals", 10), check.OK, "other-site"},
		{"two fifths of the text, and the title", "http://site.org/a", all, 9, "", lab.Redirect(301, away), partly("Whales", 10), check.Moved, ""},
		{"a tenth of the text, and the title", "http://site.org/a", all, 9, "", lab.Redirect(301, away), partly("Whales", 2), check.OK, "other-site"},
		{"two fifths of the text, within the site", "http://old.site.org/a", all, 9, "", lab.Redirect(301, "http://new.site.org/b"), partly("Seals", 10), check.Moved, ""},
		{"the title, while the text is not known well", "http://site.org/a", whales, 2, "", lab.Redirect(301, away), titled, check.OK, "other-site"},
		{"the title, where the text is known well", "http://site.org/a", whales, 5, "", lab.Redirect(301, away), titled, check.OK, "other-site"},
		{"nothing known, another name", "http://site.org/a", nil, 0, "", lab.Redirect(301, away), casino, check.OK, "other-site"},
		{"nothing known, the same name", "http://site.org/x/7", nil, 0, "", lab.Redirect(301, away), whales, check.Moved, ""},
		{"nothing known, another query", "http://site.org/x/7?id=1", nil, 0, "", lab.Redirect(301, away), whales, check.OK, "other-site"},
		{"known only there", "http://site.org/a", casino, 9, "other.org", lab.Redirect(301, away), casino, check.OK, "other-site"},
		{"within the site", "http://old.site.org/a", nil, 0, "", lab.Redirect(301, "http://new.site.org/b"), casino, check.Moved, ""},
		{"within the site, another text", "http://old.site.org/a", whales, 5, "", lab.Redirect(301, "http://new.site.org/b"), casino, check.OK, ""},
		{"within a public suffix", "http://a.co.uk/a", nil, 0, "", lab.Redirect(301, "http://b.co.uk/b"), casino, check.OK, "other-site"},
		{"scheme and www", "http://site.org/a", whales, 9, "", lab.Redirect(301, "http://www.site.org/a"), whales, check.Moved, ""},
		{"front page, the name of the site", "http://mill.org/", nil, 0, "", lab.Redirect(301, "http://mill.net/"), whales, check.Moved, ""},
		{"front page, another name", "http://mill.org/", nil, 0, "", lab.Redirect(301, "http://win.net/"), casino, check.OK, "other-site"},
		{"front page by Refresh to a page behind it", "http://mill.org/", nil, 0, "", refresh("http://mill.org/en/start"), whales, check.OK, "meta-refresh"},
		{"to a resolver", "http://site.org/a", nil, 0, "", lab.Redirect(301, "http://hdl.handle.net/2/3"), whales, check.Moved, ""},
		{"permanent at the beginning only", "http://site.org/a", whales, 9, "", lab.Redirect(301, "http://www.site.org/step"), casino, check.OK, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := check.Target{URI: parse(t, tt.link)}
			if tt.before != nil {
				target.Known = knownText(t, tt.before, tt.looks, tt.site)
			}
			web := lab.Web{}
			for _, host := range []string{"www.other.org", "new.site.org", "www.site.org", "b.co.uk", "mill.net", "win.net", "hdl.handle.net", "mill.org"} {
				web[host] = lab.Site{"/robots.txt": lab.NotFound}
				for _, path := range []string{"/p/7", "/b", "/a", "/", "/2/3", "/en/start"} {
					web[host][path] = tt.end
				}
			}
			web["www.site.org"]["/step"] = lab.Redirect(302, away)
			from := parse(t, tt.link)
			p := resourceOf(from.(*uri.HTTP))
			if web[p.host] == nil {
				web[p.host] = lab.Site{}
			}
			web[p.host][p.path] = tt.answer
			w := serve(t, web, Options{})
			r := w.p.Probe(t.Context(), target)
			if r.Outcome != tt.outcome || strings.Join(r.Flags, " ") != tt.flag || (r.SuggestedURL != "") != (tt.outcome == check.Moved) {
				t.Errorf("%+v\n%q", r, w.requests())
			}
		})
	}
}

// HTML section 4.2.5.3: what a Refresh says, and when it is followed.
func TestRefreshText(t *testing.T) {
	for text, want := range map[string]string{
		"0; url=/b": "/b", "0;URL='/b'": "/b", `3, url="/b c"`: "/b c", "10;url=http://h/": "http://h/", "0 /b": "/b", "0.5; /b": "/b", " 1 ;url = /b ": "/b",
		"11; url=/b": "", "0": "", "5;": "", "": "", "soon; url=/b": "", "-1; url=/b": "", "99999999999999999999; url=/b": "", "0; url='/b": "/b",
	} {
		if got := refreshTarget(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Refreshes are followed as redirects are: within bounds, through the guard and by
// robots.txt; pages that refresh in a circle are there.
func TestRefreshIsFollowed(t *testing.T) {
	meta := func(text string) http.HandlerFunc {
		return lab.Text("text/html", `<html><head><META HTTP-EQUIV=Refresh CONTENT="`+text+`"></head><body><p>One moment.</body></html>`)
	}
	many := lab.Site{"/end": fine}
	for i := range 20 {
		many[fmt.Sprintf("/%d", i)] = meta(fmt.Sprintf("0;url=/%d", i+1))
	}
	tests := []struct {
		name, link string
		web        lab.Web
		outcome    check.Outcome
		reason     check.Reason
		final      string
	}{
		{"meta", "http://a.org/x", lab.Web{"a.org": {"/x": meta("0; url=y"), "/y": fine}}, check.Moved, "http-200", "http://a.org/y"},
		{"header", "http://a.org/x", lab.Web{"a.org": {"/x": lab.Status(200, "Refresh", "10; url=/y"), "/y": fine}}, check.Moved, "http-200", "http://a.org/y"},
		{"too late", "http://a.org/x", lab.Web{"a.org": {"/x": meta("11; url=y"), "/y": fine}}, check.OK, "http-200", ""},
		{"to nothing", "http://a.org/x", lab.Web{"a.org": {"/x": meta("0; url=y")}}, check.Gone, "http-404", "http://a.org/y"},
		{"to itself", "http://a.org/x", lab.Web{"a.org": {"/x": meta("5; url=/x#top")}}, check.OK, "http-200", ""},
		{"in a circle", "http://a.org/x", lab.Web{"a.org": {"/x": meta("5; url=/y"), "/y": meta("5; url=/x")}}, check.Moved, "http-200", "http://a.org/y"},
		{"a long show of pages", "http://a.org/0", lab.Web{"a.org": many}, check.Moved, "http-200", "http://a.org/10"},
		{"forbidden", "http://a.org/x", lab.Web{"a.org": {"/x": meta("0; url=http://b.org/y")}, "b.org": {"/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /y\n"), "/y": fine}}, check.Blocked, "robots", "http://b.org/y"},
		{"a script", "http://a.org/x", lab.Web{"a.org": {"/x": meta("0; url=javascript:go()")}}, check.OK, "http-200", ""},
		{"for browsers without scripts", "http://a.org/x", lab.Web{"a.org": {"/x": lab.Text("text/html", `<noscript><meta http-equiv=refresh content="0;url=/y"></noscript><p>Here.`)}}, check.OK, "http-200", ""},
		{"on an error page", "http://a.org/x", lab.Web{"a.org": {"/x": lab.Status(404, "Refresh", "0; url=/y"), "/y": fine}}, check.Gone, "http-404", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := serve(t, tt.web, Options{})
			if r := w.probe(tt.link); r.Outcome != tt.outcome || r.Reason != tt.reason || r.FinalURL != tt.final {
				t.Errorf("%+v\n%q", r, w.requests())
			}
		})
	}
}

// A script that sends its readers elsewhere is shown and not followed.
func TestScriptRedirect(t *testing.T) {
	page := func(s string) http.HandlerFunc { return lab.Text("text/html", "<title>x</title>"+s) }
	long := strings.Repeat("<p>A page with a text of its own, which is read. ", 20)
	for name, tt := range map[string]struct {
		page http.HandlerFunc
		says string
	}{
		"replace":         {page(`<script>location.replace("http://casino.test/")</script>`), `location.replace("http://casino.test/")`},
		"href":            {page(`<script>window.location.href = 'http://casino.test/';</script>`), `location.href = 'http://casino.test/'`},
		"assignment":      {page(`<script>if (top == self) { document.location="/y" }</script><p>Please wait.`), `location="/y"`},
		"a page to read":  {page(`<script>location.replace("http://casino.test/")</script>` + long), ""},
		"no such script":  {page(`<script>var here = location.href</script>`), ""},
		"not in a script": {page(`<p>location.replace("http://casino.test/")`), ""},
	} {
		w := serve(t, lab.Web{"a.org": {"/x": tt.page}}, Options{})
		r := w.probe("http://a.org/x")
		if r.Outcome != check.OK || slices.Contains(r.Flags, "script-redirect") != (tt.says != "") || !strings.HasSuffix(r.Reply, tt.says) || r.FinalURL != "" {
			t.Errorf("%s: %+v", name, r)
		}
		if asked := w.requests(); slices.ContainsFunc(asked, func(s string) bool { return strings.Contains(s, "casino") || strings.HasSuffix(s, "/y") }) {
			t.Errorf("%s: asked %q", name, asked)
		}
	}
}
