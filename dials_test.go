package linkcheck_test

import (
	"go/ast"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// dials are the functions and types of the standard library by which a program reaches
// the network of its own accord.
var dials = regexp.MustCompile(`^(net\.(Dial\w*|Dialer|ListenConfig|ListenPacket|ListenUDP|ListenMulticastUDP|Lookup\w*|Resolve\w*|Resolver|DefaultResolver)` +
	`|tls\.Dial\w*|tls\.Dialer|http\.(DefaultClient|DefaultTransport|Get|Head|Post|PostForm|ProxyFromEnvironment)|smtp\.\w+|rpc\.Dial\w*|mail\.NewClient|ftp\.Dial|nats\.Connect|syscall\.(Connect|Socket))$`)

// TestOnlyTheGuardDials holds DESIGN law 5: what goes to the network goes through
// check/netguard. The exceptions: the guard itself; servers for tests and the demo; mail,
// which goes to the server that the operator names; the address on which serve listens; FTP's library, which is given the
// guard's dial function, as http.Transport must be; the engine of a fleet, which the operator names.
func TestOnlyTheGuardDials(t *testing.T) {
	exceptions := map[string]string{
		"check/netguard": `.`, "check/checktest": `^net\.ListenPacket$`, "internal/lab": `^net\.ListenPacket$`, "internal/lab/labtest": `^net\.Dialer$`,
		"internal/mailer/mailer.go": `^(mail\.NewClient|net\.Dialer)$`, "cmd/linkcheck/cmd_serve.go": `^net\.ResolveTCPAddr$`, "check/ftp": `^ftp\.Dial$`,
		"fleet/natsset.go": `^nats\.Connect$`,
	}
	used := map[string]bool{}
	eachFile(t, 0, func(folder, name string, file *ast.File) {
		imported := map[string]bool{}
		for _, spec := range file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if spec.Name != nil && spec.Name.Name == "." {
				t.Errorf("%s imports %s without its name", name, p)
			}
			base := strings.TrimSuffix(strings.TrimPrefix(path.Base(p), "go-"), ".go")
			if spec.Name != nil && spec.Name.Name != "_" && spec.Name.Name != base && (dials.MatchString(base+".Dial") || base == "http" || base == "smtp") {
				t.Errorf("%s imports %s as %s", name, p, spec.Name.Name)
			}
			imported[base] = true
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of, ok := n.X.(*ast.Ident)
				if !ok || of.Obj != nil || !imported[of.Name] {
					return true
				}
				what := of.Name + "." + n.Sel.Name
				if !dials.MatchString(what) {
					return true
				}
				at := filepath.ToSlash(name)
				if _, file := exceptions[at]; !file {
					at = folder
				}
				if allowed, ok := exceptions[at]; !ok || !regexp.MustCompile(allowed).MatchString(what) {
					t.Errorf("%s uses %s: connections are those of check/netguard", name, what)
				}
				used[at] = true
			case *ast.CompositeLit:
				if missing := missingField(n); missing != "" {
					t.Errorf("%s makes an %s", name, missing)
				}
			}
			return true
		})
	})
	for folder := range exceptions {
		if !used[folder] {
			t.Errorf("%s needs no exception", folder)
		}
	}
}

// missingField says what is wrong with an http.Client or http.Transport as it is made: it
// would dial by itself.
func missingField(lit *ast.CompositeLit) string {
	of, ok := lit.Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, _ := of.X.(*ast.Ident)
	field := map[string]string{"http.Client": "Transport", "http.Transport": "DialContext"}[pkg.Name+"."+of.Sel.Name]
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == field {
				return ""
			}
		}
	}
	if field == "" {
		return ""
	}
	return pkg.Name + "." + of.Sel.Name + " without " + field
}
