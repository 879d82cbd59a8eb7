package linkcheck_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"testing"

	"linkcheck/extract"
	"linkcheck/testdata/corpus"
)

// optional are the ways of recognising that EXTRACTION leaves open: right or absent, neither is a fault.
var optional = []string{"base", "hostpath-bare", "doi", "list-header"}

// TestDemoTruth holds that extraction finds every link of the shipped documents,
// at its line or in its record, and nothing else.
func TestDemoTruth(t *testing.T) {
	want := demoTruth(t)
	files, err := fs.Glob(corpus.Demo, "demo/*")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range files {
		if name == "demo/truth.tsv" {
			continue
		}
		read++
		data, err := fs.ReadFile(corpus.Demo, name)
		if err != nil {
			t.Fatal(err)
		}
		base := name[len("demo/"):]
		got := map[string]int{}
		for f, err := range extract.Document(name, bytes.NewReader(data), extract.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if f.Scheme == "javascript" || slices.Contains(optional, f.How) {
				continue
			}
			place := fmt.Sprint(f.Line)
			if base == "catalogue.mrc" {
				place = f.Record
			}
			got[place+" "+f.URI]++
		}
		compareCounts(t, base, want[base], got)
	}
	if read != len(want) || read == 0 {
		t.Errorf("%d documents, but the truth speaks of %d", read, len(want))
	}
}

func demoTruth(t *testing.T) map[string]map[string]int {
	t.Helper()
	data, err := fs.ReadFile(corpus.Demo, "demo/truth.tsv")
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = '\t'
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]int{}
	for _, row := range rows[1:] {
		if want[row[0]] == nil {
			want[row[0]] = map[string]int{}
		}
		want[row[0]][row[1]+" "+row[2]]++
	}
	return want
}

func compareCounts(t *testing.T, doc string, want, got map[string]int) {
	t.Helper()
	var all []string
	for k := range want {
		all = append(all, k)
	}
	for k := range got {
		if want[k] == 0 {
			all = append(all, k)
		}
	}
	sort.Strings(all)
	for _, k := range all {
		if want[k] != got[k] {
			t.Errorf("%s: %s: found %d times, want %d", doc, k, got[k], want[k])
		}
	}
}
