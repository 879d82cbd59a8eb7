package logs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/internal/logs"
)

// say tells one of everything.
func say(l *logs.Log) {
	l.Info("read %d of %s", 3, "a\nb")
	l.Notice("http://%s/", "h.test")
	l.Warn("no such %s", "host\x1b[2J")
	l.Error("%s: %s", "x.txt", errors.New("torn\n"))
	l.Hint("mend it")
	l.Event("began", slog.String("verb", "run"))
	l.SetRun(7)
	l.Answer(time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC), "ok http-200 http://h.test/\n", slog.String("uri", "http://h.test/\n"))
	fmt.Fprintf(l, "from others\nhalf ")
	fmt.Fprintf(l, "a line\n")
}

func TestLinesForPeople(t *testing.T) {
	const begun = "linkcheck: read 3 of a\\nb\n"
	const rest = "linkcheck: http://h.test/\nlinkcheck: no such host\\u001b[2J\nlinkcheck: error: x.txt: torn\\n\n" +
		"linkcheck: hint: mend it\nlinkcheck: ok http-200 http://h.test/\\n\nfrom others\nhalf a line\n"
	for _, quiet := range []bool{false, true} {
		var b bytes.Buffer
		l := logs.New(&b, "linkcheck")
		l.Start(false, quiet)
		say(l)
		want := begun + rest
		if quiet {
			want = rest
		}
		if b.String() != want {
			t.Errorf("quiet %v:\n%s\nwant\n%s", quiet, &b, want)
		}
	}
}

// Every line for programs is one JSON object with time, level and msg, whose values are
// what they were.
func TestLinesForPrograms(t *testing.T) {
	var b bytes.Buffer
	l := logs.New(&b, "linkcheck")
	l.Warn("early %s", "word")
	if b.Len() > 0 {
		t.Errorf("a line before the form is known: %s", &b)
	}
	l.Start(true, false)
	l.Start(false, true) // too late
	say(l)
	type row struct {
		Time            time.Time
		Level, Msg, URI string
		Verb            string
		Run             uint64
	}
	want := []row{
		{Level: "WARN", Msg: "early word"}, {Level: "INFO", Msg: "read 3 of a\nb"}, {Level: "INFO", Msg: "http://h.test/"}, {Level: "WARN", Msg: "no such host\x1b[2J"},
		{Level: "ERROR", Msg: "x.txt: torn\n"}, {Level: "WARN", Msg: "hint: mend it"}, {Level: "INFO", Msg: "began", Verb: "run"},
		{Level: "INFO", Msg: "answer", URI: "http://h.test/\n", Run: 7}, {Level: "WARN", Msg: "from others", Run: 7}, {Level: "WARN", Msg: "half a line", Run: 7},
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), &b)
	}
	for i, line := range lines {
		var got row
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.Time.IsZero() {
			t.Fatalf("%v in %s", err, line)
		}
		if got.Msg == "answer" && got.Time.Format(time.RFC3339) != "2026-11-01T02:00:00Z" {
			t.Errorf("an answer has the time of its probe: %s", line)
		}
		got.Time = time.Time{}
		if got != want[i] {
			t.Errorf("line %d is %+v, want %+v", i, got, want[i])
		}
	}
}

// What many tell at once stays whole lines, and a reader that is gone stops nobody.
func TestManyTell(t *testing.T) {
	var b bytes.Buffer
	whole, gone := logs.New(&b, "linkcheck"), logs.New(deadReader{}, "linkcheck")
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			whole.Info("line %d", i)
			gone.Error("line %d", i)
			if i == 25 {
				whole.Start(true, false)
				gone.Start(false, false)
			}
		})
	}
	wg.Wait()
	if n, err := io.WriteString(gone, "x\n"); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is no JSON", line)
		}
	}
	if len(lines) != 50 {
		t.Errorf("%d lines", len(lines))
	}
}

type deadReader struct{}

func (deadReader) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
