package ingest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/harvest"
	"linkcheck/store"
)

// What was heard of a document that may be gone, as store.Source.Noted.
const (
	_           byte = iota
	notedMissed      // the server does not find it
	notedGone        // it is gone
	notedLeft        // the person's settings leave it out, or it has expired: no sign of trouble
	notedBare        // it came, and has none of its links
)

// How long after the first time a server must say again that it does not find a document, and
// that a page has no links: outages are shorter (HARVEST section 5).
const (
	missedAgain = 20 * time.Hour
	goneAgain   = 12 * time.Hour // so old is what another night said
	bareAgain   = 7*24*time.Hour - 4*time.Hour
)

// The brake: more than both, and nothing is retired (HARVEST section 5).
const (
	brakePart = 4 // of the documents one in so many
	brakeMost = 20
)

// noteGone notes a document that may be gone. One that was gone before has been asked
// again, in vain.
func (r *rootReading) noteGone(src *store.Source, kind harvest.Kind) {
	if !src.Gone.IsZero() {
		r.step.step.Failed = append(r.step.step.Failed, *src)
		return
	}
	earlier := src.Noted == notedMissed && src.Asked < r.root.Sweep && r.began.Sub(src.NotedAt) >= missedAgain
	switch {
	case kind == harvest.Left, kind == harvest.Expired:
		src.Noted = notedLeft
	case kind == harvest.Gone, earlier:
		src.Noted = notedGone
	case src.Noted != notedMissed && src.Noted != notedGone:
		src.Noted, src.NotedAt = notedMissed, r.began
	}
	if src.Noted == notedGone {
		src.NotedAt = r.o.Now()
	} else if src.NotedAt.IsZero() {
		src.NotedAt = r.began
	}
	r.noted = r.noted || src.Noted != notedMissed
	r.step.step.Noted = append(r.step.step.Noted, *src)
}

// bare says whether a page that had links and has none is doubted: an apology or a login may
// stand in its place for some nights. What comes so for a week is believed.
func (r *rootReading) bare(src *store.Source) bool {
	again := src.Noted == notedBare
	if src.Mentions == 0 || src.Options != r.fingerprint || r.o.AllowEmpty || again && src.Asked < r.root.Sweep && r.began.Sub(src.NotedAt) >= bareAgain {
		return false
	}
	if !again {
		src.Noted, src.NotedAt = notedBare, r.began
	}
	return r.given.Kind == harvest.Web || r.given.Kind == harvest.Sitemap
}

// listed retires what is noted, where the root or a part of it was listed whole.
func (r *rootReading) listed(whole bool) error {
	var gone, left []store.Source
	stood := 0 // of those that are noted as gone
	for src, err := range r.standing(r.noted) {
		switch {
		case err != nil:
			return err
		case src.Noted == notedGone:
			if stood += min(1, int(src.Read)); !r.isOld(&src) {
				gone = append(gone, src)
			}
		case src.Noted == notedLeft:
			left = append(left, src)
		}
	}
	r.sum.Err = nil
	doubted := stood > brakeMost && stood*brakePart > r.root.Documents && !r.o.AllowEmpty
	if doubted {
		r.sum.Err = fmt.Errorf("%w: %s of %s are missing at once", ErrDoubted, thousands(stood), thousands(r.root.Documents))
		gone = nil
	}
	r.root.Doubted = doubted || r.root.Doubted && !whole
	r.noted = doubted
	r.retire(append(gone, left...))
	if whole {
		r.swept()
	}
	return r.commit()
}

// standing yields the documents that are not gone, if they are wanted, behind a step.
func (r *rootReading) standing(wanted bool) iter.Seq2[store.Source, error] {
	return func(yield func(store.Source, error) bool) {
		if !wanted {
			return
		}
		if err := r.commit(); err != nil {
			yield(store.Source{}, err)
			return
		}
		for src, err := range r.st.Under(r.root.Number) {
			if (err != nil || src.Gone.IsZero()) && !yield(src, err) {
				return
			}
		}
	}
}

// swept: the sweep has ended.
func (r *rootReading) swept() {
	r.whole = true
	r.root.Sweep, r.root.First, r.root.Whole = 0, 0, r.began
	r.answered()
}

