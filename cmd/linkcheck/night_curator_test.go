package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// OUTCOMES section 6, story 10: what is written twice is found, what is not
// the same stays apart.
func TestDuplicatesAreFound(t *testing.T) {
	same := [][]string{
		{"HTTP://Example.COM:80/%7Efoo", "http://example.com/~foo"},
		{"info:lccn/85-2", "INFO:LCCN/85000002"},
		{"ftp://ftp.mill.test/%66", "ftp://ftp.mill.test/f", "FTP://FTP.mill.test:21/f"},
		{"z39.50r://z.mill.test:210/books?id1", "Z39.50R://Z.MILL.test/books?id1"},
		{"gopher://g.mill.test:70/00/a", "gopher://G.mill.test/00/a"},
	}
	apart := []string{
		"ftp://@ftp.mill.test/f",                                                     // an empty user is not none
		"ftp://ftp.mill.test/A", "ftp://ftp.mill.test/a", "ftp://ftp.mill.test/%2Fa", // case; the root of the server and that of the login
		"gopher://g.mill.test/0/b", "gopher://g.mill.test/1/b", "gopher://g.mill.test/0/B", // types; selectors are case-sensitive
		"z39.50s://z.mill.test/books?id2", "z39.50r://z.mill.test/books?id2", // session and retrieval
		"http://www.mill.test/x", "http://www.mill.test/X", "http://www.mill.test:8080/x", "ftp://www.mill.test/x",
		"nntp://n.mill.test/mill.news/1", "nntp://n.mill.test/mill.news/10",
	}
	var lines []string
	for _, group := range same {
		lines = append(lines, group...)
	}
	l := newLibrary(t, map[string]string{"a.txt": "<" + strings.Join(append(lines, apart...), ">\n<") + ">\n"})
	refused := call(t.Context(), "", "run", "--quiet", "--store", l.store(), "--exclude", ".", "--now", day(0), l.docs())
	if refused.code != exit.OK {
		t.Fatalf("%+v", refused)
	}
	groupOf := map[string]int{} // of groups of which we are sure
	for n, line := range strings.Split(strings.TrimSpace(l.ok("dupes", "--json")), "\n") {
		g := decode[struct {
			Level, Sure string
			Spellings   []struct{ URL string }
		}](t, line)
		for _, s := range g.Spellings {
			if g.Sure == "certain" {
				groupOf[s.URL] = n + 1
			}
		}
	}
	for _, group := range same {
		for _, s := range group {
			if groupOf[s] == 0 || groupOf[s] != groupOf[group[0]] {
				t.Errorf("%s is not with %s: %v", s, group[0], groupOf)
			}
		}
	}
	for _, s := range apart {
		if groupOf[s] != 0 {
			t.Errorf("%s is in a group: %v", s, groupOf)
		}
	}
}

// Moved links give rows to replace, and a rewrite of their prefix where three
// agree; persistent identifiers never do (story 10, section 2.1.5).
func TestMovedLinksGiveFixes(t *testing.T) {
	l := newLibrary(t, nil)
	old, new, lone, doi := lab.Site{}, lab.Site{}, lab.Site{}, lab.Site{}
	var records strings.Builder
	for i := range 3 {
		path := fmt.Sprintf("/p%d.txt", i)
		old["/papers"+path] = lab.Redirect(301, "http://new.test/archive"+path)
		new["/archive"+path] = lab.Text("text/plain", "paper "+path)
		doi["/10.1000"+path] = lab.Redirect(301, "http://new.test/archive"+path)
		records.WriteString(testdoc.Catalogued(fmt.Sprint("bib", i), "Paper", "|uhttp://old.test/papers"+path, "|uhttp://doi.org/10.1000"+path,
			"|uhttp://hdl.handle.net/10.1000"+path, "|uhttp://purl.org/10.1000"+path))
	}
	lone["/a.txt"] = lab.Redirect(308, "http://new.test/archive/p0.txt")
	lone["/t.txt"] = lab.Redirect(302, "http://new.test/archive/p1.txt")
	records.WriteString(testdoc.Catalogued("bib9", "Lone", "|uhttp://lone.test/a.txt|uhttp://lone.test/t.txt"))
	l.write("bibs.mrc", records.String())
	l.serveWeb(lab.Web{"old.test": old, "new.test": new, "lone.test": lone, "doi.org": doi, "hdl.handle.net": doi, "purl.org": doi})
	s := l.runWell(0)
	if !strings.Contains(s.out, "3 newly moved") && !strings.Contains(s.out, "newly moved: 3") {
		t.Errorf("the summary: %s", s.out)
	}
	const want = "record_id\tlocator\told_url\tnew_url\treason\tguarded\n" +
		"bib0\t856[1]$u\thttp://old.test/papers/p0.txt\thttp://new.test/archive/p0.txt\thttp-200\t\n" +
		"bib1\t856[1]$u\thttp://old.test/papers/p1.txt\thttp://new.test/archive/p1.txt\thttp-200\t\n" +
		"bib2\t856[1]$u\thttp://old.test/papers/p2.txt\thttp://new.test/archive/p2.txt\thttp-200\t\n"
	if got := sortedLines(l.ok("report", "--fixes", "-")); got != sortedLines(want) {
		t.Errorf("fixes:\n%swant:\n%s", got, want)
	}
	for url, got := range l.links() {
		if isMoved := got.State == "moved"; isMoved != strings.Contains(url, "old.test") || (got.Action == "look-by-hand") != strings.HasSuffix(url, "lone.test/a.txt") { // its name did not stay
			t.Errorf("%s: %+v", url, got)
		}
	}
	page := l.ok("report", "--html", "-")
	if !strings.Contains(page, "http://old.test/papers") || !strings.Contains(page, "http://new.test/archive") {
		t.Errorf("no rewrite of the prefix in the page")
	}
}

