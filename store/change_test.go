package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/store/facts"
)

// changeLog is the changes of a store as octets; the place of the first is 1.
type changeLog [][]byte

// openLogged makes a store that keeps its changes in a log before it makes them.
func openLogged(t testing.TB, log *changeLog, shards int) *Store {
	t.Helper()
	var s *Store
	s, err := Open(filepath.Join(t.TempDir(), "logged.db"), &Options{Shards: shards, Now: func() time.Time { return epoch }, Emit: func(c Change) error {
		*log = append(*log, EncodeChange(c))
		return s.Apply(uint64(len(*log)), c)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// fold makes those changes of a log that the store has not made.
func fold(s *Store, log changeLog) error {
	for at := s.Cursor(); at < uint64(len(log)); at++ {
		c, err := DecodeChange(log[at])
		if err == nil {
			err = s.Apply(at+1, c)
		}
		if err != nil {
			return fmt.Errorf("change %d: %w", at+1, err)
		}
	}
	return nil
}

// nights are some nights of a store with all that changes one.
func nights(t testing.TB, s *Store) {
	t.Helper()
	lived(t, s)
	mention := func(raw, url string, line int) Mention {
		return Mention{Collection: "k", Record: "r", Locator: "l", Line: line, Raw: raw, URL: url, How: "bare", Title: "\xff", Owner: "maps"}
	}
	in := beginAt(t, s, epoch.Add(11*day))
	site := &Root{URI: "https://www.example.net/", Name: "Site", Kind: "web", Mark: []byte{0xff}, Sweep: in.Reading}
	mustAdd(t, in, Step{Root: site})
	doc, batch := document(site, site.URI+"1", "http://a.example.net/1", "mid:1")
	named := Prepare("m.mbox", []Mention{mention("../rel", "", 1), mention("HTTP://new.example.net/", "HTTP://new.example.net/", 2)}, []Name{{Name: "mid:1", Member: "m", Locator: "l", Line: -3}})
	mustAdd(t, in, Step{Root: site, Batches: []*Batch{batch, named}, Whole: []Source{doc, {Path: "m.mbox", Collection: "k", Size: 9, ModTime: epoch, NotRead: []facts.Kind{{Name: "x", N: 2}}, Problems: 1, Damage: "d"}},
		Found: []Source{{Remote: site.Number, Path: site.URI + "2", Depth: 2, Version: "listed", Media: "text/html"}}, Failed: []Source{{Path: "b.txt"}}})
	mustAdd(t, in, Step{Batches: []*Batch{Prepare("a.mbox", []Mention{mention("x", "http://new.example.net/", 7)}, nil)}, Whole: []Source{{Path: "a.mbox", Collection: "k", Mentions: 1}}})
	finish(t, in)
	second := rMoved
	second.At, second.Flags, second.FinalURL, second.Look = epoch.Add(12*day), []string{"proxied"}, "http://new.example.net/", []byte{1, 2}
	busy := r429
	busy.At, busy.RetryAfter = epoch.Add(12*day), 90*time.Minute+time.Millisecond
	run, err := s.StartRun(Run{Started: epoch.Add(12 * day), Version: "2"})
	if err != nil {
		t.Fatal(err)
	}
	s.Cache().CachePut("k", []byte("v"), epoch.Add(20*day))
	for _, batch := range [][]Checked{{{nth(t, s, 1), second}, {nth(t, s, 2), busy}, {99, second}}, {{nth(t, s, 3), second}, {nth(t, s, 3), busy}}} {
		if err := s.Record(run, judge.Policy{MaxAge: 20 * day, Splay: 0.3}, batch); err != nil {
			t.Fatal(err)
		}
	}
	s.Cache().CachePut("k2", []byte("v"), epoch.Add(20*day))
	rests := r429At
	rests.At = epoch.Add(12*day + time.Millisecond)
	_, err = s.BackOff("Rests.example.net", &rests)
	none, nerr := s.StartRun(Run{Started: epoch.Add(12 * day)})
	code := 3
	err = errors.Join(err, nerr, s.EndRun(Run{ID: none}), s.EndRun(Run{ID: run, Started: epoch, Ended: epoch.Add(12*day + time.Hour), Outages: []string{"h"}, Exit: &code}))
	err = errors.Join(err, s.SetPin(Pin{Host: "B.example.net", State: judge.Ignored, At: epoch}), s.SetPin(Pin{Link: nth(t, s, 2)}),
		s.SetPin(Pin{Link: nth(t, s, 1), Verb: "note", Text: "\xff", At: epoch}), s.SetPin(Pin{Link: nth(t, s, 1), Verb: "assign", Text: "ann", At: epoch, Before: nil}))
	if err != nil {
		t.Fatal(err)
	}
	in = beginAt(t, s, epoch.Add(120*day))
	_, err = in.Move(t.Context(), func(src *Source) bool {
		was := *src
		if src.Remote != 0 {
			src.Collection = "Pages"
		} else if src.Path == "a.mbox" {
			src.Path, src.Name, src.Root, src.Collection = "m.mbox", "n", "r", "k"
		}
		return !reflect.DeepEqual(was, *src)
	})
	if err != nil {
		t.Fatal(err)
	}
	site.Name, site.Sweep = "Pages", 0
	mustAdd(t, in, Step{Root: site, Same: []Source{{Remote: site.Number, Path: doc.Path, Version: "v2"}}, Gone: []Source{{Path: "b.txt"}, {Remote: site.Number, Path: site.URI + "2"}},
		Noted: []Source{{Remote: site.Number, Path: site.URI + "3", Noted: 2, NotedAt: epoch}}})
	finish(t, in)
	if _, err := s.Prune(t.Context(), epoch.Add(11*day)); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
}

// A store that a log is folded into knows what the store knows whose log it is, with the
// same numbers; so does one that has no log, and one that is given each change twice.
func TestFold(t *testing.T) {
	var log changeLog
	s, bare := openLogged(t, &log, 0), openTest(t)
	bare.now = s.now
	nights(t, s)
	nights(t, bare)
	if len(log) < 20 || s.Cursor() != uint64(len(log)) || bare.Cursor() != 0 {
		t.Fatalf("%d changes, cursors %d and %d", len(log), s.Cursor(), bare.Cursor())
	}
	met := map[byte]bool{}
	for _, b := range log {
		met[b[0]] = true
	}
	if len(met) != len(kinds()) {
		t.Errorf("kinds %v of %d", met, len(kinds()))
	}
	want, rows := canonOf(t, s), exported(t, s)
	mustBeCanon(t, "without a log", canonOf(t, bare), want)
	once := openTest(t)
	if err := fold(once, log); err != nil {
		t.Fatal(err)
	}
	twice := openTest(t)
	for at := range log {
		for range 2 {
			c, err := DecodeChange(log[at])
			if err == nil {
				err = twice.Apply(uint64(at+1), c)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, other := range map[string]*Store{"folded": once, "folded twice": twice} {
		mustVerify(t, other)
		mustBeCanon(t, name, canonOf(t, other), want)
		if exported(t, other) != rows {
			t.Errorf("%s: its rows have other numbers:\n%s\nwant\n%s", name, exported(t, other), rows)
		}
	}

	behind := openTest(t) // its cursor is written behind the change, and it was killed between the two
	for _, octets := range log {
		for range 2 {
			if c, err := DecodeChange(octets); err != nil {
				t.Fatal(err)
			} else if err = behind.Apply(0, c); err != nil {
				t.Logf("without a cursor: %v", err)
			}
		}
	}
	if canonOf(t, behind) == want {
		t.Error("changes that were folded twice without a cursor do not show")
	}
}

// A fold that is killed behind any of its transactions goes on where it was.
func TestFoldKilled(t *testing.T) {
	t.Run("file", func(t *testing.T) { foldKilled(t, 0, nights) })
	t.Run("set", func(t *testing.T) { foldKilled(t, 3, nights) })
	t.Run("set whose links stay", func(t *testing.T) { foldKilled(t, 3, lived) })
}

func foldKilled(t *testing.T, shards int, live func(testing.TB, *Store)) {
	var log changeLog
	s := openLogged(t, &log, shards)
	live(t, s)
	want := canonOf(t, s)
	killed := errors.New("killed")
	for most := 1; most <= 3; most++ { // transactions of a life
		path, lives := filepath.Join(t.TempDir(), "killed.db"), 0
		for left, last := most, uint64(0); ; lives++ {
			s, err := Open(path, &Options{Shards: shards})
			if err != nil {
				t.Fatal(err)
			}
			if lives > 0 && s.Cursor() == last { // a change of several transactions
				left++
			} else {
				left = most
			}
			last = s.Cursor()
			n := left
			var mu sync.Mutex
			for _, at := range s.shards {
				at.file.Committed = func() error {
					mu.Lock()
					defer mu.Unlock()
					if n--; n <= 0 { // nothing is committed after it, but what was under way
						return killed
					}
					return nil
				}
			}
			err = fold(s, log)
			for _, at := range s.shards {
				at.file.Committed = nil
			}
			if err == nil {
				mustVerify(t, s)
				mustBeCanon(t, fmt.Sprint("killed behind every transaction ", most), canonOf(t, s), want)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				break
			}
			if !errors.Is(err, killed) {
				t.Fatal(err)
			}
			for _, at := range s.shards { // as after a crash
				if err := at.file.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if lives < len(log)/4 {
			t.Errorf("%d lives for %d changes", lives, len(log))
		}
	}
}

// A change that this program may not make is refused as one of a newer program.
func TestChangeOfAnother(t *testing.T) {
	good := EncodeChange(&swept{reading: 1, now: epoch})
	for i, what := range []string{"kind", "version", "edition"} {
		b := bytes.Clone(good)
		b[i] += 100
		if _, err := DecodeChange(b); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := DecodeChange(append(bytes.Clone(good), 1, 2, 3)); err != nil {
		t.Errorf("with fields that are not known here: %v", err)
	}
	if c, err := DecodeChange(good); err != nil || !reflect.DeepEqual(c, &swept{reading: 1, now: epoch}) {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := DecodeChange(good[:len(good)-1]); err != nil || c.(*swept).named {
		t.Errorf("without its last field: %+v, %v", c, err)
	}
}

// A change that fails leaves cursor and store as they were.
func TestChangeThatFails(t *testing.T) {
	s := openTest(t)
	r := r404
	r.At = epoch
	read(t, s, "a.txt", epoch, "http://a.example.net/")
	before := canonOf(t, s)
	if err := s.Apply(7, &step{reading: 9, now: epoch, Step: Step{Same: []Source{{Path: "none"}}}}); !errors.Is(err, ErrNotFound) || s.Cursor() != 0 {
		t.Errorf("%v, cursor %d", err, s.Cursor())
	}
	mustBeCanon(t, "failed", canonOf(t, s), before)
	if err := s.Apply(8, &results{run: 1, list: []Checked{{1, r}}}); err == nil || s.Cursor() != 0 {
		t.Errorf("one behind it: %v, cursor %d", err, s.Cursor())
	}
	if err := s.Apply(7, &results{run: 1, list: []Checked{{1, r}}}); err != nil || s.Cursor() != 7 {
		t.Errorf("%v, cursor %d", err, s.Cursor())
	}
	if err := s.Apply(6, &results{run: 2, list: []Checked{{1, r}}}); err != nil || s.Cursor() != 7 {
		t.Errorf("an earlier one: %v, cursor %d", err, s.Cursor())
	}
	if l, err := s.link(1); err != nil || l.Checks != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// FuzzChange: no octets make the reader panic, and what it reads is written as it is read.
func FuzzChange(f *testing.F) {
	var log changeLog
	nights(f, openLogged(f, &log, 0))
	for _, b := range log {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeChange(b)
		if err != nil {
			return
		}
		once := EncodeChange(c)
		again, err := DecodeChange(once)
		if err != nil {
			t.Fatalf("%x, written as %x: %v", b, once, err)
		}
		if twice := EncodeChange(again); !bytes.Equal(once, twice) {
			t.Errorf("%x, written as %x, then as %x", b, once, twice)
		}
	})
}
