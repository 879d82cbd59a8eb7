package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// FuzzAppendJSON: what is appended reads back as the same text, and may stand in
// a script element.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{"", "plain", `"\`, "</script>", "\u2028\u2029", "\xff\x00", "é😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := AppendJSON(nil, s)
		var got string
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		var runes strings.Builder
		for _, r := range s {
			runes.WriteRune(r)
		}
		if got != runes.String() {
			t.Fatalf("%q became %q", s, got)
		}
		if strings.ContainsAny(string(b), "<>&\u2028\u2029\n") {
			t.Fatalf("%q holds what a page must not", b)
		}
	})
}

// TestSanitize: one line, no control characters, no password.
func TestSanitize(t *testing.T) {
	s := &Scope{}
	for in, want := range map[string]string{
		"plain":                          "plain",
		"two\r\nlines\tand tab":          "two  lines and tab",
		"bell\a \x1b[31mred":             "bell\ufffd \ufffd[31mred",
		"\u202eturned":                   "\ufffdturned",
		"bad \xff byte":                  "bad \ufffd byte",
		"see ftp://u:pw@h/x and u2:p2@h": "see ftp://u:***@h", // a password may hold blanks
		"//u:p w@h":                      "//u:***@h",
		"mail me@x.example":              "mail me@x.example",
		"كتاب 书 📚":                       "كتاب 书 📚",
	} {
		if got := s.Sanitize(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := s.SanitizeURL("ftp://u:pw@h/x"); got != "ftp://u:***@h/x" {
		t.Errorf("address %q", got)
	}
	s.ShowSecrets = true
	if got := s.SanitizeURL("ftp://u:pw@h/x"); got != "ftp://u:pw@h/x" {
		t.Errorf("address %q", got)
	}
}

// TestRewrites: three links prove a prefix, two do not; hosts are never cut.
func TestRewrites(t *testing.T) {
	moves := []move{
		{old: "http://a.example/x/1", new: "https://b.example/y/1"},
		{old: "http://a.example/x/2", new: "https://b.example/y/2", records: []uint64{1}},
		{old: "http://a.example/x/3?q=/4", new: "https://b.example/y/3?q=/4", records: []uint64{1, 2}},
		{old: "http://a.example/x/5", new: "https://elsewhere.example/"},
		{old: "http://c.example/1", new: "https://d.example/1"},
		{old: "http://c.example/2", new: "https://d.example/2"},
		{old: "http://e.example/a/", new: "https://e.example/b/"},
		{old: "http://e.example/c/", new: "https://e.example/d/"},
		{old: "http://same.example/1", new: "http://same.example/1"},
		{old: "http://host/1", new: "https://host/1"},
	}
	got := findRewrites(moves)
	if len(got) != 1 || got[0].Old != "http://a.example/x" || got[0].New != "https://b.example/y" || got[0].Links != 3 || got[0].Of != 4 || got[0].Records != 2 {
		t.Errorf("rewrites %+v", got)
	}
}

func TestSinceRun(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 2, 0, 0, 0, time.UTC) }
	runs := []store.Run{{ID: 7, Started: day(1)}, {ID: 8, Started: day(2)}, {ID: 9, Started: day(3)}}
	scope := func() *Scope { return &Scope{Options: Options{Now: day(4)}, Nights: runs} }
	for since, want := range map[string]uint64{"7": 8, "2026-11-02": 8, "2026-11-02T03:00:00Z": 9, "2026-12-01": 10, "2020-01-01": 7,
		"24h": 9, "23h": 10, "1d": 9, "36h": 9, "49h": 8, "2d": 8, "1w": 7, "0d": 10, "65535w": 7} {
		if got, err := scope().sinceRun(since); err != nil || got != want {
			t.Errorf("since %s: run %d (%v), want %d", since, got, err, want)
		}
	}
	for _, bad := range []string{"yesterday", "20261102", "-1", "d", "-1d", "7 d", "7m", "1d1h", "65536w"} {
		if got, err := scope().sinceRun(bad); err == nil {
			t.Errorf("since %q was understood as run %d", bad, got)
		}
	}
	s := scope()
	s.Since = "2d"
	if _, err := s.sinceRun(s.Since); err != nil || s.Since != "2026-11-02 02:00" {
		t.Errorf("people are told %q, %v", s.Since, err)
	}
}

// TestOptions refuses what it does not know.
func TestOptions(t *testing.T) {
	for _, o := range []Options{{Only: []string{"broken"}}, {RecordURL: "https://ils/bib/"}, {RecordURL: "javascript:alert(1)//{id}"}, {RecordURL: " JavaScript:{id}"}, {RecordURL: "data:text/html,{id}"}, {RecordURL: "java\tscript:{id}"}, {Lang: "tlh"}, {Since: "soon"}} {
		if _, err := NewScope(t.Context(), &sample.Source{}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if !slices.Contains(OnlyWords(), "newly-dead") || !slices.Contains(OnlyWords(), "fix") || !slices.Contains(OnlyWords(), "not-checkable") {
		t.Errorf("only knows %q", OnlyWords())
	}
}

// TestOnly picks rows by group, state, change and news.
func TestOnly(t *testing.T) {
	row := Row{Entry: store.Entry{Link: store.Link{State: judge.Dead}}, Group: Fix, Changed: []judge.Change{judge.NewlyDead}}
	for word, want := range map[string]bool{"fix": true, "dead": true, "new": true, "newly-dead": true, "moved": false, "wait": false, "unchecked": false} {
		if got := (&Scope{only: []string{word}}).matches(&row); got != want {
			t.Errorf("--only %s: %v", word, got)
		}
	}
	if fresh := (Row{Entry: store.Entry{Link: store.Link{State: judge.New}}, Group: Wait}); (&Scope{only: []string{"new"}}).matches(&fresh) || !(&Scope{only: []string{"unchecked"}}).matches(&fresh) {
		t.Error("an unchecked link is no news")
	}
}

// TestNearName names files shortly, records as they are.
func TestNearName(t *testing.T) {
	for _, tt := range []struct {
		m    store.Mention
		want string
	}{
		{store.Mention{Record: "a/b/c", Source: "/x/y.mrc"}, "a/b/c"},
		{store.Mention{Source: "rfc1.txt"}, "rfc1.txt"},
		{store.Mention{Source: "/rfc1.txt"}, "/rfc1.txt"},
		{store.Mention{Source: "/data/archive/rfc/rfc1.txt"}, "rfc/rfc1.txt"},
		{store.Mention{Source: "/data/old.zip", Member: "docs/a.html"}, "old.zip!docs/a.html"},
		{store.Mention{}, ""},
	} {
		if got := NearName(&tt.m); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.m, got, tt.want)
		}
	}
}

// TestFailDays: an answer that comes earlier in its night than the last one takes no day off.
func TestFailDays(t *testing.T) {
	since := time.Date(2026, 11, 1, 2, 0, 3, 0, time.UTC)
	for after, want := range map[time.Duration]int{
		0:                               0,
		12 * time.Hour:                  0,
		24*time.Hour - 2*time.Second:    1,
		24*time.Hour + 2*time.Second:    1,
		36 * time.Hour:                  1,
		7 * 24 * time.Hour:              7,
		7*24*time.Hour - 30*time.Minute: 7,
	} {
		r := Row{}
		r.FailingSince, r.Last.At = since, since.Add(after)
		if got := r.FailDays(); got != want {
			t.Errorf("%s after the first failure: %d days, want %d", after, got, want)
		}
	}
	if got := (&Row{}).FailDays(); got != 0 {
		t.Errorf("%d days of a link that does not fail", got)
	}
}
