package harvest

import (
	"fmt"
	"slices"
	"strings"
)

// What may have no end comes last, and is read up to a bound.
const (
	maxLate    = 240  // documents of a root that are of parts which are not worthy, and more
	enoughOf   = 2500 // while the root has fewer documents than these
	maxWaiting = 500  // that wait, of a part: of one below a folder four times as many
	sampled    = 3    // documents of a part by which it is judged

	maxAlone  = 50 // names below a folder to which its own pages lead, each one to its own
	fewBelow  = 16 // names below a folder that count for that of the root
	maxCopied = 10 // pages below a folder that were read under other names
)

// late is what waits until all others were asked for: the documents of parts of a site that
// may have no end.
type late struct {
	key     func(name string) uint64
	parts   []*part
	waits   map[uint64]*part  // by the hash of a name
	bred    map[uint64]origin // names to which a page below the same folder led first
	alone   set               // of them, and of what waits, those to which one page leads
	leaders map[uint64]*part  // by the hash of a name: the part of the page that led to it first
	folders map[string]*folder
	top     string // that of the root
	asked   int    // of all parts
}

// origin says which page led to a name first.
type origin struct {
	page   uint64 // hash of its name
	within int    // octets of the deepest folder that both are below, and of which the page is no index
	across bool   // they are below other folders of that of the root
}

// part is one of those: the addresses of a form, or what is below a folder.
type part struct {
	key         string
	places      []place
	found, read int
	twice       int // to which more than one page leads
	came        int // that came in this run
	news        int // of them those that say something new
	fed         int // of other parts that do, to which its documents led first
	yields      int // that lead to documents elsewhere
	births      int // to which a page of the same kin led first
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

// atForm is the part of a form: all that are another one of that path with more parameters are one.
func (l *late) atForm(key string) string {
	path, names, _ := strings.Cut(key, "?")
	for _, p := range l.parts {
		at, fewer, queried := strings.Cut(p.key, "?")
		if queried && at == path && fewer != "" && fewer != names && hasNames(names, fewer) {
			return path + "?"
		}
	}
	return key
}

// hasNames says whether the parameters of a form are among those of another one.
func hasNames(names, fewer string) bool {
	for name := range strings.SplitSeq(fewer, "&") {
		if !strings.Contains("&"+names+"&", "&"+name+"&") {
			return false
		}
	}
	return true
}

// push lets a document of a part wait.
func (l *late) push(key string, p place) {
	one := l.of(key)
	one.found++
	one.places = append(one.places, p)
	l.waits[l.key(p.name)] = one
	l.alone.add(l.key(p.name))
}

// isChain says whether a page is of a part that may have no end by its form.
func (l *late) isChain(key uint64) bool {
	p := l.waits[key]
	return p != nil && !isBelow(p.key)
}

// isFull says whether no more documents of a part may wait.
func (l *late) isFull(key string) bool {
	most := maxWaiting
	if l.of(key).isNew() {
		most = maxDocuments
	}
	if isBelow(key) {
		most *= 4
	}
	return len(l.of(key).places) >= most
}

// pop gives the place whose turn it is: of the parts that are worth most, the one of which
// least was read.
func (l *late) pop(documents int) (p place, ok bool) {
	var best *part
	full := l.asked >= maxLate && documents >= enoughOf
	for _, one := range l.parts {
		if len(one.places) > 0 && (!full || one.isWorthy()) && (best == nil || one.rank() < best.rank() || one.rank() == best.rank() && one.read < best.read) {
			best = one
		}
	}
	if best == nil {
		return p, false
	}
	at := 0
	if isBelow(best.key) {
		at = len(best.places) - 1 // deepest first, where a part that ends comes to its end
	}
	p = best.places[at]
	best.places = slices.Delete(best.places, at, at+1)
	l.take(best)
	return p, true
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

// isNew says that the documents of a part say something new, and that others lead to them: it
// ends where those do.
func (p *part) isNew() bool { return p.came >= sampled && 2*p.news >= p.came && 2*p.births < p.came }

// leadsToNew says that the documents of a part are lists of others that say something new.
func (p *part) leadsToNew() bool { return p.read > 0 && 2*p.fed >= p.read }

// rank is the less the more a part is worth: its documents lead to others elsewhere, and more
// than one page leads to them.
func (p *part) rank() (rank int) {
	if p.read < sampled && !p.isViews() {
		return 0
	}
	if p.isViews() || 2*p.yields < p.read {
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

// isViews says whether a part has all other views of the documents at a path.
func (p *part) isViews() bool { return strings.HasSuffix(p.key, "?") }

// below is the key of the part below a folder.
func below(folder string) string { return folder + "*" }

func isBelow(key string) bool { return strings.HasSuffix(key, "/*") }

// waiting begins the version that is kept of a document of such a part that was never read:
// which part it is.
const waiting = "waits="

// partOf gives the part in which a document waits; false: it is none that does.
func partOf(d *Document) (part string, waits bool) {
	if part, waits = strings.CutPrefix(d.Version, waiting); d.Read {
		return "", false
	}
	return part, waits
}

// heldBackAt says that not all of a part is read.
func heldBackAt(key string) string {
	if isBelow(key) {
		return fmt.Sprintf("held back below %.200s: its pages lead to ever new ones, or were read under other names", strings.TrimSuffix(key, "*"))
	}
	return fmt.Sprintf("held back at form %.200s", key)
}
