package harvest

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"linkcheck/harvest/kept"
	"linkcheck/harvest/webpage"
)

// maxCopies is how many pages in a row may have a body that was read before under another
// name, each found in the one before. Framesets and empty indexes are alike and lead on to
// what differs; a site that shows its front page under any address leads on to itself.
const maxCopies = 2

// maxForms is how many forms are noted that have all documents that they may have.
const maxForms = 20

// place is a name that is to be asked for.
type place struct {
	name   string
	words  string // what a listing says of it; "": it is in none
	depth  uint8
	copies uint8 // pages before it whose body was read before
	listed bool  // by a listing or a sitemap, which end
	root   bool
	again  bool   // it was read in an earlier run
	from   string // the page that leads to it, where that counts
	asked  string // of a page that came: the name that was asked for
	cites  bool   // it leads out of the site to what no page before it did
	news   bool   // it says what no page before it did
}

// frontier knows which names there are, which were asked for, and which is next. Of a name
// that was asked for it keeps a hash alone.
type frontier struct {
	scope   site
	forms   *forms
	seed    maphash.Seed
	seen    set               // names that are known or found, but for those that are gone
	asked   set               // in this sweep
	came    set               // in this run
	bodies  set               // that were read in this run
	outside set               // addresses out of the site to which pages of this run lead
	said    webpage.Said      // lines that pages of this run have
	texts   map[uint64]uint64 // of pages that were read in this run: what their lines say

	folders, others queue               // known, those first that were asked for longest ago
	found           []queue             // never asked for, by depth
	late            late                // never asked for, of parts that may have no end
	documents       int                 // in all
	rows            map[uint64][]string // of a folder: the documents that its listing has named
	words           map[uint64]string   // what listings say of documents that are to be asked for
}

func newFrontier(s site) *frontier {
	f := &frontier{scope: s, forms: newForms(), seed: maphash.MakeSeed(), seen: set{}, asked: set{}, came: set{}, bodies: set{}, outside: set{}, texts: map[uint64]uint64{},
		found: make([]queue, 256), rows: map[uint64][]string{}, words: map[uint64]string{}}
	f.late = late{key: f.key, waits: map[uint64]*part{}, bred: map[uint64]origin{}, alone: set{}, outer: set{}, leads: set{}, spared: set{}, leaders: map[uint64]*part{}, folders: map[string]*folder{}, top: "/"}
	if web, ok := s.(*scope); ok {
		f.late.top = web.prefix
	}
	return f
}

// listed gives what a listing says of a document.
func (f *frontier) listed(p place) string { return cmp.Or(f.words[f.key(p.name)], p.words) }

// takeWords gives it once.
func (f *frontier) takeWords(p place) string {
	words := f.listed(p)
	delete(f.words, f.key(p.name))
	return words
}

// next gives the name that is to be asked for next: known folders first, for their listings
// may say all that is to be known of other documents, and last what may have no end.
func (r *reading) next() (p place, ok bool) {
	for q := range r.queues {
		for p, ok = q.pop(); ok; p, ok = q.pop() {
			if r.wasAsked(p.name) {
				continue
			}
			path, _ := r.scope.resource(p.name)
			part := r.late.part(path, r.key(p.name))
			if part == "" || p.listed || q == &r.folders || q == &r.others {
				return p, true
			}
			r.documents--
			r.late.push(part, p)
		}
	}
	for r.documents < r.most() {
		if p, ok = r.late.pop(r.documents); !ok || !r.wasAsked(p.name) {
			if ok && !p.again {
				r.forms.ask(r.scope.resource(p.name))
				r.documents++
			}
			return p, ok
		}
	}
	for p, ok = r.late.popKnown(); ok && r.wasAsked(p.name); {
		p, ok = r.late.popKnown()
	}
	return p, ok
}

// most is how many documents a root may have.
func (r *reading) most() int { return cmp.Or(max(r.root.Documents, 0), maxDocuments) }

func (f *frontier) queues(yield func(*queue) bool) {
	if !yield(&f.folders) || !yield(&f.others) {
		return
	}
	for i := range f.found {
		if !yield(&f.found[i]) {
			return
		}
	}
}

// load takes what is known: what was not asked for in this sweep is to be.
func (r *reading) load() error {
	var gone []place
	var left []string
	for d := range r.known.Documents() {
		if part, waits := partOf(&d); waits && !(d.New && r.keeps()) {
			r.late.closed(part)
			r.late.of(part).waited++
		}
	}
	for d := range r.known.Documents() {
		switch {
		case d.New && r.keeps():
			r.hides = true
			continue
		case d.Gone:
			gone = append(gone, place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255)), listed: d.Asked})
			continue
		case !r.scope.holds(d.Name) || d.Depth > r.depth() || r.known.Elsewhere(d.Name):
			left = append(left, d.Name)
			r.seen.add(r.key(d.Name))
			r.askedFor(d.Name)
			continue
		}
		if part, waits := r.waiting(&d); waits {
			r.postpone(part, place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255))})
			continue
		}
		r.see(d.Name)
		if !r.loadLate(&d) {
			r.queueKnown(d)
		}
	}
	r.loadFinite()
	for _, name := range left {
		if err := r.tell(Item{Kind: Left, Doc: Document{Name: name}}); err != nil {
			return err
		}
	}
	for _, p := range gone {
		wasAsked := p.listed // in this sweep: then a document led to it
		if p.listed = false; r.scope.holds(p.name) && !r.known.Elsewhere(p.name) && (wasAsked || r.known.Linked(p.name)) {
			r.see(p.name)
			r.others.push(p)
		}
	}
	return nil
}

