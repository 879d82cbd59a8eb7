package harvest

import (
	"iter"
	"slices"
	"strings"
)

// folder counts what shows whether the names below one may have no end. Random names lead
// each to others, that nothing else leads to; pages of a wiki lead to each other, and the
// branches of a tree come to their ends.
type folder struct {
	names  int // found below it
	alone  int // of them those to which pages below it led first
	twice  int // of those the ones to which others lead too
	read   int // of those the ones that were read
	vain   int // of those the ones that were asked for and did not come under that name
	ends   int // of these the ones that lead to no new name below it
	good   int // of these the ones that say something new, or lead to a document elsewhere
	pages  int // that were read below it
	worth  int // of them those that say something new, or lead to a document elsewhere
	leads  int // names below it to which a page led, wherever that stands
	from   int // pages that did, where none did in between
	again  int // of these names the ones to which others lead too
	last   uint64
	copied int // of them those that stand without its name too
	late   bool
	before bool // in an earlier run
	most   int  // that may wait, where the names were found to have an end
	peak   int  // that ever waited
}

// waiting is how many names wait to which pages below the folder led first.
func (f *folder) waiting() int { return f.alone - f.read - f.vain }

// isWide says that more wait than can be hoped to have an end: twice as many each time that
// they had.
func (f *folder) isWide() bool { return 20*f.twice < f.alone && f.waiting() > max(maxAlone, f.most) }

// isThread says that each page leads to the next below it and none back, longer than rows of posts and
// issues mostly are.
func (f *folder) isThread() bool {
	return f.alone-f.vain >= max(maxThread, f.most) && 20*f.twice < f.alone && 20*f.ends < f.read
}

// isBait says that each page leads to another name below it, and hardly one of these is good for
// anything: a list without end, a basket with an ever new name.
func (f *folder) isBait() bool {
	return f.pages >= maxAlone && f.leads >= maxAlone && 20*f.worth < f.pages && 20*f.again < f.leads && 4*f.from >= f.leads
}

// hasEnds says that its branches do, and that fewer wait than did.
func (f *folder) hasEnds() bool {
	f.peak = max(f.peak, f.waiting())
	return f.read >= 20 && 20*f.ends >= f.read && 5*f.waiting() <= 4*f.peak
}

// isWoven says that many of its names are led to twice.
func (f *folder) isWoven() bool { return 20*f.twice >= f.alone }

func (f *folder) isMirror() bool { return f.copied >= maxCopied && 2*f.copied >= f.pages }

// above are the folders of a path, the deepest first.
func above(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		path = strings.TrimSuffix(path, "/")
		for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
			if !yield(path[:i+1]) {
				return
			}
		}
	}
}

// leadsWithin says whether a page is below a folder, and not its index.
func leadsWithin(folder, page string) bool {
	return strings.HasPrefix(page, folder) && withoutIndex(page) != strings.TrimSuffix(folder, "/")
}

func (l *late) folder(at string) *folder {
	f := l.folders[at]
	if f == nil {
		f = &folder{}
		l.folders[at] = f
	}
	return f
}

// found counts a new name to which a page leads, and gives the key of the part to which it
// belongs; "": of none.
func (l *late) found(path, from string, key, page uint64) string {
	l.bred[key] = origin{page: page}
	l.alone.add(key)
	bait := ""
	for at := range above(path) {
		f := l.folder(at)
		if f.names++; l.bred[key].within == 0 && leadsWithin(at, from) {
			l.bred[key] = origin{page, len(at), l.first(path) != l.first(from)}
		}
		if f.leads++; f.last != page {
			f.last = page
			f.from++
		}
		if at != l.top && (f.isBait() || f.before) {
			bait = at
		}
	}
	if bait != "" {
		if !l.folder(bait).late {
			l.close(bait)
		}
		return below(bait)
	}
	for at, f := range l.counting(path, key) {
		f.alone++
		if !f.late && (f.isWide() || f.isThread()) && (at != l.top || f.alone >= 2*maxAlone) {
			l.close(at)
		}
		if f.late {
			return below(at)
		}
	}
	return ""
}

