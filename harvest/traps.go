package harvest

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"linkcheck/internal/ascii"
)

// What a walk asks at most. Sites make addresses without end: calendars, tables that
// can be sorted, lists with filters, relative links that lack their slash.
const (
	maxName     = 2000 // octets of a name
	maxSegments = 20   // of a path
	maxDepth    = 48   // hops from the root
	chain       = 12   // hops from the root behind which what a page leads to is of its part

	maxOfQueries = 500  // documents of a form with a query, or of dates
	maxOfPath    = 1000 // documents of a path with any query
	maxOfPaths   = 5000 // documents of another form
	fewOfPath    = 12   // documents of a path with any query that are views of it: it makes no parts of its own
)

// maze says why an address looks like one of those that never end; "": it does not.
func maze(path string, size int) string {
	if size > maxName {
		return "names of more than 2,000 octets"
	}
	var segments []string
	for segment := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if segments = append(segments, segment); len(segments) > maxSegments {
			return "paths of more than 20 segments"
		}
	}
	for i := 2; i < len(segments); i++ {
		if segments[i] == segments[i-1] && segments[i] == segments[i-2] {
			return "the same segment three times in a row"
		}
	}
	for i := 0; i+5 < len(segments); i++ {
		times := 1
		for j := i + 2; j+1 < len(segments); j++ {
			if segments[j] == segments[i] && segments[j+1] == segments[i+1] {
				times++
				j++
			}
		}
		if times > 2 {
			return "the same two segments three times"
		}
	}
	return ""
}

// form is a path and a query with every number as N and every value as V: what addresses
// share that one program makes. The order of parameters and how often one stands there
// make no other form.
func form(path, query string) string {
	var b strings.Builder
	withN(&b, path)
	names := parameters(strings.TrimPrefix(query, "?"))
	for i, name := range names {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(name)
	}
	return b.String()
}

// parameters are those of a query, sorted, each once.
func parameters(query string) (names []string) {
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, valued := strings.Cut(part, "=")
		var b strings.Builder
		if withN(&b, name); valued {
			b.WriteString("=V")
		}
		if s := b.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
		if len(names) == maxSegments {
			break
		}
	}
	slices.Sort(names)
	return names
}

// withN writes s with every number as N.
func withN(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		if !ascii.Digit(s[i]) {
			b.WriteByte(s[i])
			continue
		}
		b.WriteByte('N')
		i = ascii.Skip(s, i, ascii.Digit) - 1
	}
}

// isOfDates says whether the form of a path has two numbers or more in segments of numbers
// alone, and ends in one: a day, or a page of an item.
func isOfDates(form string) bool {
	numbers, last := 0, false
	for segment := range strings.SplitSeq(strings.TrimSuffix(form, "/"), "/") {
		if last = strings.Trim(segment, "N-._") == ""; last {
			numbers += strings.Count(segment, "N")
		}
	}
	return last && numbers > 1
}

// isLate says whether an address is of a form that may have no end.
func isLate(path, query string) bool { return query != "" || isOfDates(form(path, "")) }

// forms counts the documents of each form.
type forms struct {
	seed  maphash.Seed
	count map[uint64]int
}

func newForms() *forms { return &forms{seed: maphash.MakeSeed(), count: map[uint64]int{}} }

// full gives the form that has as many documents as it may have; "": none has.
func (f *forms) full(path, query string) string {
	s := form(path, "")
	switch {
	case query != "":
		if s := form(path, query); f.of(s) >= maxOfQueries {
			return s
		}
		if s += "?"; f.of(s) >= maxOfPath {
			return s
		}
	case f.of(s) >= maxOfPaths || f.of(s) >= maxOfQueries && isOfDates(s):
		return s
	}
	return ""
}

// add counts a document. A path without a number or a query has a form of its own, which
// need not be counted.
func (f *forms) add(path, query string) {
	switch s := form(path, ""); {
	case query != "":
		f.count[f.key(form(path, query))]++
		f.ask(path, query)
	case s != path:
		f.count[f.key(s)]++
	}
}

// wait counts a document of a form that may have no end, and was not asked for.
func (f *forms) wait(path, query string) {
	if f.add(path, query); query != "" {
		f.count[f.key(form(path, "")+"?")]--
	}
}

// ask counts that it is.
func (f *forms) ask(path, query string) {
	if query != "" {
		f.count[f.key(form(path, "")+"?")]++
	}
}

func (f *forms) of(form string) int { return f.count[f.key(form)] }

func (f *forms) key(form string) uint64 { return maphash.String(f.seed, form) }

// Bounds says which addresses of an archive are held back: its walk does not ask for them, and
// links to them are better not asked about either.
type Bounds struct {
	root  Root
	site  site
	forms *forms
	names set
	late  map[uint64]string // the parts of documents that wait
	parts map[string]bool
}

// NewBounds are those of a root, of which nothing is known yet; nil: its kind has none.
func NewBounds(root Root) (*Bounds, error) {
	if root.Kind != Web && root.Kind != Gopher && root.Kind != FTP {
		return nil, nil
	}
	s, err := siteOf(root)
	return &Bounds{root, s, newForms(), set{}, map[uint64]string{}, map[string]bool{}}, err
}

// Add takes a document that stands.
func (b *Bounds) Add(d Document) {
	if web, ok := b.site.(*scope); ok && len(b.names)+len(b.late) == 0 {
		web.settle(d.Name)
	}
	key := b.forms.key(d.Name)
	if part, late := partOf(&d); late {
		b.late[key], b.parts[part] = part, true
	} else if !b.names.add(key) {
		return
	}
	b.forms.add(b.site.resource(d.Name))
}

// HeldBack says why an address is not asked for, for people; "": it may be.
func (b *Bounds) HeldBack(address string) string {
	address, _, _ = strings.Cut(address, "#")
	name, ours := b.site.name(address)
	if !ours || !b.site.holds(name) || !b.site.fetchable(name) {
		return ""
	}
	path, query := b.site.resource(name)
	if b.names.has(b.forms.key(name)) {
		if web, ok := b.site.(*scope); ok && web.hasSession(address) {
			return "it names the session of a reader; without that it is " + name
		}
		return ""
	}
	if part, late := b.late[b.forms.key(name)]; late {
		return heldBackAt(part)
	}
	if why := maze(path, len(name)); why != "" {
		return why
	}
	if form := b.forms.full(path, query); form != "" {
		return heldBackAt(form)
	}
	if isLate(path, query) && len(b.late) > 0 { // it would wait too
		return heldBackAt(form(path, query))
	}
	for folder := range above(path) {
		if b.parts[below(folder)] {
			return heldBackAt(below(folder))
		}
	}
	if most := cmp.Or(max(b.root.Documents, 0), maxDocuments); len(b.names) >= most {
		return fmt.Sprintf("%d documents are the bound", most)
	}
	return ""
}

// isFewer says whether a form has some of the parameters of another one of its path, which has more.
func isFewer(one, other string) bool {
	path, fewer, _ := strings.Cut(one, "?")
	at, names, _ := strings.Cut(other, "?")
	if path != at || fewer == "" || fewer == names {
		return false
	}
	for name := range strings.SplitSeq(fewer, "&") {
		if !strings.Contains("&"+names+"&", "&"+name+"&") {
			return false
		}
	}
	return true
}

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
