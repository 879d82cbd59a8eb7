package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"path/filepath"

	"linkcheck/extract"
)

const (
	maxRow   = 16 << 20 // octets
	maxPath  = 16 << 10 // octets of a path
	maxHeld  = 20       // batches of a document that may turn out to be unchanged
	maxAside = 100_000  // paths that are not followed, or are bare

	maxText    = 64 << 10 // octets of what stands around a link; extraction gives less
	maxFormats = 100      // that are not read, in a document
)

// The beginnings of rows, as they are written.
var (
	beginsRow  = []byte(`{"schema":"linkcheck.extract.`)
	beginsLink = []byte(`{"uri":"`)

	carriesBegin    = []byte(`,"begin":` + string(beginsRow)) // no text of a row can hold these: its quotes are escaped
	carriesDocument = []byte(`,"document":` + string(beginsRow))
)

// errLinksAlone is the error of rows of which nobody knows whether they are all.
var errLinksAlone = errors.New("links of extract --jsonl that do not say in which documents they stand, as of standard input, a web page, or an older linkcheck: extract the files again")

// rowsReading reads one file of rows.
type rowsReading struct {
	r       *reading
	file    string // as given
	send    func(part) bool
	line    int
	seed    maphash.Seed
	seen    map[uint64]bool // hashes of the paths of documents that were read
	section *section        // under way
	lost    bool            // rows are left out up to the next begin
	end     rowsEnd
}

// section is the rows from a begin to its end: what one call of extract wrote.
type section struct {
	Row
	carried   bool // by links: there are no other rows
	documents int
	found     map[rowPath]int // documents by root
	open      *rowsDocument
}

// rowsDocument is the document whose rows come.
type rowsDocument struct {
	*document
	gathered
	left  bool   // its rows are not looked at: it is known, or cannot be
	twice bool   // it was read before in this run
	none  bool   // it cannot be known
	maybe bool   // it is unchanged if it has the same hash
	held  []part // until that is known

	links, names, damages int // rows
}

// readRows reads a file of rows; false: it is none. A pipe is none: what is read of it to
// see that would be lost.
func (r *reading) readRows(ctx context.Context, s source, send func(part) bool) bool {
	if !s.info.Mode().IsRegular() {
		return false
	}
	f, err := s.open(ctx)
	if err != nil {
		return false
	}
	defer f.Close()
	in, stop, err := extract.Unpack(ctx, f, r.o.Extract.Limits, s.info.Size())
	defer stop()
	head, _ := in.Peek(in.Size())
	line, _, _ := bytes.Cut(head, []byte("\n"))
	known := bytes.HasPrefix(line, beginsRow) || bytes.Contains(line, carriesBegin)
	if err != nil || !known && !isLink(line) {
		return false
	}
	w := &rowsReading{r: r, file: s.path, send: send, seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
	if w.end.nothing = map[string]bool{}; known {
		err = w.read(in)
	} else {
		err = errLinksAlone
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		w.fail(err)
	}
	send(part{rows: &w.end})
	return true
}

// isLink says whether a line is a row of a link.
func isLink(line []byte) bool {
	if !bytes.HasPrefix(line, beginsLink) {
		return false
	}
	for _, key := range []string{`","raw":"`, `","scheme":"`, `","source":"`} {
		_, rest, found := bytes.Cut(line, []byte(key))
		if line = rest; !found {
			return false
		}
	}
	return true
}

// read reads the rows. What is wrong within a section spoils the rest of it; the error is
// of the file, and spoils the rest of that.
func (w *rowsReading) read(in *bufio.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxRow)
	for lines.Scan() {
		w.line++
		stopped, err := w.row(lines.Bytes())
		switch {
		case stopped:
			return nil
		case err != nil:
			w.fail(err)
		}
	}
	w.line++
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("a row of more than %d octets", maxRow)
	case err != nil:
		return err
	case w.section != nil && !w.section.carried:
		return errors.New("the rows break off: there is no end")
	}
	w.endCarried()
	return nil
}

