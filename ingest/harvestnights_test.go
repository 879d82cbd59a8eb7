package ingest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/store"
)

var harvestWorlds = flag.Int("harvest-worlds", 1, "worlds of 200 nights in TestHarvestNights")

// state is what a page of a world answers.
type state int

const (
	alive state = iota
	gone
	missing
	failing
	refused
	emptied
	broken // its body breaks off
)

// page is one of a world.
type page struct {
	state   state
	version int
	links   []string
	leads   []int
	kept    bool // its server knows versions
}

func (p *page) text() string {
	return fmt.Sprintf("version %d\n%s\n", p.version, strings.Join(p.links, "\n"))
}

// world is a site that changes from night to night.
type world struct {
	*rand.Rand
	pages map[int]*page
	out   map[int]bool // that the settings leave out
	stop  int          // items in this night until an outage; -1: there is none
	list  bool         // the root ends parts of itself in between
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 1)), pages: map[int]*page{}, out: map[int]bool{}, stop: -1}
	for n := range 60 {
		w.pages[n] = w.page()
	}
	return w
}

func (w *world) page() *page {
	p := &page{kept: w.IntN(3) > 0}
	for range w.IntN(4) {
		p.links = append(p.links, fmt.Sprintf("http://l%d.example.org/", w.IntN(40)))
	}
	for range 1 + w.IntN(4) {
		p.leads = append(p.leads, w.IntN(90))
	}
	return p
}

// night changes the world.
func (w *world) night() {
	for _, n := range slices.Sorted(maps.Keys(w.pages)) {
		p := w.pages[n]
		switch roll := w.IntN(100); {
		case roll < 8:
			*p = *w.page()
			p.version = w.IntN(1000)
		case roll < 12:
			p.state = state(w.IntN(int(broken) + 1))
		case roll < 40:
			p.state = alive
		}
	}
	for range w.IntN(4) {
		if n := w.IntN(90); w.pages[n] == nil {
			w.pages[n] = w.page()
		}
	}
	if w.IntN(12) == 0 { // all that is there says for some nights that it is gone
		for _, p := range w.pages {
			if w.IntN(4) > 0 {
				p.state = []state{gone, missing}[w.IntN(2)]
			}
		}
	}
	clear(w.out)
	for range w.IntN(2) {
		w.out[w.IntN(90)] = true
	}
	w.list = w.IntN(5) == 0
	if w.stop = -1; w.IntN(4) == 0 {
		w.stop = w.IntN(60)
	}
}

func numberOf(name string) (n int) {
	fmt.Sscan(strings.TrimPrefix(name, siteURI), &n)
	return n
}

// harvester reads the world by a plain policy, and says what it told.
func (w *world) harvester(told *[]harvest.Item) harvest.Harvester {
	return tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		var queue []harvest.Document
		met := map[string]bool{}
		for d := range known.Documents() {
			met[d.Name] = true
			if !d.Asked && (!d.Gone || known.Linked(d.Name) || w.pages[numberOf(d.Name)] != nil && w.pages[numberOf(d.Name)].state == alive) {
				queue = append(queue, d)
			}
		}
		if !met[nameOfPage(0)] {
			queue = append(queue, harvest.Document{Name: nameOfPage(0)})
		}
		tell := func(item harvest.Item) bool {
			*told = append(*told, item)
			return yield(item)
		}
		for asked := 0; len(queue) > 0; asked++ {
			if asked == w.stop {
				return &harvest.Stop{Why: harvest.Outage, Text: "timeout"}
			}
			if w.list && asked%20 == 19 && !tell(harvest.Item{Kind: harvest.Window, Mark: []byte{byte(asked)}}) {
				return nil
			}
			d := queue[0]
			queue = queue[1:]
			item := w.answer(d)
			if !tell(item) {
				return nil
			}
			if item.Kind != harvest.Read {
				continue
			}
			for _, n := range w.pages[numberOf(d.Name)].leads {
				if name := nameOfPage(n); !met[name] {
					met[name] = true
					found := harvest.Document{Name: name, Depth: d.Depth + 1}
					queue = append(queue, found)
					if !tell(harvest.Item{Kind: harvest.Found, Doc: found}) {
						return nil
					}
				}
			}
		}
		for d := range known.Documents() {
			if d.Lost && w.IntN(2) == 0 && !tell(w.answer(d)) {
				return nil
			}
		}
		tell(harvest.Item{Kind: harvest.Whole})
		return nil
	})
}

