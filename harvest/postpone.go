package harvest

import (
	"slices"
	"strings"
)

// waiting gives the part in which a known document waits that was never read; false: it does
// not wait. What was found below a folder before that was closed waits too.
func (r *reading) waiting(d *Document) (part string, waits bool) {
	if part, waits = partOf(d); waits || d.Read || d.Version != "" {
		return part, waits
	}
	path, _ := r.scope.resource(d.Name)
	at := r.late.closedAt(path)
	return below(at), at != ""
}

// postpone lets a document wait until all others were asked for.
func (r *reading) postpone(part string, p place) {
	p.words = ""
	r.seen.add(r.key(p.name))
	r.forms.wait(r.scope.resource(p.name))
	r.late.push(part, p)
}

// formOf is the key of the part to which an address of a form that may have no end belongs:
// its form, or the names of its query alone where few stand at a path that is a document
// without it, such as those that ask for a page to be printed.
func (r *reading) formOf(path, query string) string {
	s := form(path, query)
	at := strings.IndexByte(s, '?')
	if name, ours := r.scope.name(r.root.Address()); at < 0 || !ours || r.forms.of(s[:at+1]) >= fewOfPath || !r.isSeen(r.site(name)+path) {
		return s
	}
	return s[at:]
}

// forbids says whether robots.txt forbids a name of a web site.
func (r *reading) forbids(name string) bool {
	path, query := r.scope.resource(name)
	return r.web != nil && !r.rules.Allow(path+query)
}

// site is what stands before the path of a name.
func (r *reading) site(name string) string {
	path, query := r.scope.resource(name)
	return strings.TrimSuffix(name, path+query)
}

// loadLate lets a document of a part that may have no end wait, which was read in an earlier run; false: it
// is of none. One that was asked for in this sweep counts for its part, but where its answer is kept: then it
// counts when its turn comes.
func (r *reading) loadLate(d *Document) bool {
	if !d.Read && !d.Asked {
		return false
	}
	path, query := r.scope.resource(d.Name)
	key := ""
	if isLate(path, query) {
		key = r.late.atForm(r.formOf(path, query))
	}
	for at := range above(path) {
		if f := r.late.folders[at]; key == "" && f != nil && f.late {
			key = below(at)
		}
	}
	if key == "" {
		return false
	}
	one := r.late.of(key)
	if r.late.asked++; d.Asked && !r.keeps() {
		one.read++
		return false
	}
	r.late.push(key, place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255)), again: true})
	return true
}

// loadFinite takes the documents of those parts back of which hardly one was not read, and that
// are not at the bound of a form, where what they say was worth no more: they end. Of a form they
// are judged anew, as all of it may be good for nothing.
func (r *reading) loadFinite() {
	for _, one := range r.late.parts {
		if 20*one.waited >= one.before || one.before == maxOfQueries && !isBelow(one.key) {
			continue
		}
		if one.finite = one.before >= maxAlone && !isBelow(one.key); one.finite {
			continue
		}
		for p, ok := one.known.pop(); ok; p, ok = one.known.pop() {
			delete(r.late.waits, r.key(p.name))
			delete(r.late.alone, r.key(p.name))
			r.others.push(p)
		}
		one.before = 0
	}
}