// fail tells what is wrong at a line: the document under way was not read whole, and the
// rows behind it up to the next begin are left out.
func (w *rowsReading) fail(err error) {
	err = fmt.Errorf("%s:%d: %w", w.file, max(w.line, 1), err)
	w.end.cut = true
	if s := w.section; s != nil && s.open != nil && !s.open.left {
		s.open.err = err
		w.send(part{document: s.open.document})
	} else {
		w.send(part{unwalked: err})
	}
	w.section, w.lost = nil, true
}

// row takes a row. stopped says that the caller of the reading wants no more.
func (w *rowsReading) row(line []byte) (stopped bool, err error) {
	if !bytes.HasPrefix(line, beginsRow) {
		if bytes.Contains(line, carriesDocument) || bytes.Contains(line, carriesBegin) {
			stopped, err = w.carried(line)
		}
		if stopped || err != nil {
			return stopped, err
		}
		if w.lost || len(line) == 0 && w.section == nil {
			return false, nil
		}
		return w.link(line)
	}
	var row Row
	if err := unmarshal(line, &row); err != nil {
		if w.lost {
			return false, nil
		}
		return false, err
	}
	switch {
	case row.Kind == rowBegin:
		if w.endCarried(); w.section != nil {
			w.fail(errors.New("the rows break off: they begin anew without an end"))
		}
		return false, w.begin(&row)
	case w.lost:
		return false, nil
	case w.section == nil || w.section.carried:
		return false, errors.New("a row before the begin")
	case w.section.open != nil:
		return w.ofDocument(&row)
	}
	return w.ofSection(&row)
}

// unmarshal reads a row.
func unmarshal(line []byte, row any) error {
	err := json.Unmarshal(line, row)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%.100q holds a %.100s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("no row: %.200q", err.Error())
	}
	return nil
}

// begin begins a section.
func (w *rowsReading) begin(row *Row) error {
	switch digest, err := hex.DecodeString(row.Options); {
	case row.Schema != rowsSchema:
		return fmt.Errorf("rows of the schema %.100q; this program reads %s", row.Schema, rowsSchema)
	case row.Edition != extract.Edition:
		return fmt.Errorf("rows of edition %d of the extractor; this program has %d: extract the files again", row.Edition, extract.Edition)
	case err != nil || len(digest) != 8:
		return fmt.Errorf("%.100q is no fingerprint of options", row.Options)
	}
	found := map[rowPath]int{}
	for _, root := range row.Roots {
		if err := checkPath(root); err != nil {
			return err
		}
		found[root] = 0
	}
	w.end.otherwise = w.end.otherwise || row.Options != w.r.fingerprint
	w.section, w.lost = &section{Row: *row, found: found}, false
	return nil
}

// checkPath says what is wrong with a whole path.
func checkPath(path rowPath) error {
	p := string(path)
	if len(p) > maxPath || !filepath.IsAbs(p) || filepath.Clean(p) != p || bytes.IndexByte([]byte(p), 0) >= 0 {
		return fmt.Errorf("%.200q is no whole path", p)
	}
	return nil
}

// ofSection takes a row that stands between documents.
func (w *rowsReading) ofSection(row *Row) (stopped bool, err error) {
	switch s := w.section; row.Kind {
	case rowDocument:
		return w.document(row)
	case rowMissed:
		return !w.send(part{unwalked: errors.New(cut(row.Error))}), nil
	case rowLink, rowAstray, rowBare:
		if err := checkPath(row.Path); err != nil {
			return false, err
		}
		if len(w.end.aside) == maxAside {
			return false, fmt.Errorf("more than %d folders that were not read", maxAside)
		}
		w.end.aside = append(w.end.aside, aside{string(row.Path), row.Kind != rowBare})
		return row.Kind == rowLink && !w.send(part{link: string(row.Path)}), nil
	case rowEnd:
		if row.Documents != s.documents {
			return false, fmt.Errorf("the rows are not all: %d documents of %d", s.documents, row.Documents)
		}
		for root, n := range s.found {
			if n == 0 {
				w.end.nothing[string(root)] = true
			}
		}
		w.section = nil
		return false, nil
	}
	return false, fmt.Errorf("a row %.100q where none can be", row.Kind)
}
