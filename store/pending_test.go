package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
)

// leave closes the file of a store as a killed process would: nothing is flushed.
func leave(t *testing.T, s *Store) {
	t.Helper()
	if yes, err := s.pending.Left(); err != nil || !yes {
		t.Fatalf("nothing is out of its place: %v", err)
	}
	if err := s.file.Close(); err != nil {
		t.Fatal(err)
	}
}

// threeNights records three nights of 40 links, a part of them twice in a night, and
// calls between after each Record.
func threeNights(t *testing.T, s *Store, between func()) {
	t.Helper()
	var urls []string
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("http://h%d.example.net/%d", i%7, i))
	}
	read(t, s, "a.txt", epoch, urls...)
	answers := []func(*Checked){func(c *Checked) { c.Result = rOK }, func(c *Checked) { c.Result = r404 }, func(c *Checked) { c.Result = r503 }, func(c *Checked) { c.Result = rMoved }}
	for night := range uint64(3) {
		var batch []Checked
		for i := range uint64(60) {
			c := Checked{ID: i*17%40 + 1}
			answers[(i+night/2)%4](&c)
			c.Result.At, c.Result.Title = epoch.Add(time.Duration(night)*day), fmt.Sprint("title ", i/50)
			batch = append(batch, c)
		}
		for from := 0; from < len(batch); from += 15 {
			if err := s.Record(night+1, judge.Policy{Splay: 0.2}, batch[from:from+15]); err != nil {
				t.Fatal(err)
			}
			between()
		}
	}
}

