package main

// verdict is what a program says of a link.
type verdict int

// The verdicts. Most programs know two of them.
const (
	unsaid    verdict = iota // nothing: it was not found, or not asked
	good                     // it is there
	bad                      // it is broken
	toUpdate                 // it has moved for good, and where to
	uncertain                // a person has to look, or another night
)

// mark is a verdict against the truth.
type mark int

// The marks.
const (
	open  mark = iota // neither: the program left it to its reader, or said too little
	right             // what a reader should do follows from it
	wrong             // a reader who believes it breaks a good link, or keeps a broken one
)

// rightly says which verdicts are right and which are wrong about a truth; what is in
// neither is left open.
var rightly = map[truth]struct{ right, wrong []verdict }{
	live:     {[]verdict{good}, []verdict{bad, toUpdate}},
	dead:     {[]verdict{bad}, []verdict{good, toUpdate}},
	moved:    {[]verdict{toUpdate}, []verdict{bad}},
	walled:   {[]verdict{uncertain}, []verdict{bad}},
	soft:     {[]verdict{bad, uncertain}, []verdict{good, toUpdate}},
	slow:     {[]verdict{good}, []verdict{bad, toUpdate}},
	flapping: {[]verdict{good, uncertain}, []verdict{bad, toUpdate}},
}

func markOf(is truth, said verdict) mark {
	for _, v := range rightly[is].right {
		if v == said {
			return right
		}
	}
	for _, v := range rightly[is].wrong {
		if v == said {
			return wrong
		}
	}
	return open
}

// score counts marks.
type score struct{ right, wrong, all int }

// scoreOf judges what a program said of links, by what they are.
func scoreOf(links []link, said map[string]verdict) (total score, each map[truth]score) {
	each = map[truth]score{}
	for _, l := range links {
		s := each[l.is]
		s.all++
		switch markOf(l.is, said[l.url]) {
		case right:
			s.right++
		case wrong:
			s.wrong++
		}
		each[l.is] = s
	}
	for _, s := range each {
		total.right, total.wrong, total.all = total.right+s.right, total.wrong+s.wrong, total.all+s.all
	}
	return total, each
}

// found compares the links that a program finds in a document with those that it has.
type found struct{ right, extra, all int }

func foundOf(have, said map[string]bool) found {
	f := found{all: len(have)}
	for u := range said {
		if have[u] {
			f.right++
		} else {
			f.extra++
		}
	}
	return f
}

// precision is the share of what is told that is a link of the document, in percent.
func (f found) precision() float64 { return percent(f.right, f.right+f.extra) }

// recall is the share of the links of the document that are told, in percent.
func (f found) recall() float64 { return percent(f.right, f.all) }

func percent(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return 100 * float64(part) / float64(all)
}
