package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// Newsgroups over 60 nights in which articles come, are crossposted, cancelled and expire,
// groups are numbered anew, refused and vanish, and connections break: no article that the
// server has is retired, none is asked for twice in a night, and of the commands no more
// than 2 % are needless (newsWorld says which are).
func TestSixtyNightsOfNews(t *testing.T) {
	for name, w := range map[string]*newsWorld{
		"OVER":                         {knows: "OVER XOVER HDR"},
		"XOVER, counts that are wrong": {knows: "XOVER XHDR", marks: func(_, low, high uint64) (uint64, uint64, uint64) { return 0, low, high }},
		"HDR, marks that are too wide": {knows: "HDR", marks: func(count, low, high uint64) (uint64, uint64, uint64) {
			return count + 7, 1, high + 20
		}},
		"LISTGROUP and STAT":      {ranges: true},
		"LISTGROUP of RFC 977":    {noStat: true},
		"STAT has no message-ids": {noIDs: true, ranges: true},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "OVER" && name != "LISTGROUP of RFC 977" {
				t.Skip("takes some seconds")
			}
			t.Parallel()
			sixtyNights(t, w)
		})
	}
}

func sixtyNights(t *testing.T, w *newsWorld) {
	w.groups, w.refuses, w.had, w.needless = map[string]*newsGroup{}, map[string]string{}, map[string]bool{}, map[string]int{}
	l := newLibrary(t, nil)
	l.serve(func(at net.Listener) error { return lab.Serve(at, w.talk) }, "news.mill-library.org:119")
	c := &newsChanges{w: w, random: rand.New(rand.NewPCG(1, 2)), born: map[string]int{}}
	stood := map[string]bool{}
	for night := range 60 {
		w.change(func() { c.change(night) })
		s := l.readRoot(float64(night), "news://news.mill-library.org/mill.*")
		if s.code != exit.OK && s.code != exit.Partial {
			t.Errorf("night %d: %+v", night, s)
		}
		stands := l.articles()
		for id := range w.lives() {
			switch {
			case stands[id]:
			case stood[id]:
				t.Errorf("night %d: %s is retired, and the server has it\n%s", night, id, s.out)
			case !c.trouble:
				t.Errorf("night %d: %s is not read\n%s", night, id, s.out)
			}
		}
		stood = stands
	}
	if w.marks != nil { // what expired is doubted where its numbers are not said to be gone
		w.change(func() { w.dusk(60) })
		l.readRoot(60, "news://news.mill-library.org/mill.*", "--allow-empty")
		stood = l.articles()
	}
	want, got := slices.Sorted(maps.Keys(w.lives())), slices.Sorted(maps.Keys(stood))
	if !slices.Equal(got, want) {
		t.Errorf("in the end %d stand, of %d:\n%v\n%v", len(got), len(want), got, want)
	}
	needless := 0
	for _, n := range w.needless {
		needless += n
	}
	t.Logf("%d commands, %d needless: %v", w.commands, needless, w.needless)
	if 50*needless > w.commands || len(w.twice) > 0 {
		t.Errorf("%d of %d commands are needless: %v; twice: %q", needless, w.commands, w.needless, w.twice)
	}
}

// articles are those that stand, by the links in them.
func (l *library) articles() map[string]bool {
	all := map[string]bool{}
	for link := range l.links() {
		all[strings.TrimPrefix(link, "mailto:")] = true
	}
	return all
}

// newsChanges is what becomes of a newsWorld from night to night.
type newsChanges struct {
	w      *newsWorld
	random *rand.Rand
	born   map[string]int // articles by the night in which they came
	hidden *newsGroup

	trouble bool // this night not all can be read
}

func (c *newsChanges) change(night int) {
	c.w.dusk(night)
	c.w.breaks, c.w.greets = "", ""
	clear(c.w.refuses)
	if c.hidden != nil {
		c.w.groups["mill.maps"], c.hidden = c.hidden, nil
	}
	if night < 50 {
		c.articles(night)
	}
	c.trouble = true
	switch night {
	default:
		c.trouble = false
	case 12, 38:
		c.w.groups["mill.talk"].renumber()
		c.trouble = false
	case 20, 21, 22, 23:
		c.w.refuses["mill.maps"] = "480 no"
	case 41, 42:
		c.w.refuses["mill.work"] = "502 no"
	case 26, 27, 28:
		c.hidden = c.w.groups["mill.maps"]
		delete(c.w.groups, "mill.maps")
	case 30:
		c.w.greets = "400 back soon"
	case 31:
		c.w.greets = "502 no"
	case 5, 14, 35, 44:
		c.w.breaks = "ARTICLE"
	case 7, 9, 36:
		c.w.breaks = "list"
	}
}

// articles come and go.
func (c *newsChanges) articles(night int) {
	groups := []string{"mill.talk", "mill.maps", "mill.work"}
	if g := c.w.groups["mill.work"]; g != nil && (night == 1 || night == 15) {
		g.high += 3000
	}
	many := 5
	if night == 0 {
		many = 60
	}
	for range c.random.IntN(many) + many/2 {
		id := fmt.Sprintf("%d-%d@mill.test", night, len(c.born))
		c.born[id] = night
		at := c.random.IntN(3)
		c.w.post(groups[at], id)
		if c.random.IntN(5) == 0 {
			c.w.post(groups[(at+1)%3], id)
		}
	}
	cancelled := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(c.born)) {
		n := c.born[id]
		if c.random.IntN(200) == 0 || night-n > 40 {
			cancelled[id] = true
		}
	}
	for _, g := range c.w.groups {
		g.drop(func(id string) bool { return cancelled[id] })
	}
	if ids := c.w.groups["mill.talk"].ids; night > 0 { // one copy alone of an article goes
		for _, n := range slices.Sorted(maps.Keys(ids))[:1] {
			delete(ids, n)
		}
	}
}
