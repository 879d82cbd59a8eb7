package equal

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/proxied"
	"linkcheck/uri/registry"
)

// TestEdition: keys that are made otherwise than before belong to another edition,
// so that stores make theirs anew. testdata/edition.tsv has cases and the sum of the
// keys of each. Every scheme and every step must be met by a case: a rule that none
// reaches could change and split links in two unseen.
func TestEdition(t *testing.T) {
	data, err := os.ReadFile("testdata/edition.tsv")
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		written, want, _ := strings.Cut(line, "\t")
		u, err := uri.Parse(written)
		if err != nil {
			t.Errorf("%q: %v", written, err)
			continue
		}
		met[u.Scheme()+":"] = true
		k, steps := Rules{}.normalize(u)
		for _, step := range steps {
			for _, code := range step.codes {
				met[code] = true
			}
		}
		sum := fnv.New32a()
		fmt.Fprintf(sum, "%q\n", k)
		switch got := fmt.Sprintf("%08x", sum.Sum32()); want {
		case got:
		case "":
			t.Errorf("a new case: if its keys %q are right, its line is\n%s\t%s", k, written, got)
		default:
			t.Errorf("%s has other keys than before, %q: raise Edition, then write its sum %s", written, k, got)
		}
	}
	for _, what := range allSteps() {
		if !met[what] {
			t.Errorf("testdata/edition.tsv has no case for %s", what)
		}
	}
}

// allSteps lists what a key can depend on: the codes of all steps, and each scheme
// with its colon.
func allSteps() []string {
	list := registry.Default().StepCodes()
	for _, d := range uri.Schemes() {
		list = append(list, d.Name+":")
	}
	for _, s := range uri.Steps() {
		list = append(list, s.Code)
	}
	for _, s := range registry.Default().Resolvers() {
		list = append(list, s.Code)
	}
	for _, level := range rules {
		for _, r := range level {
			list = append(list, r.code)
		}
	}
	list = append(list, slices.DeleteFunc(proxied.Codes(), func(code string) bool { return code == "proxied:rule" })...) // of a librarian, as other registries are
	return slices.Sorted(slices.Values(list))
}
