// The tests of this file hold the shape of the house: docs/DESIGN.md.
package linkcheck_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rooms lists, for every package folder, the folders of ours that its
// non-test files may import. A folder "check/*" stands for every protocol.
var rooms = map[string][]string{
	"uri":                  {"uri/internal/chars", "uri/internal/host"},
	"uri/registry":         {"uri", "uri/internal/chars"},
	"uri/repair":           {"uri", "uri/internal/chars"},
	"uri/equal":            {"uri", "uri/registry", "uri/repair", "uri/internal/chars", "uri/internal/host"},
	"uri/internal/chars":   {},
	"uri/internal/host":    {"uri/internal/chars"},
	"uri/internal/vectors": {},
	"extract":              {"extract/*", "uri"},
	"extract/doc":          {"internal/ascii", "uri"},
	"extract/textscan":     {"extract/doc", "internal/ascii", "uri"},
	"extract/*":            {"extract/doc", "extract/textscan", "internal/ascii", "internal/lzw", "internal/marc8", "internal/markup", "uri", "uri/repair"},
	"extract/extracttest":  {"extract", "extract/doc"},
	"internal/ascii":       {},
	"internal/lzw":         {},
	"internal/marc8":       {},
	"check/netguard":       {},
	"check/wire":           {"check/netguard", "uri"},
	"check":                {"check/wire", "check/netguard", "uri"},
	"check/*":              {"check", "check/wire", "check/netguard", "internal/markup", "uri"},
	"check/all":            {"check/*", "check", "check/wire", "check/netguard", "uri"},
	"check/checktest":      {"check", "check/netguard", "internal/lab/labtest", "uri"},
	"judge":                {"check"},
	"store":                {"judge", "check", "uri", "uri/equal", "store/internal/boltfile", "store/internal/codec", "store/internal/pending"},

	"store/internal/boltfile": {},
	"store/internal/codec":    {"judge", "check", "store/internal/boltfile"},
	"store/internal/pending":  {"judge", "check", "store/internal/boltfile", "store/internal/codec"},

	"ingest":          {"extract", "store"},
	"crawl":           {"crawl/hostqueue", "extract", "uri", "check", "check/netguard", "judge", "store", "uri/repair"},
	"crawl/hostqueue": {},
	"memento":         {"store", "judge", "uri"},
	"report":          {"report/words", "store", "judge", "check", "uri", "uri/equal"},
	"report/words":    {},
	"report/table":    {"report", "report/words", "store", "judge", "check", "uri"},
	"report/text":     {"report", "report/words", "store", "judge", "check", "uri"},
	"report/html":     {"report", "report/words", "store", "judge", "check", "uri"},
	"report/serve":    {"report", "report/words", "report/html", "report/text", "store", "judge", "check", "uri"},
	"report/sample":   {"store", "judge", "check", "uri", "uri/equal"},
	"report/browser":  {},
	"internal/lab":    {"uri"},
	"internal/markup": {},

	"internal/lab/labtest": {"uri"}, // plays recorded sessions, for tests
	"testdata/corpus":      {},
	"cmd/linkcheck":        {"*"},
	"interop":              {},
	"scripts/measure":      {},
	"internal/testdoc":     {},
}

// TestImportOrder holds that dependencies point one way and that no prober knows another.
func TestImportOrder(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		room := roomOf(filepath.ToSlash(filepath.Dir(path)))
		allowed, known := rooms[room]
		if !known {
			t.Errorf("%s stands in a folder that the house does not know", path)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			folder, ours := strings.CutPrefix(imported, "linkcheck/")
			if ours && !mayImport(allowed, folder) {
				t.Errorf("%s imports %s; allowed: %v", path, folder, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files were looked at: is this the root of the module?", files)
	}
}

// roomOf maps a folder to its row in rooms: every protocol below check shares one.
func roomOf(folder string) string {
	if _, exact := rooms[folder]; exact {
		return folder
	}
	for room := range rooms {
		if parent, ok := strings.CutSuffix(room, "/*"); ok && strings.HasPrefix(folder, parent+"/") {
			return room
		}
	}
	return folder
}

func mayImport(allowed []string, folder string) bool {
	for _, a := range allowed {
		if a == "*" || a == folder {
			return true
		}
		if parent, ok := strings.CutSuffix(a, "/*"); ok && strings.HasPrefix(folder, parent+"/") {
			return true
		}
	}
	return false
}

// TestDesignNamesEveryRoom keeps docs/DESIGN.md and the table above together.
func TestDesignNamesEveryRoom(t *testing.T) {
	text, err := os.ReadFile("docs/DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	for room := range rooms {
		if !strings.Contains(string(text), strings.TrimSuffix(room, "/*")) {
			t.Errorf("docs/DESIGN.md does not name %s", room)
		}
	}
}

// TestContributingNamesFiles keeps the recipes of CONTRIBUTING.md true: every
// path in them that is no pattern is there.
func TestContributingNamesFiles(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for i, part := range strings.Split(string(text), "`") {
		if i%2 == 0 || !strings.Contains(part, "/") || strings.ContainsAny(part, "<> ") {
			continue
		}
		named++
		if _, err := os.Stat(part); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", part, err)
		}
	}
	if named < 8 {
		t.Errorf("only %d files are named", named)
	}
}
