package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

var epoch = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// Results as probers make them.
var (
	rOK    = check.Result{Outcome: check.OK, Evidence: check.Strong, Reason: "http-200"}
	rMoved = check.Result{Outcome: check.Moved, Evidence: check.Strong, Reason: "http-301", SuggestedURL: "http://new.example.net/"}
	r404   = check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-404"}
	r410   = check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-410"}
	r503   = check.Result{Outcome: check.Temporary, Evidence: check.Weak, Reason: "http-503"}
	rSusp  = check.Result{Outcome: check.Suspect, Evidence: check.Weak, Reason: "soft-404"}
	r401   = check.Result{Outcome: check.Auth, Reason: "http-401"}
	r403   = check.Result{Outcome: check.Blocked, Reason: "http-403"}
	r429   = check.Result{Outcome: check.Blocked, Reason: "http-429"}
	r429At = check.Result{Outcome: check.Blocked, Reason: "http-429", RetryAfter: 3 * day}
	rBad   = check.Result{Outcome: check.Invalid, Reason: "uri-bad-host"}
)

// openTest makes a store in a folder of the test's own.
func openTest(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "links.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// read ingests the URLs as one source, read whole.
func read(t testing.TB, s *Store, source string, at time.Time, urls ...string) facts.IngestCounts {
	t.Helper()
	in, err := s.BeginIngest(at)
	if err != nil {
		t.Fatal(err)
	}
	var list []Mention
	for i, u := range urls {
		list = append(list, Mention{Collection: "c", Record: source, Line: i + 1, Raw: u, URL: u, How: "bare"})
	}
	whole := Source{Path: source, Collection: "c", Mentions: len(list)}
	if err := in.Add(Step{Whole: []Source{whole}, Batches: []*Batch{Prepare(source, list, nil)}}); err != nil {
		t.Fatal(err)
	}
	sum, err := in.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// explain gives all that is known of a link.
func explain(t testing.TB, s *Store, id uint64) Explanation {
	t.Helper()
	e, err := s.Explain(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// news lists the links that a run changed.
func news(t testing.TB, s *Store, run uint64) (list []Link) {
	t.Helper()
	for _, l := range links(t, s) {
		if l.ChangedRun == run && len(l.Changes) > 0 {
			list = append(list, l)
		}
	}
	return list
}

// lastRun gives the newest run, or none.
func lastRun(s *Store) (last Run, err error) {
	for r, err := range s.Runs() {
		if err != nil {
			return last, err
		}
		last = r
	}
	return last, nil
}

func mustVerify(t testing.TB, s *Store) {
	t.Helper()
	problems, err := s.Verify(context.Background())
	if err != nil || len(problems) > 0 {
		t.Fatalf("verify: %v %v", err, problems)
	}
}

func links(t testing.TB, s *Store) (list []Link) {
	t.Helper()
	for _, e := range collect(t, s.Scan(Pick{})) {
		list = append(list, e.Link)
	}
	return list
}

func collect[T any](t testing.TB, seq func(func(T, error) bool)) (list []T) {
	t.Helper()
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func TestRoundOfALink(t *testing.T) {
	s := openTest(t)
	sum := read(t, s, "a.txt", epoch, "http://b.example.net/x", "http://a.example.net/y", "gopher://g.example.net/1", "not a uri")
	if sum.NewLinks != 4 || sum.New != 4 {
		t.Fatalf("ingest: %+v", sum)
	}
	mustVerify(t, s)
	due := collect(t, s.Due(epoch, Filter{}))
	if len(due) != 4 {
		t.Fatalf("due: %v", due)
	}
	run, err := s.StartRun(Run{Started: epoch, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	res := check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-404", Reply: "HTTP/1.1 404 Not Found", At: epoch, Attempts: 1}
	if err := s.Record(run, judge.Policy{}, []Checked{{due[0].ID, res}}); err != nil {
		t.Fatal(err)
	}
	l, err := s.link(due[0].ID)
	if err != nil || l.State != judge.Failing || l.Strikes != 1 || l.Last.Reason != "http-404" || !l.NextCheck.Equal(epoch.Add(day)) {
		t.Fatalf("link: %+v %v", l, err)
	}
	sum = read(t, s, "a.txt", epoch.Add(day), "http://b.example.net/x")
	if sum.Retired != 3 || sum.New != 0 {
		t.Fatalf("second reading: %+v", sum)
	}
	mustVerify(t, s)
	if n := len(links(t, s)); n != 4 {
		t.Fatalf("%d links", n)
	}
}

// What a reading did not meet shows: beside it there are sources that it did meet, or could
// not read, one that is gone already, and one that was never read.
func TestMissing(t *testing.T) {
	s := openTest(t)
	first, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	known := []Source{{Path: "r/here", Root: "r"}, {Path: "r/kept", Root: "r"}, {Path: "r/lost", Root: "r"}, {Path: "r/gone", Root: "r", Mentions: 3}, {Path: "o/other", Root: "o"}}
	if err := first.Add(Step{Whole: known}); err != nil {
		t.Fatal(err)
	}
	unread := []Mention{{Record: "r/unread", Line: 1, Raw: "http://a.example.net/", URL: "http://a.example.net/", How: "bare"}}
	if err := first.Add(Step{Batches: []*Batch{Prepare("r/unread", unread, nil)}}); err != nil { // cut short: the source was not read whole
		t.Fatal(err)
	}
	if err := first.Add(Step{Gone: []Source{{Path: "r/gone"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Finish(); err != nil {
		t.Fatal(err)
	}
	if gone, found, err := first.Known(0, "r/gone"); err != nil || !found || !gone.Gone.Equal(epoch) || gone.Mentions != 0 || gone.Size != -1 {
		t.Errorf("a source that is no more: %+v, %v, %v", gone, found, err)
	}
	in, err := s.BeginIngest(epoch.Add(day))
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Add(Step{Same: []Source{known[0]}}); err != nil {
		t.Fatal(err)
	}
	if err := in.Add(Step{Failed: []Source{{Path: "r/kept"}}}); err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, src := range collect(t, s.Under(0)) {
		if src.Asked != in.Reading && src.Gone.IsZero() && src.Read != 0 {
			missing = append(missing, src.Path)
		}
	}
	if want := []string{"r/lost", "o/other"}; !slices.Equal(missing, want) {
		t.Errorf("missing: %q, want %q", missing, want)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
}

// A source that cannot be noted is an error, and nothing that came with it is kept.
func TestSourceThatCannotBeNoted(t *testing.T) {
	s := openTest(t)
	in, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	list := []Mention{{Record: "r/a", Line: 1, Raw: "http://a.example.net/", URL: "http://a.example.net/", How: "bare"}}
	if err := in.Add(Step{Whole: []Source{{Path: ""}}, Batches: []*Batch{Prepare("r/a", list, nil)}}); err == nil {
		t.Error("read whole: no error")
	}
	if err := in.Add(Step{Gone: []Source{{Path: ""}}}); err == nil {
		t.Error("gone: no error")
	}
	if err := in.Add(Step{Failed: []Source{{Path: ""}}}); err == nil {
		t.Error("unreadable: no error")
	}
	if sum, err := in.Finish(); err != nil || sum != (facts.IngestCounts{}) || len(links(t, s)) != 0 || len(collect(t, s.Sources())) != 0 {
		t.Errorf("kept: %+v, %v", sum, err)
	}
	mustVerify(t, s)
}

// Rows are read in pages; every link comes once, in order, also when a page ends
// with the last of them.
func TestPages(t *testing.T) {
	for _, n := range []int{2 * scanRows, 4*scanRows + 1} {
		s := openTest(t)
		var urls []string
		for i := range n {
			urls = append(urls, fmt.Sprintf("http://a.example.net/%05d", i))
		}
		read(t, s, "a.txt", epoch, urls...)
		list := links(t, s)
		if len(list) != n {
			t.Fatalf("%d links of %d", len(list), n)
		}
		for i, l := range list {
			if l.URL != urls[i] {
				t.Fatalf("link %d: %s", i, l.URL)
			}
		}
		if due := collect(t, s.Due(epoch, Filter{})); len(due) != n || due[n-1].ID != list[n-1].ID {
			t.Errorf("%d links due of %d", len(due), n)
		}
	}
}

// Damaged rows are errors that say so, whichever table they stand in.
func TestDamagedRows(t *testing.T) {
	for name, row := range map[string]struct{ bucket, key, value []byte }{
		"link": {bucketLink, codec.Key(1), []byte{0xff}}, "state": {bucketState, codec.Key(1), []byte{0xff}}, "history": {bucketHistory, eventKey(1, 1), []byte{0xff}},
		"mention": {bucketMention, mentionKey(1, 0), []byte{0xff}}, "key of history": {bucketHistory, append(eventKey(1, 2), 0), []byte{byte(judge.Alive)}},
	} {
		s := openTest(t)
		read(t, s, "a.txt", epoch, "http://a.example.net/")
		r := rOK
		r.At = epoch
		if err := s.Record(1, judge.Policy{}, []Checked{{1, r}}); err != nil {
			t.Fatal(err)
		}
		if e := explain(t, s, 1); len(e.History) != 1 || len(e.Mentions) != 1 {
			t.Fatalf("%+v", e)
		}
		if _, err := s.link(2); !errors.Is(err, ErrNotFound) {
			t.Fatalf("a link that is not there: %v", err)
		}
		if err := s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(row.bucket).Put(row.key, row.value) }); err != nil {
			t.Fatal(err)
		}
		if _, err := s.link(1); errors.Is(err, ErrCorrupt) != (name != "key of history" && name != "mention") {
			t.Errorf("%s: the link: %v", name, err)
		}
		if _, err := s.Explain(1); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: all of it: %v", name, err)
		}
	}
}
