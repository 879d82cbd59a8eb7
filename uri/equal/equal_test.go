package equal

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/internal/vectors"
	"linkcheck/uri/registry"
)

func TestPairVectors(t *testing.T) {
	vectors.Each(t, "pairs", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got := (Rules{}).Compare(r[1], r[2])
			want := r[3] + " " + r[4] + " " + strings.Trim(r[5], "-")
			if g := string(got.Equality) + " " + got.Level + " " + strings.Join(got.Reasons, ","); g != want {
				t.Errorf("%s %s %s:\n got %s\nwant %s", r[0], r[1], r[2], g, want)
			}
			if back := (Rules{}).Compare(r[2], r[1]); back.Equality != got.Equality || back.Level != got.Level {
				t.Errorf("%s: not symmetric: %v %v", r[0], got, back)
			}
		}
	})
}

// TestUDIProfile: NORMALIZATION.md decisions 27 and 38.
func TestUDIProfile(t *testing.T) {
	udi := Rules{UDI: true}
	for _, c := range []struct {
		a, b string
		want Equality
	}{
		{"file://info.cern.ch/a", "ftp://info.cern.ch/a", Dup},
		{"gopher://h.dom/7s?q", "gopher://h.dom/7s%09q", Dup},
		{"file://localhost/a", "ftp://localhost/a", Not},
		{"file:///a", "ftp://h.dom/a", Not},
		{"telnet://a@h.dom/", "telnet://h.dom/", Maybe},
	} {
		if got := udi.Compare(c.a, c.b); got.Equality != c.want {
			t.Errorf("%s %s: %v; want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestGroup(t *testing.T) {
	groups := (Rules{}).Group([]string{
		"FTP://Host.DOM/a", "ftp://host.dom/a", "ftp://host.dom:21/a", "ftp://host.dom/A",
		"telnet://h.dom", "telnet://h.dom/", "telnet://guest@h.dom/", "telnet://root@h.dom/",
		"http://x.dom/1#a", "http://x.dom/1#b", "bogus://x", "bogus://x",
		"http://p.dom/1", "https://ezproxy.lib.edu/login?url=http://p.dom/1",
	})
	var got []string
	for _, g := range groups {
		got = append(got, g.Level.String()+" "+string(g.Equality)+" "+g.Preferred+" ["+strings.Join(g.Spellings, " ")+"] "+strings.Join(g.Reasons, ","))
	}
	want := []string{
		"syntax dup ftp://host.dom/a [FTP://Host.DOM/a ftp://host.dom/a] scheme-case,host-case",
		"scheme dup ftp://host.dom/a [FTP://Host.DOM/a ftp://host.dom/a ftp://host.dom:21/a] scheme-case,host-case,port-default",
		"scheme dup telnet://h.dom/ [telnet://h.dom telnet://h.dom/] telnet-slash",
		"protocol maybe telnet://h.dom/ [telnet://guest@h.dom/ telnet://h.dom telnet://h.dom/] telnet-slash,telnet-advisory-userinfo",
		"heuristic maybe ftp://host.dom/A [FTP://Host.DOM/a ftp://host.dom/A ftp://host.dom/a ftp://host.dom:21/a] scheme-case,host-case,port-default,path-case",
		"heuristic maybe https://ezproxy.lib.edu/login?url=http://p.dom/1 [http://p.dom/1 https://ezproxy.lib.edu/login?url=http://p.dom/1] proxied:login-url",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExplainNamesEveryStep(t *testing.T) {
	d := (Rules{}).Describe("<URL:FTP://Host.Dom:21/%7Ejoe/../a;b>")
	var codes []string
	for _, s := range d.Steps {
		codes = append(codes, s.Level+":"+s.Code)
	}
	want := []string{
		"identical:wrapper-url", "identical:repaired:ftp-raw-semicolon", "syntax:scheme-case", "syntax:host-case",
		"syntax:pct-unreserved", "syntax:dot-segments", "scheme:port-default", "protocol:same-wire",
	}
	if !slices.Equal(codes, want) || d.Valid != "lax" || d.Keys == nil {
		t.Errorf("got %q; want %q", codes, want)
	}
	if bad := (Rules{}).Describe("bogus:x"); bad.Valid != "no" || bad.Keys != nil || bad.Code != "scheme-unknown" || string(bad.Components) != "{}" {
		t.Errorf("%+v", bad)
	}
}

// TestEveryStepHasASection: below the level resolver each step names the document
// that allows it.
func TestEveryStepHasASection(t *testing.T) {
	for _, r := range rules[Protocol] {
		if r.section == "" {
			t.Errorf("%s has no section", r.code)
		}
	}
	n := 0
	for _, rows := range vectors.All(t) {
		for _, row := range rows {
			u, err := uri.Parse(row[1])
			if err != nil {
				continue
			}
			for _, s := range (Rules{}).Explain(u) {
				if n++; s.Section == "practice" && (s.Level == "syntax" || s.Level == "scheme" || s.Level == "registry") {
					t.Errorf("%s: %v", row[1], s)
				}
			}
		}
	}
	if n < 50 {
		t.Fatalf("only %d steps", n)
	}
}

// TestOwnRegistry: a librarian's own namespaces and resolvers are compared by.
func TestOwnRegistry(t *testing.T) {
	const own = `
[[namespace]]
name = "shelf"
title = "our shelf marks"
case = "upper"
strip = ["shelf:"]
remove = "-"
valid = '^[A-Z]{2}[0-9]+$'

[[resolver]]
code = "our-catalogue"
hosts = ["opac.example.org"]
path = "/mark/"
namespace = "shelf"
`
	reg, err := registry.Load(strings.NewReader(own))
	if err != nil {
		t.Fatal(err)
	}
	c := Rules{Registry: reg}.Compare("info:shelf/QA76", "http://opac.example.org/mark/qa-76")
	if c.Equality != Maybe || c.Level != "resolver" {
		t.Errorf("resolver: %+v", c)
	}
	if c := (Rules{}).Compare("info:shelf/QA76", "info:shelf/qa76"); c.Equality == Dup {
		t.Error("the frozen registry learned a namespace")
	}
}

func TestISBNForms(t *testing.T) {
	if c := (Rules{}).Compare("urn:isbn:0-306-40615-2", "urn:isbn:9780306406157"); c.Equality != Maybe || c.Level != "heuristic" {
		t.Errorf("two lengths of one ISBN: %v", c)
	}
}
