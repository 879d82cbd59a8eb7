package harvest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linkcheck/check"
)

// groups are the names of the groups of the root, sorted. Those of a pattern (RFC 3977
// section 4) are asked for.
func (r *rolling) groups() (names []string, err error) {
	server, pattern := groupOf(r.root.URI)
	if pattern == "" {
		pattern = strings.Join(r.root.Groups, ",")
	}
	if pattern != "" && !strings.ContainsAny(pattern, "*?!,[") {
		return []string{pattern}, nil
	}
	var broken error
	taken := false
	res, err := r.read(server+pattern, check.Wanted{}, func(a *check.Answer) error {
		taken = true
		if a.Entries == nil {
			broken = errors.New("it is none")
			return nil
		}
		for e, err := range a.Entries {
			if err != nil {
				broken = err
				return nil
			}
			if _, name := groupOf(e.Name); e.Folder && name != "" {
				names = append(names, name)
			}
		}
		return nil
	})
	var away *check.Elsewhere
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case errors.As(err, &away):
		return nil, &Stop{Why: Moved, Text: away.Error()}
	case err != nil:
		return nil, err
	case broken != nil:
		return nil, &Stop{Why: Broken, Text: "the list of groups: " + broken.Error()}
	case !taken && isResting(&res):
		return nil, r.resting(&res)
	case !taken && res.Outcome == check.Gone:
		return nil, &Stop{Why: Vanished, Text: words(&res)}
	case !taken:
		return nil, cmp.Or(rootStop(&res), error(&Stop{Why: NotThis, Text: words(&res)}))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// groupOf takes the URI of a group apart.
func groupOf(address string) (server, group string) {
	scheme, rest, _ := strings.Cut(address, "://")
	host, group, _ := strings.Cut(rest, "/")
	return scheme + "://" + host + "/", group
}

// look is what a look at some numbers of a group brought.
type look struct {
	res       check.Result
	answered  bool
	low, high uint64 // of the group
	last      uint64 // number that was named
	more      bool   // there are more behind it
	articles  int
	broken    error // the list is not whole
}

// behind is the last number that was looked at, where so many were wanted behind another.
func (l *look) behind(after uint64, most int) uint64 {
	if l.more {
		return max(after+1, l.last)
	}
	return max(after, l.low-min(l.low, 1)) + uint64(most)
}

// look finds the articles behind a number. A list of numbers alone, of a group whose
// articles have Message-IDs, comes of a server that has lost its overview for a while: it
// would make another document of each article.
//
// Where a server knows no other list, the Message-IDs are asked for one by one: not those
// of numbers that are known, for which the articles keep their places.
func (r *rolling) look(group string, after uint64, most int, whole bool, g *groupMark) (l look, err error) {
	var numbers []check.Entry // articles without Message-ID
	ids := 0
	server, _ := groupOf(r.root.URI)
	wanted := check.Wanted{After: strconv.FormatUint(after, 10), Most: most, SameTo: g.Sure, Same: func(number, name string) bool {
		article, known := r.byNumber(group, number)
		return known && (name == "" || article == r.key(name))
	}}
	if !whole {
		wanted.Version = fmt.Sprintf("0 0 %d", g.High)
	}
	l.res, err = r.read(server+group, wanted, func(a *check.Answer) error {
		l.answered = true
		if _, err := fmt.Sscanf(a.Version, "%d %d %d", new(uint64), &l.low, &l.high); err != nil || a.Entries == nil {
			l.broken = errors.New("it is none")
			return nil
		}
		for e, err := range a.Entries {
			if err != nil {
				l.broken = err
				return nil
			}
			l.articles++
			l.last, _ = strconv.ParseUint(e.Version, 10, 64)
			g.Last = max(g.Last, l.last)
			if strings.HasPrefix(e.Name, "nntp") {
				if article, known := r.numbers[r.key(group+" "+e.Version)]; known {
					r.present.add(article)
					ids++
				} else {
					numbers = append(numbers, e)
				}
				continue
			}
			ids++
			if err := r.article(group, e); err != nil {
				return err
			}
		}
		l.more = a.Cut
		if g.IDs = g.IDs || ids > 0; g.IDs && ids == 0 && len(numbers) > 0 {
			l.broken = errors.New("it has numbers in place of Message-IDs")
			return nil
		}
		for _, e := range numbers {
			if err := r.article(group, e); err != nil {
				return err
			}
		}
		return nil
	})
	if r.ctx.Err() != nil {
		err = r.ctx.Err()
	}
	return l, err
}

// article finds an article, which may be in several groups. One that was gone and is there
// is asked for again.
func (r *rolling) article(group string, e check.Entry) error {
	at, name := group+" "+e.Version, e.Name
	key := r.key(name)
	r.present.add(key)
	if !r.seen.add(key) {
		r.stands(group, e)
		return nil
	}
	d, known := r.known.Document(name)
	switch {
	case known && (d.Asked || !d.Gone):
		return nil
	case !known && r.count >= cmp.Or(max(r.root.Documents, 0), maxArticles):
		r.full = true
		return nil
	}
	r.waiting.push(place{name: name, words: at})
	if known {
		return nil
	}
	r.count++
	return r.tell(Item{Kind: Found, Doc: Document{Name: name, Version: at}})
}

// byNumber is the article that is known at a place. They are gathered where a server has
// numbers alone.
func (r *rolling) byNumber(group, number string) (article uint64, known bool) {
	if r.numbers == nil {
		r.numbers = map[uint64]uint64{}
		for d := range r.known.Documents() {
			if d.Gone {
				continue
			}
			for group, number := range placesOf(d.Version) {
				r.numbers[r.key(group+" "+number)] = r.key(d.Name)
			}
		}
	}
	article, known = r.numbers[r.key(group+" "+number)]
	return article, known
}

// stands keeps the place at which an article that is known stands too, or stands now.
func (r *rolling) stands(group string, e check.Entry) {
	key := r.key(e.Name)
	before, changed := r.places[key]
	if !changed {
		d, _ := r.known.Document(e.Name)
		before = d.Version
	}
	if after := withPlace(before, group, e.Version); after != before {
		r.places[key] = after
	}
}
