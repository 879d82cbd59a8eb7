package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
)

const (
	maxArticles   = 1_000_000          // of a root in all, where the operator says nothing
	articlesALook = 1000               // numbers of a group that are looked at together
	emptyLooks    = 3                  // one after the other, and the rest is looked at together
	lookAtAll     = 7 * 24 * time.Hour // between two looks at all numbers of a group
	oftenTorn     = 3                  // times that an article breaks off: then it is asked for where all is looked at
	looksSlack    = 4 * time.Hour      // a run that begins each night does not begin at the same second
)

// NewRoll is the harvester of newsgroups. Articles are found by the overviews of their
// groups and do not change: each is read once. Once a week all that a group still has is
// looked at, and what is no longer in any is gone.
func NewRoll(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &roll{root, r, o}
}

// roll is the harvester of the groups of one root.
type roll struct {
	root   Root
	reader check.Reader
	Options
}

// Harvest implements Harvester.
func (w *roll) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := &rolling{run: run{w.root, w.reader, w.Options, ctx, known, yield, health{}}, seed: maphash.MakeSeed(), seen: set{}, present: set{}, low: map[string]uint64{}, places: map[uint64]string{}, left: map[string]int{}}
		if err := r.inOrder(); err != nil && !errors.Is(err, errEnded) {
			yield(Item{}, err)
		}
	}
}

// rolling is one run of a roll.
type rolling struct {
	run
	seed     maphash.Seed
	mark     rollMark
	due      bool              // all groups are looked at whole
	seen     set               // articles that are known or found
	present  set               // articles that groups have, of those that were looked at whole
	numbers  map[uint64]uint64 // articles by their places, where lists have numbers alone
	places   map[uint64]string // places of articles, where they changed
	left     map[string]int    // how many articles a group still has, of those groups that were looked at whole
	count    int               // documents that are known or found: those of the bound
	low      map[string]uint64 // first numbers of groups that were looked at
	looked   int               // groups whose numbers were looked at
	broken   int               // groups whose list is not whole
	absent   int               // groups that are not there
	answered bool              // all groups that there were are there, and were looked at
	full     bool              // the bound of documents is reached
	waiting  queue             // articles that are to be asked for
}

// rollMark is how far groups were read.
type rollMark struct {
	Groups map[string]groupMark `json:"groups"`
	Whole  time.Time            `json:"whole"`          // since when all groups are looked at whole again
	Torn   map[string]int       `json:"torn,omitempty"` // articles that broke off, and how often
}

// groupMark is how far one group was read.
type groupMark struct {
	High  uint64    `json:"high"`          // the last number, by the server
	Last  uint64    `json:"last"`          // the last that was listed
	Sure  uint64    `json:"sure"`          // the last when all numbers were
	Whole time.Time `json:"whole"`         // when all numbers were
	IDs   bool      `json:"ids,omitempty"` // articles had their Message-IDs in its list
}

// inOrder is the order of a run: what is known, what the groups have, what is gone, and
// the articles that were never read.
func (r *rolling) inOrder() error {
	if err := json.Unmarshal(r.known.Mark(), &r.mark); err != nil || r.mark.Groups == nil {
		r.mark = rollMark{Groups: map[string]groupMark{}}
	}
	r.due = r.Now().Sub(r.mark.Whole) >= lookAtAll-looksSlack
	var torn []place
	for d := range r.known.Documents() {
		if d.Gone {
			continue
		}
		r.count++
		r.seen.add(r.key(d.Name))
		again := d.Read && d.Version == "" // in another way: its places are to be seen
		r.due = r.due || again
		switch p := (place{name: d.Name, words: d.Version}); {
		case d.Asked || d.Read && !again:
		case r.mark.Torn[d.Name] >= oftenTorn:
			torn = append(torn, p)
		default:
			r.waiting.push(p)
		}
	}
	if r.due {
		r.mark.Whole = r.Now()
		for _, p := range torn {
			r.waiting.push(p)
		}
	}
	groups, err := r.groups()
	if err != nil {
		return err
	}
	refused := 0
	for _, g := range groups {
		ok, err := r.group(g)
		if err != nil {
			return err
		}
		if !ok {
			refused++
		}
	}
	if r.absent > 0 && r.absent == len(groups) && r.waiting.parts == nil {
		return &Stop{Why: Vanished, Text: "no group is there"}
	}
	if refused > 0 && refused == len(groups) && r.waiting.parts == nil {
		return &Stop{Why: Refused, Text: "no group can be read"}
	}
	if r.broken > 0 && r.broken+refused == len(groups) && r.waiting.parts == nil {
		return &Stop{Why: Broken, Text: "no list of articles came whole"}
	}
	if err := r.tellGone(groups); err != nil {
		return err
	}
	if err := r.articles(); err != nil {
		return err
	}
	return r.tell(Item{Kind: Whole})
}

