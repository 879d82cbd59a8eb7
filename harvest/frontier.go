package harvest

import (
	"cmp"
	"hash/maphash"
	"strings"

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
}

// frontier knows which names there are, which were asked for, and which is next. Of a name
// that was asked for it keeps a hash alone.
type frontier struct {
	scope  site
	forms  *forms
	seed   maphash.Seed
	seen   set // names that are known or found, but for those that are gone
	asked  set // in this sweep
	came   set // in this run
	bodies set // that were read in this run

	folders, others queue               // known, those first that were asked for longest ago
	found           []queue             // never asked for, by depth
	documents       int                 // in all
	rows            map[uint64][]string // of a folder: the documents that its listing has named
	words           map[uint64]string   // what listings say of documents that are to be asked for
}

func newFrontier(s site) *frontier {
	return &frontier{scope: s, forms: newForms(), seed: maphash.MakeSeed(), seen: set{}, asked: set{}, came: set{}, bodies: set{},
		found: make([]queue, 256), rows: map[uint64][]string{}, words: map[uint64]string{}}
}

func (f *frontier) key(name string) uint64    { return maphash.String(f.seed, name) }
func (f *frontier) isSeen(name string) bool   { return f.seen.has(f.key(name)) }
func (f *frontier) wasAsked(name string) bool { return f.asked.has(f.key(name)) }
func (f *frontier) askedFor(name string)      { f.asked.add(f.key(name)) }

// see counts a document.
func (f *frontier) see(name string) {
	if f.seen.add(f.key(name)) {
		f.documents++
		f.forms.add(f.scope.resource(name))
	}
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
// may say all that is to be known of other documents.
func (f *frontier) next() (p place, ok bool) {
	for q := range f.queues {
		for p, ok = q.pop(); ok; p, ok = q.pop() {
			if !f.wasAsked(p.name) {
				return p, true
			}
		}
	}
	return p, false
}

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
		switch {
		case d.Gone && !d.Asked:
			gone = append(gone, place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255))})
			continue
		case d.Gone:
			r.askedFor(d.Name)
			continue
		case !r.scope.holds(d.Name) || d.Depth > r.depth() || r.known.Elsewhere(d.Name):
			left = append(left, d.Name)
			r.seen.add(r.key(d.Name))
			r.askedFor(d.Name)
			continue
		}
		r.see(d.Name)
		if d.Asked {
			r.askedFor(d.Name)
			continue
		}
		r.queueKnown(d)
	}
	for _, name := range left {
		if err := r.tell(Item{Kind: Left, Doc: Document{Name: name}}); err != nil {
			return err
		}
	}
	for _, p := range gone {
		if r.scope.holds(p.name) && !r.known.Elsewhere(p.name) && r.known.Linked(p.name) {
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

// follow finds the documents to which one leads.
func (r *reading) follow(leads []string, shut map[string]bool, depth int, copies uint8) error {
	names := make([]string, 0, len(leads))
	linked := map[string]bool{}
	for _, address := range leads {
		if shut[address] {
			continue
		}
		name, ours := r.scope.name(address)
		if !ours || linked[name] || !r.scope.holds(name) || !r.scope.fetchable(name) {
			continue
		}
		linked[name] = true
		names = append(names, name)
	}
	has := func(name string) bool { return linked[name] || r.isSeen(name) }
	for _, name := range names {
		if r.isSeen(name) {
			continue
		}
		if hasAny(has, webpage.MonthText(name)) || webpage.IsOtherOrder(name, has) {
			r.seen.add(r.key(name)) // it may be linked to elsewhere, where less is seen of the archive
			continue
		}
		if err := r.find(place{name: name, depth: uint8(min(depth, 255)), copies: copies}); err != nil {
			return err
		}
	}
	return nil
}

func hasAny(has func(string) bool, names []string) bool {
	for _, name := range names {
		if has(name) {
			return true
		}
	}
	return false
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
	if !r.admits(p) {
		return nil
	}
	d, known := r.known.Document(p.name)
	if known && d.Asked {
		return nil
	}
	r.see(p.name)
	r.found[p.depth].push(p)
	if known {
		return nil
	}
	return r.tell(Item{Kind: Found, Doc: Document{Name: p.name, Depth: int(p.depth), Version: p.words}})
}

// admits says whether a name may be a new document.
func (r *reading) admits(p place) bool {
	path, query := r.scope.resource(p.name)
	if why := maze(path, len(p.name)); why != "" {
		return r.hold(why, "not followed: %s, such as %.200s", why, p.name)
	}
	if int(p.depth) > r.depth() {
		return r.hold("depth", "not followed: more than %d hops from the root, such as %.200s", r.depth(), p.name)
	}
	if most := cmp.Or(max(r.root.Documents, 0), maxDocuments); r.documents >= most {
		return r.hold("documents", "%d documents are the bound", most)
	}
	if p.listed {
		return true // by a list that ends
	}
	if form := r.forms.full(path, query); form != "" && (r.held[form] || len(r.held) < maxForms) {
		return r.hold(form, "held back at form %.200s", form)
	} else if form != "" {
		return false
	}
	return true
}

// maxDocuments is how many a walk reads where the operator says nothing.
const maxDocuments = 10_000

// hold notes once why something is not followed, and is false.
func (r *reading) hold(key, format string, args ...any) bool {
	if !r.held[key] {
		r.held[key] = true
		r.note(format, args...)
	}
	return false
}
