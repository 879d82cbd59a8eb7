package harvest

import (
	"slices"
	"strings"
)

// What may have no end comes last, and is read up to a bound.
const (
	maxLate      = 240          // documents of a root that are of parts which are not worthy, and more
	enoughOf     = 2500         // while the root has fewer documents than these
	maxIdle      = enoughOf / 3 // that are not worthy, of however small a root, in a run
	maxWaiting   = 500          // that wait, of a part: of one below a folder four times as many
	sampled      = 3            // documents of a part by which it is judged
	sampledBelow = 20           // of a part below a folder
	dullNights   = 8            // in which all documents of a form are asked for of which hardly one is good for anything
	maxSpared    = 50_000       // names in all for which there is no room
	maxParts     = 1000         // of forms with a query: what is of others is one part
	maxViews     = 8            // forms of a path that are parts of their own, though they have more parameters than another one

	maxAlone  = 50   // names below a folder to which its own pages lead, each one to its own
	maxThread = 1000 // of them where each leads to the next alone
	fewBelow  = 16   // names below a folder that count for that of the root
	maxCopied = 10   // pages below a folder that were read under other names
)

// late is what waits until all others were asked for: the documents of parts of a site that
// may have no end.
type late struct {
	key     func(name string) uint64
	parts   []*part
	waits   map[uint64]*part  // by the hash of a name
	bred    map[uint64]origin // names to which a page below the same folder led first
	alone   set               // of them, and of what waits, those to which one page leads
	outer   set               // names to which a page of another form leads
	leaders map[uint64]*part  // by the hash of a name: the part of the page that led to it first
	folders map[string]*folder
	top     string // that of the root
	leads   set    // names to which a page of this run leads
	spared  set    // names that wait for room in their part
	asked   int    // of all parts
	idle    int    // of these in this run
}

// origin says which page led to a name first.
type origin struct {
	page   uint64 // hash of its name
	within int    // octets of the deepest folder that both are below, and of which the page is no index
	across bool   // they are below other folders of that of the root
}

// part is one of those: the addresses of a form, or what is below a folder.
type part struct {
	key    string
	places []place // never asked for
	known  queue   // that were read in an earlier run
	before int     // of these how many there were
	waited int     // that were not read in an earlier run
	finite bool    // it is a form, and hardly any was not
	spare  []place // for which there is no room unless the part is worthy
	read   int     // in this run
	twice  int     // to which more than one page leads
	came   int     // that came in this run
	news   int     // of them those that say something new
	fed    int     // of other parts that do, to which its documents led first
	yields int     // that lead to documents elsewhere
	ends   int     // that lead to no new one of the part
	births int     // to which a page of the same kin led first
	names  int     // that were found
	outer  int     // of them those to which a page of another form leads
}

// of is the part with a key, which is a form or a folder.
func (l *late) of(key string) *part {
	if i := slices.IndexFunc(l.parts, func(p *part) bool { return p.key == key }); i >= 0 {
		return l.parts[i]
	}
	p := &part{key: key}
	l.parts = append(l.parts, p)
	return p
}

// atForm is the part of a form. Of those that are another one of their path with more parameters
// few are parts of their own, and all others of the path are one; so it is with the paths that
// have the same parameters.
func (l *late) atForm(key string) string {
	if slices.ContainsFunc(l.parts, func(p *part) bool { return p.key == key }) {
		return key
	}
	path, names, queried := strings.Cut(key, "?")
	fewer, all := l.fewer(key)
	alike := 0
	for _, p := range l.parts {
		if _, of, _ := strings.Cut(p.key, "?"); queried && of == names {
			alike++
		}
	}
	switch {
	case len(l.parts) >= maxParts:
		return "?"
	case path != "" && alike >= maxViews:
		return l.atForm("?" + names)
	case fewer > 0 && all >= maxViews:
		return path + "?"
	}
	return key
}

// fewer is how many forms of the path of one there are that have less of its parameters, and how
// many there are in all.
func (l *late) fewer(key string) (fewer, all int) {
	path, _, _ := strings.Cut(key, "?")
	for _, p := range l.parts {
		if at, of, queried := strings.Cut(p.key, "?"); queried && at == path && of != "" {
			if all++; isFewer(p.key, key) {
				fewer++
			}
		}
	}
	return fewer, all
}

func (l *late) isView(key string) bool {
	fewer, _ := l.fewer(key)
	return fewer > 0
}

// push lets a document of a part wait.
func (l *late) push(key string, p place) {
	one := l.of(key)
	if p.again {
		one.known.push(p)
		one.before++
	} else {
		one.places = append(one.places, p)
		one.names++
	}
	l.waits[l.key(p.name)] = one
	l.alone.add(l.key(p.name))
}

// spareOf keeps a name for which there is no room in its part, and says whether it does.
func (l *late) spareOf(key string, p place) bool {
	one := l.of(key)
	if len(l.spared) < maxSpared && l.spared.add(l.key(p.name)) {
		one.spare = append(one.spare, p)
	}
	return l.spared.has(l.key(p.name))
}

// isChain says whether a page is of a part that may have no end by its form.
func (l *late) isChain(key uint64) bool {
	p := l.waits[key]
	return p != nil && !isBelow(p.key)
}

