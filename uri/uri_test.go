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
		if r := parsed(strings.ToUpper(s.Name)); r == nil || r.Name != s.Name {
			t.Errorf("%s: not found in upper case", s.Name)
		}
		if s.Spec == "" {
			t.Errorf("%s: no document", s.Name)
		}
	}
	if parsed("z39.50") != nil || parsed("") != nil || parsed("zzzz") != nil {
		t.Error("an unknown scheme was found")
	}
}

// TestLaxHosts: what no specification allows and the world writes.
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
