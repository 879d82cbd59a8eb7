// The tests of this file hold what keeps the project in good order: the list of
// dependencies and the script that fuzzes.
package linkcheck_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDependencies compares docs/DEPENDENCIES.md with go.mod: every module that is
// required directly has a row with its version, and no other has one.
func TestDependencies(t *testing.T) {
	required := map[string]string{}
	for line := range strings.Lines(readText(t, "go.mod")) {
		if f := strings.Fields(line); len(f) == 2 && strings.Contains(f[0], ".") && strings.HasPrefix(f[1], "v") {
			required[f[0]] = f[1]
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (v[^ ]+) \\| 20\\d\\d-\\d\\d \\| .+ \\| (?:not )?kept: .+ \\|$")
	listed := map[string]bool{}
	for _, m := range rows.FindAllStringSubmatch(readText(t, "docs/DEPENDENCIES.md"), -1) {
		listed[m[1]] = true
		if required[m[1]] != m[2] {
			t.Errorf("docs/DEPENDENCIES.md: %s %s, go.mod requires %q", m[1], m[2], required[m[1]])
		}
	}
	for module, version := range required {
		if !listed[module] {
			t.Errorf("docs/DEPENDENCIES.md has no row for %s %s, which go.mod requires", module, version)
		}
	}
	if len(required) < 20 {
		t.Errorf("only %d modules were found in go.mod", len(required))
	}
}

// TestToolsAreNamed holds that docs/DEPENDENCIES.md has each tool of Go that the Makefile or
// a script calls, with its version.
func TestToolsAreNamed(t *testing.T) {
	scripts, err := filepath.Glob("scripts/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	paper, tools := readText(t, "docs/DEPENDENCIES.md"), 0
	called := regexp.MustCompile(`([a-z0-9]+\.[a-z]+/[\w./-]+)@(\S+?)["\s]`)
	set := regexp.MustCompile(`(?m)^version=(v\S+)$`)
	for _, name := range append(scripts, "Makefile") {
		text := readText(t, name)
		for _, m := range called.FindAllStringSubmatch(text, -1) {
			version := m[2]
			if given := set.FindStringSubmatch(text); version == "$version" && given != nil {
				version = given[1]
			}
			if tools++; !strings.Contains(paper, "\n| `"+m[1]+"` | "+version+" |") {
				t.Errorf("docs/DEPENDENCIES.md has no row for %s %s, which %s calls", m[1], version, name)
			}
		}
	}
	if tools < 4 {
		t.Errorf("only %d tools were found", tools)
	}
}

// TestRaceLeavesOut holds that what the Makefile leaves out of the pass with the race detector, but for what
// starts other programs, starts no goroutine; those of its tests are servers.
func TestRaceLeavesOut(t *testing.T) {
	m := regexp.MustCompile(`(?m)^NO_RACE := (.+)$`).FindStringSubmatch(readText(t, "Makefile"))
	if m == nil {
		t.Fatal("the Makefile has no NO_RACE")
	}
	starts := regexp.MustCompile(`(?m)\bgo func|^\s+go \w|\.Go\(|\bAfterFunc\(`)
	seen := 0
	for _, name := range strings.Fields(m[1]) {
		if name == "/interop" || name == "/browser" {
			continue
		}
		files, err := filepath.Glob(filepath.FromSlash(strings.TrimRight("."+name, "$")) + "/*.go")
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", name, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			if seen++; starts.MatchString(readText(t, file)) {
				t.Errorf("%s starts a goroutine: take %s out of NO_RACE", file, name)
			}
		}
	}
	if seen < 80 {
		t.Errorf("only %d files were seen", seen)
	}
}

// TestFuzzJudge holds that scripts/fuzz.sh takes nothing for Go's own race at the end of
// a fuzz run but its exact output.
func TestFuzzJudge(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	const progress = "fuzz: elapsed: 0s, gathering baseline coverage: 0/5 completed\nfuzz: elapsed: 3s, execs: 0 (0/sec), new interesting: 0 (total: 5)\n"
	for _, c := range []struct {
		name, output string
		race         bool
	}{
		{"the race", progress + "--- FAIL: FuzzX (3.02s)\n    context deadline exceeded\nFAIL\n", true},
		{"started by go test", progress + "--- FAIL: FuzzX (3.02s)\n    context deadline exceeded\nFAIL\nexit status 1\n", true},
		{"a law", progress + "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n        x_test.go:1: broken\n\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n", false},
		{"a law whose words are these", progress + "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n    context deadline exceeded\nFAIL\n", false},
		{"a seed", "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX/seed#0 (0.00s)\n        x_test.go:1: context deadline exceeded\nFAIL\n", false},
		{"and an input", "--- FAIL: FuzzX (0.02s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n", false},
		{"another target", "--- FAIL: FuzzXY (0.02s)\n    context deadline exceeded\nFAIL\n", false},
		{"a worker that died", "--- FAIL: FuzzX (0.02s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\nFAIL\n", false},
		{"a panic", "panic: x\n\ngoroutine 1 [running]:\n", false},
		{"nothing", "", false},
		{"progress alone", progress, false},
	} {
		judge := exec.Command(bash, "scripts/fuzz.sh", "--judge", "FuzzX")
		judge.Stdin = strings.NewReader(c.output)
		if race := judge.Run() == nil; race != c.race {
			t.Errorf("%s: taken for the race: %v", c.name, race)
		}
	}
}

// TestFuzzTargetsAreListed holds that the script finds what go test would fuzz.
func TestFuzzTargetsAreListed(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	list, err := exec.Command(bash, "scripts/fuzz.sh", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"linkcheck/uri FuzzParse\n", "linkcheck/extract/archive FuzzDocument\n", "linkcheck/check/ftp FuzzSession\n"} {
		if !strings.Contains(string(list), target) {
			t.Errorf("%q is not listed", target)
		}
	}
	if n := strings.Count(string(list), "\n"); n < 50 {
		t.Errorf("%d targets are listed", n)
	}
}

// TestOperationsNamesExitCodes holds docs/OPERATIONS.md to the exit codes of the program, each
// with its row, and to the figures that the program writes.
func TestOperationsNamesExitCodes(t *testing.T) {
	paper := readText(t, "docs/OPERATIONS.md")
	_, night, _ := strings.Cut(paper, "## At three in the morning")
	night, _, _ = strings.Cut(night, "\n## ")
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| [^|]+ \|$`).FindAllStringSubmatch(night, -1) {
		rows[m[1]] = true
	}
	codes := regexp.MustCompile(`(?m)^\t[A-Z]\w+ += (\d+)$`).FindAllStringSubmatch(readText(t, "internal/exit/exit.go"), -1)
	for _, m := range codes {
		if !rows[m[1]] {
			t.Errorf("docs/OPERATIONS.md says nothing of exit code %s", m[1])
		}
		delete(rows, m[1])
	}
	for code := range rows {
		t.Errorf("docs/OPERATIONS.md speaks of exit code %s, which is not there", code)
	}
	figures := regexp.MustCompile(`linkcheck_[a-z_]+`).FindAllString(paper, -1)
	written := readText(t, "report/text/metrics.go")
	for _, name := range figures {
		if !strings.Contains(written, `"`+name+`"`) {
			t.Errorf("docs/OPERATIONS.md speaks of %s, which report/text does not write", name)
		}
	}
	if len(codes) < 7 || len(figures) < 5 {
		t.Errorf("only %d codes and %d figures were found", len(codes), len(figures))
	}
}
