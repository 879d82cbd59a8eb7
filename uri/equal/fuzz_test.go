package equal

import (
	"reflect"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/internal/vectors"
)

func levels(k Keys) []string {
	return []string{k.Syntax, k.Scheme, k.Registry, k.Protocol, k.Resolver, k.Heuristic}
}

// FuzzKeys holds the law of DESIGN.md: every key is a URI whose own keys, from its
// level on, are those of the first.
func FuzzKeys(f *testing.F) {
	vectors.Seeds(f, func(row []string) { f.Add(row[1]) })
	f.Fuzz(func(t *testing.T, s string) {
		u, err := uri.Parse(s)
		if err != nil {
			return
		}
		k := KeysOf(u)
		if k.Scheme != uri.SchemeKey(u) {
			t.Fatalf("%q: SchemeKey %q; Keys has %q", s, uri.SchemeKey(u), k.Scheme)
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
		v, err := uri.Parse(key)
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
	vectors.Seeds(f, func(row []string) { f.Add(row[1], row[2]) })
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
