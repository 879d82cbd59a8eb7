package interop

import (
	"cmp"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/testprogram"
)

// hostDelay is the gap that the program keeps between two requests, and slack what the
// clocks of servers may be off: they count in thousandths, and look at the time once a turn.
const (
	hostDelay = 50 * time.Millisecond
	slack     = 5 * time.Millisecond
)

// TestHarvest reads archives from real servers, with one build of the program.
func TestHarvest(t *testing.T) {
	program := buildProgram(t)
	t.Run("nginx", func(t *testing.T) {
		t.Run("listings", func(t *testing.T) { testListings(t, program, nginxSite(t, "autoindex on;"), "/tree/", true) })
		t.Run("pages", func(t *testing.T) { testPages(t, program, nginxSite(t, "")) })
	})
	t.Run("apache", func(t *testing.T) {
		s := apacheSite(t, "<Location /fancy>\nIndexOptions FancyIndexing\n</Location>\n<Location /table>\nIndexOptions FancyIndexing HTMLTable TrackModified\n</Location>")
		t.Run("fancy", func(t *testing.T) { testListings(t, program, s, "/fancy/", true) })
		t.Run("table", func(t *testing.T) { testListings(t, program, s, "/table/", true) })
		t.Run("plain", func(t *testing.T) { testListings(t, program, s, "/plain/", false) })
	})
	t.Run("zebra", func(t *testing.T) { testZebra(t, program) })
	t.Run("catmandu", func(t *testing.T) { testCatmandu(t, program) })
	t.Run("gophernicus", func(t *testing.T) { testGopher(t, program) })
	t.Run("inn", func(t *testing.T) { testNews(t, program) })
	t.Run("sn", func(t *testing.T) { testSn(t, program) })
	t.Run("dovecot", func(t *testing.T) {
		testMail(t, program)
		testMailTLS(t, program)
	})
	t.Run("vsftpd", func(t *testing.T) {
		testFTP(t, program, "LIST", func(t *testing.T, tree string) string { return vsftpdOf(t, tree, "") })
	})
	t.Run("proftpd", func(t *testing.T) {
		testFTP(t, program, "MLSD", func(t *testing.T, tree string) string { return proftpdOf(t, tree, "") })
	})
}

// buildProgram gives the path of the program, built for this test.
func buildProgram(t *testing.T) string {
	t.Helper()
	file, err := testprogram.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// An archive is a root that the program reads night after night into a store of its own.
type archive struct {
	t       *testing.T
	program string
	root    string
	store   string
	nights  int
}

func newArchive(t *testing.T, program, root string) *archive {
	return &archive{t: t, program: program, root: root, store: filepath.Join(t.TempDir(), "s.db")}
}

// A reading is what a night says of an archive: its row of `roots --json`, and what the
// run printed.
type reading struct {
	Documents, New, Changed, Gone, Links, Dead int
	Message                                    string
	said                                       string
}

// night is one run, a day after the one before, that must end with a code.
func (a *archive) night(code int, more ...string) (r reading) {
	a.t.Helper()
	now := time.Date(2026, 11, 1+a.nights, 2, 0, 0, 0, time.UTC)
	a.nights++
	args := []string{"run", "--store", a.store, "--allow-private", "127.0.0.0/8", "--splay", "0", "--retry-delay", "0",
		"--host-delay", hostDelay.String(), "--timeout", "10s", "--now", now.Format(time.RFC3339)}
	said, err := exec.Command(a.program, slices.Concat(args, more, []string{a.root})...).CombinedOutput()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed || failed && exit.ExitCode() != code || !failed && code != 0 {
		a.t.Fatalf("night %d: %v, want exit code %d: %s", a.nights, err, code, said)
	}
	out, err := exec.Command(a.program, "roots", "--json", "--store", a.store).Output()
	if err := cmp.Or(err, json.Unmarshal(out, &r)); err != nil {
		a.t.Fatalf("roots: %v: %s", err, out)
	}
	r.said = string(said)
	return r
}

// urls are the links of the archive with their states, sorted: "alive http://...".
func (a *archive) urls() (list []string) {
	a.t.Helper()
	out, err := exec.Command(a.program, "report", "--jsonl", "-", "--store", a.store).Output()
	if err != nil {
		a.t.Fatalf("report: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		var row struct{ URL, State string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			a.t.Fatal(err)
		}
		list = append(list, row.State+" "+row.URL)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// is checks what a night found.
func (r reading) is(t *testing.T, documents, fresh, changed, gone int, message string) {
	t.Helper()
	if r.Documents != documents || r.New != fresh || r.Changed != changed || r.Gone != gone || !strings.Contains(r.Message, message) {
		t.Errorf("%d documents, %d new, %d changed, %d gone: %s; want %d, %d, %d, %d: %s\n%s",
			r.Documents, r.New, r.Changed, r.Gone, r.Message, documents, fresh, changed, gone, message, r.said)
	}
}