// answer is what is heard of a page.
func (w *world) answer(d harvest.Document) harvest.Item {
	n := numberOf(d.Name)
	p := w.pages[n]
	switch {
	case w.out[n]:
		return harvest.Item{Kind: harvest.Left, Doc: d}
	case p == nil || p.state == missing:
		return harvest.Item{Kind: harvest.Missed, Doc: d}
	case p.state == gone:
		return harvest.Item{Kind: harvest.Gone, Doc: d}
	case p.state == failing, p.state == refused:
		return harvest.Item{Kind: harvest.Failed, Doc: d, Heard: check.Result{Outcome: check.Blocked, Reason: "http-403"}}
	}
	version := ""
	if p.kept {
		version = fmt.Sprint(p.version)
	}
	if p.state == alive && version != "" && d.Version == version && d.Read {
		return harvest.Item{Kind: harvest.Same, Doc: d}
	}
	d.Version = version
	item := harvest.Item{Kind: harvest.Read, Doc: d, Body: strings.NewReader(p.text())}
	if p.state == emptied {
		item.Body = strings.NewReader("")
	} else if p.state == broken {
		item.Body = io.MultiReader(strings.NewReader(p.text()), iotest.ErrReader(errors.New("reset")))
	}
	return item
}

// modelled is what section 5 of HARVEST makes of what was told of one page.
type modelled struct {
	read, gone  bool
	noted       state // missing, gone, or alive: neither
	missedAt    time.Time
	goneAt      time.Time // when that was told last
	missedSweep int
	bareAt      time.Time // when it first had no links any more
	bareSweep   int
	bare        bool
	left        bool
	had         int // links, when it last came whole
	links       []string
}

type model struct {
	pages   map[string]*modelled
	sweep   int
	doubted bool
}

// night applies what was told to the model.
func (m *model) night(w *world, told []harvest.Item, now time.Time) {
	for _, item := range told {
		d := m.pages[item.Doc.Name]
		if d == nil && item.Doc.Name != "" {
			d = &modelled{}
			m.pages[item.Doc.Name] = d
		}
		switch item.Kind {
		case harvest.Read:
			p := w.pages[numberOf(item.Doc.Name)]
			links := slices.Clone(p.links)
			switch {
			case p.state == broken:
				*d = modelled{read: d.read, had: d.had, links: append(d.links, links...)}
				continue
			case p.state == emptied && d.read && !d.gone && len(d.links) > 0:
				continue
			case p.state == emptied:
				links = nil
			case len(links) == 0 && d.read && !d.gone && d.had > 0 && !(d.bare && d.bareSweep < m.sweep && now.Sub(d.bareAt) >= 164*time.Hour):
				if !d.bare {
					d.bare, d.bareAt, d.bareSweep = true, now, m.sweep
				}
				d.noted, d.left = alive, false
				continue
			}
			*d = modelled{read: true, had: len(links), links: links}
		case harvest.Same:
			d.noted, d.left, d.bare = alive, false, false
		case harvest.Gone, harvest.Missed, harvest.Left:
			m.note(d, item.Kind, now)
		case harvest.Window, harvest.Whole:
			m.retire(item.Kind == harvest.Whole, now)
		}
	}
}

func (m *model) note(d *modelled, kind harvest.Kind, now time.Time) {
	d.bare = false
	switch {
	case d.gone:
	case kind == harvest.Left:
		d.left, d.noted = true, alive
	case kind == harvest.Gone:
		d.noted, d.left, d.goneAt = gone, false, now
	case d.noted == gone:
		d.goneAt = now
	case d.noted == missing && d.missedSweep < m.sweep && now.Sub(d.missedAt) >= 20*time.Hour:
		d.noted, d.goneAt = gone, now
	case d.noted != missing:
		d.noted, d.missedAt, d.missedSweep, d.left = missing, now, m.sweep, false
	}
}

func (m *model) retire(whole bool, now time.Time) {
	stand, lost := 0, 0
	for _, d := range m.pages {
		if d.read && !d.gone {
			if stand++; d.noted == gone {
				lost++
			}
		}
	}
	doubted := lost > 20 && 4*lost > stand
	for _, d := range m.pages {
		if d.left || d.noted == gone && d.goneAt.Equal(now) && !doubted {
			*d = modelled{read: d.read, gone: true}
		}
	}
	if m.doubted = doubted || m.doubted && !whole; whole {
		m.sweep++
	}
}

