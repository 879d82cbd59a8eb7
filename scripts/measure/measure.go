package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Package is what was measured of one package.
type Package struct {
	Path      string // import path
	Files     int
	Exported  int
	Code      int // lines
	Calls     int // from one file of the package to another; 0 if doc.go lists no files
	Against   int // those to a file that doc.go lists before the caller's
	LongFuncs int
	LongFiles int
	Examples  int
	Ordered   bool     // doc.go lists the files
	Notes     []string // one line for each call against the order, long function, long file
	faults    []string // of the list in doc.go
}

// Tree is what was measured of a module.
type Tree struct {
	Packages []*Package
	Total    Package // sums; Code leaves out scripts/
	ForTests int     // lines of Code in packages that the program does not import
}

// Measure measures every package of the module in a folder. It runs the go command.
func Measure(dir string) (*Tree, error) {
	exports, ours, err := list(dir, "./...")
	if err != nil {
		return nil, err
	}
	_, program, err := list(dir, "./cmd/linkcheck")
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	tree := &Tree{}
	for _, pkg := range ours {
		p, err := measurePackage(fset, imp, pkg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.path, err)
		}
		if p.Files > 0 {
			tree.Packages = append(tree.Packages, p)
		}
		t := &tree.Total
		t.Files += p.Files
		t.Exported += p.Exported
		t.Calls += p.Calls
		t.Against += p.Against
		t.LongFuncs += p.LongFuncs
		t.LongFiles += p.LongFiles
		t.Examples += p.Examples
		if !strings.Contains(p.Path, "/scripts/") {
			t.Code += p.Code
			if !slices.Contains(program, pkg) {
				tree.ForTests += p.Code
			}
		}
	}
	return tree, nil
}

// folder is a package that is to be measured.
type folder struct{ path, dir string }

// list asks the go command for the packages of the module that a pattern names or that
// they import, and for the files that describe the exported names of all packages.
func list(dir, pattern string) (exports map[string]string, ours []folder, err error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}", pattern)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	exports = map[string]string{}
	for line := range strings.Lines(string(out)) {
		field := strings.Split(strings.TrimRight(line, "\n"), "\t")
		exports[field[0]] = field[1]
		if field[2] != "" {
			ours = append(ours, folder{field[0], field[2]})
		}
	}
	slices.SortFunc(ours, func(a, b folder) int { return strings.Compare(a.path, b.path) })
	return exports, ours, nil
}

func measurePackage(fset *token.FileSet, imp types.Importer, pkg folder) (*Package, error) {
	p := &Package{Path: pkg.path}
	names, err := filepath.Glob(filepath.Join(pkg.dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var order []string
	var source []string
	var built []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, "_test.go") {
			p.Examples += examples(file)
			continue
		}
		p.Files++
		base := filepath.Base(name)
		if base == "doc.go" {
			order = fileList(file)
		} else {
			source = append(source, base)
		}
		p.shape(fset, name, file)
		code, err := codeLines(name)
		if err != nil {
			return nil, err
		}
		p.Code += code
		if ok, err := build.Default.MatchFile(pkg.dir, base); err == nil && ok {
			built = append(built, file)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imp}).Check(pkg.path, fset, built, info); err != nil {
		return nil, err
	}
	for _, file := range built {
		p.Exported += exported(file, info)
	}
	p.Ordered = order != nil
	p.checkOrder(order, source)
	if p.Ordered {
		p.calls(fset, built, info, order)
	}
	return p, nil
}
