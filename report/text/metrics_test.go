package text_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/text"
	"linkcheck/store"
)

// The grammar of the text format, version 0.0.4: names, label names and label values with
// their three escapes.
var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\]|\\\\|\\n)+$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) gauge$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\\\|\\"|\\n)*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\\\|\\"|\\n)*")*\})? (-?[0-9]+)$`)
)

// parse reads figures as a strict reader of the format does: each family once, HELP and
// TYPE before its lines, no line twice.
func parse(t *testing.T, file []byte) map[string]string {
	t.Helper()
	found, families, family := map[string]string{}, map[string]bool{}, ""
	if !bytes.HasSuffix(file, []byte("\n")) {
		t.Error("the last line has no end")
	}
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if m := helpLine.FindStringSubmatch(lines[i]); m != nil {
			if families[m[1]] {
				t.Errorf("%s is there twice", m[1])
			}
			family, families[m[1]] = m[1], true
			if i++; i == len(lines) || typeLine.FindStringSubmatch(lines[i]) == nil || typeLine.FindStringSubmatch(lines[i])[1] != family {
				t.Fatalf("line %d: no TYPE after the HELP of %s", i+1, family)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(lines[i])
		if m == nil || m[1] != family {
			t.Fatalf("line %d is no line of %s: %q", i+1, family, lines[i])
		}
		if _, twice := found[m[1]+m[2]]; twice {
			t.Errorf("%s%s is there twice", m[1], m[2])
		}
		found[m[1]+m[2]] = m[3]
	}
	return found
}

// promtool asks the tool of Prometheus too, where it is installed.
func promtool(t *testing.T, file []byte) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		return
	}
	cmd := exec.CommandContext(t.Context(), path, "check", "metrics")
	cmd.Stdin = bytes.NewReader(file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// TestMetricsAreExposition: whatever a collection is called.
func TestMetricsAreExposition(t *testing.T) {
	exit := 3
	rep, err := report.Build(t.Context(), &sample.Source{N: 500}, report.Options{Now: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC), Version: `1"\` + "\n", StoreBytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	rep.Run = &store.Run{ID: 1, Started: rep.Now, Ended: rep.Now, Exit: &exit}
	rep.Unreadable = new(int)
	for _, name := range []string{"", "plain", `a"b`, `a\b`, `a\`, "a\nlinkcheck_forged 1", "\xff\x00", "{,}=", "<script>", "ä \u202e"} {
		rep.ByCollection[name] = &[report.GroupCount]int{1}
	}
	for i, name := range []string{`a"b`, `a"b`, "<script>"} {
		rep.RootRows = append(rep.RootRows, report.RootRow{State: "failing", Root: store.Root{Name: name, Documents: 2, Whole: time.Unix(int64(100-i), 0), Failing: time.Unix(int64(70+i), 0)}})
	}
	var with, without bytes.Buffer
	if err := text.WriteMetrics(&with, rep); err != nil {
		t.Fatal(err)
	}
	end := text.RunEnd{Exit: 5, Success: time.Unix(1_700_000_000, 0), Known: true}
	if err := text.WriteRunMetrics(&without, end, nil); err != nil {
		t.Fatal(err)
	}
	all, few := parse(t, with.Bytes()), parse(t, without.Bytes())
	promtool(t, with.Bytes())
	promtool(t, without.Bytes())
	if bytes.ContainsRune(with.Bytes(), '<') {
		t.Error("figures hold markup")
	}
	for name, want := range map[string]string{
		"linkcheck_run_exit_code": "3", "linkcheck_store_bytes": "1099511627776", "linkcheck_unreadable_sources": "0",
		`linkcheck_collection_links{collection="a\"b",group="fix"}`: "1", `linkcheck_collection_links{collection="a\\b",group="fix"}`: "1",
		`linkcheck_root_documents{root="a\"b"}`: "4", `linkcheck_root_whole_timestamp_seconds{root="a\"b"}`: "99", `linkcheck_root_failing_since{root="a\"b"}`: "70",
	} {
		if all[name] != want {
			t.Errorf("%s is %q, want %s", name, all[name], want)
		}
	}
	if len(few) != 2 || few["linkcheck_run_exit_code"] != "5" || few["linkcheck_run_last_success_timestamp_seconds"] != "1700000000" {
		t.Errorf("without a store: %v", few)
	}
}

// TestLastSuccessIsReadBack: what one run wrote the next one reads, and no other file is
// taken for one of ours.
func TestLastSuccessIsReadBack(t *testing.T) {
	for _, at := range []time.Time{{}, time.Unix(1_700_000_000, 0)} {
		var file bytes.Buffer
		if err := text.WriteRunMetrics(&file, text.RunEnd{Success: at, Known: true}, nil); err != nil {
			t.Fatal(err)
		}
		if got, ok := text.LastSuccess(file.Bytes()); !ok || !got.Equal(at) || !text.AreMetrics(file.Bytes()) {
			t.Errorf("%v became %v, %v", at, got, ok)
		}
	}
	for _, file := range []string{"", "# HELP linkcheck_x y\n", "linkcheck_run_last_success_timestamp_seconds x\n", "linkcheck_run_last_success_timestamp_seconds -5\n", "linkcheck_run_last_success_timestamp_secondsx 5\n"} {
		if got, ok := text.LastSuccess([]byte(file)); ok {
			t.Errorf("%q told %v", file, got)
		}
	}
	for _, file := range []string{"00714cam a2200205 a 4500", "# a note", "# HELP node_load1 1m"} {
		if text.AreMetrics([]byte(file)) {
			t.Errorf("%q is taken for figures", file)
		}
	}
}

// TestClassesOfReasons: a class is a family of reasons, not each reason for itself.
func TestClassesOfReasons(t *testing.T) {
	src := &sample.Source{N: 500}
	rep, err := report.Build(t.Context(), src, report.Options{Now: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for pair, n := range rep.Results {
		asked += n
		if strings.ContainsAny(pair[1], "-0123456789") && pair[1] != "z3950" || pair[0] == check.Unknown.String() {
			t.Errorf("%v is no outcome and class", pair)
		}
	}
	if asked+rep.Never != rep.Links || asked == 0 {
		t.Errorf("%d of %d links have a result, and %d have none", asked, rep.Links, rep.Never)
	}
}
