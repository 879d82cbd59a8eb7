package interop

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/internal/testdoc"
)

// TestMendStory is that of a cataloguer: 217 records, of whose links some moved, died, are
// walled, are misspelt or lead through the library's proxy, from the first night to the
// copies, and what a parser that nobody here wrote sees in these.
func TestMendStory(t *testing.T) {
	const records, nights = 217, 5
	dump, program := need(t, "yaz-marcdump"), buildProgram(t)
	var night atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, n, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		page := 0
		if _, err := fmt.Sscanf(n, "%d", &page); err != nil || page >= records {
			http.NotFound(w, r) // a run asks for what nobody has
			return
		}
		switch {
		case kind == "old" && night.Load() >= 2:
			http.Redirect(w, r, "/new/"+n, http.StatusMovedPermanently)
		case kind == "walled":
			http.Error(w, "Forbidden", http.StatusForbidden)
		case kind == "old", kind == "new", kind == "live":
			fmt.Fprintf(w, "<title>Mill %d</title><p>", page)
			for i := range 60 {
				fmt.Fprintf(w, "mill%d grinds corn of kind %c%c and its miller sings; ", page, 'a'+i%26, 'a'+(i*7+page)%26)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()

	const site, proxy = "http://www.watermill.org", "https://ezproxy.lib.edu/login?url="
	var file strings.Builder
	var want []string // by record: the old value, and the new one
	for n := range records {
		page := func(kind string) string { return fmt.Sprintf("%s/%s/%d", site, kind, n) }
		old, now := page("live"), page("live")
		switch n % 7 {
		case 0:
			old, now = page("old"), page("new")
		case 1:
			old, now = proxy+page("old"), proxy+page("new")
		case 2:
			old = strings.Replace(page("live"), "://", "//", 1)
		case 3:
			old, now = page("dead"), page("dead")
		case 4:
			old, now = page("walled"), page("walled")
		case 5:
			old, now = proxy+page("dead"), proxy+page("dead")
		}
		want = append(want, old, now)
		file.WriteString(testdoc.MARC(fmt.Sprintf("001b%03d", n), "24510|aMill: a title / by somebody", "85640|3Volume "+fmt.Sprint(n)+"|u"+old+"|zRead it"))
	}
	dir := t.TempDir()
	testdoc.Write(t, filepath.Join(dir, "made.mrc"), file.String())
	for ; night.Load() < nights; night.Add(1) {
		now := time.Date(2026, 11, 1+int(night.Load()), 2, 0, 0, 0, time.UTC).Format(time.RFC3339)
		cmd := exec.Command(program, "run", "--quiet", "--all", "--store", filepath.Join(dir, "s.db"), "--now", now, "--allow-private", "127.0.0.0/8", "--splay", "0",
			"--host-delay", "0", "--retry-delay", "0", "--connect-to", "www.watermill.org:80:"+server.Listener.Addr().String(), filepath.Join(dir, "made.mrc"))
		if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 3 {
			t.Fatalf("night %d: %v: %s", night.Load(), err, text)
		}
	}
	out := filepath.Join(dir, "mended")
	shown, err := exec.Command(program, "mend", "--store", filepath.Join(dir, "s.db"), "--now", "2026-11-07T00:00:00Z", "--write", "--all", "--out", out).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, shown)
	}
	before, after := dumped(t, dump, filepath.Join(dir, "made.mrc")), dumped(t, dump, filepath.Join(out, "made.mrc"))
	if len(before) != len(after) {
		t.Fatalf("%d lines, %d before", len(after), len(before))
	}
	record, links := -1, 0
	for i, line := range before {
		wanted := string(line)
		if strings.HasPrefix(wanted, "001 ") {
			record++
		}
		if strings.HasPrefix(wanted, "856 ") {
			wanted = strings.Replace(wanted, "$u "+want[2*record]+" ", "$u "+want[2*record+1]+" ", 1)
			links++
		}
		if string(after[i]) != wanted && !isLeader(line) {
			t.Errorf("record %d: %q became %q, want %q", record, line, after[i], wanted)
		}
	}
	if record != records-1 || links != records {
		t.Errorf("yaz-marcdump shows %d records with %d links", record+1, links)
	}
}
