package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// proxyForms are the ways in which the catalogue of a library writes links through its
// proxies; a target is http://HOST/PATH.
var proxyForms = map[string]func(host, path string) string{
	"login?url=": func(host, path string) string { return "https://ezproxy.lib.test/login?url=http://" + host + path },
	"login?qurl=": func(host, path string) string {
		return "https://ezproxy.lib.test/login?qurl=" + url.QueryEscape("http://"+host+path)
	},
	"OpenAthens": func(host, path string) string {
		return "https://go.openathens.net/redirector/lib.test?url=" + url.QueryEscape("http://"+host+path)
	},
	"nested": func(host, path string) string {
		return "https://ezproxy.lib.test/login?url=https://go.openathens.net/redirector/lib.test?url=" + url.QueryEscape("http://"+host+path)
	},
	"path":   func(host, path string) string { return "https://proxy.lib.test/http://" + host + path },
	"prefix": func(host, path string) string { return "http://go.lib.test/to?u=http://" + host + path },
	"host":   func(host, path string) string { return "http://" + host + ".gate.lib.test" + path },
	"hyphens": func(host, path string) string {
		return "http://" + strings.ReplaceAll(host, ".", "-") + ".gate.lib.test" + path
	},
	"WAM":  func(host, path string) string { return "http://0-" + host + ".opac.lib.test" + path },
	"none": func(host, path string) string { return "http://" + host + path },
}

var proxyRules = []string{"--proxy-prefix", "http://go.lib.test/to?u=", "--proxy-prefix", "https://unused.lib.test/?url=",
	"--proxy-rule", "{host}.gate.lib.test", "--proxy-rule", "0-{host}.opac.lib.test"}

// TestProxiedCatalogue is a catalogue of links through proxies over nights: they are judged
// by what they lead to, which is asked once a night however many links lead there, and
// nothing is proposed without its proxy. The proxies themselves are left alone.
func TestProxiedCatalogue(t *testing.T) {
	l := newLibrary(t, nil)
	site := lab.Site{"/robots.txt": lab.NotFound}
	targets := map[string]string{} // path: the state after the nights
	for i := range 12 {
		path := fmt.Sprintf("/p%02d", i)
		switch targets[path] = []string{"alive", "moved", "dead"}[i%3]; targets[path] {
		case "alive":
			site[path] = lab.Page("Paper", "the paper "+path)
		case "moved":
			site[path], site["/new"+path] = lab.Redirect(301, "http://www.press.test/new"+path), lab.Page("Paper", "the paper "+path)
		}
	}
	web := l.serveWeb(lab.Web{"www.press.test": site, "ezproxy.lib.test": {"*": func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a proxy was asked: %s", r.URL)
	}}})
	want := map[string]string{} // by link
	var bibs strings.Builder
	for name, form := range proxyForms {
		for path, state := range targets {
			link := form("www.press.test", path)
			want[link] = state
			bibs.WriteString(testdoc.Catalogued(fmt.Sprint(strings.Trim(name, "?="), path), "Paper", "|u"+link))
		}
	}
	l.write("bibs.mrc", bibs.String())
	for _, night := range []float64{0, 1, 4, 7, 12, 20} {
		l.runWell(night, proxyRules...)
		asked := web.pages()
		for path, state := range targets {
			n, most := count(asked, "GET www.press.test"+path), 1
			if state == "dead" && night == 7 {
				most = 2 // a second opinion before it counts as dead
			}
			if n > most || state == "dead" && night < 8 && n == 0 {
				t.Errorf("night %v: %s was asked for %d times", night, path, n)
			}
		}
	}
	got := l.links() // no flag tells of the proxies here
	wrong := 0
	for url, state := range want {
		row := got[url]
		if row.State != state || row.Host != "www.press.test" {
			t.Errorf("%s: %+v, want %s", url, row, state)
			wrong++
		}
	}
	fixes := strings.Split(strings.TrimSpace(l.ok("report", "--fixes", "-")), "\n")[1:]
	bare := 0
	for _, line := range fixes {
		cells := strings.Split(line, "\t")
		name, path, _ := strings.Cut(cells[0], "/")
		for form, write := range proxyForms {
			if strings.Trim(form, "?=") == name && cells[3] != write("www.press.test", "/new/"+path) {
				t.Errorf("%s instead of %s", cells[3], cells[2])
				bare++
			}
		}
	}
	if len(got) != 120 || len(fixes) != 40 {
		t.Errorf("%d links and %d fixes, want 120 and 40", len(got), len(fixes))
	}
	t.Logf("%d links, %d of them judged wrongly; %d fixes, %d of them without their proxy", len(got), wrong, len(fixes), bare)

	dupes := l.ok("dupes")
	for _, code := range []string{"proxied:login-url", "proxied:rule", "proxied:openathens"} {
		if !strings.Contains(dupes, code) {
			t.Errorf("no duplicates by %s", code)
		}
	}
	if said := l.ok("explain", proxyForms["nested"]("www.press.test", "/p02")); !strings.Contains(said, "target    http://www.press.test/p02, by https://ezproxy.lib.test/login?url={url} https://go") || !strings.Contains(said, "state     dead") {
		t.Error(said)
	}

	// A decision about a target holds for every link that leads there, and so does one about its host.
	l.ok("mark", "--why", "seen", "--now", day(20), proxyForms["host"]("www.press.test", "/p02"), "alive")
	pinned := 0
	for url, row := range l.links() {
		if row.State == "pinned-alive" {
			if pinned++; want[url] != "dead" {
				t.Errorf("marked: %+v", row)
			}
		}
	}
	if pinned != len(proxyForms) {
		t.Errorf("%d links are marked, want %d", pinned, len(proxyForms))
	}
	l.ok("mark", "--remove", "http://www.press.test/p02")
	l.ok("mark", "--why", "seen", "--now", day(20), "www.press.test", "ignore")
	for _, row := range l.links() {
		if row.State != "ignored" {
			t.Errorf("not marked: %+v", row)
		}
	}
}

