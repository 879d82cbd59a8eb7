package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/uri/equal"
)

// maxLine bounds a line of an import.
const maxLine = 16 << 20

// importRows is how many rows are written in one transaction, importOctets how many octets
// of them where they may be long.
const (
	importRows   = 10000
	importOctets = 16 << 20
)

// Import fills the store with what Export wrote. The store must be empty. whole says that
// the last line of the export was there, which those of older schemas do not have. It ends
// with ctx. After an error the store is to be thrown away.
func (s *Store) Import(ctx context.Context, r io.Reader) (whole bool, err error) {
	if st, err := s.Stats(); err != nil || st.Links+st.Unnamed+st.Runs+st.Sources+st.Pins > 0 {
		if err != nil {
			return false, err
		}
		return false, fmt.Errorf("import: the store is not empty")
	}
	in := importer{in: bufio.NewScanner(r)}
	in.in.Buffer(make([]byte, 1<<16), maxLine)
	head, err := readHeadLine(in.in)
	if err == nil {
		in.sum = newRowSum(&head)
		err = s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(head.Rules)) })
	}
	for more := true; more && err == nil; {
		err = s.file.Update(func(tx *boltfile.Tx) (err error) {
			more, err = in.some(ctx, tx)
			return err
		})
	}
	if err == nil && !in.ended && head.Store >= endsFrom {
		err = errCutShort
	}
	if err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	if err := s.pending.Flush(ctx); err != nil {
		return false, err
	}
	if head.Rules != equal.Edition {
		if err := s.rekey(ctx); err != nil {
			return false, err
		}
	}
	return in.ended, s.loadTables()
}

var (
	errCutWithin = errors.New("the export is cut short: it ends within this line; copy it again, or make it anew from the store")
	errPacked    = errors.New("the export is compressed: unpack it first (gzip -dc FILE | linkcheck store import -)")
	errCutShort  = errors.New("the export is cut short: its last line is missing; make it anew from the store")
	errOther     = errors.New("the export is not as it was written: its rows are not those that its last line counted; make it anew from the store")
)

// importer reads an export.
type importer struct {
	in    *bufio.Scanner
	line  int // rows so far
	sum   *rowSum
	ended bool // the last line was read
}

// some puts the rows of some lines in place; more is false at the end.
func (i *importer) some(ctx context.Context, tx *boltfile.Tx) (more bool, err error) {
	for range importRows {
		text, err := readLine(i.in)
		if err == io.EOF {
			return false, nil
		}
		if i.line++; err == nil {
			err = cmp.Or(ctx.Err(), i.row(tx, text))
		}
		if err != nil {
			return false, fmt.Errorf("line %d: %w", 1+i.line, err)
		}
	}
	return true, nil
}

func (i *importer) row(tx *boltfile.Tx, text []byte) error {
	var line exportLine
	if err := json.Unmarshal(text, &line); err != nil {
		return i.cutWithin(text, err)
	}
	if i.ended {
		return errors.New("it stands after the last line")
	}
	if line.End != nil {
		if i.ended = true; *line.End != i.sum.end() {
			return errOther
		}
		return nil
	}
	for _, t := range tables {
		if string(t.bucket) == line.Table {
			k, v, err := t.put(tx, &line)
			i.sum.add(line.Table, k, v)
			return err
		}
	}
	return fmt.Errorf("no table %.200q", line.Table)
}

// cutWithin is the error of a line that is no JSON: of the last one, where it ends too early,
// that the export is cut short.
func (i *importer) cutWithin(text []byte, err error) error {
	if cut := endsEarly(text); cut && !i.in.Scan() && i.in.Err() == nil {
		return errCutWithin
	}
	return err
}

// endsEarly says that a text is the beginning of some JSON.
func endsEarly(text []byte) bool {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// readLine reads a line of at most maxLine octets, without its end.
func readLine(in *bufio.Scanner) ([]byte, error) {
	switch {
	case in.Scan():
		return in.Bytes(), in.Err() // what comes before a failed read is no whole line
	case errors.Is(in.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("a line is longer than %d octets", maxLine)
	}
	return nil, cmp.Or(in.Err(), io.EOF)
}

func readHeadLine(in *bufio.Scanner) (h exportHead, err error) {
	line, err := readLine(in)
	if err != nil {
		return h, err
	}
	line = bytes.Clone(line)
	err = json.Unmarshal(line, &h)
	switch {
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return h, errPacked
	case bytes.HasPrefix(line, []byte(`{"schema":"`)) && endsEarly(line) && !in.Scan():
		return h, fmt.Errorf("line 1: %w", errCutWithin)
	case err != nil || h.Schema != exportSchema:
		return h, fmt.Errorf("the first line is %.200q, not that of %s", line, exportSchema)
	}
	if h.Store > schemaVersion {
		return h, fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, h.Store, schemaVersion)
	}
	return h, nil
}