// group finds the articles of a group that are new, or once a week all. It says whether
// the group can be read.
func (r *rolling) group(name string) (ok bool, err error) {
	g, knew := r.mark.Groups[name]
	before := g
	whole := g.Whole.Before(r.mark.Whole)
	after := g.Last
	if whole {
		after, g.Last = 0, 0
	}
	articles, empty, garbled := 0, 0, error(nil) // empty: looks without an article, one after the other
	for {
		most := articlesALook
		if empty >= emptyLooks {
			most = 0 // all that is behind
		}
		l, err := r.look(name, after, most, whole, &g)
		switch {
		case err != nil:
			return false, err
		case !l.answered:
			return false, r.groupFails(name, knew, &l.res)
		case l.broken != nil && check.Classify(l.broken).Reason == check.ReasonGarbled: // a line of it: it will be there again
			garbled = l.broken
		case l.broken != nil:
			r.broken++
			return true, r.listFails(name, l.broken)
		case l.high < g.High && !whole: // its numbers begin anew
			whole, after, articles, g.Last = true, 0, 0, 0
			continue
		}
		if articles += l.articles; l.articles == 0 {
			empty++
		} else {
			empty = 0
		}
		r.low[name] = l.low
		if after = l.behind(after, most); !l.more && (most == 0 || after >= l.high) {
			g.High = l.high
			break
		}
	}
	r.looked++
	if whole {
		g.Whole, g.Sure = r.Now(), g.Last
	}
	if garbled != nil {
		if err := r.listFails(name, garbled); err != nil {
			return true, err
		}
	} else if whole {
		r.left[name] = articles
	}
	if g == before {
		return true, nil
	}
	r.mark.Groups[name] = g
	return true, r.tellMark()
}

// listFails tells of a list that is not whole.
func (r *rolling) listFails(group string, err error) error {
	return r.tell(Item{Kind: Note, Note: fmt.Sprintf("the list of %s: %.200s", group, err)})
}

// groupFails tells of a group that cannot be read.
func (r *rolling) groupFails(name string, knew bool, res *check.Result) error {
	text := "%s cannot be read: %s"
	if res.Outcome == check.Gone {
		r.absent++
	}
	switch {
	case isResting(res):
		return r.resting(res)
	case isDown(res):
		return &Stop{Why: Outage, Text: words(res)}
	case res.Outcome == check.Gone && knew:
		text = "doubted: %s is not there: %s"
	}
	return r.tell(Item{Kind: Note, Note: fmt.Sprintf(text, name, words(res))})
}

// tellGone tells which articles are in no group any more, of those groups of which all
// numbers were looked at. Where that is not all groups, the article may be in another, and
// is asked for. A group that had articles and is empty is doubted.
func (r *rolling) tellGone(groups []string) error {
	if r.full {
		if err := r.tell(Item{Kind: Note, Note: fmt.Sprintf("%d documents are the bound", r.count)}); err != nil {
			return err
		}
	}
	if len(r.left) == 0 {
		return nil
	}
	all := len(r.left) == len(groups)
	r.answered = r.looked == len(groups)
	for g := range r.mark.Groups {
		if _, there := slices.BinarySearch(groups, g); !there { // it may come back
			all, r.answered = false, false
		}
	}
	doubted := map[string]int{} // articles of groups that are empty
	for d := range r.known.Documents() {
		if !d.Read || d.Gone || d.Asked {
			continue
		}
		group, _, _ := strings.Cut(d.Version, " ")
		_, looked := r.left[group]
		emptied := r.emptied(&d)
		var err error
		switch key := r.key(d.Name); {
		case r.present.has(key) && d.Version != "":
			err = r.tell(Item{Kind: Same, Doc: Document{Name: d.Name, Version: r.places[key]}})
		case r.present.has(key), !looked && strings.Contains(d.Version, " "):
		case emptied != "":
			doubted[emptied]++
		case all && d.Version != noPlace:
			err = r.tell(r.unlisted(&d))
		case looked, all: // where no place of it is known, that may be in a group whose list is empty by a fault
			r.waiting.push(place{name: d.Name, words: d.Version, listed: true})
		}
		if err != nil {
			return err
		}
	}
	for _, group := range slices.Sorted(maps.Keys(doubted)) {
		if err := r.tell(Item{Kind: Note, Note: fmt.Sprintf("doubted: %s is empty, and had %s", group, number(doubted[group], "article"))}); err != nil {
			return err
		}
	}
	return nil
}

// emptied is a group that had an article and is empty; "": none is.
func (r *rolling) emptied(d *Document) string {
	for group := range placesOf(d.Version) {
		if left, looked := r.left[group]; looked && left == 0 {
			return group
		}
	}
	return ""
}
