package mend

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"linkcheck/extract"
)

// Way is what becomes of an address that is dead, where it is more than that another one is
// written in its place.
type Way string

// The ways. The zero Way writes the new address in the place of the old one.
const (
	Add      Way = "add"       // MARC: a second field behind the first; a page: Robust Links in the old place
	Note     Way = "note"      // MARC: $z with the copy, at the end of the field
	Uncheck  Way = "uncheck"   // MARC: $u becomes $z
	UncheckX Way = "uncheck-x" // MARC: $u becomes $x, which catalogues do not show
)

// Ways are all of them.
var Ways = []Way{Add, Note, Uncheck, UncheckX}

// adds says whether a change puts something beside the old address, or, to restore, takes
// that away.
func (c *Change) adds() bool { return c.Way == Add || c.Way == Note }

func (c *Change) unchecks() bool { return c.Way == Uncheck || c.Way == UncheckX }

var (
	errOnlyMARC  = errors.New("this stands for $u of 856 and 956 alone: elsewhere the copy replaces the address, or it is kept")
	errOnlyLinks = errors.New("links of <a> alone can be Robust Links")
)

// archivedNote begins a note, and is the whole of one beside a copy in $u.
const archivedNote = "Archived copy"

// around gives the job of a change that is more than another value.
func (d *document) around(p *piece, f *extract.Found, at span, c *Change) (job, error) {
	if d.isPage() {
		if c.Way != Add {
			return job{}, errOnlyMARC
		}
		return robustLink(p.text, at, f.How, c)
	}
	tag, _, _ := strings.Cut(f.Locator, "[")
	if tag != "856" && tag != "956" || f.How != "$u" && !c.Restore {
		return job{}, errOnlyMARC
	}
	frame, ok := d.frame(p, f, at)
	if !ok {
		return job{}, errOnlyMARC
	}
	note := archivedNote
	if c.Date != "" {
		note += " of " + c.Date
	}
	switch {
	case c.unchecks() && c.Restore:
		return job{at: frame.code, value: "u"}, nil
	case c.unchecks():
		return job{at: frame.code, value: map[Way]string{Uncheck: "z", UncheckX: "x"}[c.Way]}, nil
	case c.Way == Note && c.Restore:
		return job{at: frame.subfield}, nil
	case c.Way == Note:
		return job{at: span{frame.end, frame.end}, value: frame.write('z', note+": "+c.New)}, nil
	case c.Restore:
		return job{at: frame.whole, field: true}, nil
	}
	behind := frame.whole.to
	return job{at: span{behind, behind}, value: frame.head + frame.write('u', c.New) + frame.write('z', note) + frame.tail, field: true}, nil
}

// frame is a field of MARC as it stands in the octets of a piece.
type frame struct {
	whole    span // with what parts it from the one before
	subfield span // at hand, with what parts it from the one before
	code     span // of that subfield
	end      int  // where one more subfield belongs
	write    func(code byte, value string) string
	head     string // what begins a field for a copy, with its indicators
	tail     string
}

// copyIndicators are those of 856 for a version of what is described, by HTTP; a local field
// keeps its own.
func copyIndicators(tag, own string) string {
	if tag == "856" {
		return "41"
	}
	return own
}

// frame finds the field around a value.
func (d *document) frame(p *piece, f *extract.Found, at span) (frame, bool) {
	switch d.Format {
	case "marc":
		return frameOfRecord(p, f)
	case "mrk":
		return frameOfLine(p.text, at)
	case "xml":
		return frameOfElement(p.text, at)
	}
	return frame{}, false
}

func frameOfRecord(p *piece, f *extract.Found) (frame, bool) {
	lead := leadOf(p.text)
	r, err := parseRecord(p.text[lead:])
	if err != nil {
		return frame{}, false
	}
	of, value, ok := r.subfield(f.Locator)
	if !ok || of.to-of.from < 4 {
		return frame{}, false
	}
	moved := func(from, to int) span { return span{from + lead, to + lead} }
	return frame{
		whole: moved(of.from, of.to), subfield: moved(value.from-2, value.to), code: moved(value.from-1, value.from), end: lead + of.to - 1,
		write: func(code byte, value string) string { return string([]byte{delimiter, code}) + value },
		head:  copyIndicators(of.tag, string(r.octets[of.from:of.from+2])), tail: string(rune(fieldEnd)),
	}, true
}

// frameOfLine is for .mrk, where a field is a line: "=856  40$u...".
func frameOfLine(text []byte, at span) (frame, bool) {
	from, to := bytes.LastIndexByte(text[:at.from], '\n')+1, len(text)
	if n := bytes.IndexByte(text[at.to:], '\n'); n >= 0 {
		to = at.to + n
	}
	begin, ending := bytes.LastIndexByte(text[from:at.from], '$'), "\n"
	if from > 1 && text[from-2] == '\r' {
		ending = "\r\n"
	}
	to = from + len(bytes.TrimRight(text[from:to], "\r"))
	if from < len(ending) || begin < 8 {
		return frame{}, false
	}
	sub := span{from + begin, to}
	if n := bytes.IndexByte(text[at.to:to], '$'); n >= 0 {
		sub.to = at.to + n
	}
	line := text[from:]
	return frame{
		whole: span{from - len(ending), to}, subfield: sub, code: span{sub.from + 1, sub.from + 2}, end: to,
		write: func(code byte, value string) string {
			return "$" + string(rune(code)) + spellings["mrk"].write(nil, value)
		},
		head: ending + string(line[:6]) + copyIndicators(string(line[1:4]), string(line[6:8])),
	}, true
}