// refill finds what waits for room in a part that is worthy.
func (r *reading) refill() error {
	for _, one := range r.late.parts {
		for len(one.spare) > 0 && one.isWorthy() && !r.late.isFull(one.key, r.most()) {
			p := one.spare[0]
			if one.spare = one.spare[1:]; r.isSeen(p.name) {
				continue
			}
			if err := r.find(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// isCopy says whether a page has the text of one that stands at its path without the first
// folders of it, as in a mirror.
func (r *reading) isCopy(name string, text uint64) bool {
	r.texts[r.key(name)] = text
	path, query := r.scope.resource(name)
	site := r.site(name)
	for i := strings.IndexByte(path[min(1, len(path)):], '/') + 1; i > 0; i = strings.IndexByte(path[1:], '/') + 1 {
		path = path[i:]
		if other, ok := r.texts[r.key(site+path+query)]; ok && other == text {
			return true
		}
	}
	return false
}

// waits says whether a document waits until all others were asked for.
func (r *reading) waits(name string) bool {
	return r.late.waits[r.key(name)] != nil && !r.wasAsked(name)
}

// leadIn counts the names of parts to which a page of another form leads.
func (r *reading) leadIn(from place, names []string) {
	at, _ := r.scope.resource(from.name)
	of := form(at, "")
	for _, name := range names {
		key := r.key(name)
		path, _ := r.scope.resource(name)
		if p := r.late.waits[key]; p != nil && form(path, "") != of && r.late.outer.add(key) {
			p.outer++
		}
	}
}

// led counts where a page led that was not asked for yet, and takes the names back that wait no longer.
func (r *reading) led(from place, fresh, first, open []string, copied bool) {
	path, _ := r.scope.resource(from.name)
	key := r.key(from.name)
	one := r.late.waits[key]
	leadsOn := from.cites || from.news && one != nil && !isBelow(one.key)
	grows := false
	for _, name := range first {
		to, _ := r.scope.resource(name)
		switch p := r.late.waits[r.key(name)]; {
		case !r.isSeen(name): // it was not admitted
		case p != nil && (p == one || form(to, "") == form(path, "")):
			p.births++
			grows = grows || p == one
		case one == nil || isBelow(one.key):
		case p == nil && !isOfDates(form(to, "")) || p != nil && !isBelow(p.key) && !isOfDates(p.key) && !p.isSpent():
			leadsOn = true
		}
	}
	if one != nil && leadsOn {
		one.yields++
	}
	if one != nil && !grows {
		one.ends++
	}
	r.says(from)
	var paths, plain []string
	for _, name := range slices.Concat(fresh, open) {
		to, _ := r.scope.resource(name)
		if paths = append(paths, to); r.isSeen(name) && !r.waits(name) {
			plain = append(plain, to)
		}
	}
	for _, p := range r.late.led(path, key, paths, plain, from.news || from.cites, copied) {
		r.documents++
		r.found[p.depth].push(p)
	}
}

// says counts what a page says for its part, and for that of the page that led to it first.
func (r *reading) says(from place) {
	path, query := r.scope.resource(from.name)
	key := r.key(from.name)
	one := r.late.waits[key]
	if one == nil && isLate(path, query) {
		one = r.late.of(r.late.atForm(r.formOf(path, query)))
	}
	if redirects := r.late.waits[r.key(from.asked)]; one == nil && redirects != nil {
		if one = redirects; from.news || from.cites {
			one.yields++
		}
	}
	if one == nil {
		return
	}
	if one.came++; from.news || from.cites {
		one.news++
		if up := r.late.leaders[key]; up != nil && up != one {
			up.fed++
		}
	}
}

// noteLate notes what waits still when all else was asked for, and how many parts are not named.
func (r *reading) noteLate() error {
	more := 0
	for _, p := range r.late.parts {
		spare := slices.ContainsFunc(p.spare, func(p place) bool { return !r.isSeen(p.name) })
		if rest := len(p.places) > 0 || spare; rest && !r.held[p.key] && len(r.held) >= maxForms {
			more++
		} else if rest {
			r.holdAt(p.key)
		}
	}
	if more > 0 {
		r.note("held back at %d more forms or folders", more)
	}
	return r.tellNotes()
}

// admits says whether a name may be a new document, and to which part it belongs that may
// have no end; "": to none.
func (r *reading) admits(p place) (part string, ok bool) {
	path, query := r.scope.resource(p.name)
	if why := maze(path, len(p.name)); why != "" {
		return "", r.hold(why, "not followed: %s, such as %.200s", why, p.name)
	}
	if int(p.depth) > r.depth() {
		return "", r.hold("depth", "not followed: more than %d hops from the root, such as %.200s", r.depth(), p.name)
	}
	if form := r.forms.full(path, query); form != "" && !p.listed && !r.isNew(path, query, p.from) { // by a list that ends
		return "", r.holdAt(form)
	}
	switch part = r.late.mirror(path); {
	case p.listed:
		part = ""
	case part != "":
	case isLate(path, query):
		part = r.late.atForm(r.formOf(path, query))
	case p.depth > chain && r.late.isChain(r.key(p.from)):
		part = below(path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1])
	case p.from != "":
		from, _ := r.scope.resource(p.from)
		part = r.late.found(path, from, r.key(p.name), r.key(p.from))
	}
	if part != "" && r.late.isFull(part, r.most()) {
		if !r.late.spareOf(part, p) {
			r.holdAt(part)
		}
		return "", false
	}
	if part == "" && r.documents >= r.most() {
		return "", r.hold("documents", "%d documents are the bound", r.most())
	}
	return part, true
}

// isNew says that an address, to which a page of another form leads, is of a form whose
// documents say something new: its bound is that of the root.
func (r *reading) isNew(path, query, from string) bool {
	of, _ := r.scope.resource(from)
	return isLate(path, query) && form(of, "") != form(path, "") && r.late.of(r.late.atForm(r.formOf(path, query))).isNew()
}

// holdAt notes once that not all of a part is read, and is false.
func (r *reading) holdAt(part string) bool {
	if len(r.held) < maxForms {
		r.hold(part, "%s", heldBackAt(part))
	}
	return false
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
