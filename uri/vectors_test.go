package uri

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"linkcheck/uri/internal/vectors"
)

// schemeFiles lists the vectors of schemes: the files whose rows have components and keys.
func schemeFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	for path := range vectors.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), "id\tinput\tvalid\tcode\tcomponents\t") {
			continue
		}
		if name := strings.TrimSuffix(filepath.Base(path), ".tsv"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestSchemeVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range schemeFiles(t) {
		t.Run(name, func(t *testing.T) {
			vectors.Each(t, name, func(t *testing.T, rows [][]string) {
				eq := map[string]string{}
				for _, r := range rows {
					checkSchemeRow(t, r, eq)
					if u, err := Parse(r[1]); err == nil {
						seen[u.Scheme()] = true
					}
				}
			})
		})
	}
	for _, d := range Schemes() {
		if u, _ := Parse(d.Name + "://h/x"); !seen[d.Name] && !isOpaque(u) {
			t.Errorf("testdata/corpus/uri has no row for the scheme %s", d.Name)
		}
	}
}

// isOpaque reports a URI whose scheme has no type of its own.
func isOpaque(u URI) bool {
	_, ok := u.(*Opaque)
	return ok
}

func checkSchemeRow(t *testing.T, r []string, eq map[string]string) {
	t.Helper()
	id, in, valid, code, comps, syn, sch, group := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
	u, err := Parse(in)
	if err != nil {
		e := err.(*Error)
		if valid != "no" || e.Code != code {
			t.Errorf("%s %s: rejected with %s; want %s %s", id, in, e.Code, valid, code)
		}
		return
	}
	if got := u.Validity().String(); got != valid || u.Code() != code {
		t.Errorf("%s %s: %s %q; want %s %q", id, in, got, u.Code(), valid, code)
	}
	if valid == "no" {
		return
	}
	sameJSON(t, id, string(Components(u)), comps)
	syntax, scheme := Normalize(u)
	if syntax.Text != syn || scheme.Text != sch {
		t.Errorf("%s %s: keys\n got %s | %s\nwant %s | %s", id, in, syntax.Text, scheme.Text, syn, sch)
	}
	if was, ok := eq[group]; ok && was != scheme.Text {
		t.Errorf("%s: group %s has %s and %s", id, group, was, scheme.Text)
	}
	eq[group] = scheme.Text
}

func sameJSON(t *testing.T, id, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s: components\n got %s\nwant %s", id, got, want)
	}
}

func TestRelativeVectors(t *testing.T) {
	vectors.Each(t, "relative", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			got, err := Resolve(r[1], r[2])
			if err != nil {
				got = "REFUSE"
			}
			if got != r[3] {
				t.Errorf("%s %s + %s: %s; want %s", r[0], r[1], r[2], got, r[3])
			}
		}
	})
}