// frameOfElement is for MARCXML, where a field is an element and so is a subfield.
func frameOfElement(text []byte, at span) (frame, bool) {
	of, prefix, ok := element(text, at, "datafield")
	sub, _, ok2 := element(text, at, "subfield")
	if !ok || !ok2 || sub.from < of.from || sub.to > of.to {
		return frame{}, false
	}
	tag, begin := text[of.from:bytes.IndexByte(text[of.from:], '>')+of.from+1], text[sub.from:at.from]
	code, inds := codeOf.FindSubmatchIndex(begin), indicators.FindAllSubmatchIndex(tag, -1)
	last := bytes.LastIndex(text[:of.to-1], []byte("</"+prefix+"subfield")) // and so the last subfield ends
	if code == nil || last < at.to || len(inds) != 2 {
		return frame{}, false
	}
	end := last + bytes.IndexByte(text[last:], '>') + 1
	head := bytes.Clone(tag)
	for _, m := range inds {
		if number := tagOf.FindSubmatch(tag); number != nil && string(number[1]) == "856" {
			head[m[4]] = copyIndicators("856", "")[tag[m[2]]-'1']
		}
	}
	of.from -= blanksBefore(text[:of.from])
	gap := string(text[sub.from-blanksBefore(text[:sub.from]) : sub.from])
	layout := string(text[of.from : of.from+len(text[of.from:])-len(bytes.TrimLeft(text[of.from:], " \t\r\n"))])
	return frame{
		whole: of, subfield: span{sub.from - len(gap), sub.to}, code: span{sub.from + code[2], sub.from + code[3]}, end: end,
		write: func(code byte, value string) string {
			return gap + "<" + prefix + `subfield code="` + string(rune(code)) + `">` + inMarkup(nil, value) + "</" + prefix + "subfield>"
		},
		head: layout + string(head), tail: string(text[end:of.to]),
	}, true
}

var (
	codeOf     = regexp.MustCompile(`\scode\s*=\s*["']([^"'])["']`)
	tagOf      = regexp.MustCompile(`\stag\s*=\s*["']([^"']*)["']`)
	indicators = regexp.MustCompile(`\sind([12])\s*=\s*["']([^"'])["']`)
)

// element is the innermost element of a name around a place, and the prefix of its name.
func element(text []byte, at span, name string) (s span, prefix string, ok bool) {
	for before := text[:at.from]; ; before = before[:s.from] {
		n := bytes.LastIndex(before, []byte(name))
		if n < 1 {
			return s, "", false
		}
		if s.from = bytes.LastIndexByte(before[:n], '<'); s.from < 0 {
			return s, "", false
		}
		prefix = string(before[s.from+1 : n])
		if prefix == "" || strings.HasSuffix(prefix, ":") && !strings.ContainsAny(prefix, "/ \t\r\n>\"'") {
			break
		}
	}
	closing := []byte("</" + prefix + name)
	n := bytes.Index(text[at.to:], closing)
	if n < 0 || bytes.Contains(text[s.from:at.to], closing) {
		return s, "", false
	}
	s.to = at.to + n
	n = bytes.IndexByte(text[s.to:], '>')
	s.to += n + 1
	return s, prefix, n > 0
}

// blanksBefore counts the blanks at the end of a text that stand behind markup.
func blanksBefore(text []byte) int {
	bare := bytes.TrimRight(text, " \t\r\n")
	if !bytes.HasSuffix(bare, []byte(">")) {
		return 0
	}
	return len(text) - len(bare)
}

// robust are the attributes that keep an address beside its copy: Robust Links, section
// "Decorating links" (robustlinks.mementoweb.org/spec).
var robust = regexp.MustCompile(`^(["']?) data-originalurl="([^"]*)"(?: data-versiondate="[^"]*")?`)

// robustLink gives the job that puts the copy into the place of a link of <a>, and the
// address beside it; or that takes both back.
func robustLink(text []byte, at span, how string, c *Change) (job, error) {
	tag := text[max(0, bytes.LastIndexByte(text[:at.from], '<')):at.from]
	if how != "href" || len(tag) < 3 || !bytes.EqualFold(tag[:2], []byte("<a")) || !slices.Contains([]byte(" \t\r\n"), tag[2]) {
		return job{}, errOnlyLinks
	}
	old := string(text[at.from:at.to])
	if c.Restore {
		m := robust.FindSubmatch(text[at.to:])
		if m == nil {
			return job{}, errGone
		}
		return job{at: span{at.from, at.to + len(m[0])}, value: string(m[2]) + string(m[1])}, nil
	}
	quote := bytes.TrimRight(tag, " \t\r\n")
	end := at.to
	if q := quote[len(quote)-1]; q == '"' || q == '\'' {
		if end < len(text) && text[end] == q {
			end++
		} else {
			return job{}, errSpelled
		}
	}
	value := writeHTML(text[:at.from], c.New) + string(text[at.to:end]) + ` data-originalurl="` + strings.ReplaceAll(old, `"`, "&quot;") + `"`
	if c.Date != "" {
		value += ` data-versiondate="` + c.Date + `"`
	}
	return job{at: span{at.from, end}, value: value}, nil
}
