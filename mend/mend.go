package mend

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"linkcheck/extract"
)

// Change is a value to be written in the place of another.
type Change struct {
	Record, Locator string // as extract gives them
	Line, Column    int    // 0: not known, or they mean nothing
	Old             string // as it stands in the document: extract.Found.Raw
	New             string // the address for it
	// Restore says that New is what stood there before a change, and need be no address.
	// Spelled is how it was written; "": as such values are.
	Restore bool
	Spelled string
	Trim    bool // blanks at the ends of a value of MARC go as well; where New is Old, nothing else

	Way  Way    // what becomes of an address with an archived copy
	Date string // with Way: of the copy, 2006-01-02; "": not known
}

// OnlyTrims says whether there may be nothing to be done for a change.
func (c *Change) OnlyTrims() bool { return c.Trim && c.Old == c.New }

// Made is a change that was made: what stood there, and what stands there now.
type Made struct {
	Change   int           // its number in the list that was given
	Was, Now extract.Found // Now is empty where a field or subfield was taken away
	Spelled  string        // how it was written

	found int // which place Now is of its record (MARC) or document, of those that extract finds; -1: none
}

// Left is a change that was not made.
type Left struct {
	Change int
	Why    error
}

// Copy is a document after its changes.
type Copy struct {
	Octets []byte // of the whole document
	Format string // as extract.Format calls it
	Made   []Made
	Left   []Left

	records []span // those that changed, in Octets; of MARC, or of what Changed gave
}

// Founds gives what extract finds in a document. That which spoils a part of it is passed over.
func Founds(name string, octets []byte, o extract.Options) []extract.Found {
	founds, _ := read(name, octets, o)
	return founds
}

// span is a stretch of octets.
type span struct{ from, to int }

// job is a change on its way: where it belongs in its piece.
type job struct {
	change int
	found  int    // index in piece.founds
	at     span   // in piece.text
	value  string // that is written there, spelled as such values are
	field  bool   // of MARC: a whole field comes or goes
	also   []job  // of a workbook: what is written elsewhere with it
}

// piece is a part of a document that is mended and read again by itself: a record of
// MARC, or the whole.
type piece struct {
	span
	text   []byte          // as extract counts its lines and columns
	founds []extract.Found // in it
	nth    int             // of the first of them in the document
	jobs   []job
	apply  func([]job) ([]byte, error) // the octets with these changes
	free   bool                        // the id of a record may be one of its addresses
	lines  []int                       // where the lines of text begin
	err    error                       // why nothing in it can be written

	damages int // that extract met in it
}

// Why a change is left.
var (
	ErrWitness   = errors.New("documents of this kind are witnesses and are not rewritten")
	errNoAddress = errors.New("the new value is no address")
	errGone      = errors.New("the old address does not stand there any more")
	errUnsure    = errors.New("the old address stands in several places now: which one is meant is not sure")
	errTwice     = errors.New("another change is for the same place")
	errShown     = errors.New("the text and the comments of a page are not rewritten")
	errSpelled   = errors.New("the value is spelled in a way that is not written here")
	errReread    = errors.New("the copy would be read in another way")
	errTries     = errors.New("too many changes of this document cannot be made: this one was not tried alone")
	errCharset   = errors.New("the document does not stay what it is when it is decoded and encoded again")
)

// Rewrite makes the copy of a document with the changes. What is wrong with one change
// leaves that one; the error says that the document cannot be rewritten at all.
func Rewrite(name string, octets []byte, o extract.Options, changes []Change) (*Copy, error) {
	d := document{name: name, o: o, octets: octets, changes: changes}
	d.Format = extract.Format(name, bytes.NewReader(octets), o)
	write := writers[d.Format]
	if write == nil {
		return nil, fmt.Errorf("%s: %w", d.Format, ErrWitness)
	}
	pieces, err := write(&d)
	if err != nil {
		return nil, err
	}
	d.match(pieces)
	last := 0
	for _, p := range pieces {
		made, places := d.settle(p)
		if len(p.jobs) == 0 {
			continue
		}
		d.Octets = append(append(d.Octets, octets[last:p.from]...), made...)
		last = p.to
		if d.Format == "marc" {
			d.records = append(d.records, span{len(d.Octets) - len(made) + leadOf(made), len(d.Octets)})
		}
		for i, j := range p.jobs {
			m := Made{Change: j.change, Was: p.founds[j.found], Spelled: string(p.text[j.at.from:j.at.to]), found: places[i].nth}
			m.Now = places[i].Found
			d.Made = append(d.Made, m)
		}
	}
	d.Octets = append(d.Octets, octets[last:]...)
	slices.SortStableFunc(d.Left, func(a, b Left) int { return a.Change - b.Change })
	return &d.Copy, nil
}

// writers take documents apart, by format. What is not here is not written.
var writers = map[string]func(*document) ([]*piece, error){
	"marc": marcPieces, "mrk": plainPieces, "xml": xmlPieces, "csv": plainPieces,
	"html": plainPieces, "bookmarks": plainPieces, "zip": workbookPieces,
}
