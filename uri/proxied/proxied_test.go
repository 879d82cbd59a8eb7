package proxied

import (
	"slices"
	"strings"
	"testing"
)

// The forms in which libraries write links through their proxies: OCLC's documents of
// EZproxy ("Starting point URLs", "About URL rewriting"), Innovative's of Web Access
// Management ("The Proxy Rewrite Method"), OpenAthens' of its redirector.
var forms = []struct{ link, target, via, code string }{
	{"https://ezproxy.lib.edu/login?url=https://www.jstor.org/stable/1?a=b&c=d#e", "https://www.jstor.org/stable/1?a=b&c=d#e", "https://ezproxy.lib.edu/login?url={url}", "proxied:login-url"},
	{"http://ezproxy.lib.edu:2048/login?url=http://www.jstor.org/", "http://www.jstor.org/", "http://ezproxy.lib.edu:2048/login?url={url}", "proxied:login-url"},
	{"https://login.lib.edu/login?auth=shibboleth&url=https://www.jstor.org/", "https://www.jstor.org/", "https://login.lib.edu/login?auth=shibboleth&url={url}", "proxied:login-url"},
	{"https://ezproxy.lib.edu/login?qurl=https%3A%2F%2Fwww.jstor.org%2Fa%3Fb%3Dc%2520d", "https://www.jstor.org/a?b=c%20d", "https://ezproxy.lib.edu/login?qurl={escaped}", "proxied:login-qurl"},
	{"https://ezproxy.lib.edu/login?url=https%3a%2f%2fwww.jstor.org%2Fa&group=x", "https://www.jstor.org/a", "https://ezproxy.lib.edu/login?url={escaped}&group=x", "proxied:login-url"},
	{"https://ezproxy.lib.edu/login?qurl=http%3A%2F%2Fx.org%2Fa%20b", "http://x.org/a%20b", "https://ezproxy.lib.edu/login?qurl={escaped}", "proxied:login-qurl"},
	{"https://go.openathens.net/redirector/lib.edu?url=https%3A%2F%2Fwww.jstor.org%2Fstable%2F1", "https://www.jstor.org/stable/1", "https://go.openathens.net/redirector/lib.edu?url={escaped}", "proxied:openathens"},
	{"https://proxy.lib.edu/https://www.jstor.org/stable/1", "https://www.jstor.org/stable/1", "https://proxy.lib.edu/{url}", "proxied:path"},
	{"https://proxy.lib.edu/go?url=ftp://ftp.x.org/a", "ftp://ftp.x.org/a", "https://proxy.lib.edu/go?url={url}", "proxied:login-url"},
	{"https://ezproxy.a.edu/login?url=https://go.openathens.net/redirector/a.edu?url=https%3A%2F%2Fx.org%2F1", "https://x.org/1",
		"https://ezproxy.a.edu/login?url={url} https://go.openathens.net/redirector/a.edu?url={escaped}", "proxied:login-url"},
	{"https://ezproxy.a.edu/login?url=https://ezproxy.b.edu/login?url=https://x.org/1", "https://x.org/1",
		"https://ezproxy.a.edu/login?url={url} https://ezproxy.b.edu/login?url={url}", "proxied:login-url"},
}

func TestForms(t *testing.T) {
	for _, tt := range forms {
		l, ok := Rules(nil).Target(tt.link)
		if want := (Link{tt.target, tt.via, tt.code}); !ok || l != want {
			t.Errorf("%s:\n got %+v, %t\nwant %+v", tt.link, l, ok, want)
		}
		if !slices.Contains(Codes(), l.Code) {
			t.Errorf("%s: code %q is not listed", tt.link, l.Code)
		}
		other := strings.Replace(l.Target, "x.org", "new.net", 1) + "x"
		again, ok := Wrap(l.Via, other)
		if l2, ok2 := Rules(nil).Target(again); !ok || !ok2 || l2.Target != other || l2.Via != l.Via {
			t.Errorf("%s: with another target %q, which is read as %+v", tt.link, again, l2)
		}
	}
}

// What only looks like a proxy is asked as it is.
func TestNotProxied(t *testing.T) {
	for _, link := range []string{
		"https://www.jstor.org/stable/1", "https://ezproxy.lib.edu/login", "https://ezproxy.lib.edu/login?url=", "https://ezproxy.lib.edu/menu",
		"https://www.site.org/login?url=https://site.org/account", "https://site.org/login?url=/account", "https://site.org/go?url=https://x.org/",
		"https://web.archive.org/web/2010/http://x.org/", "https://ezproxy.lib.edu/login?url=www.jstor.org", "ftp://proxy.lib.edu/http://x.org/",
		"https://ezproxy.lib.edu/login?url=%zz", "https://ezproxy.lib.edu/login?qurl=https%3A%2F%2F", "http://", "https://{host}.proxy.edu/",
		"http://www.jstor.org.ezproxy.lib.edu/", "http://0-www.jstor.org.lib.edu/", // a host is only guessed
	} {
		if l, ok := Rules(nil).Target(link); ok {
			t.Errorf("%s leads to %+v", link, l)
		}
	}
}

