package all

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/check"
)

// The list of reasons is closed both ways: each constant and each family has a
// row in reasons.txt, each row a constant or a family, and all are used.
func TestReasonsAreSaid(t *testing.T) {
	code := declared(t, "reasons.go", `\b(Reason\w+) +Reason = "([^"]+)"`)
	for _, family := range []struct{ made, row string }{
		{"ReasonURI(", "uri-*"}, {"ReasonHTTP(", "http-NNN"}, {"ReasonFTP(", "ftp-NNN"}, {"ReasonNNTP(", "nntp-NNN"},
		{"ReasonDict(", "dict-NNN"}, {"ReasonGemini(", "gemini-NNN"}, {"ReasonRTSP(", "rtsp-NNN"}, {"ReasonCNRP(", "cnrp-NNN"}, {"ReasonZ3950(", "z3950-NNN"}, {"ReasonZ3950Close(", "z3950-close-NNN"},
	} {
		code[family.made] = family.row
	}
	sameCodes(t, code, check.Reasons(), 100)
}

// So is the list of flags.
func TestFlagsAreSet(t *testing.T) {
	code := declared(t, "flags.go", `\b(Flag\w+) +Flag = "([^"]+)"`)
	for _, both := range []string{"FlagTLSExpired", "FlagTLSName", "FlagTLSUntrusted"} { // made of the reasons of these names
		if code[both] == "" {
			t.Errorf("no %s", both)
		}
		code["Reason"+strings.TrimPrefix(both, "Flag")] = code[both]
		delete(code, both)
	}
	sameCodes(t, code, check.Flags(), 20)
}

// declared reads the constants of a file of package check: name to value.
func declared(t *testing.T, file, pattern string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
		code[m[1]] = m[2]
	}
	return code
}

// sameCodes holds that the names stand for the codes of the rows, and that each
// name is used by the packages that probe or judge.
func sameCodes(t *testing.T, code map[string]string, rows []check.Meaning, least int) {
	t.Helper()
	if len(rows) < least {
		t.Fatalf("only %d rows", len(rows))
	}
	listed := map[string]bool{}
	for _, m := range rows {
		if listed[m.Code] || m.Says == "" {
			t.Errorf("row %q is there twice or empty", m.Code)
		}
		listed[m.Code] = true
	}
	used := probingCode(t)
	for name, code := range code {
		if !listed[code] {
			t.Errorf("%s: no row for %q", name, code)
		}
		delete(listed, code)
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `($|\b|\W)`).MatchString(used) {
			t.Errorf("%s is not used", name)
		}
	}
	for code := range listed {
		t.Errorf("no constant for the row %q", code)
	}
}

// probingCode is the text of the packages that make results, the lists left out.
func probingCode(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{"..", "../../crawl", "../../judge", "../../store"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || d.Name() == "reasons.go" || d.Name() == "flags.go" {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
