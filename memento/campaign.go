package memento

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"linkcheck/store"
	"linkcheck/store/archived"
)

// Campaign asks archives about links, the first one first: whoever has a copy is believed, and
// the next is not asked.
type Campaign struct {
	Store    *store.Store
	Client   *Client // of all archives
	Archives []Archive
	Look     Looker // nil: copies are not looked at
	Limit    int    // links that are asked about; 0: all
	Now      func() time.Time
	Told     func(Sum)           // of each link that is done; nil: nobody
	Warn     func(string, error) // of an archive that fails; nil: nobody

	sum    Sum
	ended  map[Archive]bool // not asked any more
	failed map[Archive]int  // questions in succession

	unanswered bool // a question
}

const (
	mostLooks    = 5 // copies of one archive that are looked at for one day
	mostFailures = 5 // questions in succession without an answer after which an archive is left alone
)

// errUnanswered: an archive did not answer; the question is asked again next time.
var errUnanswered = errors.New("not asked")

// Run asks about the links. The sum is right also where it ends with an error, such as that of
// a context: what was learned until then is kept.
func (c *Campaign) Run(ctx context.Context, jobs []Job) (Sum, error) {
	c.sum.Links, c.ended, c.failed = len(jobs), map[Archive]bool{}, map[Archive]int{}
	for _, a := range c.Archives {
		until, rests := archived.Rest(c.Store, a.Name(), c.Now())
		if rests {
			c.end(a, fmt.Errorf("asked to be left alone until %s", until.UTC().Format(time.RFC3339)))
		}
	}
	for i, j := range jobs {
		if err := c.job(ctx, j); err != nil {
			c.sum.Left += len(jobs) - i
			return c.sum, err
		}
		if c.Told != nil {
			c.Told(c.sum)
		}
	}
	return c.sum, nil
}

// Unanswered says whether an archive failed or was left alone: what is left may have copies.
func (c *Campaign) Unanswered() bool { return c.unanswered }

// job asks about one link. Its error ends the campaign.
func (c *Campaign) job(ctx context.Context, j Job) error {
	e, err := c.Store.Entry(j.Link, 1)
	if err != nil {
		return err
	}
	q := &questions{Campaign: c, link: &e.Link, Job: j, answers: make([]*archived.Answer, len(j.Days))}
	missing := q.recall()
	switch {
	case missing && (c.Limit > 0 && c.sum.Asked+c.sum.Left >= c.Limit || len(c.ended) == len(c.Archives)):
		c.sum.Left++
		return nil
	case missing:
		if err := q.ask(ctx); errors.Is(err, errUnanswered) {
			c.sum.Left++
			return nil
		} else if err != nil {
			return err
		}
		c.sum.Asked++
	default:
		c.sum.Known++
	}
	has, lost := false, false
	for _, a := range q.answers {
		has, lost = has || a.Copy != "", lost || a.Lost != ""
	}
	switch {
	case has:
		c.sum.Copies++
	case lost:
		c.sum.Lost++
		fallthrough
	default:
		c.sum.None++
	}
	return nil
}

// questions are those about one link.
type questions struct {
	*Campaign
	Job
	link    *store.Link
	answers []*archived.Answer // by day; nil: not known
}

// recall fills in the answers that hold, and says whether others are missing. That there is
// no copy holds for any day.
func (q *questions) recall() (missing bool) {
	undated, ok := archived.Get(q.Store, q.Page, "")
	none := ok && undated.Holds(q.Now()) && undated.Copy == ""
	for i, day := range q.Days {
		a, ok := archived.Get(q.Store, q.Page, day.Name)
		switch {
		case ok && a.Holds(q.Now()):
			q.answers[i] = &a
		case none:
			q.answers[i] = &undated
		default:
			missing = true
		}
	}
	return missing
}

// ask asks about the first day and the last, then about those between: where the same copy is
// the nearest to two days, it is that to all between them.
func (q *questions) ask(ctx context.Context) error {
	last := len(q.Days) - 1
	if err := q.day(ctx, 0); err != nil {
		return err
	}
	if q.answers[0].Copy == "" { // there is none for any day
		return q.spread(0, last+1)
	}
	if err := q.day(ctx, last); err != nil {
		return err
	}
	return q.between(ctx, 0, last)
}

