package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"
	"unicode/utf8"

	"linkcheck/extract"
	"linkcheck/store/facts"
)

// rowsSchema is that of the rows of `extract --jsonl` that are no links.
const rowsSchema = "linkcheck.extract.v1"

// The kinds of rows, which stand in this order (docs/EXTRACTION.md, "Rows").
const (
	rowBegin    = "begin"    // what is read, and how
	rowDocument = "document" // a document begins: its links follow
	rowName     = "name"     // a message or part that links may name
	rowDamage   = "damage"   // a part that could not be read
	rowForeign  = "foreign"  // a part in a format that nothing here reads
	rowRead     = "read"     // the document was read
	rowFailed   = "failed"   // it could not be read whole
	rowMissed   = "missed"   // what could not be walked
	rowLink     = "link"     // a link to a folder, and not followed
	rowAstray   = "astray"   // a link that leads nowhere
	rowBare     = "bare"     // a folder with nothing in it
	rowEnd      = "end"      // all was walked
)

// Row is a row of `extract --jsonl` that is no link. Which fields it has hangs on its kind.
type Row struct {
	Schema    string        `json:"schema"`
	Kind      string        `json:"row"`
	Edition   int           `json:"edition,omitempty"`   // of the extractor
	Options   string        `json:"options,omitempty"`   // fingerprint of those of extraction
	Hidden    bool          `json:"hidden,omitempty"`    // secrets are hidden; of a document: in its path
	Roots     []rowPath     `json:"roots,omitempty"`     // whole paths
	Root      rowPath       `json:"root,omitempty"`      // the one below which it was found
	Path      rowPath       `json:"path,omitempty"`      // its identity (OUTCOMES section 4)
	Shown     rowPath       `json:"shown,omitempty"`     // the path as it was named, where that is another
	Name      string        `json:"name,omitempty"`      // that links ask for
	Size      int64         `json:"size,omitempty"`      // octets
	Modified  time.Time     `json:"modified,omitzero"`   // zero: so lately that it may change again in that second
	Member    string        `json:"member,omitempty"`    // where it stands
	Line      int           `json:"line,omitempty"`      // from 1; 0: none
	Locator   string        `json:"locator,omitempty"`   // such as the part of a message
	Format    string        `json:"format,omitempty"`    // that is not read
	Error     string        `json:"error,omitempty"`     // in words
	Hash      string        `json:"hash,omitempty"`      // first half of the SHA-256 of all octets; "": not all were read
	Links     int           `json:"links,omitempty"`     // rows of links of the document
	Names     int           `json:"names,omitempty"`     // likewise
	Damages   int           `json:"damages,omitempty"`   // likewise
	Faults    *facts.Faults `json:"faults,omitempty"`    // what is wrong with places for addresses in the document
	Documents int           `json:"documents,omitempty"` // rows of documents since the begin
}

// rowPath is a path in a row: a string, or an object with its octets where these are no
// UTF-8, which a string of JSON cannot hold.
type rowPath string

type pathOctets struct {
	Octets []byte `json:"octets"`
}

// MarshalJSON implements json.Marshaler.
func (p rowPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(pathOctets{[]byte(p)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *rowPath) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(text, []byte("{")) {
		return json.Unmarshal(text, (*string)(p))
	}
	var o pathOctets
	err := json.Unmarshal(text, &o)
	*p = rowPath(o.Octets)
	return err
}

// LinkRow is a row of a link. Where the other rows are not written it carries the two
// without which nobody could say to what it belongs: those that would stand before it.
type LinkRow struct {
	extract.Found
	Begin    *Row `json:"begin,omitempty"`    // of the first link
	Document *Row `json:"document,omitempty"` // of the first link of a document
}

// Carry takes a row that is not written itself.
func (l *LinkRow) Carry(r *Row) {
	switch r.Kind {
	case rowBegin:
		l.Begin = r
	case rowDocument:
		l.Document = r
	}
}

// RowOptions say which rows are made.
type RowOptions struct {
	Selection      // which files below the paths are read
	Hidden    bool // the rows hold no secrets
	All       bool // all that Read would keep; else rows for links to carry are enough
}

// Rows yields the links of the files at paths as Extract does, in the order in which Read
// meets the files, and hands write the rows of all else that Read would keep of them: each
// before what follows it. write says false when it wants no more.
func Rows(ctx context.Context, paths []string, o extract.Options, which RowOptions, write func(*Row) bool) iter.Seq2[extract.Found, error] {
	m := rowMaker{o: o, hidden: which.Hidden, hashed: which.All}
	m.o.Names, m.o.Faults = which.All, which.All
	begin := &Row{Kind: rowBegin, Edition: extract.Edition, Options: fingerprint(Options{Extract: o}), Hidden: which.Hidden}
	for _, p := range paths {
		begin.Roots = append(begin.Roots, m.path(absolute(p)))
	}
	return func(yield func(extract.Found, error) bool) {
		documents, links := 0, 0
		more := write(m.row(begin))
		for batch := range sideBySide(ctx, rooted(paths, way{Selection: which.Selection, newFirst: true, bare: true}), m.read) {
			for i := range batch {
				f := &batch[i]
				if f.row != nil && f.row.Kind == rowDocument {
					documents++
				}
				more = more && (f.row == nil || write(m.row(f.row)))
				switch {
				case f.err == ErrNotFollowed:
					links++
				case f.err != nil || f.row == nil:
					more = more && yield(f.found, f.err)
				}
				if !more {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(extract.Found{}, err)
		} else if write(m.row(&Row{Kind: rowEnd, Documents: documents})) && links > 0 {
			yield(extract.Found{}, fmt.Errorf("%s %w", plural(links, "link to a folder is", "links to folders are"), ErrNotFollowed))
		}
	}
}

// rooted walks paths, each file with the whole path below which it was found.
func rooted(paths []string, how way) iter.Seq[source] {
	return func(yield func(source) bool) {
		for _, p := range paths {
			for s := range sources([]string{p}, how) {
				if s.root = absolute(p); !yield(s) {
					return
				}
			}
		}
	}
}
