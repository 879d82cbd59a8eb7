package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

func openSetTest(t testing.TB, shards int) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "set"), &Options{Shards: shards, Now: func() time.Time { return epoch }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A set knows what one file knows that went through the same, and so does what is made of
// one by way of the other.
func TestSetIsOneStore(t *testing.T) {
	one := openTest(t)
	one.now = func() time.Time { return epoch }
	nights(t, one)
	want := canonOf(t, one)
	for _, shards := range []int{1, 2, 16, 256} {
		s := openSetTest(t, shards)
		nights(t, s)
		mustBeCanon(t, fmt.Sprint(shards, " shards"), canonOf(t, s), want)
		if n := used(s); n < min(shards, 4) {
			t.Errorf("%d shards: the links stand in %d", shards, n)
		}
		text := exported(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := Open(s.Path(), nil)
		if err != nil {
			t.Fatal(err)
		}
		mustVerify(t, s)
		mustBeCanon(t, "opened again", canonOf(t, s), want)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		joined, split := openTest(t), openSetTest(t, 5)
		for name, to := range map[string]*Store{"joined": joined, "split": split} {
			if whole, err := to.Import(t.Context(), strings.NewReader(text)); err != nil || !whole {
				t.Fatalf("%s: %v, whole %v", name, err, whole)
			}
			mustVerify(t, to)
			mustBeCanon(t, name, canonOf(t, to), want)
			if again := exported(t, to); to == joined && again != text {
				t.Error("the export of what was joined is another")
			}
		}
		lateNight(t, joined)
		lateNight(t, split)
		mustBeCanon(t, "a night later", canonOf(t, split), canonOf(t, joined))
	}
}

// used is how many files of a set have links.
func used(s *Store) (n int) {
	for _, at := range s.shards {
		if st, err := at.stats(); err == nil && st.Links+st.Unnamed > 0 {
			n++
		}
	}
	return n
}

// lateNight reads and asks once more.
func lateNight(t testing.TB, s *Store) {
	t.Helper()
	at := epoch.Add(200 * day)
	read(t, s, "late.txt", at, "http://late.example.net/", "http://a.example.net/1", "ftp://b.example.net/x")
	run, err := s.StartRun(Run{Started: at})
	if err != nil {
		t.Fatal(err)
	}
	var batch []Checked
	for l, err := range s.Due(at, Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		r := r404
		r.At = at
		batch = append(batch, Checked{l.ID, r})
	}
	if err := s.Record(run, judge.Policy{Splay: 0.2}, batch); err != nil || len(batch) == 0 {
		t.Fatal(len(batch), err)
	}
	mustVerify(t, s)
}

// What a set says of single links and of groups of them is what one file says.
func TestSetAnswersAlike(t *testing.T) {
	one, set := openTest(t), openSetTest(t, 7)
	one.now = set.now
	nights(t, one)
	nights(t, set)
	answersAlike(t, set, one)
}

func answersAlike(t *testing.T, set, one *Store) {
	t.Helper()
	for _, l := range links(t, one) {
		m, found, err := set.Find(l.URL)
		other, found1, err1 := one.Find(l.URL)
		if err != nil || err1 != nil || found != found1 || m.Key != other.Key {
			t.Errorf("%q: found %v %v %v, in one file %v %v", l.URL, m.Key, found, err, found1, err1)
		}
		if !found {
			continue
		}
		x, err := set.Explain(m.ID)
		y, err1 := one.Explain(l.ID)
		if err = errors.Join(err, err1); err != nil || x.Rule != y.Rule || len(x.History) != len(y.History) || len(x.Mentions) != len(y.Mentions) {
			t.Errorf("%q: %+v, %v; in one file %+v", l.URL, x, err, y)
		}
		for i := range min(len(x.Mentions), len(y.Mentions)) {
			if x.Mentions[i].Link, y.Mentions[i].Link = 0, 0; x.Mentions[i].Remote > 0 && y.Mentions[i].Remote > 0 {
				x.Mentions[i].Remote, y.Mentions[i].Remote = 1, 1
			}
			if x.Mentions[i] != y.Mentions[i] {
				t.Errorf("%q: %+v, in one file %+v", l.URL, x.Mentions[i], y.Mentions[i])
			}
		}
	}
	for level := equal.Scheme; level <= equal.Observed; level++ {
		if a, b := setsOf(t, set, level), setsOf(t, one, level); !slices.Equal(a, b) {
			t.Errorf("level %v: %q, in one file %q", level, a, b)
		}
	}
	a, err := set.Stats()
	b, err1 := one.Stats()
	a.FileBytes, a.FreeBytes, b.FileBytes, b.FreeBytes = 0, 0, 0, 0
	if fmt.Sprint(a) != fmt.Sprint(b) || errors.Join(err, err1) != nil {
		t.Errorf("%+v, in one file %+v", a, b)
	}
	if _, err := set.link(9<<shardBits + 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("a link of no shard: %v", err)
	}
	if len(set.Pins()) != len(one.Pins()) {
		t.Errorf("%v, in one file %v", set.Pins(), one.Pins())
	}
}

// setsOf gives the sets at a level by the keys of their links.
func setsOf(t *testing.T, s *Store, level equal.Level) (list []string) {
	t.Helper()
	sets, err := s.Sets(t.Context(), level)
	if err != nil {
		t.Fatal(err)
	}
	for _, ids := range sets {
		var keys []string
		if err := s.Each(ids, func(l *Link, lerr error) { keys, err = append(keys, l.Key), errors.Join(err, lerr) }); err != nil {
			t.Fatal(err)
		}
		slices.Sort(keys)
		list = append(list, strings.Join(keys, " "))
	}
	slices.Sort(list)
	return list
}

// year are nights in which links are due, some fail at times, and sources change.
func year(t testing.TB, s *Store, links, nights int) {
	t.Helper()
	var urls []string
	for i := range links {
		urls = append(urls, benchURL(i))
	}
	for night := range nights {
		at := epoch.Add(time.Duration(night) * day)
		s.now = func() time.Time { return at }
		in := beginAt(t, s, at)
		for part := range 5 {
			list := []Mention{}
			for i := part * links / 7; i < min((part+3)*links/7, links); i++ {
				if (i+night)%29 > 0 {
					list = append(list, Mention{Collection: "c", Line: i, Raw: urls[i], URL: urls[i], How: "bare"})
				}
			}
			path := fmt.Sprint("part", part)
			for some := range slices.Chunk(list, 5000) {
				mustAdd(t, in, Step{Batches: []*Batch{Prepare(path, some, nil)}})
			}
			mustAdd(t, in, Step{Whole: []Source{{Path: path, Collection: "c", Mentions: len(list)}}})
		}
		finish(t, in)
		run, err := s.StartRun(Run{Started: at, Version: "year"})
		if err != nil {
			t.Fatal(err)
		}
		var batch []Checked
		for l, err := range s.Due(at, Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(uint64(night), setfileHash(l.URL)))
			r := benchResult(rng, len(l.URL), at)
			switch rng.IntN(40) {
			case 0:
				r = r503
			case 1:
				r = r404
			case 2:
				r = r429
			}
			r.At = at
			batch = append(batch, Checked{l.ID, r})
		}
		slices.SortFunc(batch, func(a, b Checked) int {
			return strings.Compare(string(a.Result.Reason)+a.Result.Digest, string(b.Result.Reason)+b.Result.Digest)
		})
		for part := range slices.Chunk(batch, 5000) {
			if err := s.Record(run, judge.Policy{Splay: 0.2}, part); err != nil {
				t.Fatal(err)
			}
		}
		tally, err := s.Tally(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.EndRun(Run{ID: run, Started: at, Ended: at.Add(time.Hour), Outcomes: tally.Outcomes, States: tally.States, Changes: tally.Changes}); err != nil {
			t.Fatal(err)
		}
	}
	mustVerify(t, s)
}

func setfileHash(url string) uint64 { return uint64(setfile.Of([]byte(url), 1<<30)) }

// TestSetOverNights: 1,500 links over 120 nights.
func TestSetOverNights(t *testing.T) {
	links, nights := 1500, 120
	if testing.Short() {
		links, nights = 300, 20
	}
	one, set := openTest(t), openSetTest(t, 16)
	year(t, one, links, nights)
	year(t, set, links, nights)
	mustBeCanon(t, "16 shards", canonOf(t, set), canonOf(t, one))
}

// What is no whole set is not opened, and left as it is.
func TestNoSet(t *testing.T) {
	s := openSetTest(t, 3)
	lived(t, s)
	dir := s.Path()
	if _, err := Open(dir, &Options{Timeout: time.Millisecond}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v", err)
	}
	if err := s.snapshot(); err != nil {
		t.Fatal(err)
	}
	var of time.Time
	r, err := Open(dir, &Options{ReadOnly: true, Snapshot: &of, Timeout: time.Millisecond})
	if err != nil || of.IsZero() || canonOf(t, r) != canonOf(t, s) {
		t.Errorf("a reader beside it: %v, %v", of, err)
	} else if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	want := canonOf(t, s)
	if err := errors.Join(s.dropSnapshot(), s.Close()); err != nil {
		t.Fatal(err)
	}
	other := openSetTest(t, 3)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(filepath.Join(dir, "set.json"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(head string) func() error {
		return func() error { return os.WriteFile(filepath.Join(dir, "set.json"), []byte(head), 0o600) }
	}
	shard := filepath.Join(dir, "001.db")
	for name, c := range map[string]struct {
		spoil func() error
		is    error
		told  string
	}{
		"no set.json":      {func() error { return os.Remove(filepath.Join(dir, "set.json")) }, ErrForeign, "set.json"},
		"foreign":          {write("{}"), ErrForeign, "set.json"},
		"no JSON":          {write("linkcheck.set.v1"), ErrForeign, "set.json"},
		"newer schema":     {write(strings.Replace(string(head), "set.v1", "set.v2", 1)), ErrNewer, "v2"},
		"newer place":      {write(strings.Replace(string(head), `"place":2`, `"place":3`, 1)), ErrNewer, "place 3"},
		"older place":      {write(strings.Replace(string(head), `"place":2`, `"place":1`, 1)), ErrOlder, "place 1"},
		"newer rules":      {write(strings.Replace(string(head), fmt.Sprint(`"edition":`, equal.Edition), `"edition":999`, 1)), ErrNewer, "set"},
		"older rules":      {write(strings.Replace(string(head), fmt.Sprint(`"edition":`, equal.Edition), `"edition":0`, 1)), ErrOlder, "edition 0"},
		"other number":     {write(strings.Replace(string(head), `"shards":3`, `"shards":2`, 1)), ErrForeign, "another"},
		"no number":        {write(strings.Replace(string(head), `"shards":3`, `"shards":0`, 1)), ErrForeign, "0 shards"},
		"half filled":      {write(strings.Replace(string(head), `{`, `{"filling":true,`, 1)), ErrCorrupt, "cut off"},
		"a file missing":   {func() error { return os.Rename(shard, shard+".away") }, ErrCorrupt, "001.db"},
		"of another set":   {func() error { return copyOver(filepath.Join(other.Path(), "001.db"), shard) }, ErrForeign, "001.db"},
		"the wrong number": {func() error { return copyOver(filepath.Join(dir, "002.db"), shard) }, ErrForeign, "shard 1"},
	} {
		before, err := os.ReadFile(shard)
		if err = errors.Join(err, c.spoil()); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(dir, nil); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				s.Close()
			}
		}
		if err := errors.Join(os.WriteFile(shard, before, 0o600), write(string(head))()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(shard, nil); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a file of a set: %v", err)
	}
	if _, err := Open(filepath.Dir(dir), &Options{Shards: 2}); !errors.Is(err, ErrForeign) {
		t.Errorf("a set in a folder that is not empty: %v", err)
	}
	s, err = Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	mustBeCanon(t, "after all that", canonOf(t, s), want)
	copied := filepath.Join(t.TempDir(), "copy")
	for range 2 { // the second takes the place of the first
		if err := s.Backup(t.Context(), copied); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(t.Context(), copied, nil); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(copied, nil); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
	mustBeCanon(t, "a copy", canonOf(t, s), want)
	if list, _ := os.ReadDir(filepath.Dir(copied)); len(list) != 1 {
		t.Errorf("beside the copy stands %v", list)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func copyOver(from, to string) error {
	b, err := os.ReadFile(from)
	return errors.Join(err, os.WriteFile(to, b, 0o600))
}

// An import that is cut off leaves no set that could be taken for a whole one.
func TestFillingCutOff(t *testing.T) {
	one := openTest(t)
	lived(t, one)
	text := exported(t, one)
	s := openSetTest(t, 4)
	if _, err := s.Import(t.Context(), io.LimitReader(strings.NewReader(text), int64(len(text)/2))); err == nil {
		t.Error("half of an export is whole")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.Path(), nil); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "cut off") {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := one.Export(t.Context(), &b, false); err != nil || b.String() != text {
		t.Errorf("what it was filled from is another now: %v", err)
	}
}

// BenchmarkSetIsOne reads -links links and asks them in three nights, in one file and in 16,
// and compares what the two know then: go test ./store -run '^$' -bench SetIsOne -benchtime 1x
// -links 1000000.
func BenchmarkSetIsOne(b *testing.B) {
	for b.Loop() {
		var sums [2]string
		for i, s := range []*Store{openSetTest(b, 0), openSetTest(b, 16)} {
			year(b, s, *largest, 3)
			hash := sha256.New()
			if err := s.Canon(b.Context(), hash); err != nil {
				b.Fatal(err)
			}
			sums[i] = fmt.Sprintf("%x", hash.Sum(nil))
		}
		if sums[0] != sums[1] {
			b.Errorf("one file %s, 16 shards %s", sums[0], sums[1])
		}
	}
}