// Rules that come later hold for the links that are known, and are kept until others come;
// an empty one takes them away.
func TestProxyRulesOfAStore(t *testing.T) {
	link := proxyForms["hyphens"]("www.press.test", "/a")
	l := newLibrary(t, map[string]string{"a.txt": link})
	web := l.serveWeb(lab.Web{"www.press.test": {"/a": lab.Page("A", "a")}, "www-press-test.gate.lib.test": {"/a": lab.Page("Proxy", "please")}})
	for _, night := range []struct {
		day   float64
		flags []string
		host  string
	}{
		{0, nil, "www-press-test.gate.lib.test"},
		{8, []string{"--proxy-rule", "{host}.gate.lib.test"}, "www.press.test"},
		{20, nil, "www.press.test"},
		{40, []string{"--proxy-rule", ""}, "www-press-test.gate.lib.test"},
	} {
		l.runWell(night.day, night.flags...)
		if asked := web.pages(); !slices.Contains(asked, "GET "+night.host+"/a") || l.links()[link].Host != night.host {
			t.Errorf("night %v: asked %q, %+v", night.day, asked, l.links()[link])
		}
	}
	export := l.ok("store export")
	if strings.Contains(export, `"target"`) {
		t.Error(export)
	}
}

// A link is asked by its target without a store too.
func TestCheckProxied(t *testing.T) {
	l := newLibrary(t, nil)
	l.serveWeb(lab.Web{"www.press.test": {"/a": lab.Redirect(301, "http://www.press.test/b"), "/b": lab.Page("B", "b")}})
	link := proxyForms["prefix"]("www.press.test", "/a")
	row := l.check(link, proxyRules...)
	if row.Outcome != "moved" || row.Target != "http://www.press.test/a" || row.FinalURL != "http://www.press.test/b" || !slices.Contains(row.Flags, "proxied") {
		t.Errorf("%+v", row)
	}
	said := call(t.Context(), "", slices.Concat([]string{"check"}, l.netArgs(0), proxyRules, []string{link})...)
	if !strings.Contains(said.out, "asked: http://www.press.test/a, behind the proxy") {
		t.Error(said.out)
	}
	for _, bad := range [][]string{{"--proxy-prefix", "ezproxy.lib.test/login?url="}, {"--proxy-rule", "{host}"}, {"--proxy-rule", "x"}} {
		if s := call(t.Context(), "", slices.Concat([]string{"check"}, bad, []string{link})...); s.code != exit.BadUsage || !strings.Contains(s.err, bad[0]) {
			t.Errorf("%q: %+v", bad, s)
		}
	}
}