// queueKnown puts a document where its turn is.
func (r *reading) queueKnown(d Document) {
	p := place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255))}
	if digest, _, _ := cutShort(d.Version); !d.Read && digest == "" {
		p.words, p.listed = d.Version, d.Version != ""
	}
	if d.Read && (r.root.Kind == FTP || webpage.IsWords(d.Version)) {
		folder := r.key(d.Name[:strings.LastIndexByte(strings.TrimSuffix(d.Name, "/"), '/')+1])
		r.rows[folder] = append(r.rows[folder], d.Name)
	}
	switch {
	case !d.Read:
		r.found[p.depth].push(p)
	case strings.HasSuffix(d.Name, "/"):
		r.folders.push(p)
	default:
		r.others.push(p)
	}
}

// depth is how many hops from the root documents are followed.
func (r *reading) depth() int { return cmp.Or(max(r.root.Depth, 0), maxDepth) }

// follow finds the documents to which a page leads, and keeps of its leads those that count.
func (r *reading) follow(page *kept.Page, from place, copied bool) error {
	leads := page.Leads
	names := make([]string, 0, len(leads))
	linked := map[string]bool{}
	page.Leads = nil
	for _, address := range leads {
		name, ours := r.scope.name(address)
		if !ours && !strings.Contains(address, "?") && r.outside.add(r.key(address)) {
			from.cites = true
			page.Leads = append(page.Leads, address)
		}
		if !ours || linked[name] || !r.scope.holds(name) || !r.scope.fetchable(name) {
			continue
		}
		linked[name] = true
		names = append(names, name)
	}
	page.Leads = append(page.Leads, names...)
	has := func(name string) bool { return linked[name] || r.isSeen(name) }
	hop := 1
	if p := r.late.waits[r.key(from.name)]; p != nil && (isBelow(p.key) || p.leadsToNew()) || from.news && r.root.Depth <= 0 {
		hop = 0 // those are not read by depth, and a list or a row of issues may have many pages
	}
	var fresh, first, open []string // new, to which no page of the run led before, and those that wait
	for _, name := range names {
		path, _ := r.scope.resource(name)
		led := !r.late.leads.add(r.key(name))
		if !led {
			first = append(first, name)
		}
		if r.isSeen(name) {
			if led && !r.wasAsked(name) {
				r.late.again(path, r.key(name), r.key(from.name))
			}
			if r.waits(name) {
				open = append(open, name)
			}
			continue
		}
		if r.heeds && r.forbids(name) {
			r.hold("robots.txt", "not followed: robots.txt disallows, such as %.200s", name)
			continue
		}
		if slices.ContainsFunc(webpage.MonthText(name), has) || webpage.IsOtherOrder(name, has) {
			r.seen.add(r.key(name)) // it may be linked to elsewhere, where less is seen of the archive
			continue
		}
		if one := r.late.waits[r.key(from.name)]; one != nil {
			r.late.leaders[r.key(name)] = one
		}
		if err := r.find(place{name: name, depth: uint8(min(int(from.depth)+hop, 255)), copies: from.copies, from: from.name}); err != nil {
			return err
		}
		fresh = append(fresh, name)
	}
	r.leadIn(from, names)
	r.led(from, fresh, first, open, copied)
	return nil
}

// find tells a document that is new, and puts it where its turn is. One that is gone and to
// which something leads is asked for again.
func (r *reading) find(p place) error {
	if r.isSeen(p.name) || r.wasAsked(p.name) {
		return nil
	}
	if r.known.Elsewhere(p.name) {
		r.seen.add(r.key(p.name))
		return nil
	}
	part, ok := r.admits(p)
	if !ok {
		return nil
	}
	_, known := r.known.Document(p.name)
	if !r.tried && r.forbids(p.name) {
		r.tried = true
		r.see(p.name)
		r.folders.push(p)
	} else if part == "" {
		r.see(p.name)
		r.found[p.depth].push(p)
	} else {
		p.words = waiting + part
		r.postpone(part, p)
	}
	if known {
		return nil
	}
	return r.tell(Item{Kind: Found, Doc: Document{Name: p.name, Depth: int(p.depth), Version: p.words}})
}
