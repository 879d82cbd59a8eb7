package uri

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// seedRows adds the inputs of all vectors within reach to f.
func seedRows(f *testing.F, add func(row []string)) {
	f.Helper()
	n := 0
	for _, dir := range []string{sharedVectors, corpusVectors} {
		files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, line := range strings.Split(string(data), "\n") {
				if row := strings.Split(line, "\t"); len(row) > 2 {
					add(row)
					n++
				}
			}
		}
	}
	if n == 0 {
		f.Fatal("no seeds")
	}
}

func levels(k Keys) []string {
	return []string{k.Syntax, k.Scheme, k.Registry, k.Protocol, k.Resolver, k.Heuristic}
}

// FuzzParse holds the laws of DESIGN.md: a URI is its string, and every key is a
// URI whose own keys, from its level on, are those of the first.
func FuzzParse(f *testing.F) {
	seedRows(f, func(row []string) { f.Add(row[1]) })
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
		if !json.Valid(components(u)) {
			t.Fatalf("%q: components %s", s, components(u))
		}
		if sp := u.parts(); sp.plain() {
			p := newKeyWriter(nil)
			if writeSyntax(p, sp); string(p.buf) != s {
				t.Fatalf("%q: plain, yet written %q", s, p.buf)
			}
		}
		k := KeysOf(u)
		if k.Scheme != SchemeKey(u) {
			t.Fatalf("%q: SchemeKey %q; Keys has %q", s, SchemeKey(u), k.Scheme)
		}
		keysNest(t, s, levels(k))
		for _, step := range (Rules{}).Explain(u) {
			if step.Code == "" || step.Section == "" {
				t.Fatalf("%q: step %v", s, step)
			}
		}
	})
}

func keysNest(t *testing.T, s string, keys []string) {
	t.Helper()
	for i, key := range keys {
		v, err := Parse(key)
		if err != nil {
			t.Errorf("%q: key %d %q does not parse: %v", s, i, key, err)
			continue
		}
		if got := levels(KeysOf(v)); !reflect.DeepEqual(got[i:], keys[i:]) {
			t.Errorf("%q: keys of key %d %q\n got %q\nwant %q", s, i, key, got[i:], keys[i:])
		}
	}
}

// FuzzCompare: symmetric, and a string is itself.
func FuzzCompare(f *testing.F) {
	seedRows(f, func(row []string) { f.Add(row[1], row[2]) })
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := (Rules{}).Compare(a, b), (Rules{}).Compare(b, a)
		if x.Equality != y.Equality || x.Level != y.Level {
			t.Fatalf("%q %q: %v and %v", a, b, x, y)
		}
		if x.Equality != Not && len(x.Reasons) == 0 {
			t.Fatalf("%q %q: %v without a reason", a, b, x)
		}
		if self := (Rules{}).Compare(a, a); self.Equality != Dup || self.Level != "identical" {
			t.Fatalf("%q: not itself: %v", a, self)
		}
	})
}

// FuzzResolve: what is resolved is absolute, so resolving it again changes nothing.
func FuzzResolve(f *testing.F) {
	seedRows(f, func(row []string) { f.Add(row[1], row[2]) })
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

// FuzzMask: no password survives, and a mask is masked.
func FuzzMask(f *testing.F) {
	f.Add("ftp://:@A#:@")
	seedRows(f, func(row []string) { f.Add(row[1]) })
	f.Fuzz(func(t *testing.T, s string) {
		m := Mask(s)
		if Mask(m) != m {
			t.Fatalf("%q: %q, then %q", s, m, Mask(m))
		}
		u, err := Parse(s)
		if err != nil {
			return
		}
		if _, secret, _ := strings.Cut(u.parts().User, ":"); secret == "" {
			return
		}
		masked, bad := cut(m)
		if _, pass, _ := strings.Cut(masked.User, ":"); bad == nil && pass != "***" {
			t.Fatalf("%q: %q", s, m)
		}
	})
}

// FuzzUnwrap: nothing is invented, and what is clean stays so.
func FuzzUnwrap(f *testing.F) {
	seedRows(f, func(row []string) { f.Add(row[1]) })
	f.Fuzz(func(t *testing.T, s string) {
		got, codes := Unwrap(s)
		if len(got) > len(s) || len(got) != len(s) && len(codes) == 0 && strings.Trim(s, blanks) == s && !strings.ContainsAny(s, blanks) {
			t.Fatalf("%q: %q %q", s, got, codes)
		}
		if guess, ok := RepairOCR(s); ok {
			if _, err := Parse(guess); err != nil {
				t.Fatalf("%q is guessed to be %q: %v", s, guess, err)
			}
		}
	})
}
