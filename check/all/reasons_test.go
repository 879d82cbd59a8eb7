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
	said, given := literals(t, func(path string, call *ast.CallExpr) bool {
		code, ok := reasonOf(call)
		if _, listed := check.Reason(code).Meaning(); ok && !listed {
			t.Errorf("%s: reason %q is not on the list", path, code)
		}
		return ok
	})
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

// So is the list of flags.
func TestFlagsAreSet(t *testing.T) {
	listed := map[string]bool{}
	for _, m := range check.Flags() {
		listed[string(m.Code)] = true
	}
	said, given := literals(t, func(path string, call *ast.CallExpr) bool {
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "WithFlags" {
			return false
		}
		for _, arg := range call.Args {
			if lit, ok := arg.(*ast.BasicLit); ok && !listed[strings.Trim(lit.Value, `"`)] {
				t.Errorf("%s: flag %s is not on the list", path, lit.Value)
			}
		}
		return true
	})
	if given < 10 {
		t.Fatalf("found only %d flags in the code", given)
	}
	for flag := range listed {
		if !said[flag] {
			t.Errorf("%q is listed and nowhere set", flag)
		}
	}
}

// literals reads the rooms of probing: all strings said there, and how many
// calls count accepts.
func literals(t *testing.T, count func(path string, call *ast.CallExpr) bool) (said map[string]bool, given int) {
	t.Helper()
	said = map[string]bool{}
	for _, room := range []string{"..", "../../crawl"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || d.Name() == "reasons.go" || d.Name() == "flags.go" {
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
					if count(path, n) {
						given++
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
	return said, given
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