// sortedLines puts lines in order.
func sortedLines(text string) string {
	lines := slices.Collect(strings.Lines(text))
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// A dead link that answers again is news; a decision of a person holds until its
// date; explain names the rule that decided (story 10).
func TestRecoveredMarkedExplained(t *testing.T) {
	const back, lost = "http://www.mill.test/back", "http://www.mill.test/lost"
	var up atomic.Bool
	l := newLibrary(t, map[string]string{"a.txt": back + "\n" + lost + "\n"})
	l.serveWeb(lab.Web{"www.mill.test": {"/back": func(w http.ResponseWriter, r *http.Request) {
		if up.Load() {
			lab.Text("text/plain", "here")(w, r)
			return
		}
		lab.NotFound(w, r)
	}}})
	up.Store(true)
	l.runWell(0)
	up.Store(false)
	for night := 1; night < 30; night++ {
		l.runWell(float64(night))
	}
	died := l.links()[back]
	if died.State != "dead" || !strings.HasPrefix(died.LastOK, "2026-11-01T02:00:0") {
		t.Fatalf("before it came back: %+v", died)
	}
	explained := l.ok("explain", back)
	for _, word := range []string{"dead", "404", "4 strikes over 7.0 days", "3 strong strikes on 3 days over 6 days", "last well 2026-11-01"} {
		if !strings.Contains(explained, word) {
			t.Errorf("explain does not say %q:\n%s", word, explained)
		}
	}
	up.Store(true)
	s := l.runWell(60)
	if !strings.Contains(s.out, "recovered") || !strings.Contains(s.out, back) {
		t.Errorf("the summary of the recovery: %s", s.out)
	}
	got := l.links()[back]
	if got.State != "alive" || !slices.Contains(got.Changes, "recovered") || !strings.HasPrefix(got.LastOK, "2026-12-31") ||
		!strings.HasPrefix(got.FailingSince, "2026-11-08") || got.FailStreak != 0 {
		t.Errorf("recovered: %+v", got)
	}
	l.runQuietly(61)
	l.runWell(70)
	if got := l.links()[back]; got.FailingSince != "" || len(got.Changes) > 0 {
		t.Errorf("long since recovered: %+v", got)
	}

	at := func(d float64) string { return l.ok("report", "--jsonl", "-", "--unique", "--now", day(d)) }
	l.ok("mark", "--why", "seen by hand", "--by", "me", "--now", day(62), "--until", day(90)[:10], lost, "alive")
	for _, row := range []struct {
		day   float64
		state string
	}{{63, "pinned-alive"}, {89, "pinned-alive"}, {91, "dead"}} {
		for line := range strings.Lines(at(row.day)) {
			var got link
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err)
			}
			if got.URL == lost && got.State != row.state {
				t.Errorf("day %v: %s, want %s", row.day, got.State, row.state)
			}
		}
	}
}
