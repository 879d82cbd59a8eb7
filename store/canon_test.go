package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
)

func canonOf(t testing.TB, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Canon(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// mustBeCanon compares what two stores know.
func mustBeCanon(t testing.TB, what, got, want string) {
	t.Helper()
	have, told := strings.Split(got, "\n"), 0
	for i, line := range strings.Split(want, "\n") {
		if i >= len(have) || have[i] != line {
			if told++; told <= 3 {
				t.Errorf("%s: line %d is\n%.3000s\nwant\n%.3000s", what, i+1, strings.Join(have[min(i, len(have)):min(i+1, len(have))], ""), line)
			}
		}
	}
	if told == 0 && got != want {
		t.Errorf("%s: %d lines more", what, len(have)-strings.Count(want, "\n")-1)
	}
}

// told is what a store is told in TestCanon; a test changes one of them.
type told struct {
	mentions []Mention
	files    []Source
	root     Root
	document Source
	lead     Mention // in the document
	name     Name
	result   check.Result
	policy   judge.Policy
	run      Run
	pins     []Pin
	rest     check.Result
	note     string
	read     time.Time
}

func theFacts() *told {
	f := &told{read: epoch, run: Run{Started: epoch, Version: "1"}, note: "v", name: Name{Name: "mid:1", Member: "m", Line: 3}}
	for i, u := range []string{"http://a.example.net/\xff", "http://A.example.net/%FF", "gopher://b.example.net/1/x", "http://b.example.net/", "../x"} {
		f.mentions = append(f.mentions, Mention{Source: fmt.Sprint(i%2, ".txt"), Collection: "c", Record: "r", Locator: "l", Line: i + 1, Raw: u, URL: u, How: "bare", Context: "see"})
	}
	f.mentions = append(f.mentions, Mention{Source: "1.txt", Collection: "c", Line: 9, Raw: "../y"})
	f.files = []Source{{Path: "0.txt", Collection: "c", Size: 7, Hash: []byte("h"), Mentions: 3}, {Path: "1.txt", Collection: "c", Mentions: 3, NotRead: []facts.Kind{{Name: "x", N: 1}}}}
	f.root = Root{URI: "http://r.example.net/", Name: "R", Kind: "web", Mark: []byte{1}}
	f.document = Source{Path: "http://r.example.net/1", Version: "v1", Hash: []byte("d"), Mentions: 1}
	f.lead = Mention{Collection: "R", Nth: 1, Raw: "http://b.example.net/", URL: "http://b.example.net/", How: "href"}
	f.result = r404
	f.result.At, f.result.Reply, f.result.Hops = epoch, "HTTP/1.1 404 \xfe", []check.Hop{{Code: 302, URL: "http://h.example.net/"}}
	f.pins = []Pin{{Host: "b.example.net", State: judge.Ignored, Why: "w", At: epoch}, {State: judge.PinnedAlive, By: "me", At: epoch}}
	f.rest = r429At
	f.rest.At = epoch
	return f
}

// tell makes a store that knows the facts. Otherwise it hears them in another order, and
// its probes take another time; nothing of that is known afterwards.
func (f *told) tell(t *testing.T, otherwise bool) *Store {
	t.Helper()
	s := openTest(t)
	s.now = func() time.Time { return epoch }
	if otherwise {
		finish(t, beginAt(t, s, epoch)) // a reading that found nothing
	}
	in := beginAt(t, s, f.read)
	root := f.root
	root.Sweep = in.Reading
	mustAdd(t, in, Step{Root: &root})
	doc, lead := f.document, Prepare(f.document.Path, []Mention{f.lead}, nil)
	doc.Remote, lead.Remote = root.Number, root.Number
	var steps []Step
	for i := range f.files {
		src, list := f.files[i], slices.DeleteFunc(slices.Clone(f.mentions), func(m Mention) bool { return m.Source != f.files[i].Path })
		var named []Name
		if i == 0 {
			named = []Name{f.name}
		}
		steps = append(steps, Step{Whole: []Source{src}, Batches: []*Batch{Prepare(src.Path, list, named)}})
	}
	steps = append(steps, Step{Root: &root, Whole: []Source{doc}, Batches: []*Batch{lead}})
	if otherwise {
		slices.Reverse(steps)
	}
	for i := range steps {
		mustAdd(t, in, steps[i])
	}
	finish(t, in)
	run, err := s.StartRun(f.run)
	if err != nil {
		t.Fatal(err)
	}
	var batch []Checked
	for _, l := range links(t, s) {
		r := f.result
		if r.Took, r.Attempts, r.Bytes = 7*time.Millisecond, 1, 100; otherwise {
			r.Took, r.Attempts, r.Bytes = 9*time.Millisecond, 2, 200
		}
		batch = append(batch, Checked{l.ID, r})
	}
	if otherwise {
		slices.Reverse(batch)
	}
	s.Cache().CachePut("k", []byte(f.note), epoch.Add(day))
	if err := s.Record(run, f.policy, batch); err != nil {
		t.Fatal(err)
	}
	if _, err := s.BackOff("c.example.net", &f.rest); err != nil {
		t.Fatal(err)
	}
	ended := f.run
	if ended.ID, ended.Ended = run, epoch.Add(time.Hour); otherwise {
		ended.Ended = epoch.Add(2 * time.Hour)
	}
	if err := s.EndRun(ended); err != nil {
		t.Fatal(err)
	}
	f.pin(t, s)
	mustVerify(t, s)
	return s
}

func (f *told) pin(t *testing.T, s *Store) {
	t.Helper()
	for _, p := range f.pins {
		if p.Host == "" {
			l, found, err := s.Find("gopher://b.example.net/1/x")
			if p.Link = l.ID; !found || err != nil {
				t.Fatal(found, err)
			}
		}
		if err := s.SetPin(p); err != nil {
			t.Fatal(err)
		}
	}
}

// Stores that were told the same in another order, by probes that took another time, have
// the same canon; each fact shows in it.
func TestCanon(t *testing.T) {
	want := canonOf(t, theFacts().tell(t, false))
	mustBeCanon(t, "told otherwise", canonOf(t, theFacts().tell(t, true)), want)
	if lines := strings.Count(want, "\n"); lines < 12 {
		t.Errorf("%d lines:\n%s", lines, want)
	}
	for name, change := range map[string]func(*told){
		"an octet of a link": func(f *told) {
			f.mentions[0].Raw, f.mentions[0].URL = "http://a.example.net/\xfe", "http://a.example.net/\xfe"
		},
		"an octet of a mention": func(f *told) { f.mentions[0].Context = "see \xfe" },
		"spelling": func(f *told) {
			f.mentions[1].Raw, f.mentions[1].URL = "http://a.example.net/%FF", "http://a.example.net/%FF"
		},
		"line":                     func(f *told) { f.mentions[2].Line = 30 },
		"locator":                  func(f *told) { f.mentions[2].Locator = "l2" },
		"relative reference":       func(f *told) { f.mentions[5].Raw = "../z" },
		"another source":           func(f *told) { f.mentions[4].Source = "1.txt" },
		"collection":               func(f *told) { f.files[0].Collection = "d" },
		"hash of a source":         func(f *told) { f.files[0].Hash = []byte("i") },
		"damage":                   func(f *told) { f.files[0].Problems, f.files[0].Damage = 1, "torn" },
		"format that is not read":  func(f *told) { f.files[1].NotRead[0].N = 2 },
		"time of the reading":      func(f *told) { f.read = epoch.Add(time.Second) },
		"name":                     func(f *told) { f.name.Name = "mid:2" },
		"place of a name":          func(f *told) { f.name.Line = 4 },
		"mark":                     func(f *told) { f.root.Mark = []byte{2} },
		"address of a root":        func(f *told) { f.root.URI = "http://q.example.net/" },
		"version of a document":    func(f *told) { f.document.Version = "v2" },
		"depth of a document":      func(f *told) { f.document.Depth = 3 },
		"reference for the second": func(f *told) { f.lead.Nth = 2 },
		"outcome":                  func(f *told) { f.result.Outcome = check.Suspect },
		"reason":                   func(f *told) { f.result.Reason = "http-410" },
		"words":                    func(f *told) { f.result.Reply = "HTTP/1.1 404 \xfd" },
		"redirect":                 func(f *told) { f.result.Hops[0].Code = 301 },
		"flag":                     func(f *told) { f.result.Flags = []string{"proxied"} },
		"date":                     func(f *told) { f.result.At = epoch.Add(time.Second) },
		"title":                    func(f *told) { f.result.Title = "T" },
		"evidence":                 func(f *told) { f.result.Evidence = check.Weak },
		"when to come again":       func(f *told) { f.result = r503; f.result.At, f.result.RetryAfter = epoch, time.Hour },
		"due date":                 func(f *told) { f.policy.MaxAge = day; f.result = rMoved; f.result.At = epoch; f.policy.Splay = 0.2 },
		"program of a run":         func(f *told) { f.run.Version = "2" },
		"note of a run":            func(f *told) { f.run.Note = "interrupted" },
		"pin of a link":            func(f *told) { f.pins[1].State = judge.PinnedDead },
		"who pinned":               func(f *told) { f.pins[1].By = "you" },
		"pin of a host":            func(f *told) { f.pins[0].Host = "a.example.net" },
		"no pin":                   func(f *told) { f.pins = f.pins[:1] },
		"rest of a host":           func(f *told) { f.rest.RetryAfter += time.Hour },
		"what a prober knows":      func(f *told) { f.note = "w" },
	} {
		f := theFacts()
		change(f)
		if canonOf(t, f.tell(t, false)) == want {
			t.Errorf("%s: the canon is the same", name)
		}
	}
}

// The days of checks are spread by the links themselves, and not by their numbers.
func TestSplayByKey(t *testing.T) {
	next := func(urls ...string) map[string]time.Time {
		s := openTest(t)
		read(t, s, "a.txt", epoch, urls...)
		var batch []Checked
		for _, l := range links(t, s) {
			r := rOK
			r.At = epoch
			batch = append(batch, Checked{l.ID, r})
		}
		if err := s.Record(1, judge.Policy{Splay: 0.2}, batch); err != nil {
			t.Fatal(err)
		}
		dates := map[string]time.Time{}
		for _, l := range links(t, s) {
			dates[l.URL] = l.NextCheck
		}
		return dates
	}
	urls := []string{"http://b.example.net/1", "http://b.example.net/2", "http://b.example.net/3"}
	one, other := next(urls...), next(append([]string{"http://a.example.net/"}, urls...)...)
	for _, u := range urls {
		if !one[u].Equal(other[u]) || one[u].IsZero() {
			t.Errorf("%s is due at %s, among others at %s", u, one[u], other[u])
		}
	}
	if one[urls[0]].Equal(one[urls[1]]) && one[urls[1]].Equal(one[urls[2]]) {
		t.Errorf("all are due at %s", one[urls[0]])
	}
}
