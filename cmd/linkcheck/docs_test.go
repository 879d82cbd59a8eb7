package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"linkcheck/check"
)

// The papers name every reason code, and no flag that is not there.
func TestDocsNameReasonsAndFlags(t *testing.T) {
	outcomes, err := os.ReadFile("../../docs/OUTCOMES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range check.Reasons() {
		if row := "| `" + string(m.Code) + "` | " + m.Says + " |"; !strings.Contains(string(outcomes), row) {
			t.Errorf("docs/OUTCOMES.md lacks the row %s", row)
		}
	}
	known := map[string]bool{"--help": true, "--version": true}
	for _, verb := range everyVerb(newRoot(&app{stdin: new(bytes.Buffer), stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)})) {
		note := func(f *pflag.Flag) { known["--"+f.Name] = true }
		verb.LocalFlags().VisitAll(note)
		verb.PersistentFlags().VisitAll(note)
	}
	papers, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(papers) < 5 {
		t.Fatalf("%d papers, %v", len(papers), err)
	}
	flag := regexp.MustCompile("--[a-z][a-z0-9-]+")
	for _, paper := range append(papers, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(paper)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range flag.FindAllString(string(text), -1) {
			if !known[name] {
				t.Errorf("%s speaks of %s, which no verb has", paper, name)
			}
		}
	}
}
