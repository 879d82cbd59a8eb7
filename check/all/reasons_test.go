package all

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"linkcheck/check"
)

// The list of reasons is closed both ways: what a prober says is on it, and what
// is on it is said somewhere.
func TestReasonsAreSaid(t *testing.T) {
	said := map[string]bool{}
	given := 0
	for _, room := range []string{"..", "../../crawl"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || d.Name() == "reasons.go" {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
						said[s] = true
					}
				case *ast.CallExpr:
					code, ok := reasonOf(n)
					if !ok {
						break
					}
					given++
					if _, listed := check.Reason(code).Meaning(); !listed {
						t.Errorf("%s: reason %q is not on the list", path, code)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if given < 50 {
		t.Fatalf("found only %d reasons in the code", given)
	}
	for _, m := range check.Reasons() {
		code := strings.TrimSuffix(strings.TrimSuffix(string(m.Code), "NNN"), "*")
		if !said[code] && !said[code+"%d"] {
			t.Errorf("%q is listed and nowhere said", m.Code)
		}
	}
}

// reasonOf gives the literal reason of a call to New or Fail of package check.
func reasonOf(call *ast.CallExpr) (string, bool) {
	if len(call.Args) != 3 {
		return "", false
	}
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "check" {
			name = f.Sel.Name
		}
	}
	lit, ok := call.Args[1].(*ast.BasicLit)
	if name != "New" && name != "Fail" || !ok || lit.Kind != token.STRING {
		return "", false
	}
	code, err := strconv.Unquote(lit.Value)
	return code, err == nil
}
