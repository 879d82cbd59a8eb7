package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
)

// addAll reads mentions as sources of their own, all in one reading.
func addAll(t *testing.T, s *Store, at time.Time, list ...Mention) facts.IngestCounts {
	t.Helper()
	in, err := s.BeginIngest(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if err := in.Add(Step{Whole: []Source{{Path: m.Source, Mentions: 1}}, Batches: []*Batch{Prepare(m.Source, []Mention{m}, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := in.Finish()
	if err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
	return sum
}

// TestIdentityOfMentions: a mention is known by collection, record, locator and the
// string as written (OUTCOMES section 4), wherever else it stands.
func TestIdentityOfMentions(t *testing.T) {
	base := Mention{Source: "a.mrc", Collection: "books", Record: "b1", Locator: "856[1]$u", Line: 3, Context: "see",
		Raw: "HTTP://a.example.net/x", URL: "HTTP://a.example.net/x"}
	same := map[string]func(*Mention){
		"another line":    func(m *Mention) { m.Line, m.Column = 9, 4 },
		"another context": func(m *Mention) { m.Context, m.Title, m.How, m.Owner = "cf.", "T", "856u", "maps" },
		"another file":    func(m *Mention) { m.Source = "b.mrc" },
		"another member":  func(m *Mention) { m.Member = "inner.mrc" },
	}
	others := map[string]func(*Mention){
		"another collection": func(m *Mention) { m.Collection = "maps" },
		"another record":     func(m *Mention) { m.Record = "b2" },
		"another locator":    func(m *Mention) { m.Locator = "856[2]$u" },
		"another spelling":   func(m *Mention) { m.Raw, m.URL = "http://a.example.net/x", "http://a.example.net/x" },
		"no locator, line":   func(m *Mention) { m.Locator = "" },
		"no record, file":    func(m *Mention) { m.Record = "" },
	}
	try := func(name string, change func(*Mention), want int) {
		s := openTest(t)
		other := base
		change(&other)
		sum := addAll(t, s, epoch, base, other)
		if n := len(explain(t, s, 1).Mentions); sum.NewLinks != 1 || sum.New != want || n != want {
			t.Errorf("%s: %+v, %d mentions", name, sum, n)
		}
		if due := collect(t, s.Due(epoch, Filter{})); len(due) != 1 {
			t.Errorf("%s: %d links to probe for one", name, len(due))
		}
	}
	for name, change := range same {
		try(name, change, 1)
	}
	for name, change := range others {
		try(name, change, 2)
	}
}

// TestIdentityOfLinks: strings with one scheme key are one link, spelled in several
// ways; it is probed once and its result stands under every record.
func TestIdentityOfLinks(t *testing.T) {
	s := openTest(t)
	list := []string{"http://a.example.net/%7Ex", "HTTP://A.example.net:80/~x", "http://a.example.net/~x"}
	var all []Mention
	for i, u := range list {
		all = append(all, Mention{Source: "a.mrc", Record: string(rune('a' + i)), Raw: u, URL: u})
	}
	if sum := addAll(t, s, epoch, all...); sum.NewLinks != 1 || sum.New != 3 {
		t.Fatalf("%+v", sum)
	}
	r := r404
	r.At = epoch
	if err := s.Record(1, judge.Policy{}, []Checked{{1, r}}); err != nil {
		t.Fatal(err)
	}
	entries := collect(t, s.Scan(Pick{Mentions: true}))
	if len(entries) != 1 || len(entries[0].LiveMentions) != 3 || entries[0].Last.Reason != r404.Reason || !entries[0].Variants || entries[0].URL != list[0] {
		t.Errorf("%+v", entries)
	}
	for i, m := range entries[0].LiveMentions {
		if m.Raw != list[i] || m.Record != all[i].Record {
			t.Errorf("place %d: %+v", i, m)
		}
	}
}

// TestVanishedMentions are retired, kept for 90 days, and come back with the history
// of their link; after that they are forgotten, and the link is not.
func TestVanishedMentions(t *testing.T) {
	s := openTest(t)
	const a, b = "http://a.example.net/", "http://b.example.net/"
	read(t, s, "a.txt", epoch, a, b)
	r := r404
	r.At = epoch
	if err := s.Record(1, judge.Policy{}, []Checked{{2, r}}); err != nil {
		t.Fatal(err)
	}
	gone := epoch.Add(day)
	if sum := read(t, s, "a.txt", gone, a); sum.Retired != 1 {
		t.Fatalf("%+v", sum)
	}
	kept := func(at time.Time, want int) {
		t.Helper()
		read(t, s, "a.txt", at, a)
		l, err := s.link(2)
		if n := len(explain(t, s, 2).Mentions); err != nil || n != want || l.Mentions != 0 || l.Strikes != 1 {
			t.Errorf("%v later: %d mentions, %+v, %v", at.Sub(gone), n, l, err)
		}
		mustVerify(t, s)
	}
	kept(gone.Add(dropRetiredAfter), 1)
	if m := explain(t, s, 2).Mentions; !m[0].Retired.Equal(gone) || !m[0].LastSeen.Equal(epoch) || !m[0].FirstSeen.Equal(epoch) {
		t.Errorf("%+v", m)
	}
	if sum := read(t, s, "b.txt", gone.Add(dropRetiredAfter), b); sum.New != 1 || sum.NewLinks != 0 {
		t.Errorf("elsewhere it is another mention of the same link: %+v", sum)
	}
	if sum := read(t, s, "a.txt", gone.Add(dropRetiredAfter), a, b); sum.Returned != 1 {
		t.Errorf("%+v", sum)
	}
	read(t, s, "b.txt", gone.Add(dropRetiredAfter))
	gone = gone.Add(dropRetiredAfter + day)
	read(t, s, "a.txt", gone, a)
	kept(gone.Add(dropRetiredAfter), 1)
	kept(gone.Add(dropRetiredAfter+time.Second), 0)
}

// A link is spelled as the mention that stands first in its document, in whatever
// order the mentions come.
func TestFirstSpelling(t *testing.T) {
	const first, later = "HTTP://a.example.net/x", "http://A.example.net/x"
	mention := func(url string, line, column int) Mention {
		return Mention{Source: "a.txt", Line: line, Column: column, Raw: url, URL: url, How: "bare"}
	}
	for name, list := range map[string][]Mention{
		"by line":            {mention(first, 2, 9), mention(later, 3, 1)},
		"by line, backward":  {mention(later, 3, 1), mention(first, 2, 9)},
		"by column":          {mention(first, 2, 1), mention(later, 2, 40)},
		"by column backward": {mention(later, 2, 40), mention(first, 2, 1)},
	} {
		s := openTest(t)
		in, err := s.BeginIngest(epoch)
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Add(Step{Whole: []Source{{Path: "a.txt", Mentions: 2}}, Batches: []*Batch{Prepare("a.txt", list, nil)}}); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Finish(); err != nil {
			t.Fatal(err)
		}
		if l, err := s.link(1); err != nil || l.URL != first {
			t.Errorf("%s: %q (%v), want %q", name, l.URL, err, first)
		}
	}
}

// inEveryOrder has stores read the steps in every order, and wants them to know the same.
func inEveryOrder(t *testing.T, steps func() []Step) (s *Store) {
	t.Helper()
	want := ""
	var try func(order []int)
	try = func(order []int) {
		list := steps()
		if len(order) < len(list) {
			for i := range list {
				if !slices.Contains(order, i) {
					try(append(slices.Clone(order), i))
				}
			}
			return
		}
		s = openTest(t)
		in := beginAt(t, s, epoch)
		for _, i := range order {
			mustAdd(t, in, list[i])
		}
		finish(t, in)
		mustVerify(t, s)
		got := canonOf(t, s)
		if want == "" {
			want = got
		}
		mustBeCanon(t, fmt.Sprint("order ", order), got, want)
	}
	try(nil)
	return s
}

// batchOf is mentions of one source.
func batchOf(source string, list ...Mention) Step {
	return Step{Batches: []*Batch{Prepare(source, list, nil)}}
}

// A link is spelled as its first mention by path, line and column of the reading that
// brought it, in whatever order they come; other readings do not change that.
func TestSpellingInEveryOrder(t *testing.T) {
	urls := []string{"HTTP://a.example.net/x", "http://A.example.net/x", "http://a.example.net:80/x", "http://a.example.net/x"}
	steps := func() []Step {
		m := func(url string, line, column int) Mention {
			return Mention{Line: line, Column: column, Raw: "<" + url + ">", URL: url, Context: "see"}
		}
		same := m(urls[0], 1, 1)
		same.Raw = same.URL
		return []Step{batchOf("b.txt", same, m("http://b.example.net/", 2, 1)), batchOf("a.txt", m(urls[1], 7, 2), m(urls[2], 8, 1)), batchOf("a.txt", m(urls[3], 7, 1)), batchOf("c.txt", m(urls[2], 1, 1))}
	}
	s := inEveryOrder(t, steps)
	spelled := func(want string) {
		t.Helper()
		if l, found, err := s.Find(urls[0]); !found || err != nil || l.URL != want || !l.Variants {
			t.Errorf("%+v, %v; want %s", l, err, want)
		}
	}
	spelled(urls[3])
	in := beginAt(t, s, epoch)
	mustAdd(t, in, batchOf("0.txt", Mention{Line: 1, Raw: urls[1], URL: urls[1]}))
	finish(t, in)
	spelled(urls[3])
	mustVerify(t, s)
}

// A relative reference stays what it is, an empty one too.
func TestRelativeInEveryOrder(t *testing.T) {
	inEveryOrder(t, func() []Step {
		return []Step{batchOf("a.txt", Mention{Line: 1, Raw: "../x"}, Mention{Line: 2}), batchOf("b.txt", Mention{Line: 1}), batchOf("c.txt", Mention{Line: 1, Raw: "../x"})}
	})
}

// A link with very many mentions is spelled in several transactions; between them it is as
// it was, and its mentions are as they are at all times.
func TestSpellingInParts(t *testing.T) {
	s := openTest(t)
	in := beginAt(t, s, epoch)
	const later, first = "HTTP://a.example.net/", "http://a.example.net/"
	var list []Mention
	for i := range 5 {
		list = append(list, Mention{Line: 1 + i, Raw: later, URL: later})
	}
	mustAdd(t, in, batchOf("b.txt", list...))
	mustAdd(t, in, batchOf("a.txt", Mention{Line: 9, Raw: first, URL: first}))
	before := explain(t, s, 1)
	for _, want := range []string{later, later, first, first} {
		err := s.file.Update(func(tx *boltfile.Tx) error {
			rows, whole, err := in.respellLink(tx, 1, 2)
			if rows > 2 || whole != (want == first) {
				t.Errorf("%d rows, whole: %v", rows, whole)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		after := explain(t, s, 1)
		if after.Link.URL != want || !reflect.DeepEqual(after.Mentions, before.Mentions) {
			t.Errorf("%+v\nwant %s and %+v", after, want, before.Mentions)
		}
		mustVerify(t, s)
	}
	finish(t, in)
	mustVerify(t, s)
}

// A mention of several sources is shown as it stands in the first by path of those that the
// last reading found to hold it.
func TestMentionOfSeveralSources(t *testing.T) {
	at := func(source string, line int) Step {
		return batchOf(source, Mention{Collection: "k", Record: "r", Locator: "856", Line: line, Raw: "http://a.example.net/", URL: "http://a.example.net/", Context: source})
	}
	s := inEveryOrder(t, func() []Step { return []Step{at("b.mrc", 2), at("a.mrc", 1), at("c.mrc", 3)} })
	shown := func(want string, line int) {
		t.Helper()
		if list := explain(t, s, 1).Mentions; len(list) != 1 || list[0].Path != want || list[0].Context != want || list[0].Line != line {
			t.Errorf("%+v, want %s", list, want)
		}
	}
	shown("a.mrc", 1)
	in := beginAt(t, s, epoch.Add(day))
	mustAdd(t, in, at("c.mrc", 30))
	shown("c.mrc", 30)
	mustAdd(t, in, at("b.mrc", 20))
	shown("b.mrc", 20)
	mustAdd(t, in, at("c.mrc", 31))
	shown("b.mrc", 20)
	finish(t, in)
	mustVerify(t, s)
}

// Of several places of a name the first by path, member and line counts.
func TestNamesInEveryOrder(t *testing.T) {
	named := func(source, member string, line int) Step {
		return Step{Batches: []*Batch{Prepare(source, nil, []Name{{Name: "mid:1", Member: member, Line: line}})}}
	}
	for last := range 4 {
		var steps []Step
		s := inEveryOrder(t, func() []Step {
			steps = []Step{named("a.mbox", "x", 9), named("a.mbox", "x", 7), named("a.mbox", "y", 1), named("b.mbox", "a", 1)}[:last+1]
			return steps
		})
		found, err := s.FindNames([]string{"mid:1", "mid:2"})
		want := Name{Name: "mid:1", Source: "a.mbox", Member: "x", Line: []int{9, 7, 7, 7}[last]}
		if err != nil || len(found) != 1 || found["mid:1"] != want {
			t.Errorf("%d places: %+v, %v", last+1, found, err)
		}
	}
}

// Links picked by their state come whatever their date, and no others.
func TestDueByState(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/", "http://b.example.net/")
	run, err := s.StartRun(Run{Started: epoch, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	gone := check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-404", At: epoch, Attempts: 1}
	if err := s.Record(run, judge.Policy{}, []Checked{{1, gone}}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		states []judge.State
		want   []uint64
	}{{nil, []uint64{2}}, {[]judge.State{judge.Failing}, []uint64{1}}, {[]judge.State{judge.New}, []uint64{2}}, {[]judge.State{judge.New, judge.Failing}, []uint64{1, 2}}, {[]judge.State{judge.Dead}, nil}} {
		var got []uint64
		for _, turn := range collect(t, s.Due(epoch, Filter{States: tt.states})) {
			got = append(got, turn.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("states %v: links %v, want %v", tt.states, got, tt.want)
		}
	}
}