func (q *questions) between(ctx context.Context, from, to int) error {
	if to-from < 2 {
		return nil
	}
	if q.answers[from].Copy == q.answers[to].Copy {
		return q.spread(from, to)
	}
	mid := (from + to) / 2
	if err := q.day(ctx, mid); err != nil {
		return err
	}
	if err := q.between(ctx, from, mid); err != nil {
		return err
	}
	return q.between(ctx, mid, to)
}

// spread keeps the answer for a day for those behind it too, up to another one.
func (q *questions) spread(from, to int) error {
	var names []string
	for i := from + 1; i < to; i++ {
		if q.answers[i] == nil {
			q.answers[i] = q.answers[from]
			names = append(names, q.Days[i].Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return archived.Put(q.Store, q.Page, *q.answers[from], names...)
}

// day asks for the copy nearest to a day, unless it is known, and keeps the answer.
func (q *questions) day(ctx context.Context, i int) error {
	if q.answers[i] != nil {
		return nil
	}
	a, err := q.find(ctx, q.Days[i].At)
	if err != nil {
		return err
	}
	a.At = q.Now().UTC()
	if before, ok := archived.Get(q.Store, q.Page, q.Days[i].Name); ok && a.Copy == "" {
		if a.Lost = before.Copy; a.Lost == "" {
			a.Lost = before.Lost
		}
	}
	q.answers[i] = &a
	return archived.Put(q.Store, q.Page, a, q.Days[i].Name)
}

// find asks one archive after the other. Where one of them did not answer, that none of the others has a
// copy is no answer.
func (q *questions) find(ctx context.Context, at time.Time) (archived.Answer, error) {
	unanswered := false
	if now := q.Now(); at.After(now) {
		at = now
	}
	for _, a := range q.Archives {
		if q.ended[a] {
			unanswered = true
			continue
		}
		found, err := q.findIn(ctx, a, at)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil {
			unanswered = true
			if err := q.failure(a, err); err != nil {
				return found, err
			}
			continue
		}
		q.failed[a] = 0
		if found.Copy != "" {
			return found, nil
		}
	}
	if unanswered {
		return archived.Answer{}, errUnanswered
	}
	return archived.Answer{}, nil
}

// findIn gives the nearest copy of one archive that is one.
func (q *questions) findIn(ctx context.Context, a Archive, at time.Time) (archived.Answer, error) {
	looks := 0
	for copied, err := range a.Near(ctx, q.Page, at) {
		if err != nil {
			return archived.Answer{}, err
		}
		good, err := q.good(ctx, copied, q.link)
		if err != nil {
			return archived.Answer{}, err
		}
		if good {
			return archived.Answer{Copy: copied.URL, Made: copied.Made, Archive: a.Name(), Local: copied.Local}, nil
		}
		if looks++; looks == mostLooks {
			break
		}
	}
	return archived.Answer{}, nil
}

// failure notes that an archive did not answer.
func (c *Campaign) failure(a Archive, why error) error {
	c.unanswered = true
	c.failed[a]++
	busy, isBusy := errors.AsType[*BusyError](why)
	if !isBusy && c.failed[a] < mostFailures {
		if c.failed[a] == 1 {
			c.warn(a, why)
		}
		return nil
	}
	c.end(a, why)
	if isBusy && !busy.Until.IsZero() {
		return archived.SetRest(c.Store, a.Name(), busy.Until)
	}
	return nil
}

// end has an archive not asked any more in this campaign.
func (c *Campaign) end(a Archive, why error) {
	c.ended[a], c.unanswered = true, true
	c.warn(a, fmt.Errorf("%w; it is not asked any more", why))
}

func (c *Campaign) warn(a Archive, why error) {
	if c.Warn != nil {
		c.Warn(a.Name(), errors.New(strings.TrimPrefix(why.Error(), "memento: ")))
	}
}
