package table

import (
	"strings"
	"testing"

	"linkcheck/internal/escape"
)

func TestFormula(t *testing.T) {
	for _, s := range []string{"=1", "+1", "-1", "@a", "\t=1", "\t", "\ra", " =1", "\u00a0=1", "\u3000+1", "'=1", `"=1`, `'"' -1`, "'\t", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "\ufeff=1", "\u200b=1", "\u00ad@", "\ufffd=1"} {
		if !formula(s) {
			t.Errorf("%q is not guarded", s)
		}
	}
	for _, s := range []string{"", "a", "1", "http://a/?=1", "a=1", "'a", `"quoted" -1`, "\u05d0=", "1-2", "(=1)", " ", "\u2013 a dash"} {
		if formula(s) {
			t.Errorf("%q is guarded", s)
		}
	}
}

// A cell of a text is guarded in each part that another separator would make of it, and
// the addresses of catalogues stay what they are.
func TestSplitGuarded(t *testing.T) {
	for cell, want := range map[string]string{
		"=1": "'=1", "a": "a", "": "", "a;b,c|d": "a;b,c|d",
		"a;=1": "a;'=1", "a,=1": "a,'=1", "a|=1": "a|'=1", "a; =1": "a;' =1", `a;"=1`: `a;'"=1`, "a;\u00a0=1;@b": "a;'\u00a0=1;'@b", ";;=1": ";;'=1", "=1;=2": "'=1;'=2", "a;\uff1d1": "a;'\uff1d1",
		"a;-1+cmd|' /C calc'!A0": "a;'-1+cmd|' /C calc'!A0", "a,+HYPERLINK(A1)": "a,'+HYPERLINK(A1)", "a;'=1": "a;''=1",
		"http://opac.test/search/ta/ta/1,-1,-5,B/browse": "http://opac.test/search/ta/ta/1,-1,-5,B/browse", "http://map.test/?at=52.5,+13.4": "http://map.test/?at=52.5,+13.4", "http://a.test/?b;c=d,e=f": "http://a.test/?b;c=d,e=f",
	} {
		if got := splitGuarded(cell); got != want {
			t.Errorf("%q is %q, not %q", cell, got, want)
		}
	}
}

// What opens from a workbook is an address that a browser opens, and a URI in every letter.
func TestOpens(t *testing.T) {
	for address, want := range map[string]bool{
		"http://a.test/": true, "https://a.test/b?c=d&e#f": true, "ftp://a.test/%7Ex": true,
		"javascript:alert(1)": false, "data:text/html,x": false, "file:///etc/passwd": false, "gopher://a.test/": false, "\\\\a.test\\b": false, "mailto:a@b.test": false,
		"http://a.test/%zz": false, "http://a.test/#b#c": false, "http://a.test/\u00e9": false, "http://a.test/a b": false, "http://a.test/\\": false, "http://a.test/" + strings.Repeat("a", 2000): false, "": false,
	} {
		if got := opens(address); got != want {
			t.Errorf("%q opens: %v", address, got)
		}
	}
}

// FuzzGuard: no cell begins as a formula once quotes and what is not seen is stripped from
// it, and without the guard it is what it was. What is plain needs nothing.
func FuzzGuard(f *testing.F) {
	f.Add("=1", "a")
	f.Add("'\t-", "\u00a0+")
	f.Add("a;=1", "0,=1")
	f.Add("a|=1", "a\x7f")
	f.Fuzz(func(t *testing.T, a, b string) {
		raw := guard([]string{a, b}, []string{"a", "b"}, true)
		cells := guard([]string{a, b}, []string{"a", "b"}, false)
		for i, name := range []string{"a", "b"} {
			if cell := [...]string{a, b}[i]; plain(cell) && (escape.Line(cell) != cell || splitGuarded(cell) != cell || guarded(cell) != cell) {
				t.Fatalf("%q is not plain", cell)
			}
			bare, isGuarded := cells[i], strings.Contains(cells[2], name)
			if isGuarded {
				if bare = strings.TrimPrefix(cells[i], "'"); bare == cells[i] {
					t.Fatalf("%q is named, and not guarded", cells[i])
				}
			}
			if bare != raw[i] {
				t.Fatalf("%q was %q", cells[i], raw[i])
			}
			for _, part := range strings.FieldsFunc(splitGuarded(raw[i]), func(r rune) bool { return strings.ContainsRune(",;|\t", r) }) {
				if bare := strings.TrimLeft(part, " \"\u00a0\ufeff\u200b"); strings.HasPrefix(bare, "=") || strings.HasPrefix(bare, "@") {
					t.Fatalf("%q has the part %q", raw[i], part)
				}
			}
			bare = strings.TrimLeft(bare, " '\"\u00a0\ufeff\u200b")
			if bare != "" && strings.ContainsAny(bare[:1], "=+-@\t\r") && !isGuarded {
				t.Fatalf("%q is not guarded", cells[i])
			}
		}
	})
}
