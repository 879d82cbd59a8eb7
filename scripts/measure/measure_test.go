package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"linkcheck/internal/testdoc"
)

// TestLimits holds the whole module to the limits.
func TestLimits(t *testing.T) {
	tree, err := Measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) < 20 || tree.Total.Code < 10_000 {
		t.Fatalf("only %d packages with %d lines were measured", len(tree.Packages), tree.Total.Code)
	}
	for _, fault := range tree.Faults() {
		t.Error(fault)
	}
}

func TestCodeLines(t *testing.T) {
	name := testdoc.Write(t, filepath.Join(t.TempDir(), "a.go"), "// Package a does it.\npackage a\n\n/* two\nlines */\nvar text = `one\n\n  two` // of three lines one is blank\n\nfunc f() { // here\n\t// alone\n}\n")
	got, err := codeLines(name)
	if err != nil || got != 5 {
		t.Errorf("%d lines, %v; want 5", got, err)
	}
}

// TestOrder measures a package with three files and calls in both directions.
func TestOrder(t *testing.T) {
	dir := filepath.Dir(testdoc.Write(t, filepath.Join(t.TempDir(), "doc.go"), "// Package a does it:\n//   - door.go: the way in\n//   - step.go, help.go: the rest\n//   - gone.go: nothing\npackage a\n"))
	for name, text := range map[string]string{
		"door.go": "package a\n\nfunc Door() { step[int](); T{}.Help(); Door() }\n",
		"step.go": "package a\n\nfunc step[V any]() { Door(); var i I = T{}; i.Help() }\n\n// I is called through.\ntype I interface{ Help() }\n",
		"help.go": "package a\n\ntype T struct{}\n\nfunc (T) Help() { step[string]() }\n\nconst (\n\tA = iota\n\tB\n\tC = \"c\"\n)\n",
		"more.go": "package a\n",
	} {
		testdoc.Write(t, filepath.Join(dir, name), text)
	}
	p, err := measurePackage(token.NewFileSet(), nil, folder{"a", dir})
	if err != nil {
		t.Fatal(err)
	}
	if p.Files != 5 || p.Calls != 4 || p.Against != 2 || p.Exported != 6 {
		t.Errorf("%+v: want 5 files, 4 calls of which 2 are against the order, 6 exported names", p)
	}
	want := []string{"a: doc.go lists gone.go, which is not there", "a: doc.go does not list more.go"}
	if !slices.Equal(p.faults, want) {
		t.Errorf("faults %q, want %q", p.faults, want)
	}
}

func TestFileList(t *testing.T) {
	text := "// Package a:\n//\n//   - one.go: first\n//   - two.go, three_x.go: then\n//   - not a file\n//   - four.go\n// five.go is prose\n//\tsix.go  a table\npackage a\n"
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fileList(file), []string{"one.go", "two.go", "three_x.go", "four.go", "six.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