// stands is as archive.stands.
func (m *model) stands() map[string]string {
	list := map[string]string{}
	for name, d := range m.pages {
		if d.read && !d.gone {
			list[name] = ""
		}
		if len(d.links) > 0 {
			words := slices.Clone(d.links)
			slices.Sort(words)
			list[name] = strings.Join(slices.Compact(words), " ")
		}
	}
	return list
}

func (a *archive) sets() map[string]string {
	list := a.stands()
	for name, links := range list {
		list[name] = strings.Join(slices.Compact(strings.Fields(links)), " ")
	}
	return list
}

// TestHarvestNights reads worlds for 200 nights, and holds what stands against a model of
// what was told: nothing else retires, and nothing is left that should be retired
// (HARVEST section 12).
func TestHarvestNights(t *testing.T) {
	for seed := range *harvestWorlds {
		w, a := newWorld(uint64(seed)), newArchive(t)
		m := &model{pages: map[string]*modelled{}}
		sweeps, doubts, retired := 0, 0, 0
		for night := range 200 {
			if night > 0 {
				w.night()
			}
			var told []harvest.Item
			now := a.now
			sum, _ := a.read(w.harvester(&told))
			before := m.sweep
			m.night(w, told, now)
			want, got := m.stands(), a.sets()
			if !maps.Equal(got, want) {
				for _, name := range slices.Sorted(maps.Keys(want)) {
					if g, ok := got[name]; !ok || g != want[name] {
						t.Errorf("%s: %v %q, want %q", name, ok, g, want[name])
					}
				}
				for name, links := range got {
					if _, ok := want[name]; !ok {
						t.Errorf("%s stands: %q", name, links)
					}
				}
				t.Fatalf("world %d, night %d: %+v", seed, night, sum)
			}
			if sum.Root.Doubted != m.doubted || (sum.Root.Sweep == 0) != (m.sweep > before) {
				t.Fatalf("world %d, night %d: %+v, doubted %v", seed, night, sum, m.doubted)
			}
			sweeps += m.sweep - before
			retired += sum.Gone
			if m.doubted {
				doubts++
			}
		}
		t.Logf("world %d: %d sweeps, %d documents retired, %d nights in doubt", seed, sweeps, retired, doubts)
		if sweeps < 50 || retired < 20 || doubts == 0 {
			t.Errorf("world %d shows too little", seed)
		}
	}
}

// canon is all that a store holds of roots, but for the numbers of readings.
func (a *archive) canon(st *store.Store) string {
	a.Helper()
	var b strings.Builder
	roots, err := st.Roots()
	if err != nil {
		a.Fatal(err)
	}
	for _, r := range roots {
		r.Sweep, r.Mark = min(r.Sweep, 1), nil
		fmt.Fprintf(&b, "%+v\n", r)
	}
	var lines []string
	for _, r := range roots {
		for src, err := range st.Under(r.Number) {
			if err != nil {
				a.Fatal(err)
			}
			src.Asked, src.Read = min(src.Asked, 1), min(src.Read, 1)
			src.Number = 0 // sources may be numbered in another order
			lines = append(lines, fmt.Sprintf("%+v", src))
		}
	}
	for e, err := range st.Scan(store.Pick{}) {
		if err != nil {
			a.Fatal(err)
		}
		x, err := st.Explain(e.ID)
		if err != nil {
			a.Fatal(err)
		}
		for _, m := range x.Mentions {
			m.Link = 0
			lines = append(lines, fmt.Sprintf("%s %d %+v", e.URL, e.Mentions, m))
		}
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "\n")
}

// killedNights are nights in which all happens that changes rows.
func killedNights() []func(w *world) {
	change := func(state state, numbers ...int) func(w *world) {
		return func(w *world) {
			for _, n := range numbers {
				w.pages[n].state = state
			}
		}
	}
	return []func(w *world){
		func(*world) {},
		change(missing, 1, 2, 3),
		change(gone, 4, 5),
		func(w *world) {
			change(alive, 2, 4)(w)
			change(emptied, 6)(w)
			change(broken, 7)(w)
			w.pages[8].links, w.pages[8].version, w.out[9] = []string{"http://new.example.org/"}, 77, true
		},
		func(w *world) { clear(w.out); change(alive, 6, 7)(w) },
	}
}

