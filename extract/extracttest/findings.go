// Package extracttest holds what the tests of the readers share: documents in a
// string (findings.go), what holds for every document (laws.go), the corpus beside
// the repository (corpus.go). Documents to read come from internal/testdoc.
package extracttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Findings reads a document held in a string, and gives each finding in words and
// its URI, or what was written in brackets.
func Findings(name, text string, o doc.Options, words func(f *doc.Found) string) (out []string) {
	for f, err := range extract.Document(name, strings.NewReader(text), o) {
		if err != nil {
			out = append(out, "damage: "+err.Error())
			continue
		}
		out = append(out, words(&f)+" "+cmp.Or(f.URI, "("+f.Raw+")"))
	}
	return out
}

// Rows lists "line:column how uri".
func Rows(name, text string, o doc.Options) []string {
	return Findings(name, text, o, func(f *doc.Found) string { return fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.How) })
}

// Records lists "line record|locator uri".
func Records(name, text string, o doc.Options) []string {
	return Findings(name, text, o, func(f *doc.Found) string { return fmt.Sprintf("%d %s|%s", f.Line, f.Record, f.Locator) })
}

// Case is a document and what [Records] gives for it.
type Case = struct {
	Name, Text string
	Want       []string
}

// Run reads each case as a file of that name.
func Run(t *testing.T, file string, o doc.Options, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if got := Records(file, c.Text, o); !slices.Equal(got, c.Want) {
			t.Errorf("%s:\n got %q\nwant %q", c.Name, got, c.Want)
		}
	}
}
