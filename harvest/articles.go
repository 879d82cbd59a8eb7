package harvest

import (
	"errors"
	"io"

	"linkcheck/check"
)

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
