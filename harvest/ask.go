package harvest

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/harvest/kept"
	"linkcheck/harvest/webpage"
	"linkcheck/uri"
)

// maxLeads is how many places are kept to which one document leads.
const maxLeads = 100_000

// answered is what came of asking for a document.
type answered struct {
	place
	doc  Document // what is known of it
	res  check.Result
	came string // the name under which a document was told; "": none came
	twin string // the name of another document that it is
	away string // where a redirect leads out of the root

	kept  kept.Answer // what is kept of it
	waits bool        // it came, and is told later
	none  bool        // what came stood at another address too
	torn  error       // why it did not come whole
}

// ask asks for a document.
func (r *reading) ask(p place) (a answered, err error) {
	r.askedFor(p.name)
	a.place = p
	a.doc, _ = r.known.Document(p.name)
	want := check.Wanted{Strict: true, Once: true, Listed: r.listed(p),
		Had: func(to string) bool { return r.had(&a, to) }, Asked: func(to string) bool { return r.hasAsked(&a, to) }}
	if folder := r.root.Kind == FTP && strings.HasSuffix(p.name, "/"); !a.doc.Gone && !folder && !webpage.IsWords(a.doc.Version) {
		r.know(&want, &a.doc)
	}
	if h, gopher := r.scope.(*hole); gopher && !h.allows(&r.rules, p.name) {
		a.res = check.New(check.Blocked, check.ReasonRobots, "robots.txt disallows the selector")
		return a, nil
	}
	a.res, err = r.read(p.name, want, func(answer *check.Answer) error { return r.take(&a, answer) })
	a.kept.Robots = a.res.Reason == check.ReasonRobots
	r.heeds = r.heeds || a.kept.Robots
	if a.waits && err == nil {
		r.one.waiting[len(r.one.waiting)-1].answered = a
	}
	var away *check.Elsewhere
	switch {
	case a.none:
		a.res = oneForAll()
	case errors.Is(err, errEnded):
		return a, err
	case r.ctx.Err() != nil:
		return a, r.ctx.Err()
	case errors.As(err, &away):
		a.away, a.res = away.To.String(), check.Result{}
	case err != nil:
		return a, err
	case a.came == "" && (isResting(&a.res) || asksToWait(&a.res)):
		return a, r.resting(&a.res)
	}
	return a, nil
}

// had says whether the document to which a redirect leads came before, or is that of a root
// inside this one, and is a's.
func (r *reading) had(a *answered, to string) bool {
	name, ours := r.scope.name(to)
	if !ours || name == a.name || !r.scope.holds(name) || !r.came.has(r.key(name)) && !r.known.Elsewhere(name) {
		return false
	}
	a.twin = name
	return true
}

// hasAsked says whether that to which a redirect leads was asked for in this run, so that what was
// heard there holds: a document that did not come whole, or an address out of the root.
func (r *reading) hasAsked(a *answered, to string) bool {
	name, ours := r.scope.name(to)
	switch {
	case !ours || name == a.name || !r.wasAsked(name):
		return false
	case r.scope.holds(name):
		a.twin = name
	default:
		a.away = to
	}
	return true
}

// take tells a document that came.
func (r *reading) take(a *answered, answer *check.Answer) error {
	if r.root.Kind == FTP && answer.Entries != nil {
		return r.takeTree(a, answer)
	}
	name, ours := r.scope.name(answer.URI.String())
	if !ours || !r.scope.holds(name) {
		r.askedFor(name)
		a.away, a.kept.Beside = answer.URI.String(), name
		return nil
	}
	body := bufio.NewReaderSize(answer.Body, webpage.MaxHead)
	start, end := body.Peek(webpage.MaxHead)
	var h webpage.Head
	if strings.Contains(strings.ToLower(answer.Media), "html") || answer.Media == "" {
		h = webpage.ReadHead(start)
	}
	if a.kept.At = answer.URI.String(); a.root && r.web != nil {
		r.web.settle(answer.URI.String())
	}
	if other := r.canonical(name, answer.URI.String(), h); other != name && !(r.isSeen(other) && r.showsNew(name, answer.URI.String(), start)) {
		name = other
	}
	if name != a.name {
		if r.wasAsked(name) && !r.isBack(name) || r.known.Elsewhere(name) {
			a.twin = name
			return nil
		}
		r.see(name)
		r.askedFor(name)
	}
	d := Document{Name: name, Version: answer.Version, Media: answer.Media, Depth: int(a.depth)}
	if name == a.name {
		d.Version = cmp.Or(r.versionIn(a.place), d.Version)
		r.short(&d, &a.doc, answer.Short)
	}
	if base, _, _ := strings.Cut(answer.URI.String(), "#"); base != name {
		d.Base = base
	}
	listing := strings.HasSuffix(name, "/") && webpage.ListingTitle.MatchString(h.Title)
	if name == a.name && !listing && end == io.EOF && !answer.Cut {
		a.kept.Sum = hashOf(start)
		if a.waits, a.none = r.one.judge(&a.doc, a.kept.Sum, a.root); a.none {
			return nil
		}
	}
	a.came = name
	r.came.add(r.key(name))
	if a.waits {
		return r.wait(a, d, start, answer)
	}
	if listing {
		return r.takeFolder(a, d, body, answer)
	}
	err := r.tellRead(a, d, body, answer)
	if err != nil || a.torn != nil {
		return err
	}
	a.kept.Up = true
	return r.up()
}

