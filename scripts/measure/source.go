package main

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"strings"
)

// shape counts a file's long functions, and the file if it is long.
func (p *Package) shape(fset *token.FileSet, name string, file *ast.File) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		begin, end := fset.Position(fn.Pos()), fset.Position(fn.End())
		if n := end.Line - begin.Line + 1; n > maxFunction {
			p.LongFuncs++
			p.note("%s: %s has %d lines", begin, fn.Name.Name, n)
		}
	}
	if n := fset.File(file.FileStart).LineCount(); n > maxFile {
		p.LongFiles++
		p.note("%s has %d lines", name, n)
	}
}

func (p *Package) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// codeLines counts the lines of a file that hold a token which is no comment.
func codeLines(name string) (int, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile(name, -1, len(src))
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return len(lines), nil
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue // put in by the scanner: it may stand after a comment
		}
		at := file.Line(pos)
		for i, part := range strings.Split(lit, "\n") {
			if i == 0 || strings.TrimSpace(part) != "" { // a raw string has several lines
				lines[at+i] = true
			}
		}
	}
}

// exported counts the exported names of a file: those at the level of its package, where
// the constants of one block that have one type are one, and the methods of exported types.
func exported(file *ast.File, info *types.Info) int {
	n := 0
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
				n++
			}
		case *ast.GenDecl:
			n += exportedIn(d, info)
		}
	}
	return n
}

// receiver names the type that a method belongs to.
func receiver(method *ast.FuncDecl) string {
	t := method.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch of := t.(type) { // a generic type
	case *ast.IndexExpr:
		t = of.X
	case *ast.IndexListExpr:
		t = of.X
	}
	name, _ := t.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

func exportedIn(d *ast.GenDecl, info *types.Info) int {
	n := 0
	kinds := map[string]bool{} // the types of the block's constants
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				switch {
				case !name.IsExported():
				case d.Tok == token.CONST:
					kinds[info.Defs[name].Type().String()] = true
				default:
					n++
				}
			}
		}
	}
	return n + len(kinds)
}

func examples(file *ast.File) int {
	n := 0
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
			n++
		}
	}
	return n
}