// TestFlushingLate: results that are judged all at the end, or after a crash at any
// moment of the flush, come to the same as those judged one after another.
func TestFlushingLate(t *testing.T) {
	control := openTest(t)
	threeNights(t, control, func() {
		if err := control.pending.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	want := exported(t, control)
	for cut := 0; cut <= 40; cut += 5 {
		s := openTest(t)
		threeNights(t, s, func() {})
		if cut > 0 { // some transactions of the flush, and then none
			stopped, n := errors.New("stopped"), 0
			s.pending.Portion = 9
			s.pending.Write = func(tx *boltfile.Tx) func(*pending.Judged) error {
				write := newWriter(tx)
				return func(j *pending.Judged) error {
					if n++; n > 2*cut {
						return stopped
					}
					return write(j)
				}
			}
			if err := s.pending.Flush(t.Context()); !errors.Is(err, stopped) {
				t.Fatal(err)
			}
		}
		leave(t, s)
		again, err := Open(s.Path(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if left, err := again.pending.Left(); err != nil || left {
			t.Errorf("cut %d: not flushed: %v", cut, err)
		}
		mustVerify(t, again)
		if got := exported(t, again); got != want {
			t.Errorf("cut %d: it holds\n%s\nwant\n%s", cut, got, want)
		}
		again.Close()
	}
}

// TestFlushFails: where judging fails, or writing beside it, a flush changes nothing and
// holds nothing back, and the next one comes to the same as if all had gone well.
func TestFlushFails(t *testing.T) {
	var urls []string
	var batch []Checked
	for i := range 1000 { // more than are judged ahead of who writes
		urls = append(urls, fmt.Sprintf("http://a.example.net/%d", i))
		batch = append(batch, Checked{uint64(i + 1), rOK})
	}
	stopped := errors.New("stopped")
	after := func(most int) func() error {
		return func() error {
			if most--; most < 0 {
				return stopped
			}
			return nil
		}
	}
	want := ""
	for _, tt := range []struct {
		name          string
		judges, write func() error
	}{{"all goes well", nil, nil}, {"the first is not written", nil, after(0)}, {"the last is not written", nil, after(999)}, {"the first is not judged", after(0), nil}, {"the last is not judged", after(999), nil}} {
		s := openTest(t)
		read(t, s, "a.txt", epoch, urls...)
		if err := s.Record(1, judge.Policy{}, batch); err != nil {
			t.Fatal(err)
		}
		s.pending.Judge = func(tx *boltfile.Tx) func(*pending.Entry) (pending.Judged, error) {
			judge := newJudge(tx)
			return func(e *pending.Entry) (pending.Judged, error) {
				j, err := judge(e)
				if tt.judges != nil {
					err = errors.Join(err, tt.judges())
				}
				return j, err
			}
		}
		s.pending.Write = func(tx *boltfile.Tx) func(*pending.Judged) error {
			write := newWriter(tx)
			return func(j *pending.Judged) error {
				err := write(j)
				if tt.write != nil {
					err = errors.Join(err, tt.write())
				}
				return err
			}
		}
		if fails := tt.judges != nil || tt.write != nil; fails {
			if err := s.pending.Flush(t.Context()); !errors.Is(err, stopped) {
				t.Errorf("%s: %v", tt.name, err)
			}
			if left, err := s.pending.Left(); err != nil || !left {
				t.Errorf("%s: nothing is pending, %v", tt.name, err)
			}
		}
		s.pending.Judge, s.pending.Write = newJudge, newWriter
		mustVerify(t, s)
		got := exported(t, s)
		if want = cmp.Or(want, got); got != want {
			t.Errorf("%s: it holds something else", tt.name)
		}
	}
}

// TestFlushingInPortions: a flush that is left in its middle, with results that come between
// its transactions, comes to the same as one at the end, after a crash too.
func TestFlushingInPortions(t *testing.T) {
	control := openTest(t)
	threeNights(t, control, func() {})
	want := exported(t, control)
	for _, crash := range []bool{false, true} {
		s := openTest(t)
		s.pending.MostResults, s.pending.FlushTime, s.pending.Portion = 20, 0, 9
		partly := 0
		threeNights(t, s, func() {
			if err := s.file.View(func(tx *boltfile.Tx) error {
				if tx.Bucket(bucketMeta).Get(pending.MetaFlushed) != nil {
					partly++
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		})
		if partly == 0 {
			t.Error("no flush was left in its middle")
		}
		if crash {
			leave(t, s)
			again, err := Open(s.Path(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			s = again
		}
		if got := exported(t, s); got != want {
			t.Errorf("crash %v: it holds\n%s\nwant\n%s", crash, got, want)
		}
		mustVerify(t, s)
	}
}

// TestReadersFlushFirst: a reader of a link whose result is pending gets it, and what
// asks for another leaves the journal alone.
func TestReadersFlushFirst(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/", "http://b.example.net/")
	r := r404
	r.At = epoch
	if err := s.Record(1, judge.Policy{}, []Checked{{1, r}}); err != nil {
		t.Fatal(err)
	}
	if l, err := s.link(2); err != nil || l.Checks != 0 || s.pending.Empty() {
		t.Errorf("another link: %+v, %v", l, err)
	}
	if l, err := s.link(1); err != nil || l.State != judge.Failing || !s.pending.Empty() {
		t.Errorf("the link: %+v, %v", l, err)
	}
	if err := s.Record(2, judge.Policy{}, []Checked{{99, r}}); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s) // a link that is not there is passed over
}

// TestReadingWhatACrashLeft: a store that was left with pending rows is flushed by who opens
// it, for reading too, in the middle of an ingest and of a night.
func TestReadingWhatACrashLeft(t *testing.T) {
	for name, readOnly := range map[string]bool{"for reading": true, "for writing": false} {
		s := openTest(t)
		in, err := s.BeginIngest(epoch)
		if err != nil {
			t.Fatal(err)
		}
		list := []Mention{{Raw: "http://z.example.net/", URL: "http://z.example.net/"}, {Raw: "http://a.example.net/", URL: "http://a.example.net/", Line: 1}}
		if err := in.Add(Step{Batches: []*Batch{Prepare("a.txt", list, nil)}}); err != nil {
			t.Fatal(err)
		}
		r := rOK
		r.At = epoch
		if err := s.Record(1, judge.Policy{}, []Checked{{1, r}}); err != nil {
			t.Fatal(err)
		}
		leave(t, s)
		again, err := Open(s.Path(), &Options{ReadOnly: readOnly})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		mustVerify(t, again)
		if l, found, err := again.Find("http://z.example.net/"); err != nil || !found || l.Key != "http://z.example.net/" {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
		if l, err := again.link(1); err != nil || l.LastRun != 1 {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
		again.Close()
	}
}

// TestMuchPendingIsFlushed: once much is pending it is flushed without a reader.
func TestMuchPendingIsFlushed(t *testing.T) {
	s := openTest(t)
	s.pending.MostLinks, s.pending.MostResults = 1, 2
	in, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Add(Step{Batches: []*Batch{Prepare("a.txt", []Mention{{Raw: "http://a.example.net/", URL: "http://a.example.net/"}}, nil)}}); err != nil {
		t.Fatal(err)
	}
	if left, err := s.pending.Left(); err != nil || left || !s.pending.Empty() {
		t.Errorf("the links are not in the index: %v", err)
	}
	r := rOK
	r.At = epoch
	for rows := range 2 {
		if err := s.Record(1, judge.Policy{}, []Checked{{1, r}}); err != nil {
			t.Fatal(err)
		}
		if left, err := s.pending.Left(); err != nil || left != (rows < 1) {
			t.Errorf("%d results wait: %v, %v", rows+1, left, err)
		}
	}
	mustVerify(t, s)
}

// TestLargePendingIsFlushed: few results of much text are flushed too, in small transactions.
func TestLargePendingIsFlushed(t *testing.T) {
	s := openTest(t)
	s.pending.MostOctets, s.pending.PortionOctets = 3<<20, 1
	in, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	var links []Mention
	for i := range 5 {
		url := fmt.Sprintf("http://a.example.net/%d", i)
		links = append(links, Mention{Raw: url, URL: url})
	}
	if err := in.Add(Step{Batches: []*Batch{Prepare("a.txt", links, nil)}}); err != nil {
		t.Fatal(err)
	}
	s.pending.FlushTime = time.Hour
	flushed := []*boltfile.Tx{}
	s.pending.Write = func(tx *boltfile.Tx) func(*pending.Judged) error {
		write := newWriter(tx)
		return func(j *pending.Judged) error {
			if slices.Contains(flushed, tx) {
				t.Errorf("link %d is not the first in its transaction", j.Link)
			}
			flushed = append(flushed, tx)
			return write(j)
		}
	}
	for i := range 5 {
		r := rOK
		r.At, r.FinalURL = epoch, strings.Repeat("u", 1<<20)
		if err := s.Record(1, judge.Policy{}, []Checked{{uint64(i + 1), r}}); err != nil {
			t.Fatal(err)
		}
		if want := (i + 1) / 3 * 3; len(flushed) != want {
			t.Errorf("after %d results of 1 MB %d are in their places, not %d", i+1, len(flushed), want)
		}
	}
	mustVerify(t, s)
}

// TestReadingWhileWriting: readers and snapshots beside a night and an ingest lose
// nothing and count nothing twice.
func TestReadingWhileWriting(t *testing.T) {
	const links, rounds = 60, 20
	s := openTest(t)
	var urls []string
	for i := range links {
		urls = append(urls, fmt.Sprintf("http://a.example.net/%d", i))
	}
	read(t, s, "a.txt", epoch, urls...)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for _, look := range []func() error{
		func() error { _, err := s.link(7); return err },
		func() error { _, _, err := s.Find(urls[9]); return err },
		func() error { _, err := s.Tally(1); return err },
		func() error { // a snapshot is whole: a reader need not write it
			if err := s.snapshot(); err != nil {
				return err
			}
			file, err := boltfile.Open(t.Context(), snapshotPath(s.Path()), true, time.Second)
			if err != nil {
				return err
			}
			left, err := newStore(file, Options{}).pending.Left()
			if left {
				t.Error("the snapshot is to be flushed")
			}
			return errors.Join(err, file.Close())
		},
	} {
		readers.Go(func() {
			for {
				if err := look(); err != nil {
					t.Error(err)
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for round := range rounds {
		var batch []Checked
		for id := range uint64(links) {
			r := rOK
			r.At = epoch.Add(time.Duration(round) * day)
			batch = append(batch, Checked{id + 1, r})
		}
		for from := 0; from < links; from += 20 {
			if err := s.Record(uint64(round+1), judge.Policy{}, batch[from:from+20]); err != nil {
				t.Error(err)
			}
		}
		read(t, s, "b.txt", epoch, fmt.Sprintf("http://b.example.net/%d", round))
	}
	close(stop)
	readers.Wait()
	mustVerify(t, s)
	for _, l := range collect(t, s.Scan(Pick{})) {
		if want := map[bool]int{true: rounds}[l.ID <= links]; l.Checks != want {
			t.Errorf("link %d was judged %d times, not %d", l.ID, l.Checks, want)
		}
	}
}

// TestNewLinksAreFound: a link met again before it is in the index is the same link,
// and two identities with one hash are two.
func TestNewLinksAreFound(t *testing.T) {
	s := openTest(t)
	in, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	one := func(url string, line int) *Batch {
		b := Prepare("a.txt", []Mention{{Raw: url, URL: url, Line: line}}, nil)
		b.items[0].identityHash = 7 // one hash for all
		return b
	}
	urls := []string{"http://b.example.net/", "http://a.example.net/", "http://b.example.net/", "http://a.example.net/"}
	for i, u := range urls {
		if err := in.Add(Step{Batches: []*Batch{one(u, i), one(u, i+10)}}); err != nil {
			t.Fatal(err)
		}
	}
	if sum, err := in.Finish(); err != nil || sum.NewLinks != 2 || sum.New != 8 {
		t.Errorf("%+v, %v", sum, err)
	}
	if err := s.file.Update(func(tx *boltfile.Tx) error { // no two identities are known that have one hash in truth
		index := s.pending.Finder(tx)
		if err := index.Put(7, 1); err != nil {
			return err
		}
		for i, u := range urls[:2] {
			if id, err := index.Link(7, linkkey.Of(u).Identity); id != uint64(i+1) || err != nil {
				t.Errorf("%s is link %d, %v", u, id, err)
			}
		}
		return errors.Join(index.Remove(7, 1), index.Remove(7, 2))
	}); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
	if list := links(t, s); len(list) != 2 || list[0].URL != urls[0] || list[0].Mentions != 4 {
		t.Errorf("%+v", list)
	}
}

// TestAddThatFails: a reading whose transaction failed leaves no link behind that
// later ones would take for known.
func TestAddThatFails(t *testing.T) {
	s := openTest(t)
	in, err := s.BeginIngest(epoch)
	if err != nil {
		t.Fatal(err)
	}
	b := Prepare("a.txt", []Mention{{Raw: "http://a.example.net/", URL: "http://a.example.net/"}}, nil)
	bad := Prepare("", nil, nil) // no path
	if err := in.Add(Step{Batches: []*Batch{b, bad}}); err == nil {
		t.Fatal("a source without a path was taken")
	}
	if err := in.Add(Step{Batches: []*Batch{b}}); err != nil {
		t.Fatal(err)
	}
	if sum, err := in.Finish(); err != nil || sum.NewLinks != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	mustVerify(t, s)
}
