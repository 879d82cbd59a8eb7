package harvest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
	articles  int
	broken    error // the list is not whole
}

// look finds the articles behind a number. A list of numbers alone, of a group whose
// articles have Message-IDs, comes of a server that has lost its overview for a while: it
// would make another document of each article.
func (r *rolling) look(group string, after uint64, most int, g *groupMark) (l look, err error) {
	var numbers []string // articles without Message-ID
	ids := 0
	server, _ := groupOf(r.root.URI)
	wanted := check.Wanted{After: strconv.FormatUint(after, 10), Most: most}
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
			if strings.HasPrefix(e.Name, "nntp") {
				numbers = append(numbers, e.Name)
				continue
			}
			ids++
			if err := r.article(group, e.Name); err != nil {
				return err
			}
		}
		if g.IDs = g.IDs || ids > 0; g.IDs && ids == 0 && len(numbers) > 0 {
			l.broken = errors.New("it has numbers in place of Message-IDs")
			return nil
		}
		for _, name := range numbers {
			if err := r.article(group, name); err != nil {
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

// articles asks for those that were never read.
func (r *rolling) articles() error {
	for {
		p, ok := r.waiting.pop()
		if !ok {
			return r.health.tellHeld(r.tell)
		}
		if err := r.ask(p); err != nil {
			return err
		}
	}
}

// ask asks for an article.
func (r *rolling) ask(p place) error {
	d := Document{Name: p.name, Version: p.words}
	taken := false
	res, err := r.read(p.name, check.Wanted{}, func(a *check.Answer) error {
		if taken = true; a.Body == nil {
			return errors.New("a list in place of an article")
		}
		if err := r.health.up(r.tell); err != nil {
			return err
		}
		d.Media = a.Media
		body := a.Body
		if a.Cut {
			body = io.MultiReader(body, failing{errCut})
		}
		return r.tell(Item{Kind: Read, Doc: d, Body: body})
	})
	item := Item{Kind: Failed, Doc: Document{Name: p.name}, Heard: res}
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		return err
	case taken:
		item.Kind = Heard
		return r.tell(item)
	case isResting(&res):
		return r.resting(&res)
	case res.Outcome == check.Gone:
		item.Kind = Missed
	default:
		item.Note = words(&res)
	}
	if item.Kind == Failed && isDown(&res) {
		return r.health.down(item)
	}
	if err := r.health.up(r.tell); err != nil {
		return err
	}
	return r.tell(item)
}
