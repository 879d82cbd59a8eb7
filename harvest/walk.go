package harvest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"linkcheck/check"
	"linkcheck/internal/robots"
)

// Options is what a harvester is made with.
type Options struct {
	Now func() time.Time // nil: time.Now
}

// NewWalk is the harvester of a web site, or of what its sitemaps list. It asks for
// robots.txt, for sitemaps, for the root, for what is known, those first that were asked
// for longest ago, and for what is found, by depth.
func NewWalk(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &walk{root, r, o}
}

type walk struct {
	root   Root
	reader check.Reader
	Options
}

// errEnded says that the caller of a harvest has ended it.
var errEnded = errors.New("the caller has ended the harvest")

// sitemapsRead is the mark of a sweep that goes on: what sitemaps name is known.
const sitemapsRead = "sitemaps"

// Harvest implements Harvester.
func (w *walk) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		s, err := newScope(w.root)
		if err == nil {
			r := &reading{run: run{w.root, w.reader, w.Options, ctx, known, yield, health{}}, frontier: newFrontier(s)}
			err = r.inOrder()
		}
		if err != nil && !errors.Is(err, errEnded) {
			yield(Item{}, err)
		}
	}
}

// reading is one run of a walk.
type reading struct {
	run
	*frontier

	notes  []string        // to be told between two documents
	held   map[string]bool // what was noted of addresses that are not followed
	failed map[uint64]bool // names that were asked for in this run and did not come
}

// inOrder is the walk in its order.
func (r *reading) inOrder() error {
	r.held, r.failed = map[string]bool{}, map[uint64]bool{}
	maps, err := r.robots()
	if err != nil {
		return err
	}
	if err := r.load(); err != nil {
		return err
	}
	steps := []func() error{func() error { return r.sitemaps(maps) }, r.askRoot, r.askAll}
	if r.root.Kind == Sitemap {
		steps = []func() error{func() error { return r.sitemaps([]string{r.root.Address()}) }, r.askAll}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
		if err := r.tellNotes(); err != nil {
			return err
		}
	}
	if err := r.health.tellHeld(r.tell); err != nil {
		return err
	}
	return r.tell(Item{Kind: Whole, Mark: []byte{}})
}

// robots asks for robots.txt, and gives the sitemaps that it names. The reader heeds its
// rules by itself. Where it cannot be had nothing else is asked (RFC 9309 section 2.3.1.4).
func (r *reading) robots() (sitemaps []string, err error) {
	var at string
	res, err := r.read(r.scope.site()+"/robots.txt", check.Wanted{MaxBytes: robots.MaxFile, Strict: true}, func(a *check.Answer) error {
		at = a.URI.String()
		text, err := io.ReadAll(a.Body)
		sitemaps = robots.Parse(string(text), "").Sitemaps
		return err
	})
	var away *check.Elsewhere
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case errors.As(err, &away):
	case err != nil:
		return nil, &Stop{Why: Outage, Text: "robots.txt: " + err.Error()}
	case isResting(&res):
		return nil, r.resting(&res)
	case isDown(&res):
		return nil, &Stop{Why: Outage, Text: "robots.txt: " + words(&res)}
	case isLeftOut(&res):
		return nil, &Stop{Why: Refused, Text: words(&res)}
	}
	r.scope.settle(cmp.Or(at, res.FinalURL))
	if other := r.scope.otherScheme(); other != nil {
		name, _ := other.name(r.root.Address())
		if d, ok := r.known.Document(name); ok && d.Read && !d.Gone {
			r.scope.scheme = other.scheme
		}
	}
	return sitemaps, nil
}

// askRoot asks for the root: what it answers is said of all of the archive.
func (r *reading) askRoot() error {
	name, ok := r.scope.name(r.root.Address())
	if d, known := r.known.Document(name); !ok || known && d.Asked {
		return nil
	}
	r.see(name)
	a, err := r.ask(place{name: name, root: true})
	if err != nil {
		return err
	}
	if a.away != "" {
		return &Stop{Why: Moved, Text: "it redirects to " + a.away}
	}
	if stop := rootStop(&a.res); stop != nil && a.came == "" && a.twin == "" {
		return stop
	}
	return r.tellAnswer(a)
}

// askAll asks for all that is known and found.
func (r *reading) askAll() error {
	for {
		p, ok := r.next()
		if !ok {
			return nil
		}
		a, err := r.ask(p)
		if err != nil {
			return err
		}
		if err := r.tellAnswer(a); err != nil {
			return err
		}
		if err := r.tellNotes(); err != nil {
			return err
		}
	}
}
