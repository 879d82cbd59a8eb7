package catalog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/extract/xmltoken"
)

const (
	openTried  = 100      // open elements that are compared with an end tag in the time of a candidate
	maxXMLDeep = 1000     // open elements whose names are known; deeper ones are read all the same
	maxNoted   = 64 << 10 // bytes of an element that may be an id or a title
	maxPending = 1000     // links of one record that wait for its id

	maxRecordsDeep = 16 // records inside one another; a deeper one belongs to those around it
)

var errXMLOpen = errors.New("XML ends with elements open: cut short")

// SniffXML recognises XML that is no page.
func SniffXML(p doc.Peek) bool {
	head := p.Text()
	if p.TextBegins("\xff\xfe<\x00?\x00", "\xfe\xff\x00<\x00?") {
		return true
	}
	low := bytes.ToLower(head)
	if p.Named(".html", ".htm") || bytes.Contains(low, []byte("<html")) || bytes.Contains(low, []byte("<!doctype html")) {
		return false
	}
	return p.TextBegins("<?xml") || p.TextBegins("<opml", "<rss") || p.TextBegins("<") && (p.Named(".xml", ".opml") && !p.Binary() || bytes.Contains(head, []byte(" xmlns")))
}

// xmlReader reads one XML document: catalogue records of any kind
// (MARCXML, MODS, Dublin Core, OAI-PMH, EAD), sitemaps, feeds, XML at large.
type xmlReader struct {
	d       *doc.Document
	t       *xmltoken.Tokens
	open    []element
	depth   int
	records []xmlRecord // open ones; a MARC record may stand in an OAI record
	spare   []doc.Found // empty, for the links of the next record
	bases   []xmlBase   // of open elements that have one of their own
	text    *textscan.Feed
	at      doc.Locations // of the text at hand
	decoded []byte        // the text at hand where it had character references
	joined  []byte        // the text at hand where it goes over inline elements
	joining bool          // and may go on
	said    string        // the last link of an attribute
	saidAt  int           // depth of its element
	shown   string        // the tag at hand as a context, once a link of it was found
	content []byte        // of the element at hand, for the id or title of a record
	damaged bool          // damage by an end tag that closes nothing, or too much, was given out
	marc    marcXMLReader
}

// ReadXML reads XML of any kind, well formed or not.
func ReadXML(d *doc.Document) error {
	x := &xmlReader{d: d, t: xmltoken.New(decodeXML(d))}
	x.text = textscan.NewFeed(d, x.inText)
	x.marc = marcXMLReader{x: x, links: links{d: d, wanted: uriSubfields(d.Options), found: x.found}}
	for !d.Stopped() && x.t.Next() {
		switch x.t.Kind {
		case xmltoken.Text:
			x.onText()
		case xmltoken.Start:
			x.onStart()
			if x.t.Empty {
				x.onEnd()
			}
		case xmltoken.End:
			x.onEnd()
		case xmltoken.Comment:
			x.onComment()
		}
	}
	x.endText()
	for len(x.records) > 0 {
		x.endRecord()
	}
	if x.t.Err == xmltoken.ErrCut {
		d.Damage(x.t.Line, xmltoken.ErrCut)
		return nil
	}
	if x.depth > 0 {
		d.Damage(x.t.Line, errXMLOpen)
	}
	return doc.IgnoreEOF(x.t.Err)
}

// decodeXML undoes the declared encoding; newlines stay where they are.
func decodeXML(d *doc.Document) *bufio.Reader {
	head, _ := d.In.Peek(256)
	if e := XMLEncoding(head, d.Options.Charset); e != nil {
		return bufio.NewReaderSize(e.NewDecoder().Reader(d.In), doc.ReaderSize)
	}
	return d.In
}

// XMLEncoding is the encoding in which a document is read that begins with head, nil for
// UTF-8 and what nobody knows. name overrides what is declared.
func XMLEncoding(head []byte, name string) encoding.Encoding {
	head = head[:min(len(head), 256)]
	if _, after, ok := bytes.Cut(head, []byte("encoding=")); ok && name == "" && len(after) > 2 {
		name, _, _ = strings.Cut(string(after[1:]), string(after[0]))
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) {
		name = "utf-16le"
	} else if bytes.HasPrefix(head, []byte("\xfe\xff")) {
		name = "utf-16be"
	}
	e, canonical := charset.Lookup(name)
	if canonical == "utf-8" || strings.HasPrefix(canonical, "utf-16") && bytes.IndexByte(head, 0) < 0 {
		return nil
	}
	return e
}

