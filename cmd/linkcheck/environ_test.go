package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMisspeltVariables: a misspelt environment variable is named once, with the right name.
func TestMisspeltVariables(t *testing.T) {
	for name, want := range map[string]string{
		"WORKER": "WORKERS", "WROKERS": "WORKERS", "HOSTDELAY": "HOST_DELAY", "HOST_DELY": "HOST_DELAY", "STROE": "STORE",
		"NEWS_SERVERS": "NEWS_SERVER", "CONFIGS": "CONFIG", "SMTP_PASWORD": "SMTP_PASSWORD",
		"WORKERS": "", "CONFIG": "", "SMTP_PASSWORD": "", "HOME": "", "": "", "LIBRARY_OF_MINE": "",
	} {
		said := misspelt("LINKCHECK_" + name + "=3")
		if want == "" && said != "" || want != "" && said != "linkcheck: LINKCHECK_"+name+" in the environment is not heard; did you mean LINKCHECK_"+want+"?\n" {
			t.Errorf("%s: %q, want %s", name, said, want)
		}
	}
	if said := misspelt("WORKER=3"); said != "" {
		t.Errorf("a variable of another program: %q", said)
	}
}

func misspelt(env ...string) string {
	var said strings.Builder
	a := &app{log: logTo(&said), environ: env}
	a.warnMisspelt(newRoot(a))
	return said.String()
}

// TestVariablesOfTests: those that the tests of this project read are not taken for misspelt.
func TestVariablesOfTests(t *testing.T) {
	const root = "../.."
	variable, seen := regexp.MustCompile(`"(LINKCHECK_[A-Z]+(_[A-Z]+)*)"`), 0
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, filepath.Join(root, "cmd")) {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range variable.FindAllStringSubmatch(string(text), -1) {
			seen++
			if said := misspelt(m[1] + "=x"); said != "" {
				t.Errorf("%s: %s", path, said)
			}
		}
		return err
	})
	if err != nil || seen < 7 {
		t.Errorf("%d variables, %v", seen, err)
	}
}
