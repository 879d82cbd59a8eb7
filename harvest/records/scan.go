package records

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxDeep   = 200      // open elements
	maxText   = 64 << 10 // octets of text in an element beside records
	maxSpaces = 1000     // namespaces that are declared at a time
)

// ErrStopped is the error of a page whose reader wanted no more of it.
var ErrStopped = errors.New("stopped")

// Record is one record of a page.
type Record struct {
	ID      string // identifier that the page gives; "": none
	Stamp   string // datestamp that the page gives; "": none
	Deleted bool
	Body    []byte // an XML document; nil: it did not come. Good until the next record
	Fault   string // why a record that came could not be read: it is not well formed, or too long; "": it could
	Facts
}

// Other is the error of what is no answer of the protocol.
type Other struct {
	Line string // the first line of what came
}

// Error says what came.
func (o *Other) Error() string { return fmt.Sprintf("it begins with %.80q", o.Line) }

// page is an answer that is taken apart by its elements. Names are those without prefix:
// the namespaces of envelopes differ from version to version.
type page interface {
	// start is called for each start tag beside records; bare says that the element holds a record.
	start(name, parent string, attrs []xml.Attr) (bare bool)
	// end is called for each end tag beside records.
	end(name, parent, text string) error
	// record is called with the record in an element that holds one; nil: it is too long.
	record(body []byte, f Facts)
	// entry says whether an element of the page is what a record stands in, with all that
	// the page says of it, and what follows such an element: see [scanner.passOver].
	entry(name, parent string) (next string, ok bool)
	// fault is called in place of record, and of the end of the entry, for one that cannot be read.
	fault(text string) error
}

// binding is a declaration of a namespace.
type binding struct {
	prefix, uri string
	depth       int // of its element
}

// scanner reads a page.
type scanner struct {
	src    *source
	dec    *xml.Decoder
	from   int64 // offset at which the decoder began
	page   page
	roots  []string
	open   []xml.Name
	spaces []binding
	text   []byte // of the element at hand
	bare   bool   // the element at hand holds a record, which has not come

	entry int    // depth of the entry at hand; 0: none
	next  string // what follows it, as page.entry says

	inside  int // depth of the record at hand; 0: none
	begun   int64
	facts   factReader
	missing []binding // namespaces that the record at hand uses and does not declare
	body    []byte
}

// newScanner reads a page whose outermost element is one of roots; none: any.
func newScanner(r io.Reader, limit int, p page, roots ...string) *scanner {
	s := &scanner{src: newSource(r, limit), page: p, roots: roots}
	s.decode()
	return s
}

func (s *scanner) offset() int64 { return s.from + s.dec.InputOffset() }

// run reads to the end of the outermost element.
func (s *scanner) run() error {
	for ended := false; ; {
		if s.inside == 0 {
			s.begun = s.offset()
		}
		if s.entry == 0 {
			s.src.hold(s.begun)
		}
		s.src.begin()
		token, err := s.dec.RawToken()
		if err != nil {
			err = s.fault(err)
		} else {
			ended, err = s.take(token)
		}
		if err != nil {
			err = s.passOver(err)
		}
		if ended || err != nil {
			return err
		}
	}
}

// take takes a token of the page; ended: it was the last.
func (s *scanner) take(token xml.Token) (ended bool, err error) {
	switch t := token.(type) {
	case xml.StartElement:
		err = s.start(t)
	case xml.EndElement:
		err = s.end(t)
		ended = len(s.open) == 0
	case xml.CharData:
		err = s.chars(t)
	}
	return ended, err
}

