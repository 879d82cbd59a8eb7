package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// listed is a line of doc.go that names files in reading order:
//
//   - probe.go: the steps of a probe
//   - wire.go, request.go: what is sent and what comes back
//
// or the same indented by a tab, without the dash and the colon.
var listed = regexp.MustCompile(`^//(?:\s+- |\t| {2,})([a-z0-9_]+\.go(?:, [a-z0-9_]+\.go)*)[: \t]`)

// fileList gives the files that the package's comment lists; nil if it lists none.
func fileList(file *ast.File) []string {
	if file.Doc == nil {
		return nil
	}
	var order []string
	for _, c := range file.Doc.List {
		if m := listed.FindStringSubmatch(c.Text + " "); m != nil {
			order = append(order, strings.Split(m[1], ", ")...)
		}
	}
	return order
}

// checkOrder holds the list of doc.go against the files that are there.
func (p *Package) checkOrder(order, source []string) {
	if order == nil {
		if p.Files >= orderFrom {
			p.fault("has %d files, and no doc.go that lists them in reading order", p.Files)
		}
		return
	}
	for i, name := range order {
		if !slices.Contains(source, name) {
			p.fault("doc.go lists %s, which is not there", name)
		}
		if slices.Contains(order[:i], name) {
			p.fault("doc.go lists %s twice", name)
		}
	}
	for _, name := range source {
		if !slices.Contains(order, name) {
			p.fault("doc.go does not list %s", name)
		}
	}
}

func (p *Package) fault(format string, args ...any) {
	p.faults = append(p.faults, p.Path+": "+fmt.Sprintf(format, args...))
}

// calls counts the calls from one file of the package to another.
func (p *Package) calls(fset *token.FileSet, files []*ast.File, info *types.Info, order []string) {
	rank := func(pos token.Pos) int {
		return slices.Index(order, filepath.Base(fset.Position(pos).Filename)) // doc.go itself is -1: before all
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := callee(call, info)
			if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != p.Path {
				return true
			}
			from, to := rank(call.Pos()), rank(fn.Pos())
			if from == to {
				return true
			}
			p.Calls++
			if to < from {
				p.Against++
				p.note("%s: %s stands in %s, which doc.go lists before", fset.Position(call.Pos()), fn.Name(), filepath.Base(fset.Position(fn.Pos()).Filename))
			}
			return true
		})
	}
}

// callee is the function or method that a call names; nil for one called through a
// variable or an interface.
func callee(call *ast.CallExpr, info *types.Info) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) { // an instance of a generic function
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var name *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	fn, ok := info.Uses[name].(*types.Func)
	if !ok {
		return nil
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return nil
	}
	return fn.Origin()
}