// isFull says whether no more documents of a part may wait, of a root that may have so many.
// Where as many wait, few of each part are taken still, and those of worthy ones.
func (l *late) isFull(key string, documents int) bool {
	one := l.of(key)
	most := maxWaiting
	if isBelow(key) {
		most *= 4
	}
	switch {
	case len(l.waits) >= 2*documents:
		return true
	case one.isNew():
		most = maxDocuments
	case !one.isWorthy() && (len(l.waits) >= documents || one.isViews() || l.isView(key)):
		most = maxWaiting / maxViews // the views of a path take no more than another form of it
	}
	return len(one.places) >= most
}

// pop gives the place whose turn it is: of the parts that are worth most, the one of which
// least was read.
func (l *late) pop(documents int) (p place, ok bool) {
	var best *part
	full := l.asked >= maxLate && documents >= enoughOf
	for _, one := range l.parts {
		ended := full && len(one.known.parts) == 0 || one.isSpent() && (l.idle >= maxIdle || one.before > 0)
		if one.finite {
			ended = one.isDull()
		}
		if one.isWaiting() && (!ended || one.isWorthy() && !one.finite) && !one.isChain() && (best == nil || one.isBefore(best)) {
			best = one
		}
	}
	if best == nil {
		return p, false
	}
	for _, one := range l.parts { // views show what is known of them when it was read
		if one.isWaiting() && one.rank() < 2 && isFewer(one.key, best.key) {
			best = one
		}
	}
	if p, ok = best.known.pop(); ok {
		p.again = true
	} else {
		at := 0
		if isBelow(best.key) {
			at = len(best.places) - 1 // deepest first, where a part that ends comes to its end
		}
		p = best.places[at]
		best.places = slices.Delete(best.places, at, at+1)
	}
	if l.take(best); !best.isWorthy() {
		l.idle++
	}
	return p, true
}

// isBefore says that the turn of a part is before that of one which was found before it: what is
// not judged yet is read in the order in which it was found, lest ever new parts keep the others
// from being judged.
func (p *part) isBefore(other *part) bool {
	if rank, than := p.rank(), other.rank(); rank != than {
		return rank < than
	}
	return p.read < other.read && other.read >= sampled
}

// take counts a document that is asked for.
func (l *late) take(p *part) {
	if !p.isWorthy() {
		l.asked++
	}
	p.read++
}

// isWorthy says that the documents of a part lead to others elsewhere, and grow no faster than they are read.
func (p *part) isWorthy() bool { return p.read >= sampled && p.rank() < 2 }

// isChain says that the documents of a part lead on and on, one to the next, and hardly one of them
// is good for anything, as those of a folder may.
func (p *part) isChain() bool {
	return p.came >= maxAlone && p.births >= p.came && 20*(p.yields+p.news+p.twice) < p.came
}

// isWaiting says whether documents of a part are to be asked for.
func (p *part) isWaiting() bool { return len(p.places) > 0 || len(p.known.parts) > 0 }

// isSpent says that hardly one document in ten of a part is good for anything, as surely as many show it:
// those of earlier runs, of which some were read again, count too.
func (p *part) isSpent() bool {
	return p.read >= sampled && p.before+p.read >= maxAlone && 10*(p.yields+p.news) < p.read || p.isEndless()
}

// isDull says that enough documents of a part came now, of which hardly one is good for anything.
func (p *part) isDull() bool {
	return p.came >= max(sampledBelow, p.before/dullNights) && 10*(p.yields+p.news) < p.came
}

// isEndless says that the names below a folder come to no end, whatever its pages say.
func (p *part) isEndless() bool {
	return isBelow(p.key) && p.came >= sampledBelow && p.before+p.came >= 2*maxAlone && p.births >= p.came && 20*p.ends < p.came && 20*p.twice < p.read
}

// isFinite says that the branches of a part below a folder come to their ends.
func (p *part) isFinite() bool { return 4*p.ends >= p.came }

// isNew says that the documents of a part say something new, and that others lead to them: it
// ends where those do.
func (p *part) isNew() bool {
	return p.came >= sampled && 2*p.news >= p.came && (2*p.births < p.came || 2*p.outer >= p.names || isBelow(p.key) && p.isFinite())
}

// leadsToNew says that the documents of a part are lists of others that say something new.
func (p *part) leadsToNew() bool { return p.read > 0 && 2*p.fed >= p.read }

// rank is the less the more a part is worth: its documents lead to others elsewhere, and more
// than one page leads to them.
func (p *part) rank() (rank int) {
	if !p.isJudged() && !p.isViews() {
		return 0
	}
	if p.isSpent() && 2*p.births >= p.came {
		rank += 8
	}
	if p.isViews() || p.came == 0 || 2*p.yields < p.came && !(isBelow(p.key) && p.isNew()) {
		rank += 4
	}
	if 2*p.births > 3*p.read {
		rank += 2
	}
	if isBelow(p.key) || strings.Contains("?"+p.key+"?", "??") || 2*p.twice < p.read {
		rank++
	}
	return rank
}

// isJudged says that enough of a part was read to say what it is worth: below a folder whose pages
// say something new so many that a branch would have come to its end.
func (p *part) isJudged() bool {
	return p.read >= sampled && (!isBelow(p.key) || 2*p.news < p.came || p.isFinite() || p.read >= sampledBelow)
}

// isViews says whether a part has all other views of the documents at a path.
func (p *part) isViews() bool { return strings.HasSuffix(p.key, "?") }
