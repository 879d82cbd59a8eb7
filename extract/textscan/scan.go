package textscan

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// hit is one reference found in text: where it stands, what it says.
type hit struct {
	start, end int // of the reference as it stands in the text, wrapper left out
	uri        string
	how        string
}

// The values of Found.How that the text scanner gives.
const (
	HowBracket  = "bracket"    // <http://...>, "http://..." over a line end
	HowPrefix   = "url-prefix" // <URL:...>, URL:..., UDI=...
	HowBare     = "bare"
	HowHostPath = "hostpath" // host:/path, meant as anonymous FTP
	HowWWW      = "www"      // www.host/..., no scheme written
)

const (
	maxURI    = 4096 // bytes of one reference in text, line breaks included
	maxScheme = 16
	lookAhead = 16 << 10 // bytes behind the start of a reference that are looked at
	lookBack  = 4 << 10
)

// scanner looks for references in a text. What stands before and behind a reference
// is context.
type scanner struct {
	text   []byte
	d      *doc.Document                          // whose budget the work is charged to
	over   bool                                   // and is over it
	run    span                                   // over which bareEnd walked last
	room   func(eol int) (letters int, firm bool) // letters that would have fit on a line; nil: by those that it has
	hyphen func(before string, after []byte) bool // see Feed.Hyphenated; may be nil
	block  *block                                 // that text is; may be nil
}

// scan gives the references that start in text[from:limit], in order. It returns
// where to go on: behind the last reference, at least at limit. emit says false to stop.
//
// A reference has a colon, begins with "www.", has "//" behind a scheme that lacks its
// colon, or stands behind "anonymous ftp": it is looked for where the next of these stands.
func (s *scanner) scan(from, limit int, emit func(hit) bool) int {
	text, pos := s.text, from
	colon, www, slip, ftp := from-1, from-1, from-1, from-1
	for pos < limit && !s.over {
		if colon < pos {
			colon = indexFrom(text, pos, limit, ":")
		}
		if www < pos {
			www = wwwFrom(text, pos, limit)
		}
		if slip < pos {
			slip = slipFrom(text, pos, limit)
		}
		if ftp < pos {
			ftp = proseFrom(text, pos, limit)
		}
		at := min(colon, www, slip, ftp)
		if at == limit {
			break
		}
		var h hit
		var ok bool
		switch at {
		case colon:
			if h, ok = s.hitAt(from, at); ok {
				h = s.joinBlock(h, from, at)
			}
		case www:
			h, ok = s.wwwHit(at)
		case slip:
			h, ok = s.slipHit(wordStart(text, at), at)
		case ftp:
			h, ok = s.proseHit(at)
			ftp = proseFrom(text, at+1, limit) // from here: the path may end in the next "anonymous"
		}
		pos = at + 1
		if ok && h.start >= from {
			if !emit(h) {
				return limit
			}
			pos, from = max(pos, h.end), h.end
		}
	}
	return max(pos, limit)
}

// indexFrom is where a word next stands in text[pos:limit]; limit for nowhere.
func indexFrom(text []byte, pos, limit int, word string) int {
	if i := bytes.Index(text[pos:limit], []byte(word)); i >= 0 {
		return pos + i
	}
	return limit
}

// hitAt looks whether the colon at text[at] belongs to a reference that starts
// at or after from.
func (s *scanner) hitAt(from, at int) (hit, bool) {
	text := s.text
	if at+1 >= len(text) || at == from {
		return hit{}, false
	}
	start := schemeStart(text, from, at)
	if start < at {
		if h, ok := s.schemeHit(start, at); ok {
			return h, true
		}
		if h, ok := s.slipHit(start, at); ok {
			return h, true
		}
	}
	return s.hostPathHit(from, at)
}

// schemeStart walks back from the colon over what may be a scheme.
func schemeStart(text []byte, from, at int) int {
	i := at
	for i > from && at-i < maxScheme && ascii.SchemeByte(text[i-1]) {
		i--
	}
	if i > from && ascii.SchemeByte(text[i-1]) {
		return at
	}
	return i
}

// schemeHit recognises scheme:rest where the name of the scheme begins somewhere in
// text[start:at] ("see.http:" has http).
func (s *scanner) schemeHit(start, at int) (hit, bool) {
	text := s.text
	for !ascii.Letter(text[start]) {
		if start++; start >= at {
			return hit{}, false
		}
	}
	spelled := uri.SpellingOf(string(text[start:at]))
	if spelled == uri.SpelledUnknown {
		if start, spelled = glued(text, start, at); at-start < 3 || masked(text[start:at]) {
			return hit{}, false
		}
	}
	if spelled == uri.SpelledNever || spelled == uri.SpelledGo && bytes.HasSuffix(text[:start], []byte("//")) || !s.tried(0) {
		return hit{}, false // "//go:build" is for the compiler of Go
	}
	w := wrapperAt(text, start)
	if w.identifier {
		return hit{}, false
	}
	if w.close != 0 {
		if h, ok := s.wrapped(start, at, spelled, w); ok {
			return h, true
		}
	}
	return s.bareHit(start, at, spelled, w)
}

// glued finds a scheme at the end of a word: "see.http", "WWWhttp". One that is made
// of two, as "git+ssh", is taken whole.
func glued(text []byte, start, at int) (int, uri.Spelling) {
	if at+2 < len(text) && text[at+1] == '/' && text[at+2] == '/' {
		for i := start + 1; i < at-2; i++ {
			if s := uri.SpellingOf(string(text[i:at])); s == uri.SpelledSlashes {
				if i-start > 2 && text[i-1] == '+' && ascii.Letter(text[i-2]) {
					return start, s
				}
				return i, s
			}
		}
	}
	return start, uri.SpelledUnknown
}