func (s *scanner) start(t xml.StartElement) error {
	parent := s.at(0)
	if len(s.open) == 0 && len(s.roots) > 0 && !slices.Contains(s.roots, t.Name.Local) {
		return &Other{s.src.firstLine()}
	}
	if len(s.open) >= maxDeep {
		return fmt.Errorf("%w: more than %d elements open", errForm, maxDeep)
	}
	s.open = append(s.open, t.Name)
	for _, a := range t.Attr {
		switch {
		case len(s.spaces) >= maxSpaces:
		case a.Name.Space == "xmlns":
			s.spaces = append(s.spaces, binding{a.Name.Local, a.Value, len(s.open)})
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			s.spaces = append(s.spaces, binding{"", a.Value, len(s.open)})
		}
	}
	if s.bare && s.inside == 0 {
		s.inside, s.missing, s.facts = len(s.open), s.missing[:0], factReader{}
	}
	if s.inside == 0 {
		if next, ok := s.page.entry(t.Name.Local, parent); ok && s.entry == 0 {
			s.entry, s.next = len(s.open), next
		}
		s.text = s.text[:0]
		s.bare = s.page.start(t.Name.Local, parent, t.Attr)
		return nil
	}
	s.use(t.Name.Space)
	for _, a := range t.Attr {
		if a.Name.Space != "" && a.Name.Space != "xmlns" {
			s.use(a.Name.Space)
		}
	}
	s.facts.start(t.Name.Local, t.Attr)
	return nil
}

// use notes a prefix that the record at hand uses.
func (s *scanner) use(prefix string) {
	for i := len(s.spaces) - 1; i >= 0; i-- {
		if b := s.spaces[i]; b.prefix == prefix {
			if b.depth < s.inside && b.uri != "" && !s.isMissing(prefix) {
				s.missing = append(s.missing, b)
			}
			return
		}
	}
}

func (s *scanner) isMissing(prefix string) bool {
	return slices.ContainsFunc(s.missing, func(b binding) bool { return b.prefix == prefix })
}

func (s *scanner) chars(text []byte) error {
	limit := maxText
	switch {
	case s.inside > 0:
		s.facts.chars(text)
		return nil
	case len(s.open) == 0 && len(bytes.TrimSpace(text)) > 0:
		return &Other{s.src.firstLine()}
	case s.bare:
		limit = maxRecord
	}
	s.text = append(s.text, text[:min(len(text), limit-min(limit, len(s.text)))]...)
	return nil
}

func (s *scanner) end(t xml.EndElement) error {
	n := len(s.open)
	if n == 0 || s.open[n-1] != t.Name {
		return fmt.Errorf("%w: end of %.40q in %.40q", errForm, t.Name.Local, s.at(0))
	}
	parent := s.at(1)
	s.close(n)
	switch {
	case s.inside == n:
		s.inside, s.bare, s.text = 0, false, s.text[:0]
		s.page.record(s.document(s.src.held(s.begun, s.offset()), t.Name), s.facts.done())
	case s.inside > 0:
		s.facts.end(t.Name.Local)
	default:
		if s.bare = false; s.entry == n {
			s.entry = 0
		}
		err := s.page.end(t.Name.Local, parent, string(bytes.TrimSpace(s.text)))
		s.text = s.text[:0]
		return err
	}
	return nil
}

// at is the name of an open element, counted from the innermost; "": there is none.
func (s *scanner) at(i int) string {
	if i >= len(s.open) {
		return ""
	}
	return s.open[len(s.open)-1-i].Local
}

const prolog = `<?xml version="1.0" encoding="UTF-8"?>`

// document makes a document of a record: what is declared around it and used in it is
// declared at its outermost element.
func (s *scanner) document(raw []byte, name xml.Name) []byte {
	if raw == nil {
		return nil
	}
	n := 1 + len(name.Local)
	if name.Space != "" {
		n += len(name.Space) + 1
	}
	s.body = append(append(s.body[:0], prolog...), raw[:n]...)
	for _, b := range s.missing {
		s.body = append(s.body, " xmlns"...)
		if b.prefix != "" {
			s.body = append(append(s.body, ':'), b.prefix...)
		}
		s.body = append(append(append(s.body, `="`...), attrEscaper.Replace(b.uri)...), '"')
	}
	s.body = append(s.body, raw[n:]...)
	return s.body
}

var attrEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;")

// attr is the value of an attribute; "": there is none.
func attr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}
