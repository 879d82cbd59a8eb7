package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/store"
)

// logLine is what every line of --log-format json has.
type logLine struct {
	Time             time.Time
	Level, Msg, Verb string
	URI, Outcome     string
	Run              uint64
	ExitCode         *int `json:"exit_code"`
}

// logLines reads a log, every line of which must be one object.
func logLines(t *testing.T, text string) (list []logLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l logLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Time.IsZero() || l.Msg == "" || !slices.Contains([]string{"INFO", "WARN", "ERROR"}, l.Level) {
			t.Fatalf("%v: %q is no line of a log", err, line)
		}
		list = append(list, l)
	}
	return list
}

// TestLogFormat: with json whatever stands on standard error is one object a line, in every
// verb and however it ends, and the last one has the exit code.
func TestLogFormat(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a info:lccn/1"})
	l.serveWeb(lab.Web{"www.mill.test": {"/a": lab.Text("text/plain", "here")}})
	l.runQuietly(0)
	db, none := l.store(), filepath.Join(l.dir, "none")
	for _, line := range []string{
		"run --store " + db + " " + none, "run --store " + db, "run --no-such-flag", "run --max-duration x", "run --log-format=xml " + l.docs(), "report --store " + none, "report --store " + db + " --collection x --html " + none + ".html",
		"check --host x.test --store " + db, "store verify --store " + none, "store export --store " + db, "store prune --store " + db, "explain --store " + db + " info:lccn/1", "mark --store " + db + " x.test alive --why y",
		"nosuchverb", "extract " + none, "extract " + l.docs(), "schemes", "normalize a:b", "init " + none + ".toml", "help nosuch", "check info:lccn/1", "dupes --store " + db,
	} {
		args := append(strings.Fields(line), "--log-format", "json")
		if strings.Contains(line, "--log-format") {
			args = append(strings.Fields(line), "--log-json")
		}
		s := call(t.Context(), "", args...)
		lines := logLines(t, s.err)
		if len(lines) == 0 {
			t.Fatalf("%s: nothing was told: %+v", line, s)
		}
		if last := lines[len(lines)-1]; last.Msg != "ended" || last.ExitCode == nil || *last.ExitCode != s.code {
			t.Errorf("%s: exit %d, and the last line is %+v", line, s.code, last)
		}
		if failed := slices.ContainsFunc(lines, func(n logLine) bool { return n.Level == "ERROR" }); failed && s.code <= exit.Matched || !failed && s.code == exit.BadUsage {
			t.Errorf("%s: exit %d and\n%s", line, s.code, s.err)
		}
	}
	t.Setenv("LINKCHECK_LOG_FORMAT", "json")
	if lines := logLines(t, call(t.Context(), "", "run", "--no-such-flag").err); len(lines) != 3 || lines[0].Level != "ERROR" {
		t.Errorf("a flag that is none: %+v", lines)
	}
	t.Setenv("LINKCHECK_HOST_DELA", "1s")
	if lines := logLines(t, call(t.Context(), "", "schemes").err); len(lines) != 3 || lines[0].Level != "WARN" || lines[1].Verb != "schemes" {
		t.Errorf("from the environment: %+v", lines)
	}
}

// TestLogOfRun: a run tells its number, its answers where they are wanted, and with --quiet
// no more than those.
func TestLogOfRun(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a info:lccn/1"})
	l.serveWeb(lab.Web{"www.mill.test": {"/a": lab.Text("text/plain", "here")}})
	all := func(day float64, more ...string) result {
		return call(t.Context(), "", slices.Concat([]string{"run", "--store", l.store(), "--all"}, l.netArgs(day), more, []string{l.docs()})...)
	}
	number := uint64(0)
	for _, more := range [][]string{{"--log-format", "json"}, {"--log-json"}, {"--log-format", "json", "--log-answers"}, {"--log-json", "--quiet"}} {
		number++
		s := all(float64(number), more...)
		answers, others := 0, 0
		for _, line := range logLines(t, s.err) {
			switch {
			case line.Msg == "answer" && line.Run == number && line.URI != "" && line.Outcome != "" && line.Time.Format(time.RFC3339)[:10] == day(float64(number))[:10]:
				answers++
			case line.Msg != "began" && line.Run != number:
				t.Errorf("%v: a line of run %d: %+v", more, line.Run, line)
			default:
				others++
			}
		}
		want := 2
		if len(more) == 2 && more[0] == "--log-format" {
			want = 0
		}
		if quiet := slices.Contains(more, "--quiet"); s.code != exit.OK || answers != want || (others == 0) != quiet || (s.out == "") != quiet {
			t.Errorf("%v: %d answers, %d other lines: %+v", more, answers, others, s)
		}
	}
	if s := all(9, "--log-answers", "--quiet"); s.out != "" || strings.Count(s.err, "linkcheck: ") != 2 || !strings.Contains(s.err, "linkcheck: ok http-200 http://www.mill.test/a\n") {
		t.Errorf("answers for people: %+v", s)
	}
}