// marked puts a mark behind each group of items, so that each is a step.
func marked(h harvest.Harvester) harvest.Harvester {
	return tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		n, group := 0, false
		for item, err := range h.Harvest(context.Background(), known) {
			if err != nil {
				return err
			}
			if group && item.Kind != harvest.Found && item.Kind != harvest.Whole {
				if n++; !yield(harvest.Item{Kind: harvest.Marked, Mark: fmt.Append(nil, n)}) {
					return nil
				}
			}
			if !yield(item) {
				return nil
			}
			group = true
		}
		return nil
	})
}

// TestHarvestKilled ends the program behind each transaction, and goes on with the file as
// it then was: what the store holds in the end is what it holds without that.
func TestHarvestKilled(t *testing.T) {
	dir := t.TempDir()
	w, ref := newWorld(3), newArchive(t)
	kills := 0
	for night, change := range killedNights() {
		change(w)
		now := ref.now
		var copies []string
		ref.o.Progress = func(*store.Root, HarvestCounts) {
			name := filepath.Join(dir, fmt.Sprintf("%d-%d.db", night, len(copies)))
			copyStore(t, ref.st.Path(), name)
			copies = append(copies, name)
		}
		var told []harvest.Item
		ref.read(marked(w.harvester(&told)))
		want := ref.canon(ref.st)
		for k, name := range copies {
			a := &archive{T: t, now: now, root: ref.root}
			st, err := store.Open(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			a.st = st
			roots, err := st.Roots()
			if err != nil {
				t.Fatal(err)
			}
			if roots[0].Sweep != 0 {
				a.read(w.harvester(&told))
			} else if _, err := Harvest(t.Context(), st, nil, HarvestOptions{Options: Options{Now: func() time.Time { return now }}}); err != nil {
				t.Fatal(err)
			}
			a.now = ref.now
			if got := a.canon(st); got != want {
				t.Fatalf("night %d, killed behind step %d of %d:\n%s\nwant\n%s", night, k+1, len(copies), got, want)
			}
			if err := errors.Join(st.Close(), os.Remove(name)); err != nil {
				t.Fatal(err)
			}
			kills++
		}
	}
	t.Logf("%d kills", kills)
	if kills < 100 {
		t.Errorf("only %d kills", kills)
	}
}

func copyStore(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestHarvestCut ends the reading by an outage before each answer: nothing that stands is
// retired, and the run after ends as if nothing had been.
func TestHarvestCut(t *testing.T) {
	dir := t.TempDir()
	w, ref := newWorld(5), newArchive(t)
	cuts := 0
	for night, change := range killedNights() {
		change(w)
		now, before := ref.now, ref.sets()
		begun := filepath.Join(dir, "begun.db")
		copyStore(t, ref.st.Path(), begun)
		var told []harvest.Item
		ref.read(w.harvester(&told))
		want := ref.sets()
		answers := 0
		for _, item := range told {
			if item.Kind != harvest.Found && item.Kind != harvest.Whole {
				answers++
			}
		}
		for k := range answers {
			cut := filepath.Join(dir, "cut.db")
			copyStore(t, begun, cut)
			st, err := store.Open(cut, nil)
			if err != nil {
				t.Fatal(err)
			}
			a := &archive{T: t, st: st, now: now, root: ref.root}
			w.stop = k
			sum, err := a.read(w.harvester(&told))
			if err == nil || sum.Root.Sweep == 0 || sum.Gone > 0 {
				t.Errorf("night %d, cut before answer %d: %+v, %v", night, k, sum, err)
			}
			after := a.sets()
			for name := range before {
				if _, stands := after[name]; !stands {
					t.Errorf("night %d, cut before answer %d: %s is lost", night, k, name)
				}
			}
			w.stop, a.now = -1, now
			a.read(w.harvester(&told))
			if got := a.sets(); !maps.Equal(got, want) {
				t.Errorf("night %d, cut before answer %d: it ends as %v, want %v", night, k, got, want)
			}
			if err := st.Close(); err != nil {
				t.Fatal(err)
			}
			cuts++
		}
	}
	t.Logf("%d cuts", cuts)
	if cuts < 100 {
		t.Errorf("only %d cuts", cuts)
	}
}
