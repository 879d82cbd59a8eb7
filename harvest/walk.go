package harvest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
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
		r := &reading{run: run{w.root, w.reader, w.Options, ctx, known, yield, health{}}, held: map[string]bool{}, failed: map[uint64]bool{}, absent: map[uint64]bool{}, named: set{}}
		site, err := siteOf(w.root)
		if err == nil {
			r.frontier = newFrontier(site)
			r.web, _ = site.(*scope)
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
	web   *scope       // the scope, of a web site; else nil
	rules robots.Rules // of robots.txt
	tried bool         // what it forbids was found, and is asked for next: whether the reader heeds it is known then
	heeds bool         // it does: of a web site what is forbidden is no document

	notes  []string        // to be told between two documents
	quiet  bool            // what is told was told by an earlier run
	hides  bool            // documents that an earlier run of this sweep found are found again
	held   map[string]bool // what was noted of addresses that are not followed
	failed map[uint64]bool // names that were asked for in this run and did not come
	absent map[uint64]bool // names that a list, which had them, has no more
	named  set             // what whole lists of folders have named in this run
	one    onePage
}

// site says which addresses are documents of a root, and how they are written as names: one
// name for one document.
type site interface {
	// name is the name of what stands at an address; false where that is elsewhere.
	name(address string) (name string, ours bool)
	// resource takes a name apart. The path begins with a slash, the query with "?".
	resource(name string) (path, query string)
	// holds says whether a name is in the root, by what the operator decided.
	holds(name string) bool
	// fetchable says whether what stands at a name may be a document.
	fetchable(name string) bool
}

// siteOf is the site of a root.
func siteOf(root Root) (site, error) {
	switch root.Kind {
	case Gopher:
		return newHole(root)
	case FTP:
		return newTree(root)
	}
	return newScope(root)
}

// inOrder is the walk in its order.
func (r *reading) inOrder() error {
	maps, err := r.robots()
	if err != nil {
		return err
	}
	if err := r.load(); err != nil {
		return err
	}
	steps := []func() error{r.askRoot, r.askAll}
	switch r.root.Kind {
	case Web:
		steps = slices.Insert(steps, 0, func() error { return r.sitemaps(maps) })
	case Sitemap:
		steps[0] = func() error { return r.sitemaps([]string{r.root.Address()}) }
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
		if err := r.tellNotes(); err != nil {
			return err
		}
	}
	if err := r.lost(); err != nil {
		return err
	}
	if err := r.askLost(); err != nil {
		return err
	}
	for len(r.one.waiting) > 0 { // what it leads to is asked for
		if err := r.tellWaiting(true); err != nil {
			return err
		}
		if err := r.askAll(); err != nil {
			return err
		}
	}
	if err := r.noteLate(); err != nil {
		return err
	}
	if err := r.health.tellHeld(r.tell); err != nil {
		return err
	}
	return r.tell(Item{Kind: Whole, Mark: []byte{}})
}

// robots asks for robots.txt, and gives the sitemaps that it names. A reader of the web
// heeds its rules by itself. Where it cannot be had nothing else is asked (RFC 9309 section
// 2.3.1.4).
func (r *reading) robots() (sitemaps []string, err error) {
	var at, file string
	switch site := r.scope.(type) {
	case *scope:
		file = site.site() + "/robots.txt"
	case *hole:
		file = site.server + "/0robots.txt"
	default:
		return nil, nil
	}
	res, err := r.read(file, check.Wanted{MaxBytes: robots.MaxFile, Strict: true, Shared: true}, func(a *check.Answer) error {
		at = a.URI.String()
		text, err := io.ReadAll(a.Body)
		r.rules = robots.Parse(string(text), "linkcheck")
		sitemaps = r.rules.Sitemaps
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
	case isDown(&res) && res.Reason != check.ReasonEmpty:
		return nil, &Stop{Why: Outage, Text: "robots.txt: " + words(&res)}
	case isLeftOut(&res):
		return nil, &Stop{Why: Refused, Text: words(&res)}
	}
	if r.web != nil {
		r.settle(cmp.Or(at, res.FinalURL))
	}
	return sitemaps, nil
}

// settle finds the scheme of the names of a web site.
func (r *reading) settle(answered string) {
	r.web.settle(answered)
	if other := r.web.otherScheme(); other != nil {
		name, _ := other.name(r.root.Address())
		if d, ok := r.known.Document(name); ok && d.Read && !d.Gone {
			r.web.scheme = other.scheme
		}
	}
}

// askRoot asks for the root: what it answers is said of all of the archive.
func (r *reading) askRoot() error {
	name, ok := r.scope.name(r.root.Address())
	d, known := r.known.Document(name)
	if known && d.Read && !d.Gone {
		r.one.root = append(r.one.root, d.Hash)
	}
	if !ok || r.known.Elsewhere(name) {
		return nil
	}
	r.see(name)
	p := place{name: name, root: true}
	if done, err := r.recall(p); done || err != nil {
		return err
	}
	a, err := r.ask(p)
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
		if err := r.refill(); err != nil {
			return err
		}
		p, ok := r.next()
		if !ok {
			return nil
		}
		if err := r.visit(p); err != nil {
			return err
		}
		if err := r.tellNotes(); err != nil {
			return err
		}
	}
}

// visit asks for a document and tells what came, unless that is known of this sweep.
func (r *reading) visit(p place) error {
	done, err := r.recall(p)
	if !done && err == nil {
		var a answered
		if a, err = r.ask(p); err == nil {
			err = r.tellAnswer(a)
		}
	}
	if key := r.key(p.name); !r.came.has(key) {
		path, _ := r.scope.resource(p.name)
		r.late.vain(path, key)
	}
	return err
}

// recall takes what an earlier run of this sweep heard of a document in place of asking for it, and
// judges the site by it in the same way; false: nothing was heard.
func (r *reading) recall(p place) (done bool, err error) {
	a := answered{place: p}
	a.doc, _ = r.known.Document(p.name)
	k := r.keptOf(p.name)
	if k == nil {
		if a.doc.Asked {
			r.askedFor(p.name)
		}
		return a.doc.Asked, nil
	}
	a.kept = *k
	r.askedFor(p.name)
	r.heeds = r.heeds || k.Robots
	if k.Beside != "" {
		r.askedFor(k.Beside)
	}
	if k.At != "" && p.root && r.web != nil {
		r.web.settle(k.At)
	}
	if k.Came != "" && k.Came != p.name {
		r.see(k.Came)
		r.askedFor(k.Came)
	}
	if k.Sum != nil {
		if waits, _ := r.one.judge(&a.doc, k.Sum, p.root); waits {
			r.came.add(r.key(p.name))
			return true, r.add(&changed{answered: a, known: true})
		}
	}
	return true, r.learnKept(&a)
}
