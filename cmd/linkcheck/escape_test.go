package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"linkcheck/internal/testdoc"
)

// hostileText moves the cursor, begins a line, turns the text, and is no UTF-8.
const hostileText = "\x1b[31mE\x1b]0;x\x07\u009b1m\x9b2m\x7f\u202eB\u200e\u061c\u2066\u2028\rlinkcheck: error: forged\x0b"

// calm wants what was printed to hold nothing that acts on a terminal.
func calm(t *testing.T, what, text string) {
	t.Helper()
	rest := strings.NewReplacer("\r\n", "", "\n", "", "\t", "").Replace(text)
	acts := func(r rune) bool {
		return unicode.IsControl(r) || strings.ContainsRune("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029", r)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(rest, acts) {
		t.Errorf("%s acts on a terminal: %q", what, text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "linkcheck: error: forged") || strings.HasPrefix(line, "forged") {
			t.Errorf("%s: a stranger began the line %q", what, line)
		}
	}
}

// TestNothingActs: documents, names of files, arguments and servers put nothing on a
// terminal or in a file but text, in any verb and form.
func TestNothingActs(t *testing.T) {
	bad := strings.ReplaceAll(hostileText, "/", "") + "\nforged"
	l := newLibrary(t, map[string]string{
		"a.html":     "<title>" + bad + "</title><a href=\"http://a.test/" + bad + "\">x</a> <a href='ftp://" + bad + "'>y</a> <a href='info:lccn/85'>" + bad + "</a>",
		bad + ".txt": "see http://b.test/" + bad + " and <urn:x:" + bad + ">",
		"broken.zip": "PK\x03\x04" + bad,
	})
	t.Chdir(l.dir) // the default store is there
	other := filepath.Join(l.dir, "other")
	all := [][]string{
		{"run", "--store", l.store(), "--collection", bad, "--now", "2026-11-01T02:00:00Z", "--host", "none.test", l.docs()},
		{"run", "--store", l.store(), bad}, {"run", bad}, {bad}, {"run", "--" + bad}, {"run", "--max-duration", bad, "x"}, {"help", bad}, {"completion", bad},
		{"extract", l.docs()}, {"extract", "--jsonl", l.docs()}, {"extract", "--comments", filepath.Join(l.docs(), bad+".txt")}, {"extract", "--input", bad, l.docs()},
		{"normalize", bad}, {"normalize", "--json", "http://h/" + bad}, {"compare", bad, "http://h/" + bad}, {"compare", "--json", bad, bad}, {"compare", bad},
		{"check", "--json", bad, "urn:" + bad, "http://h.test:0/" + bad}, {"check", bad, "urn:" + bad}, {"check", "--host", bad, "--store", l.store()},
		{"explain", "--store", l.store(), "http://a.test/" + bad}, {"explain", "--store", bad, "x:" + bad},
		{"report", "--store", l.store()}, {"report", "--store", l.store(), "--summary"}, {"report", "--store", l.store(), "--collection", bad}, {"report", "--store", l.store(), "--since", bad},
		{"report", "--store", l.store(), "--csv", "-"}, {"report", "--store", l.store(), "--csv", "-", "--tsv", "--raw"}, {"report", "--store", l.store(), "--jsonl", "-"},
		{"report", "--store", l.store(), "--html", "-"}, {"report", "--store", l.store(), "--metrics", "-"}, {"report", "--store", l.store(), "--fixes", "-"},
		{"report", "--store", l.store(), "--csv", other + bad}, {"report", "--store", bad}, {"report", "--store", l.store(), "--csv", filepath.Join(bad, bad)}, {"report", "--only", bad},
		{"dupes", "--store", l.store()}, {"dupes", "--store", l.store(), "--json"}, {"store", "export", "--store", l.store()}, {"store", "verify", "--store", l.store()},
		{"store", "stats", "--store", l.store()}, {"store", "backup", "--store", l.store(), other + bad}, {"store", "import", "--store", l.store() + "2", bad}, {"store", "import", "--store", bad, bad},
		{"mark", "--store", l.store(), bad, "alive", "--why", bad}, {"mark", "--store", l.store(), "http://a.test/" + bad, bad, "--why", bad}, {"mark", "--store", l.store(), "h.test", "ignore", "--why", bad, "--by", bad},
		{"explain", "--store", l.store(), "http://h.test/"}, {"report", "--store", l.store(), "--jsonl", "-"}, {"init", filepath.Join(bad, "x")}, {"man", "/dev/null/" + bad},
		{"--config", bad, "schemes"}, {"--registry", bad, "schemes"}, {"serve", "--listen", bad, "--store", l.store()}, {"store", "prune", "--older", bad, "--store", l.store()},
	}
	for _, args := range all {
		got := call(t.Context(), bad+"\n"+bad, args...)
		calm(t, "output of "+strings.Join(args[:min(2, len(args))], " "), got.out)
		calm(t, "errors of "+strings.Join(args[:min(2, len(args))], " "), got.err)
	}
}

// TestJSONIsExact: where a form is for programs, what is escaped is still the same value.
func TestJSONIsExact(t *testing.T) {
	title := "T \u202eitle\u200e \u009b" // U+0085 and the like are blanks in HTML
	l := newLibrary(t, map[string]string{"a.html": "<html><body><a href=\"http://a.test/\" title=\"x\">" + title + "</a></body></html>"})
	found := call(t.Context(), "", "extract", "--jsonl", l.docs())
	var row struct{ Context string }
	found.out = linkRows(t, found.out)
	if err := json.Unmarshal([]byte(found.out), &row); err != nil || !strings.Contains(row.Context, title) || !strings.Contains(found.out, `\u202e`) {
		t.Errorf("%q, %v in %s", row.Context, err, found.out)
	}
	l.ok("run", "--store", l.store(), "--now", "2026-11-01T02:00:00Z", "--host", "none.test", l.docs())
	told := l.ok("report", "--store", l.store(), "--jsonl", "-")
	if err := json.Unmarshal([]byte(told), &row); err != nil || !strings.Contains(row.Context, title) || !strings.Contains(told, `\u202e`) {
		t.Errorf("%q, %v in %s", row.Context, err, told)
	}
	rows, err := csv.NewReader(strings.NewReader(l.ok("report", "--store", l.store(), "--csv", "-"))).ReadAll()
	if err != nil || len(rows) != 2 || strings.Contains(rows[1][7], "\u202e") {
		t.Errorf("%q, %v", rows, err)
	}
}

// Only what escapes prints: fmt writes into memory alone, and package os has no stream here.
func TestPrintsEscape(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := f.X.(*ast.Ident)
			if !ok || pkg.Name != "fmt" || !strings.Contains(f.Sel.Name, "rint") || strings.HasPrefix(f.Sel.Name, "S") {
				return true
			}
			if into, ok := call.Args[0].(*ast.UnaryExpr); !ok || into.Op != token.AND {
				t.Errorf("%s: fmt.%s prints what a stranger may have written: use escape.Printf", files.Position(call.Pos()), f.Sel.Name)
			}
			return true
		})
	}
}

