package uri

import (
	"slices"
	"strings"
	"testing"
)

func TestSchemesAreSortedAndFound(t *testing.T) {
	list := Schemes()
	if len(list) < 40 {
		t.Fatalf("only %d schemes", len(list))
	}
	if !slices.IsSortedFunc(list, func(a, b Descriptor) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not sorted")
	}
	for _, s := range list {
		if r := findRow(upper(s.Name)); r == nil || r.Name != s.Name {
			t.Errorf("%s: not found in upper case", s.Name)
		}
		if s.Spec == "" {
			t.Errorf("%s: no document", s.Name)
		}
	}
	if findRow("z39.50") != nil || findRow("") != nil || findRow("zzzz") != nil {
		t.Error("an unknown scheme was found")
	}
}

// TestMask: law 5 of DESIGN.md, passwords are never printed.
func TestMask(t *testing.T) {
	for _, c := range [][2]string{
		{"ftp://u:secret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:@h.dom/f", "ftp://u:@h.dom/f"},
		{"ftp://u:@p@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u@h.dom/f", "ftp://u@h.dom/f"},
		{"ftp://u:a:b@c@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se/cret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se cret@h.dom/f", "ftp://u:se cret@h.dom/f"},
		{"//u:p@h/", "//u:***@h/"},
		{"http://h.dom:80/a@b", "http://h.dom:80/a@b"},
		{"http://[::1]:80/a@b", "http://[::1]:80/a@b"},
		{"http://p.dom/ftp://u:p@h/", "http://p.dom/ftp://u:***@h/"},
		{"mailto:a@b.c", "mailto:a@b.c"},
		{"bad ftp://u:p@h", "bad ftp://u:***@h"},
		{"news:a@b.c", "news:a@b.c"},
		{"ftp:u:p@h/x", "ftp:u:***@h/x"},
		{"http:/u:p@h/x", "http:/u:***@h/x"},
		{`http:\\u:p@h`, `http:\\u:***@h`},
	} {
		if got := Mask(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
}

// TestLaxHosts: what no seed allows and the world writes.
func TestLaxHosts(t *testing.T) {
	for in, want := range map[string]string{
		"http://bücher.dom/":        "host-idn xn--bcher-kva.dom",
		"http://p\u0430ypal.com/":   "host-mixed-scripts xn--pypal-4ve.com",
		"http://\u0440\u0444.dom/":  "host-idn xn--p1ai.dom",
		"ftp://_ftp.host.dom/":      "host-underscore _ftp.host.dom",
		"ftp://HOST.dom./":          "host-root-dot host.dom.",
		"ftp://[2001:DB8::1]/":      "3986-ipv6 [2001:db8::1]",
		"http://017700000001/":      "host-ipv4-form 017700000001",
		"gopher://%67opher.dom:70/": "host-escaped gopher.dom",
	} {
		u, err := Parse(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		at, _ := u.Endpoint()
		if got := u.Code() + " " + at.Host; got != want {
			t.Errorf("%s: %s; want %s", in, got, want)
		}
	}
}

// TestMaskLong never ends if a mask looks at the rest for every "//".
func TestMaskLong(t *testing.T) {
	for _, unit := range []string{"//a:b", "//a:b@", "//", "a:b@c", ":", "@"} {
		s := strings.Repeat(unit, (1<<20)/len(unit)) + "@"
		if Mask(Mask(s)) != Mask(s) {
			t.Errorf("%s: a mask is not masked", unit)
		}
	}
}

// TestHostile: a code each, never a panic, never more work than its length.
func TestHostile(t *testing.T) {
	for _, c := range []struct{ name, in, code string }{
		{"percent signs", "http://h/" + strings.Repeat("%", 1<<20), "too-long"},
		{"plus signs", "z39.50r://h/" + strings.Repeat("+", 1<<20), "too-long"},
		{"100 kB", "ftp://h/" + strings.Repeat("a", 100_000), "too-long"},
		{"only plus signs", strings.Repeat("+", 1<<20), "too-long"},
		{"1000 labels", "ftp://" + strings.Repeat("a.", 999) + "a/", "host-length"},
		{"long label", "ftp://" + strings.Repeat("a", 64) + ".dom/", "host-label-length"},
		{"port", "ftp://h:99999/", "port-range"},
		{"huge port", "ftp://h:" + strings.Repeat("9", 40), "port-range"},
		{"invalid UTF-8 in a host", "http://\xff\xfe.dom/", "host-idna"},
		{"invalid UTF-8 in a path", "ftp://h/\xff", "ftp-path-char"},
		{"mixed scripts", "http://раypal.com\u200d/", "host-idna"},
		{"NUL", "ftp://h/\x00", "ftp-path-char"},
		{"NUL in http", "http://h/\x00", "control-char"},
		{"line feed", "telnet://h\n", "host-label-syntax"},
		{"tab in a scheme", "f\ttp://h/", "scheme-missing"},
		{"empty", "", "scheme-missing"},
		{"colon", ":", "scheme-missing"},
	} {
		_, err := Parse(c.in)
		e, ok := err.(*Error)
		if !ok || e.Code != c.code {
			t.Errorf("%s: %v; want %s", c.name, err, c.code)
		}
	}
}

// TestCostIsLinear: the allocations of the longest strings stay few, whatever
// they repeat; quadratic work would show as growth of the written bytes.
func TestCostIsLinear(t *testing.T) {
	for _, head := range []string{"http://h/", "ftp://h/", "gopher://h/7", "z39.50s://h/", "info:x/", "go:", "news:", "prospero://h/", "wais://h/d/t/", "file:///", "mailto:"} {
		for _, unit := range []string{"%", "%41", "+", "/", "../", "/..", ";", ";a=b", "?", ":", "@", ".", "%C3%A9", "a+"} {
			s := head + strings.Repeat(unit, (MaxLen-len(head))/len(unit))
			allocs := testing.AllocsPerRun(1, func() {
				if u, err := Parse(s); err == nil {
					SchemeKey(u)
				}
			})
			if limit := float64(len(s)); allocs > limit {
				t.Errorf("%s %s...: %.0f allocations for %d bytes", head, unit, allocs, len(s))
			}
		}
	}
}

// TestRegistryFile: a librarian's own namespaces and resolvers.
func TestRegistryFile(t *testing.T) {
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
	reg, err := LoadRegistry(strings.NewReader(own))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reg.spaces); n != 30 {
		t.Errorf("%d namespaces; want 30", n)
	}
	u, err := Parse("info:shelf/shelf:qa-76")
	if err != nil {
		t.Fatal(err)
	}
	st := reg.Standing(u.(*Info))
	want := Standing{"own", "yes", []string{"shelf-prefix", "shelf-punctuation", "shelf-case"}, "info:shelf/QA76", "reg:shelf"}
	if st.Status != want.Status || st.Valid != want.Valid || st.Key != want.Key || !slices.Equal(st.Reasons, want.Reasons) {
		t.Errorf("got %+v; want %+v", st, want)
	}
	c := Rules{Registry: reg}.Compare("info:shelf/QA76", "http://opac.example.org/mark/qa-76")
	if c.Equality != Maybe || c.Level != "resolver" {
		t.Errorf("resolver: %+v", c)
	}
	if c := (Rules{}).Compare("info:shelf/QA76", "info:shelf/qa76"); c.Equality == Dup {
		t.Error("the frozen registry learned a namespace")
	}
}

func TestRegistryFileRefused(t *testing.T) {
	for in, want := range map[string]string{
		"[[namespace]]\nname = \"x\"\nkase = \"upper\"\n":      `unknown key "namespace.kase"`,
		"[[namespace]]\nname = \"X\"\n":                        `namespace "X"`,
		"[[namespace]]\nname = \"x\"\ncase = \"title\"\n":      `case "title"`,
		"[[namespace]]\nname = \"x\"\nrule = \"y\"\n":          `unknown rule "y"`,
		"[[namespace]]\nname = \"x\"\nvalid = \"(\"\n":         "namespace x",
		"[[resolver]]\ncode = \"x\"\n":                         `resolver "x"`,
		"colour = 1\n":                                         `unknown key "colour"`,
		"[[":                                                   "registry",
		strings.Repeat("# a comment\n", maxRegistryFile/12+10): "bytes",
	} {
		if _, err := LoadRegistry(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v; want %s", in, err, want)
		}
	}
}

func TestRegistryEmbedded(t *testing.T) {
	reg, err := frozen()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reg.spaces); n != 29 {
		t.Errorf("%d namespaces; want the 29 of the frozen registry", n)
	}
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
	})
	var got []string
	for _, g := range groups {
		got = append(got, g.Level+" "+string(g.Equality)+" "+g.Preferred+" ["+strings.Join(g.Spellings, " ")+"] "+strings.Join(g.Reasons, ","))
	}
	want := []string{
		"syntax dup ftp://host.dom/a [FTP://Host.DOM/a ftp://host.dom/a] scheme-case,host-case",
		"scheme dup ftp://host.dom/a [FTP://Host.DOM/a ftp://host.dom/a ftp://host.dom:21/a] scheme-case,host-case,port-default",
		"scheme dup telnet://h.dom/ [telnet://h.dom telnet://h.dom/] telnet-slash",
		"protocol maybe telnet://h.dom/ [telnet://guest@h.dom/ telnet://h.dom telnet://h.dom/] telnet-slash,telnet-advisory-userinfo",
		"heuristic maybe ftp://host.dom/A [FTP://Host.DOM/a ftp://host.dom/A ftp://host.dom/a ftp://host.dom:21/a] scheme-case,host-case,port-default,path-case",
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

// TestWarnings: check digits warn, they never merge (INFO-REGISTRY.md).
func TestWarnings(t *testing.T) {
	for in, want := range map[string]string{
		"info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-V": "",
		"info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-W": "sici-check-digit",
		"info:lccn/2002022641":                               "",
		"info:lccn/2002022641x":                              "lccn-syntax",
		"info:isbn/9780306406157":                            "info-ns-unregistered",
		"info:pii/S0888-7543(02)96852-7":                     "info-ns-unregistered",
		"info:pii/S0888-7544(02)96852-7":                     "info-ns-unregistered,pii-check-digit",
		"urn:isbn:0-306-40615-2":                             "",
		"URN:ISBN:0-306-40615-X":                             "isbn-check-digit",
		"urn:issn:0363-0277":                                 "",
		"urn:issn:0363-0278":                                 "issn-check-digit",
		"http://h.dom/":                                      "",
	} {
		u, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join((Rules{}).Warnings(u), ","); got != want {
			t.Errorf("%s: %s; want %s", in, got, want)
		}
	}
	if c := (Rules{}).Compare("urn:isbn:0-306-40615-2", "urn:isbn:9780306406157"); c.Equality != Maybe || c.Level != "heuristic" {
		t.Errorf("two lengths of one ISBN: %v", c)
	}
}

// TestEveryStepHasASection: below the level resolver each step names the document
// that allows it.
func TestEveryStepHasASection(t *testing.T) {
	for _, r := range protocolRules {
		if codeRank(r.code) == len(licences) {
			t.Errorf("%s has no section", r.code)
		}
	}
	n := 0
	for _, name := range schemeFiles {
		for _, row := range readTSV(t, corpusVectors+"/"+name+".tsv") {
			u, err := Parse(row[1])
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
