package uri

import (
	"encoding/json"
	"errors"
	"testing"

	"linkcheck/uri/internal/vectors"
)

// FuzzParse holds the laws of DESIGN.md: a URI is its string, and a key is a URI whose
// own keys are it. FuzzKeys of package equal holds the same for the levels above.
func FuzzParse(f *testing.F) {
	vectors.Seeds(f, func(row []string) { f.Add(row[1]) })
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Parse(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Code == "" || e.Offset < 0 || e.Offset > len(s) {
				t.Fatalf("Parse(%q): %#v", s, err)
			}
			return
		}
		if u.String() != s {
			t.Fatalf("String: %q; want %q", u.String(), s)
		}
		if u.Validity() == Invalid || u.Validity() != Valid && u.Code() == "" {
			t.Fatalf("%q: %s without a code", s, u.Validity())
		}
		if !json.Valid(Components(u)) {
			t.Fatalf("%q: components %s", s, Components(u))
		}
		syntax, scheme := Normalize(u)
		for _, key := range []string{syntax.Text, scheme.Text} {
			v, err := Parse(key)
			if err != nil {
				t.Fatalf("%q: key %q does not parse: %v", s, key, err)
			}
			if SchemeKey(v) != SchemeKey(u) {
				t.Fatalf("%q: %q of key %q; want %q", s, SchemeKey(v), key, SchemeKey(u))
			}
		}
	})
}

// FuzzResolve: what is resolved is absolute, so resolving it again changes nothing.
func FuzzResolve(f *testing.F) {
	vectors.Seeds(f, func(row []string) { f.Add(row[1], row[2]) })
	f.Fuzz(func(t *testing.T, base, ref string) {
		got, err := Resolve(base, ref)
		if err != nil {
			return
		}
		again, err := Resolve(base, got)
		if err != nil || again != got {
			t.Fatalf("%q + %q: %q, then %q %v", base, ref, got, again, err)
		}
		if len(got) > len(base)+len(ref)+1 {
			t.Fatalf("%q + %q grew to %q", base, ref, got)
		}
	})
}