func (x *xmlReader) onStart() {
	name := xmltoken.Local(x.t.Name)
	e := element{name, traitsOf(name)}
	if !e.inline || bytes.Contains(x.t.Raw, []byte("href=")) {
		x.endText()
	}
	x.depth++
	if len(x.open) < maxXMLDeep {
		e.name, _ = x.d.Cut(x.t.Line, "name of an element", name)
		x.open = append(x.open, e)
	}
	if len(x.records) < maxRecordsDeep && x.isRecord(e) {
		x.records = append(x.records, xmlRecord{depth: x.depth, pending: x.spare})
		x.spare = nil
	}
	x.openBase()
	ours := x.marc.start(name)
	if !x.inTitle() {
		x.content = x.content[:0]
	}
	if ours {
		return
	}
	x.shown = ""
	at := textscan.NewCursor(x.t.Raw, x.t.Line, x.t.Col)
	x.t.Attrs(func(attr string, value []byte, off int) {
		if !isLinkAttr(attr) {
			return
		}
		several := x.isPointer(xmltoken.Local(attr))
		for from := 0; ; {
			to := len(value)
			if n := bytes.IndexAny(value[from:], " \t\r\n"); several && n >= 0 {
				to = from + n
			}
			line, col := at.At(off + from)
			cut, _ := x.d.Cut(line, "name of an attribute", attr)
			x.attribute(cut, string(bytes.TrimSpace(xmltoken.Unentity(value[from:to]))), line, col)
			if from = to + 1; from >= len(value) {
				return
			}
		}
	})
	if name == "outline" {
		x.outline()
	}
}

// outline looks for links in what an item of an outline says (OPML 2.0): its note, and its text, which
// for an item with an address of its own is a name.
func (x *xmlReader) outline() {
	at, named := textscan.NewCursor(x.t.Raw, x.t.Line, x.t.Col), false
	x.t.Attrs(func(attr string, value []byte, _ int) { named = named || isLinkAttr(attr) && len(value) > 0 })
	x.t.Attrs(func(attr string, value []byte, off int) {
		if attr == "_note" || attr == "text" && !named {
			line, col := at.At(off)
			x.at.Reset()
			x.search(x.plain(value, line, col))
		}
	})
}

// onEnd closes the element that the end tag names and all inside it, so that a
// missing end tag does not shift the rest.
func (x *xmlReader) onEnd() {
	name := xmltoken.Local(x.t.Name)
	e := x.element()
	if e.name != name {
		e = element{name, traitsOf(name)}
	}
	if !e.inline {
		x.endText()
	}
	if x.d.Options.Faults && name == "url" && len(bytes.TrimSpace(x.content)) == 0 && x.isLocation() {
		x.fault(nil, x.t.Line, x.t.Col)
	}
	if x.marc.end(name) {
		x.content = x.content[:0]
	} else {
		x.note(e)
	}
	n := len(x.open)
	if x.depth == n && !x.damaged && x.element().name != name {
		x.damaged = true
		x.d.Damage(x.t.Line, fmt.Errorf("end of %.40q inside %.40q: not well formed", name, x.element().name))
	}
	if x.depth > n {
		x.depth--
		n = 0
	}
	for n > 0 && x.open[n-1].name != name {
		n--
	}
	if n > 0 {
		x.open, x.depth = x.open[:n-1], n-1
	} else if x.depth == len(x.open) {
		x.d.Tried(x.depth / openTried)
	}
	x.closeBases()
	if x.saidAt > x.depth {
		x.saidAt = 0
	}
	for x.record() != nil && x.record().depth > x.depth {
		x.endRecord()
	}
}

func (x *xmlReader) onComment() {
	if !x.d.Options.Comments {
		return
	}
	textscan.Scan(x.d, x.t.Text, x.t.Line, x.t.Col, func(f doc.Found) bool { f.How = "comment"; return x.found(f) })
}
