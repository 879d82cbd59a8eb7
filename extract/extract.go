// Package extract says where references stand: it finds the links of a document
// and gives each out with its place. It judges nothing and dials nothing; of the
// house it knows only uri (to resolve relative references and to know the schemes).
//
// One file per document format; the formats are told apart by one ordered list
// of sniffers (sniff.go).
package extract

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"linkcheck/uri"
)

// Found is one occurrence of a reference. Its JSON is a row of `extract --jsonl`.
type Found struct {
	URI     string `json:"uri"` // after the document's damage is undone, not normalized; "" for a relative reference without a base
	Raw     string `json:"raw"` // exactly as it stands
	Scheme  string `json:"scheme"`
	Source  string `json:"source"`  // the file, as the caller named it
	Member  string `json:"member"`  // path inside a container, nested with "!"
	Line    int    `json:"line"`    // physical line from 1; 0: none
	Column  int    `json:"column"`  // byte column from 1, in UTF-8 where the text had to be decoded first; 0: none
	Record  string `json:"record"`  // MARC control number, WARC record id, Message-ID ...
	Locator string `json:"locator"` // 856[2]$u, offset 123, part 1.2 ...
	How     string `json:"how"`     // how it was recognised: href, bracket, url-prefix, bare, hostpath ...
	Context string `json:"context"` // a little text around it, one line

	// Target is where the message or part stands that URI names, for callers who
	// brought the names of a set of documents together.
	Target string `json:"target,omitempty"`

	Title  string `json:"-"` // of the record or page, for reports
	Faulty bool   `json:"-"` // a URI must stand here, and Raw is none: a host without a scheme

	// Name is set where nothing is linked: a message or part that links may name
	// begins here. NameOf gives the name that a link asks for. See Options.Names.
	Name string `json:"-"`

	binary bool // of a file whose lines mean nothing
}

// Place says where it stands, in the manner of compilers: file!member:line:column;
// in binary MARC by record and field, and the message where that is known alone.
func (f Found) Place() string {
	s := f.Source
	if f.Member != "" {
		s += "!" + f.Member
	}
	switch {
	case f.binary:
		for _, t := range []string{f.Record, f.Locator} {
			if t != "" {
				s += " " + t
			}
		}
	case f.Line > 0 && f.Column > 0:
		return s + fmt.Sprintf(":%d:%d", f.Line, f.Column)
	case f.Line > 0:
		s += fmt.Sprintf(":%d", f.Line)
	case f.Record != "":
		s += " " + f.Record
	}
	return s
}

// Options steers extraction. The zero value works.
type Options struct {
	Base     string   // base URI for relative references
	Input    string   // force a format: auto marc marcxml html rfc mbox maildir warc text csv:COL; "" is auto
	Charset  string   // override every declared charset
	Comments bool     // give links in comments too, marked
	MARC     []string // fields with URIs such as "856u"; nil: the default set
	RecordID string   // MARC field of the record id; "" is 001
	Names    bool     // give out the names of messages and parts too, each where it begins
}

// Valid says what is wrong with options that no document could be read by, or nil.
func (o Options) Valid() error {
	if !knownInput(o.Input) {
		return fmt.Errorf("unknown format %.200q", o.Input)
	}
	if o.Base != "" {
		if _, err := uri.Parse(o.Base); err != nil {
			return fmt.Errorf("base %.200q: %w", o.Base, err)
		}
	}
	if _, err := htmlindex.Get(strings.TrimSpace(o.Charset)); o.Charset != "" && err != nil {
		return fmt.Errorf("unknown charset %.200q", o.Charset)
	}
	for _, s := range o.MARC {
		if len(strings.ReplaceAll(s, "$", "")) != 4 {
			return fmt.Errorf("MARC %.200q: want a field with a subfield, such as 856u", s)
		}
	}
	if len(o.RecordID) != 0 && len(o.RecordID) != 3 {
		return fmt.Errorf("record id %.200q: want a MARC field, such as 001 or 035", o.RecordID)
	}
	return nil
}

// Damage is an error that spoils a part of a document: the rest was read.
type Damage struct {
	Source, Member string
	Line           int
	Err            error
}

func (d *Damage) Error() string {
	s := d.Source
	if d.Member != "" {
		s += "!" + d.Member
	}
	if d.Line > 0 {
		s += fmt.Sprintf(":%d", d.Line)
	}
	return s + ": " + d.Err.Error()
}

func (d *Damage) Unwrap() error { return d.Err }

// Document yields the links of one document in document order. source names it
// (its suffix is one hint of many). An error is a *Damage and may stand between
// findings; after it the rest still comes.
func Document(source string, r io.Reader, o Options) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		d := newDoc(source, r, o, &out{yield: yield})
		if !knownInput(o.Input) {
			d.damage(0, fmt.Errorf("unknown format %.200q", o.Input))
			return
		}
		d.sniffAndRead()
	}
}
