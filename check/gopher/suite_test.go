package gopher

import (
	"context"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/uri"
)

func TestSuite(t *testing.T) {
	for _, item := range []string{"1/menu", "0/text%09%09+"} {
		t.Run(item, func(t *testing.T) {
			checktest.Run(t, checktest.Case{
				New:     func(o check.Options) check.Prober { return New(Options{Options: o}) },
				URL:     "gopher://{at}/" + item,
				Reply:   "0About\t0/About\tvm\t7070\t+\r\n.\r\n",
				Lying:   []string{"+99999999999999999999\r\nx", "+5\r\n", "--1\r\n", "-9\r\n1 x\r\n", "0a\tb\tc\t99999999\r\n"},
				Control: []uri.URI{&uri.Gopher{Type: '1', Selector: "a\r\nb"}, &uri.Gopher{Type: '1', Selector: "a\x00"}},
			})
		})
	}
}

func parse(t *testing.T, s string) uri.URI {
	t.Helper()
	u, err := uri.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Items that point at another protocol are judged by it: RFC 1436 section 3.8,
// OUTCOMES 1.4.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ url, goes string }{
		{"gopher://h.lib:23/8login", "telnet://h.lib:23/"},
		{"gopher://h.lib/Tlogin", "tn3270://h.lib:70/"},
		{"gopher://h.lib:105/2", "cso://h.lib:105/"},
		{"gopher://h.lib/hURL:http://web.lib/a%20b", "http://web.lib/a%20b"},
		{"gopher://h.lib:80/hGET%20/a/b.html", "http://h.lib:80/a/b.html"},
		{"gopher://h.lib/h/URL:telnet://t.lib/", "telnet://t.lib/"},
	} {
		var went uri.URI
		spy := check.ProbeFunc(func(_ context.Context, t check.Target) check.Result {
			went = t.URI
			return check.New(check.Reachable, "telnet-answer", "")
		})
		r := New(Options{Elsewhere: spy}).Probe(t.Context(), check.Target{URI: parse(t, c.url)})
		if went == nil || went.String() != c.goes || r.Outcome != check.Reachable || r.FinalURL != c.goes {
			t.Errorf("%s went to %v: %+v", c.url, went, r)
		}
	}
	r := New(Options{}).Probe(t.Context(), check.Target{URI: parse(t, "gopher://h.lib/hURL:nonsense")})
	if r.Outcome != check.Invalid && r.Outcome != check.Unsupported {
		t.Errorf("nonsense: %s(%s)", r.Outcome, r.Reason)
	}
}

// What an item points at is asked when the host that it names has its turn; the
// gopher server is not asked at all. DESIGN law 6.
func TestElsewhereInTurn(t *testing.T) {
	asked := 0
	spy := check.ProbeFunc(func(context.Context, check.Target) check.Result {
		asked++
		return check.New(check.OK, "http-200", "")
	})
	r, rest := check.Start(t.Context(), New(Options{Elsewhere: spy}), check.Target{URI: parse(t, "gopher://h.lib/hURL:http://web.lib/a")})
	if rest == nil || rest.URI.String() != "http://web.lib/a" || len(r.Hops) != 0 || asked != 0 {
		t.Fatalf("%+v, %+v, asked %d times", r, rest, asked)
	}
	if r, rest = rest.Run(t.Context()); rest != nil || asked != 1 || r.Outcome != check.OK || r.FinalURL != "http://web.lib/a" {
		t.Errorf("%+v, %+v, asked %d times", r, rest, asked)
	}
}
