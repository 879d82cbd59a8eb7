// The tests of this file hold what docs/DESIGN.md and CONTRIBUTING.md say of the layout
// of the source.
package linkcheck_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// quoted is a name in backquotes.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// importTable reads the table of docs/DESIGN.md: for every folder of a package the
// folders of ours that its non-test files may import. A row may name several folders,
// and "check/*" stands for all below check that have no row of their own.
func importTable(t *testing.T) map[string][]string {
	t.Helper()
	table := map[string][]string{}
	for line := range strings.Lines(readText(t, "docs/DESIGN.md")) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], "| `") {
			continue
		}
		var allowed []string
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			allowed = append(allowed, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[0], -1) {
			if _, twice := table[m[1]]; twice {
				t.Errorf("docs/DESIGN.md has two rows for %s", m[1])
			}
			table[m[1]] = allowed
		}
	}
	return table
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// eachFile parses the non-test files of the module.
func eachFile(t *testing.T, mode parser.Mode, f func(folder, name string, file *ast.File)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, mode)
		if err == nil {
			f(filepath.ToSlash(filepath.Dir(name)), name, file)
		}
		return err
	})
	if err != nil || files < 50 {
		t.Fatalf("%d files were read, %v: is this the root of the module?", files, err)
	}
}

// TestImportOrder holds the table of docs/DESIGN.md: dependencies point one way, no
// prober knows another, every package has its row and every row its package.
func TestImportOrder(t *testing.T) {
	table := importTable(t)
	used := map[string]bool{}
	eachFile(t, parser.ImportsOnly, func(folder, name string, file *ast.File) {
		row := rowOf(table, folder)
		allowed, known := table[row]
		if !known {
			t.Errorf("docs/DESIGN.md has no row for %s", folder)
		}
		used[row] = true
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			to, ours := strings.CutPrefix(imported, "linkcheck/")
			if ours && !mayImport(allowed, to) {
				t.Errorf("%s imports %s; docs/DESIGN.md allows %q", name, to, allowed)
			}
		}
	})
	for row := range table {
		if !used[row] {
			t.Errorf("docs/DESIGN.md has a row for %s, where no package is", row)
		}
	}
}

// rowOf maps a folder to its row in the table.
func rowOf(table map[string][]string, folder string) string {
	if _, exact := table[folder]; exact {
		return folder
	}
	return path.Dir(folder) + "/*"
}

func mayImport(allowed []string, folder string) bool {
	for _, a := range allowed {
		parent, all := strings.CutSuffix(a, "*")
		if a == folder || all && strings.HasPrefix(folder, parent) {
			return true
		}
	}
	return false
}

// TestDesignNamesFunctions holds that the functions are there by whose names
// docs/DESIGN.md tells the way of a URI from a document to the report.
func TestDesignNamesFunctions(t *testing.T) {
	declared := map[string]bool{}
	eachFile(t, 0, func(_, _ string, file *ast.File) {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := file.Name.Name + "."
			if fn.Recv != nil {
				of := fn.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); ok {
					name += id.Name + "."
				}
			}
			declared[name+fn.Name.Name] = true
		}
	})
	_, way, _ := strings.Cut(readText(t, "docs/DESIGN.md"), "## The way of one URI")
	way, _, _ = strings.Cut(way, "\n## ")
	named := quoted.FindAllStringSubmatch(way, -1)
	for _, m := range named {
		if !declared[m[1]] {
			t.Errorf("docs/DESIGN.md names %s, which is not there", m[1])
		}
	}
	if len(named) < 20 {
		t.Errorf("only %d functions are named", len(named))
	}
}

// TestContributingNamesFiles keeps the recipes of CONTRIBUTING.md true: every
// path in them that is no pattern is there.
func TestContributingNamesFiles(t *testing.T) {
	named := 0
	for _, m := range quoted.FindAllStringSubmatch(readText(t, "CONTRIBUTING.md"), -1) {
		if !strings.Contains(m[1], "/") || strings.ContainsAny(m[1], "<> ") {
			continue
		}
		named++
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", m[1], err)
		}
	}
	if named < 8 {
		t.Errorf("only %d files are named", named)
	}
}

// TestSecurityNamesTests holds that the tests are there by which SECURITY.md says that
// its promises are kept, and that each promise names one.
func TestSecurityNamesTests(t *testing.T) {
	declared := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				declared[fn.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, promises, _ := strings.Cut(readText(t, "SECURITY.md"), "## What is promised")
	promises, _, _ = strings.Cut(promises, "\n## ")
	named := 0
	for _, promise := range strings.Split(promises, "\n- ")[1:] {
		held := 0
		for _, m := range quoted.FindAllStringSubmatch(promise, -1) {
			if !strings.HasPrefix(m[1], "Test") && !strings.HasPrefix(m[1], "Fuzz") {
				continue
			}
			held++
			if !declared[m[1]] {
				t.Errorf("SECURITY.md names %s, which is not there", m[1])
			}
		}
		if held == 0 {
			t.Errorf("no test holds %.60q of SECURITY.md", promise)
		}
		named += held
	}
	if named < 20 {
		t.Errorf("only %d tests are named", named)
	}
}