// TestModes: what the store holds is for its owner; reports are for whom the umask lets;
// who set another mode keeps it.
func TestModes(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "mailto:ann@wells.test\n"})
	l.ok("run", "--store", l.store(), "--now", "2026-11-01T02:00:00Z", "--metrics", filepath.Join(l.dir, "run.metrics"), l.docs())
	in := func(name string) string { return filepath.Join(l.dir, name) }
	mode := func(name string) fs.FileMode {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	testdoc.Write(t, in("plain"), "")
	shared := mode(in("plain"))
	reports := []string{"html", "csv", "jsonl", "xlsx", "metrics", "fixes"}
	for _, form := range reports {
		l.ok("report", "--store", l.store(), "--"+form, in(form))
	}
	l.ok("store", "backup", "--store", l.store(), in("copy.db"))
	l.ok("store", "export", "--store", l.store(), in("export"))
	l.ok("store", "import", "--store", in("new.db"), in("export"))
	for _, name := range append(reports, "run.metrics") {
		if got := mode(in(name)); got != shared {
			t.Errorf("%s: %v, want %v", name, got, shared)
		}
	}
	for _, name := range []string{"s.db", "copy.db", "export", "new.db"} {
		if got := mode(in(name)); got != 0o600 {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, name := range []string{"s.db", "copy.db", "export", "csv"} {
		if err := os.Chmod(in(name), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	l.ok("report", "--store", l.store(), "--csv", in("csv"))
	l.ok("store", "backup", "--store", l.store(), in("copy.db"))
	l.ok("store", "compact", "--store", l.store())
	l.ok("store", "export", "--store", l.store(), in("export"))
	for _, name := range []string{"s.db", "copy.db", "export", "csv"} {
		if got := mode(in(name)); got != 0o640 {
			t.Errorf("%s: %v, was 0640", name, got)
		}
	}
	if left, _ := filepath.Glob(in(".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	export, err := os.ReadFile(in("export"))
	if err != nil || !bytes.Contains(export, []byte("linkcheck.store.v1")) {
		t.Errorf("%q, %v", export, err)
	}
}