// TestNobodyReadsLog: a reader of standard error that is gone ends no run, and one of
// standard output that is gone, as head, is no error to tell of.
func TestNobodyReadsLog(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": strings.Repeat("see info:lccn/1 ", 10)})
	closed := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		t.Cleanup(func() { w.Close() })
		return w
	}
	metrics := filepath.Join(l.dir, "m.prom")
	cmd := exec.CommandContext(t.Context(), "linkcheck", "run", "--log-json", "--store", l.store(), "--metrics", metrics, l.docs(), filepath.Join(l.dir, "none"))
	cmd.Stderr = closed()
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exit.Partial {
		t.Errorf("standard error: %v", err)
	}
	if figure(t, metrics, "linkcheck_run_exit_code") != "3" {
		t.Error("the run did not come to its end")
	}
	st, err := store.Open(l.store(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for r, err := range st.Runs() {
		if err != nil || r.Ended.IsZero() || r.Checked != 1 {
			t.Errorf("the run is %+v, %v", r, err)
		}
	}
	cmd, told := exec.CommandContext(t.Context(), "linkcheck", "run", "--log-json", "--store", filepath.Join(l.dir, "other.db"), l.docs()), new(strings.Builder)
	cmd.Stdout, cmd.Stderr = closed(), told
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exit.Distrusted || !strings.Contains(told.String(), `"ERROR","msg":"standard output`) {
		t.Errorf("the summary of a run: %v, %s", err, told)
	}
	st.Close()
	for _, verb := range []string{"schemes", "version", "help", "help exit-codes", "run --help", "normalize a:b", "compare a:b c:d", "extract " + l.docs(), "check info:lccn/1",
		"check --store " + l.store(), "explain info:lccn/1", "report --csv - --store " + l.store(), "report --store " + l.store(),
		"store stats --store " + l.store(), "store export --quiet --store " + l.store(), "store verify --store " + l.store()} {
		told.Reset()
		cmd = exec.CommandContext(t.Context(), "linkcheck", strings.Fields(verb)...)
		cmd.Stdout, cmd.Stderr = closed(), told
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != exit.Unread || told.Len() > 0 {
			t.Errorf("%s: %v, %s", verb, err, told)
		}
	}
}

// TestQuietVerbs: with --quiet a verb prints what it was asked for and no more.
func TestQuietVerbs(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "info:lccn/1 info:lccn/2"})
	l.runQuietly(0)
	db, out := " --store "+l.store(), filepath.Join(l.dir, "out")
	for line, data := range map[string]bool{
		"store verify" + db: false, "store prune" + db: false, "store compact" + db: false, "store backup" + db + " " + out + ".db": false, "store export" + db + " " + out + ".jsonl": false,
		"store salvage " + l.store() + " " + out + "-salvaged.db":        false,
		"report" + db + " --html " + out + ".html --csv " + out + ".csv": false, "init " + out + ".toml": false, "man " + out + "-man": false, "mark" + db + " info:lccn/1 alive --why x": false,
		"store export" + db: true, "store stats" + db: true, "report" + db: true, "report" + db + " --csv -": true, "dupes" + db: false, "check info:lccn/1": true, "schemes": true,
		"normalize a:b": true, "compare a:b a:c": true, "explain" + db + " info:lccn/1": true, "extract " + l.docs(): true, "version": true,
	} {
		s := call(t.Context(), "", append(strings.Fields(line), "--quiet")...)
		if s.code > exit.Matched || s.err != "" || !data && s.out != "" && !strings.HasPrefix(line, "dupes") || data && s.out == "" {
			t.Errorf("%s: %+v", line, s)
		}
	}
}
