package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// fleetOf is the stores of a fleet of some shards. What the first reads goes to each as
// octets, which is folded into it.
func fleetOf(t testing.TB, shards int, now func() time.Time) (all []*Store) {
	t.Helper()
	logs := make([]changeLog, shards)
	take := func(shard int, c Change) error {
		logs[shard] = append(logs[shard], EncodeChange(c))
		return fold(all[shard], logs[shard])
	}
	dir := t.TempDir()
	for n := range shards {
		o := &Options{Fleet: shards, Shard: n, Now: now, Divide: take, Emit: func(c Change) error { return take(n, c) }}
		s, err := Open(filepath.Join(dir, fmt.Sprintf("%03d.db", n)), o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
		t.Cleanup(func() { s.Close() })
	}
	return all
}

// linkLines are those that Canon has of the links of some stores, sorted.
func linkLines(t testing.TB, all ...*Store) (lines []string) {
	t.Helper()
	for _, s := range all {
		for line := range strings.Lines(canonOf(t, s)) {
			if strings.HasPrefix(line, `{"link"`) {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// readingNights are what a store reads in some nights: documents that come, change, go,
// return, fail and break off, files that links ask for, and a site. In the fifth little is read
// when what vanished before has been gone for long, and in the last nothing whole.
func readingNights(t testing.TB, s *Store, each func(night int)) {
	t.Helper()
	batch := func(path string, names []Name, from, to int, spelled string) *Batch {
		var list []Mention
		for n := from; n < to; n++ {
			list = append(list, Mention{Collection: "c", Line: n - from, Raw: spelled, URL: fmt.Sprintf(spelled, n), How: "bare"})
		}
		return Prepare(path, list, names)
	}
	const plain, loud = "http://h%[1]d.example.net/%[1]d", "HTTP://H%[1]d.example.net/%[1]d"
	site := &Root{URI: "https://www.example.net/", Name: "Site", Kind: "web"}
	for night, at := range []time.Time{epoch, epoch.Add(day), epoch.Add(2 * day), epoch.Add(100 * day), epoch.Add(200 * day), epoch.Add(201 * day)} {
		in := beginAt(t, s, at)
		file := func(path string, from, to int, spelled string, names ...Name) {
			src := Source{Path: path, Collection: "c", Mentions: to - from, Name: fmt.Sprint("./", path, night)}
			middle := (from + to) / 2
			mustAdd(t, in, Step{Batches: []*Batch{batch(path, names, from, middle, spelled)}})
			mustAdd(t, in, Step{Batches: []*Batch{batch(path, nil, middle, to, spelled)}, Whole: []Source{src}})
		}
		switch night {
		case 4:
			file("late.txt", 90, 91, plain)
		case 5:
			mustAdd(t, in, Step{Batches: []*Batch{batch("y.txt", nil, 200, 220, loud), batch("x.txt", nil, 200, 220, plain)}, Failed: []Source{{Path: "x.txt"}, {Path: "y.txt"}}, Same: []Source{{Path: "b.txt", Name: "as it is called now"}}})
		}
		if night > 3 {
			finish(t, in)
			each(night)
			continue
		}
		site.Sweep = in.Reading
		mustAdd(t, in, Step{Root: site})
		if night != 2 {
			file("b.txt", 10*night, 40, plain, Name{Name: "web:h1.example.net/1 x"}, Name{Name: "mid:1"})
		}
		switch night {
		case 0:
			file("a.txt", 0, 30, loud)
			file("few.txt", 50, 52, plain)
			mustAdd(t, in, Step{Batches: []*Batch{batch("broken.txt", nil, 60, 70, plain)}, Failed: []Source{{Path: "broken.txt"}}})
			mustAdd(t, in, Step{Batches: []*Batch{Prepare("m.mbox", []Mention{{Raw: "mid:1", URL: "mid:1", Line: 1}, {Raw: "cid:9", URL: "cid:9", Line: 2}, {Raw: "../x", Line: 3}}, nil)},
				Whole: []Source{{Path: "m.mbox"}}})
		case 1:
			mustAdd(t, in, Step{Same: []Source{{Path: "a.txt", Name: "a"}, {Path: "few.txt", Name: "f"}}})
			file("broken.txt", 63, 66, plain)
		case 2:
			mustAdd(t, in, Step{Gone: []Source{{Path: "b.txt"}}, Same: []Source{{Path: "a.txt"}}})
			file("few.txt", 51, 58, loud)
		case 3:
			file("a.txt", 5, 6, plain)
		}
		var docs []Source
		for page := range 6 {
			if page == night+1 {
				continue
			}
			src, b := document(site, fmt.Sprint(site.URI, page), fmt.Sprintf(plain, page), fmt.Sprintf(plain, 100+night))
			mustAdd(t, in, Step{Root: site, Batches: []*Batch{b}})
			docs = append(docs, src)
		}
		site.Sweep = 0
		mustAdd(t, in, Step{Root: site, Whole: docs, Found: []Source{{Remote: site.Number, Path: site.URI + "found"}}})
		if night > 0 {
			mustAdd(t, in, Step{Root: site, Gone: []Source{{Remote: site.Number, Path: fmt.Sprint(site.URI, night+1)}}})
		}
		finish(t, in)
		each(night)
	}
}

// What a fleet reads, its shards know of links what one store knows.
func TestDividedReadings(t *testing.T) {
	now := func() time.Time { return epoch }
	one := openTest(t)
	one.now = now
	var want [][]string
	readingNights(t, one, func(int) { want = append(want, linkLines(t, one)) })
	all := fleetOf(t, 4, now)
	readingNights(t, all[0], func(night int) {
		for i, line := range linkLines(t, all...) {
			if i >= len(want[night]) || line != want[night][i] {
				t.Fatalf("night %d, line %d of %d is\n%sof one store\n%s", night, i+1, len(want[night]), line, want[night][min(i, len(want[night])-1)])
			}
		}
		if n := len(linkLines(t, all...)); n != len(want[night]) || n < 50 {
			t.Errorf("night %d: %d links, in one store %d", night, n, len(want[night]))
		}
		for n, s := range all {
			mustVerify(t, s)
			if st, err := s.Stats(); err != nil || st.Links == 0 {
				t.Errorf("shard %d: %+v, %v", n, st, err)
			}
			for _, src := range collect(t, s.Sources()) {
				if known, _, err := (&Ingest{s: all[0]}).Known(src.Remote, src.Path); night == 0 && (err != nil || src.Read != known.Read || src.Name != known.Name) {
					t.Errorf("shard %d: %+v, and the first shard has %+v, %v", n, src, known, err)
				}
			}
		}
	})
	knows := 0 // shards that know a source of three mentions, of which two name messages
	for _, s := range all {
		if _, known, err := (&Ingest{s: s}).Known(0, "m.mbox"); err != nil {
			t.Fatal(err)
		} else if known {
			knows++
		}
		for l, err := range s.Scan(Pick{}) {
			if err != nil || l.ID>>shardBits != uint64(slices.Index(all, s)) {
				t.Fatalf("link %x: %v", l.ID, err)
			}
		}
	}
	if got := collect(t, all[0].Sources()); len(got) != len(collect(t, one.Sources())) || knows < 1 || knows > 2 {
		t.Errorf("the first shard has %d sources, and %d shards know a small one", len(got), knows)
	}
}

// A rest that one shard learns of is known in the first, where readings ask, and in that of the
// host, whose links and others may lead there; so is that it is over.
func TestRestsOfAFleet(t *testing.T) {
	now := epoch
	all := fleetOf(t, 16, func() time.Time { return now })
	var list []Mention
	for n := range 100 {
		url := fmt.Sprintf("http://h%d.example.net/", n)
		list = append(list, Mention{Collection: "c", Line: n, Raw: url, URL: url})
	}
	in := beginAt(t, all[0], epoch)
	mustAdd(t, in, Step{Batches: []*Batch{Prepare("a", list, nil)}, Whole: []Source{{Path: "a"}}})
	finish(t, in)
	owner := map[string]int{}
	for n, s := range all {
		for _, l := range links(t, s) {
			owner[l.Host] = n
		}
	}
	answered := func(r check.Result, final bool) {
		t.Helper()
		if _, err := all[0].StartRun(Run{Started: now}); err != nil {
			t.Fatal(err)
		}
		for n, s := range all {
			var batch []Checked
			for _, l := range links(t, s) {
				if r.At, r.FinalURL = now, ""; final { // the next host asks for it
					var at int
					_, _ = fmt.Sscanf(l.Host, "h%d.", &at)
					r.FinalURL = fmt.Sprintf("http://h%d.example.net/to", (at+1)%100)
				}
				batch = append(batch, Checked{l.ID, r})
			}
			if err := s.Record(1, judge.Policy{}, batch); err != nil {
				t.Fatal(n, err)
			}
		}
	}
	known := func(when string, rests bool) {
		t.Helper()
		for host, n := range owner {
			for _, at := range []int{0, n} {
				until, err := all[at].BackOff(host, nil)
				if until.After(now) != rests || err != nil {
					t.Fatalf("%s: shard %d: %s of shard %d rests until %v, %v", when, at, host, n, until, err)
				}
			}
		}
	}
	busy := check.New(check.Blocked, "http-429", "")
	busy.RetryAfter = 2 * time.Hour
	answered(busy, true)
	if known("asked by a redirect", true); len(owner) != 100 {
		t.Fatal(len(owner), "hosts")
	}
	now = now.Add(3 * time.Hour)
	answered(check.New(check.OK, "http-200", ""), false)
	known("served again", false)
	answered(busy, false)
	known("asked", true)
}

// What is cut off anywhere between two shards is read again with the next reading, and leaves
// nothing behind.
func TestDividedReadingCutOff(t *testing.T) {
	now := func() time.Time { return epoch }
	documents := func(s *Store, night int, from, to int) error {
		in, err := s.BeginIngest(epoch.Add(time.Duration(night) * day))
		for part := 0; part < 2 && err == nil; part++ {
			var list []Mention
			for n := from; n < to; n++ {
				url := fmt.Sprintf("http://h%d.example.net/", n)
				list = append(list, Mention{Collection: "c", Line: n, Raw: url, URL: url})
			}
			path := fmt.Sprint("part", part)
			if err = in.Add(Step{Batches: []*Batch{Prepare(path, list, nil)}}); err == nil {
				err = in.Add(Step{Whole: []Source{{Path: path, Collection: "c"}}})
			}
		}
		if err == nil {
			_, err = in.Finish()
		}
		return err
	}
	one := openTest(t)
	one.now = now
	if err := errors.Join(documents(one, 0, 0, 20), documents(one, 1, 10, 30), documents(one, 2, 25, 40)); err != nil {
		t.Fatal(err)
	}
	live := func(all ...*Store) (lines []string) {
		for _, s := range all {
			for _, l := range links(t, s) {
				if l.Mentions > 0 {
					lines = append(lines, fmt.Sprint(l.Key, " ", l.Mentions))
				}
			}
		}
		slices.Sort(lines)
		return lines
	}
	want, cut, most := live(one), errors.New("cut off"), 1
	for after := 0; after < most; after++ {
		all := fleetOf(t, 4, now)
		if err := documents(all[0], 0, 0, 20); err != nil {
			t.Fatal(err)
		}
		take, emit, n := all[0].divider.take, all[0].emitTo, 0
		counted := func(do func() error) error {
			if n++; n > after {
				return cut
			}
			return do()
		}
		all[0].divider.take = func(shard int, c Change) error { return counted(func() error { return take(shard, c) }) }
		all[0].emitTo = func(c Change) error { return counted(func() error { return emit(c) }) }
		if err := documents(all[0], 1, 10, 30); err != nil && !errors.Is(err, cut) {
			t.Fatal(err)
		} else if err != nil {
			most = after + 2
		}
		clear(all[0].divider.fresh) // another program reads on
		all[0].divider.take, all[0].emitTo = take, emit
		if err := documents(all[0], 2, 25, 40); err != nil {
			t.Fatal(err)
		}
		if got := live(all...); !slices.Equal(got, want) {
			t.Errorf("cut off behind %d parts: %q, in one store %q", after, got, want)
		}
	}
	if most < 20 {
		t.Errorf("cut off in %d places", most)
	}
}

// What a reading that was cut off between two shards said of a document that the next one
// finds as it was before is taken back.
func TestDividedReadingTakenBack(t *testing.T) {
	read := func(s *Store, night, from, to int) error {
		in, err := s.BeginIngest(epoch.Add(time.Duration(night) * day))
		src := Source{Path: "a", Collection: "c", Options: "usual", Size: int64(1000*from + to)}
		known, found, kerr := in.Known(0, "a")
		var list []Mention
		for n := from; n < to; n++ {
			url := fmt.Sprintf("http://h%d.example.net/", n)
			list = append(list, Mention{Collection: "c", Line: n, Raw: url, URL: url})
		}
		step := Step{Batches: []*Batch{Prepare("a", list, nil)}, Whole: []Source{src}}
		switch {
		case from == to:
			step = Step{Gone: []Source{src}}
		case found && known.Gone.IsZero() && known.Options == src.Options && known.Size == src.Size:
			step = Step{Same: []Source{src}}
		}
		if err = errors.Join(err, kerr); err == nil {
			err = in.Add(step)
		}
		if err == nil { // so that the end of the reading looks at all mentions
			err = in.Add(Step{Batches: []*Batch{Prepare("b", []Mention{{Collection: "c", Line: 1, Raw: "urn:b", URL: "urn:b"}}, nil)}, Whole: []Source{{Path: "b"}}})
		}
		if err == nil {
			_, err = in.Finish()
		}
		return err
	}
	cut, cuts := errors.New("cut off"), 0
	for _, other := range [][2]int{{0, 0}, {10, 30}} { // gone, or another
		for after, most := 0, 1; after < most; after++ {
			all := fleetOf(t, 4, func() time.Time { return epoch })
			if err := read(all[0], 0, 0, 20); err != nil {
				t.Fatal(err)
			}
			want := linkLines(t, all...)
			take, emit, n := all[0].divider.take, all[0].emitTo, 0
			counted := func(do func() error) error {
				if n++; n > after {
					return cut
				}
				return do()
			}
			all[0].divider.take = func(shard int, c Change) error { return counted(func() error { return take(shard, c) }) }
			all[0].emitTo = func(c Change) error { return counted(func() error { return emit(c) }) }
			if err := read(all[0], 1, other[0], other[1]); err == nil {
				break
			}
			most, cuts = after+2, cuts+1
			clear(all[0].divider.fresh)
			all[0].divider.take, all[0].emitTo = take, emit
			if err := read(all[0], 2, 0, 20); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range linkLines(t, all...) { // those of the other document alone are nobody's now
				if !strings.Contains(line, `"live":0`) {
					got = append(got, line)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%v, cut off behind %d parts: %d links live, before %d", other, after, len(got), len(want))
			}
		}
	}
	if cuts < 10 {
		t.Errorf("cut off in %d places", cuts)
	}
}

// A folder of the shards of a fleet is read as the one store that it was made of, and becomes
// one again.
func TestFleetIsReadAsOne(t *testing.T) {
	now := func() time.Time { return epoch }
	one := openTest(t)
	one.now = now
	nights(t, one)
	readingNights(t, one, func(int) {})
	want := canonOf(t, one)
	dir := filepath.Join(t.TempDir(), "fleet")
	filled, err := Open(dir, &Options{Shards: 4, Fleet: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filled.Import(t.Context(), strings.NewReader(exported(t, one))); err != nil {
		t.Fatal(err)
	}
	if err := filled.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "fleet") {
		t.Errorf("opened for writing: %v", err)
	}
	s, err := Open(dir, &Options{ReadOnly: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	mustBeCanon(t, "the folder", canonOf(t, s), want)
	answersAlike(t, s, one)
	joined, split := openTest(t), openSetTest(t, 3)
	for _, to := range []*Store{joined, split} {
		if whole, err := to.Import(t.Context(), strings.NewReader(exported(t, s))); err != nil || !whole {
			t.Fatal(whole, err)
		}
		mustVerify(t, to)
		mustBeCanon(t, "joined", canonOf(t, to), want)
	}
	if n := used(s); n < 4 {
		t.Errorf("the links stand in %d shards", n)
	}
	for n := range 4 { // each is a store by itself, and goes on where the one was
		shard, err := Open(setfile.File(dir, n), &Options{Fleet: 4, Shard: n, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		mustVerify(t, shard)
		if err := shard.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// asked has what is due in some stores asked in a run that the first begins.
func asked(t testing.TB, at time.Time, all ...*Store) {
	t.Helper()
	run, err := all[0].StartRun(Run{Started: at, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		var batch []Checked
		for l, err := range s.Due(at, Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			r := []check.Result{rOK, r404, rMoved, r429}[setfile.Of([]byte(l.URL), 4)]
			r.At = at
			batch = append(batch, Checked{l.ID, r})
		}
		err = s.Record(run, judge.Policy{Splay: 0.2}, batch)
		tally, terr := s.Tally(run)
		if err = errors.Join(err, terr, s.EndRun(Run{ID: run, Started: at, Version: "1", Ended: at.Add(time.Hour), Checked: len(batch), Outcomes: tally.Outcomes, States: tally.States, Changes: tally.Changes})); err != nil {
			t.Fatal(err)
		}
	}
}

// What the owners of shards found, each under its own log, is read as one store.
func TestFleetOverNights(t *testing.T) {
	now := func() time.Time { return epoch }
	one := openTest(t)
	one.now = now
	all := fleetOf(t, 4, now)
	dir := filepath.Dir(all[0].Path())
	pin := func(s *Store) {
		if err := s.SetPin(Pin{Host: "h7.example.net", State: judge.Ignored, At: epoch}); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []*Store{one, all[0]} {
		of := []*Store{one}
		if s != one {
			of = all
		}
		pin(s)
		readingNights(t, s, func(night int) { asked(t, epoch.Add(time.Duration(night)*day), of...) })
	}
	for _, s := range all {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := setfile.NewFleet(4, equal.Edition).Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, &Options{ReadOnly: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	mustBeCanon(t, "the folder", canonOf(t, s), canonOf(t, one))
	answersAlike(t, s, one)
	joined := openTest(t)
	if _, err := joined.Import(t.Context(), strings.NewReader(exported(t, s))); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, joined)
	mustBeCanon(t, "joined", canonOf(t, joined), canonOf(t, one))
}

// Copies of shards are made one after the other: what the copy of the first does not know yet is told
// as the others have it.
func TestFleetOfOlderCopies(t *testing.T) {
	all, dir := fleetOf(t, 4, func() time.Time { return epoch }), t.TempDir()
	readingNights(t, all[0], func(night int) {
		asked(t, epoch.Add(time.Duration(night)*day), all...)
		for n, s := range all {
			if night > 0 && n == 0 {
				continue
			}
			if err := s.Backup(t.Context(), setfile.File(dir, n)); err != nil {
				t.Fatal(err)
			}
		}
	})
	if err := setfile.NewFleet(4, equal.Edition).Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, &Options{ReadOnly: true, Now: func() time.Time { return epoch }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	if _, known, err := (&Ingest{s: s}).Known(0, "x.txt"); known || err != nil {
		t.Fatalf("the first shard knows the last night: %v", err)
	}
	later := func(lines []string) (list []string) { // of links that only the last night brought
		for _, line := range lines {
			if strings.Contains(line, `"sources":["x.txt","y.txt"]`) || strings.Contains(line, `"sources":["y.txt"]`) {
				list = append(list, line)
			}
		}
		return list
	}
	want := later(linkLines(t, all[1:]...))
	if got := later(linkLines(t, s)); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%d links of the last night, and the shards have %d", len(got), len(want))
	}
	if runs := collect(t, s.Runs()); len(runs) != 6 || runs[5].ID != 6 || runs[5].Checked == 0 {
		t.Errorf("%d runs, and the last is %+v", len(runs), runs[len(runs)-1])
	}
	joined := openTest(t)
	joined.now = s.now
	if _, err := joined.Import(t.Context(), strings.NewReader(exported(t, s))); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, joined)
	if got, want := linkLines(t, joined), linkLines(t, s); !slices.Equal(got, want) {
		t.Errorf("joined: %d links, and the folder has %d", len(got), len(want))
	}
}