// Hosts that proxies rewrite are known for a comparison.
func TestGuess(t *testing.T) {
	for _, tt := range []struct{ link, target, via, code string }{
		{"http://journals.press.com.ezproxy.lib.edu/a?b", "http://journals.press.com/a?b", "http://{host}.ezproxy.lib.edu", "proxied:host"},
		{"https://journals-press-com.ezproxy.lib.edu/a", "https://journals.press.com/a", "https://{hyphens}.ezproxy.lib.edu", "proxied:host-hyphens"},
		{"https://ars-els--cdn-com.ezproxy.lib.edu/a", "https://ars.els-cdn.com/a", "https://{hyphens}.ezproxy.lib.edu", "proxied:host-hyphens"},
		{"https://www-jstor-org.lib.idm.oclc.org/a", "https://www.jstor.org/a", "https://{hyphens}.lib.idm.oclc.org", "proxied:host-hyphens"},
		{"http://0-www.jstor.org.lib.edu/a", "http://www.jstor.org/a", "http://0-{host}.lib.edu", "proxied:wam"},
		{"https://0-www-jstor-org.catalog.lib.edu/a", "https://www.jstor.org/a", "https://0-{hyphens}.catalog.lib.edu", "proxied:wam"},
		{"http://0-www.ox.ac.uk.lib.edu/a", "http://www.ox.ac.uk/a", "http://0-{host}.lib.edu", "proxied:wam"},
	} {
		l, ok := Rules(nil).Guess(tt.link)
		if want := (Link{tt.target, tt.via, tt.code}); !ok || l != want {
			t.Errorf("%s:\n got %+v, %t\nwant %+v", tt.link, l, ok, want)
		}
		if again, ok := Wrap(l.Via, l.Target); !ok || again != tt.link {
			t.Errorf("%s: written again it is %q", tt.link, again)
		}
	}
	for _, link := range []string{"http://www.lib.edu/", "http://proxy.lib.edu/", "http://www.proxy.org/", "http://0-day.org/", "http://0-a.lib.edu/", "http://1.2.3.4/", "http://a@0-www.x.org.lib.edu/"} {
		if l, ok := Rules(nil).Guess(link); ok {
			t.Errorf("%s leads to %+v", link, l)
		}
	}
}

func TestRules(t *testing.T) {
	var rules Rules
	for _, s := range []string{"http://go.lib.edu/x?to={url}", "{host}.gate.lib.edu", "0-{host}.lib.edu", "https://r.lib.edu/?a=1&u={escaped}&z=9"} {
		r, err := ParseRule(s)
		if err != nil || r.String() != s {
			t.Fatalf("%s: %q, %v", s, r, err)
		}
		rules = append(rules, r)
	}
	p, err := Prefix("http://pre.lib.edu/?url=")
	if err != nil {
		t.Fatal(err)
	}
	rules = append(rules, p)
	for _, tt := range []struct{ link, target string }{
		{"HTTPS://GO.lib.edu/x?to=http://x.org/1", "http://x.org/1"},
		{"http://go.lib.edu/X?to=http://x.org/1", ""}, // paths differ by case
		{"http://go.lib.edu/x?to=", ""},
		{"http://go.lib.edu/x?to=www.x.org", "www.x.org"}, // the rule says that it is the target, so it is a wrong one
		{"http://www.x.org.gate.lib.edu/1", "http://www.x.org/1"},
		{"https://www-x-org.Gate.lib.edu/1", "https://www.x.org/1"},
		{"https://gate.lib.edu/1", ""},
		{"https://help.gate.lib.edu/1", ""},
		{"http://0-www.x.org.lib.edu/1", "http://www.x.org/1"},
		{"https://r.lib.edu/?a=1&u=https%3A%2F%2Fx.org%2F&z=9", "https://x.org/"},
		{"http://pre.lib.edu/?url=https%3A%2F%2Fx.org%2F", "https://x.org/"},
		{"http://pre.lib.edu/?url=http://www.x.org.gate.lib.edu/1", "http://www.x.org/1"},
	} {
		if l, ok := rules.Target(tt.link); ok != (tt.target != "") || ok && l.Target != tt.target {
			t.Errorf("%s: %+v, %t, want %q", tt.link, l, ok, tt.target)
		}
	}
	for _, s := range []string{"", "ezproxy.lib.edu", "ezproxy.lib.edu/login?url={url}", "https://x/{url}/y", "{host}", "{host}lib.edu", "{host}.lib.edu/x"} {
		if r, err := ParseRule(s); err == nil {
			t.Errorf("%q is the rule %q", s, r)
		}
	}
}

// EZproxy writes the host of a target with hyphens by TLS and with dots without it.
func TestWrapOtherScheme(t *testing.T) {
	for _, tt := range []struct{ via, target, want string }{
		{"http://{host}.ezproxy.lib.edu", "https://www.els-cdn.com/1", "https://www-els--cdn-com.ezproxy.lib.edu/1"},
		{"https://{hyphens}.ezproxy.lib.edu", "http://www.x.org", "http://www.x.org.ezproxy.lib.edu"},
		{"https://{hyphens}.ezproxy.lib.edu", "https://www.x.org:8443/", ""},
		{"https://{hyphens}.ezproxy.lib.edu", "ftp://www.x.org/", ""},
		{"no rule", "https://x.org/", ""},
		{"", "https://x.org/", ""},
	} {
		if got, ok := Wrap(tt.via, tt.target); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s around %s: %q, %t", tt.via, tt.target, got, ok)
		}
	}
}

// FuzzTarget: nothing panics; a target written as its link was is read as that target.
func FuzzTarget(f *testing.F) {
	for _, tt := range forms {
		f.Add(tt.link)
	}
	rule, err := ParseRule("{host}.gate.lib.edu")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("https://www-x-org.gate.lib.edu/")
	f.Add("http://0-www.x.org.lib.edu/")
	f.Fuzz(func(t *testing.T, s string) {
		for _, take := range []func(string) (Link, bool){Rules{rule}.Target, Rules{rule}.Guess} {
			l, ok := take(s)
			if !ok {
				continue
			}
			again, ok := Wrap(l.Via, l.Target)
			if l2, ok2 := take(again); !ok || !ok2 || l2.Target != l.Target || l2.Via != l.Via {
				t.Errorf("%q: %+v; written again %q: %+v", s, l, again, l2)
			}
		}
	})
}