// isBack says whether a document that comes was gone on another night of this sweep.
func (r *reading) isBack(name string) bool {
	d, _ := r.known.Document(name)
	return d.Lost && !r.came.has(r.key(name))
}

// canonical is the name of a page by its own words, where they are to be believed: another
// page under that name must not have been asked for and be missing.
func (r *reading) canonical(name, at string, h webpage.Head) string {
	if h.Canonical == "" || r.web == nil {
		return name
	}
	base := at
	if b, err := uri.Resolve(at, h.Base); err == nil && h.Base != "" {
		base = b
	}
	address, err := uri.Resolve(base, h.Canonical)
	if err != nil {
		return name
	}
	other, ours := r.scope.name(address)
	if !ours || other == name || !r.scope.holds(other) || r.failed[r.key(other)] {
		return name
	}
	if !r.web.sameDocument(name, other) {
		r.hold("a page that calls itself by another address", "not believed: %s calls itself %s", name, other)
		return name
	}
	if d, known := r.known.Document(other); known && d.Gone {
		return name
	}
	return other
}

// showsNew says whether a page leads to documents that were not found yet: those without a query,
// or of a form of another path whose documents say something new, or of which it is not known.
// Then it is no copy of the page by whose address it calls itself, as the second page of a list
// that names the first one.
func (r *reading) showsNew(name, at string, page []byte) bool {
	own, _ := r.scope.resource(name)
	for address := range webpage.Links(page, at) {
		to, ours := r.scope.name(address)
		if !ours || r.isSeen(to) || !r.scope.holds(to) || !r.scope.fetchable(to) || r.forbids(to) {
			continue
		}
		path, query := r.scope.resource(to)
		if !isLate(path, query) {
			return true
		}
		if p := r.late.of(r.late.atForm(r.formOf(path, query))); query != "" && path != own && (p.read < sampled || p.isNew()) {
			return true
		}
	}
	return false
}

// failing is a reader whose end is an error, if it is not nil.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// errCut is the end of a document that is longer than what is read of one.
var errCut = errors.New("the document is longer than what is read of it")

// tellRead tells a document, and what is found in it.
func (r *reading) tellRead(a *answered, d Document, body io.Reader, answer *check.Answer) error {
	if answer.Cut {
		body = io.MultiReader(body, failing{errCut})
	}
	in := webpage.NewText(body, &r.said)
	page := &kept.Page{Closed: isNoFollow(answer.Robots)}
	shut := map[string]bool{}
	err := r.tell(Item{Kind: Read, Doc: d, Body: in, Leads: func(l Lead) {
		switch {
		case l.Canonical:
		case l.NoFollow && l.URI == "":
			page.Closed = true
		case l.NoFollow:
			shut[l.URI] = true
		case len(page.Leads) < maxLeads && len(l.URI) <= 2*maxName:
			page.Leads = append(page.Leads, strings.Clone(l.URI))
		}
	}})
	if err != nil {
		return err
	}
	if answer.Entries != nil {
		for e, err := range answer.Entries {
			if err != nil || len(page.Leads) == maxLeads {
				break
			}
			page.Leads = append(page.Leads, e.Name)
		}
	}
	if a.torn = in.Broken; d.Short || a.torn == errCut && (!a.doc.Read || a.doc.Gone) { // each may be so for good: that is no outage
		a.torn = nil
	}
	page.Torn, page.Lines, page.Said, page.News = a.torn != nil, in.Lines, in.New, in.Fresh >= webpage.NewLetters
	if in.Ended {
		page.Text = max(in.Hash, 1)
	}
	page.Leads = slices.DeleteFunc(page.Leads, func(address string) bool { return shut[address] })
	a.kept.Came, a.kept.Page = d.Name, page
	return r.learn(a)
}

// learn judges the site by a page that came.
func (r *reading) learn(a *answered) error {
	name, page := a.kept.Came, a.kept.Page
	if page.Torn {
		r.failed[r.key(name)] = true
	}
	r.said.Add(page.Said)
	copies := a.copies
	if page.Text != 0 && r.bodies.add(page.Text) {
		copies = 0
	} else if page.Text != 0 {
		copies++
	}
	copied := page.Lines != 0 && r.isCopy(name, page.Lines)
	from := place{name: name, asked: a.name, depth: a.depth, copies: copies, news: page.News}
	if page.Closed || copies > maxCopies || r.root.Kind == Sitemap {
		page.Leads = nil
		r.led(from, nil, nil, nil, copied)
		return nil
	}
	return r.follow(page, from, copied)
}

// isNoFollow says whether X-Robots-Tag asks all programs not to follow links. A name before
// a colon is that of one program.
func isNoFollow(tag string) bool {
	for part := range strings.SplitSeq(strings.ToLower(tag), ",") {
		if part = strings.TrimSpace(part); part == "nofollow" || part == "none" {
			return true
		}
	}
	return false
}