// vanished retires all, where the person says that it is so.
func (r *rootReading) vanished() error {
	var all []store.Source
	for src, err := range r.standing(true) {
		if err != nil {
			return err
		}
		all = append(all, src)
	}
	r.retire(all)
	r.root.Doubted = false
	r.swept()
	return r.commit()
}

func (r *rootReading) retire(list []store.Source) {
	for i := range list {
		r.sum.Known--
		if list[i].Read == 0 {
			continue
		}
		r.root.Documents--
		if r.root.First != 0 && list[i].Number >= r.root.First { // it was another document all along
			r.root.New = max(0, r.root.New-1)
			continue
		}
		r.root.Gone++
		r.sum.Gone++
	}
	r.step.step.Gone = list
}

// end keeps how the reading ended: err is that of the harvester.
func (r *rootReading) end(ctx context.Context, err error) error {
	stop, stopped := errors.AsType[*harvest.Stop](err)
	switch {
	case err == nil:
		r.answered()
	case stopped && stop.SaysAllGone() && r.o.AllowEmpty:
		return r.vanished()
	case stopped:
		r.failing(err)
		r.root.Doubted = r.root.Doubted || stop.SaysAllGone() && r.root.Documents > 0
		r.state = shownText(r.stopped(stop))
	case ctx.Err() != nil:
		return errors.Join(r.commit(), ctx.Err())
	default:
		r.failing(err)
		r.state = shownText(err.Error())
	}
	return r.commit()
}

// answered: the root could be read, be it that not all is done.
func (r *rootReading) answered() {
	r.root.Failing, r.root.Tries = time.Time{}, 0
	switch {
	case r.sum.Err != nil:
		r.state = r.sum.Err.Error()
	case r.whole:
		r.state = "whole"
		if slices.ContainsFunc(r.root.Notes, func(note string) bool { return strings.HasPrefix(note, "held back") }) {
			r.state += " but for what is held back (a root of its own reads it)"
		}
	}
}

func (r *rootReading) failing(err error) {
	r.sum.Err = err
	if r.root.Tries++; r.root.Failing.IsZero() {
		r.root.Failing = r.began
	}
}

// stopped says why a reading is not whole (HARVEST section 11).
func (r *rootReading) stopped(stop *harvest.Stop) string {
	switch stop.Why {
	case harvest.Outage:
		state := stop.Why.String()
		if nights := 1 + int(r.began.Sub(r.root.Failing).Round(24*time.Hour)/(24*time.Hour)); nights > 1 {
			state += fmt.Sprintf(" for %d nights", nights)
		}
		return state + " (" + stop.Text + ")"
	case harvest.Resting:
		if !stop.Until.IsZero() {
			return "resting until " + stop.Until.UTC().Format("2006-01-02 15:04") + " UTC"
		}
	case harvest.Vanished:
		if r.root.Documents == 0 {
			break
		}
		return "doubted: the root itself is not found"
	case harvest.Incomplete:
		return stop.Text
	case harvest.Emptied:
		return "doubted: " + stop.Text
	}
	return stop.Error()
}

// sentence says how it stands with the root, and adds what single documents answered.
func (r *rootReading) sentence() string {
	state := r.state
	if state == "" {
		state = fmt.Sprintf("under way, %s of about %s", thousands(r.sum.Asked), thousands(r.sum.Known))
	}
	parts := []string{state}
	for _, c := range []struct {
		n    int
		what string
	}{{r.root.Refused, "refused"}, {r.root.Failed, "not read"}, {r.root.Empty, "empty, doubted"}} {
		if c.n > 0 {
			parts = append(parts, thousands(c.n)+" "+c.what)
		}
	}
	return strings.Join(append(parts, brief(r.root.Notes)...), "; ")
}

const briefNotes, briefOctets = 3, 120 // in a sentence: standard error has all

// brief leaves of notes the first ones, and of those that say what is held back one.
func brief(notes []string) (list []string) {
	held, more := 0, 0
	for _, note := range notes {
		isHeld := strings.HasPrefix(note, "held back")
		if isHeld {
			held++
		}
		switch {
		case isHeld && held > 1:
		case len(list) == briefNotes:
			more++
		case len(note) > briefOctets:
			list = append(list, strings.ToValidUTF8(note[:briefOctets], "")+"...")
		default:
			list = append(list, note)
		}
	}
	if held > 1 {
		list = append(list, fmt.Sprintf("held back at %d more", held-1))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more notes", more))
	}
	return list
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