// first is the folder of a path that is in that of the root, or its name there.
func (l *late) first(path string) string {
	first, _, _ := strings.Cut(path[min(len(l.top), len(path)):], "/")
	return first
}

// counting gives the folders for which a name counts, the deepest first: that of the root only
// where another of its folders leads to the name, and only few are known of its own.
func (l *late) counting(path string, key uint64) iter.Seq2[string, *folder] {
	return func(yield func(string, *folder) bool) {
		inner := 0
		o, closed := l.bred[key], l.closedAt(path)
		for at := range above(path) {
			f := l.folder(at)
			counts := len(at) <= o.within && (closed == "" || at == closed) && (at != l.top || o.across && inner < fewBelow)
			if inner = f.names; counts && !yield(at, f) {
				return
			}
		}
	}
}

// closedAt is the folder of a path, but for that of the root, whose names wait; "": none.
func (l *late) closedAt(path string) (closed string) {
	for at := range above(path) {
		if f := l.folders[at]; f != nil && f.late && at != l.top {
			closed = at
		}
	}
	return closed
}

// close makes the names below a folder wait. What was counted of them says nothing of the
// folders above.
func (l *late) close(at string) {
	f := l.folders[at]
	f.late = true
	for up := range above(at) {
		if o := l.folder(up); up != l.top {
			o.alone, o.twice, o.read, o.vain, o.ends, o.good = o.alone-f.alone, o.twice-f.twice, o.read-f.read, o.vain-f.vain, o.ends-f.ends, o.good-f.good
		}
	}
}

// closed takes what is known of a part: where it is below a folder, another name waits there.
func (l *late) closed(key string) {
	if isBelow(key) {
		f := l.folder(strings.TrimSuffix(key, "*"))
		f.alone++
		f.late, f.before = true, true
	}
}

// part is the key of the part to which a name belongs that was found before its folder was
// closed; "": none.
func (l *late) part(path string, key uint64) string {
	for at, f := range l.counting(path, key) {
		if f.late {
			return below(at)
		}
	}
	return l.mirror(path)
}

// again counts that another page leads to a name that waits, which is not one of the names
// that were found in one page with it.
func (l *late) again(path string, key, page uint64) {
	first, ok := l.bred[key]
	if !l.alone.has(key) || ok && first.within > 0 && first.page == l.bred[page].page {
		return
	}
	for at := range above(path) {
		l.folder(at).again++
	}
	delete(l.alone, key)
	if p := l.waits[key]; p != nil {
		p.twice++
	}
	for _, f := range l.counting(path, key) {
		f.twice++
	}
}

// led counts a page that was read, the new names to which it led, and those of them that do not
// wait. It gives the places below a folder that are no more held back.
func (l *late) led(path string, key uint64, names, plain []string, says, copied bool) (free []place) {
	for at := range above(path) {
		f := l.folder(at)
		if f.pages++; copied {
			f.copied++
		}
		if says || slices.ContainsFunc(plain, func(name string) bool { return !strings.HasPrefix(name, at) }) {
			f.worth++
		}
		if !f.late && at != l.top && f.isMirror() {
			l.close(at)
		}
	}
	for at, f := range l.counting(path, key) {
		if f.read++; !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, at) }) {
			f.ends++
		}
		if says || slices.ContainsFunc(plain, func(name string) bool { return !strings.HasPrefix(name, at) }) {
			f.good++
		}
		if p := l.of(below(at)); f.late && !f.isMirror() && (f.hasEnds() || f.isWoven() && !p.isSpent()) {
			f.most, f.peak = 2*max(maxAlone, f.most, f.waiting()), 0
			f.late, free, p.places = false, p.places, nil
			l.asked, l.idle, p.read = l.asked-p.read, max(0, l.idle-p.read), 0
		}
	}
	return free
}

// vain counts a name that was asked for and did not come: it waits no longer.
func (l *late) vain(path string, key uint64) {
	for _, f := range l.counting(path, key) {
		f.vain++
	}
}

// mirror gives the part of a folder that shows what stands without its name too; "": none.
func (l *late) mirror(path string) string {
	for at := range above(path) {
		if f := l.folders[at]; f != nil && f.late && f.isMirror() {
			return below(at)
		}
	}
	return ""
}
