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
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/uri/equal"
)

// A store as text is one JSON object a line. The first line names the format, and the last
// one says how many rows there are and gives their checksum: an import demands it of what
// a store of schema 6 or later gave. The others are the rows, table by table. A row that its readable form cannot hold
// octet for octet (a string that is no UTF-8) stands as it is stored, in base64: so
// an import always gives an equal store.

// exportSchema names the format; it changes when a line's meaning does.
const exportSchema = "linkcheck.store.v1"

// maxLine bounds a line of an import.
const maxLine = 16 << 20

// importRows is how many rows are written in one transaction.
const importRows = 10000

type exportHead struct {
	Schema string `json:"schema"`
	Store  uint64 `json:"store,omitempty"`  // schema of the store; 0: 1
	Rules  uint64 `json:"rules,omitempty"`  // edition of the rules by which keys were made
	Masked bool   `json:"masked,omitempty"` // passwords stand as "***"
}

// exportLine is one row, readable or as it is stored; or the end of the rows.
type exportLine struct {
	Table string          `json:"table,omitempty"`
	Row   json.RawMessage `json:"row,omitempty"`
	Key   []byte          `json:"key,omitempty"`
	Raw   []byte          `json:"raw,omitempty"`

	End *exportEnd `json:"end,omitempty"`
}

// exportEnd is what the last line says of the lines before it.
type exportEnd struct {
	Rows int    `json:"rows"`
	Hash string `json:"xxh64"`
}

// endsFrom is the schema from which on an export has a last line.
const endsFrom = 6

// rowSum adds up the rows of an export: not as they are spelled but as they are stored, so
// that another spelling of the JSON changes nothing.
type rowSum struct {
	rows int
	hash *xxhash.Digest
}

func newRowSum(h *exportHead) *rowSum {
	r := &rowSum{hash: xxhash.New()}
	r.write([]byte(h.Schema), codec.Key64(h.Store), codec.Key64(h.Rules), []byte(strconv.FormatBool(h.Masked)))
	return r
}

func (r *rowSum) add(table string, k, v []byte) {
	r.rows++
	r.write([]byte(table), k, v)
}

func (r *rowSum) write(parts ...[]byte) {
	for _, p := range parts {
		_, _ = r.hash.Write(codec.Key64(uint64(len(p)))) // a hash takes anything
		_, _ = r.hash.Write(p)
	}
}

func (r *rowSum) end() exportEnd { return exportEnd{r.rows, fmt.Sprintf("%016x", r.hash.Sum64())} }

// Export writes the whole store as JSON lines; masked, with "***" for the passwords of
// references, as its first line then says. It ends with ctx.
func (s *Store) Export(ctx context.Context, w io.Writer, masked bool) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := s.pending.View(func(tx *boltfile.Tx) error {
		head := exportHead{exportSchema, schemaVersion, codec.Number(tx.Bucket(bucketMeta).Get(metaEdition)), masked}
		if err := enc.Encode(head); err != nil {
			return err
		}
		sum := newRowSum(&head)
		for _, t := range tables {
			err := boltfile.Each(tx.Bucket(t.bucket), func(k, v []byte) error {
				if err := ctx.Err(); err != nil || t.ofFile(k) {
					return err
				}
				if masked {
					var ok bool
					if k, v, ok = t.mask(k, v); !ok {
						return nil
					}
				}
				sum.add(string(t.bucket), k, v)
				return enc.Encode(t.line(k, v))
			})
			if err != nil {
				return err
			}
		}
		end := sum.end()
		return enc.Encode(exportLine{End: &end})
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return out.Flush()
}

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
	errCutShort = errors.New("the export is cut short: its last line is missing; make it anew from the store")
	errOther    = errors.New("the export is not as it was written: its rows are not those that its last line counted; make it anew from the store")
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
		return err
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

// table is how the rows of a bucket are written as text and read again.
type table struct {
	bucket []byte
	show   func(k, v []byte) (any, error) // the readable form
	read   func(row json.RawMessage) (k, v []byte, err error)
	mask   func(k, v []byte) (masked, value []byte, ok bool) // the row without secrets; not ok: it is left out
	also   func(tx *boltfile.Tx, k, v []byte) error          // indexes and counters that follow from the row; nil: none
}

// line gives the readable form of a row if that gives the row back.
func (t *table) line(k, v []byte) exportLine {
	line := exportLine{Table: string(t.bucket)}
	if shown, err := t.show(k, v); err == nil {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if enc.Encode(shown) == nil {
			if k2, v2, err := t.read(buf.Bytes()); err == nil && bytes.Equal(k, k2) && bytes.Equal(v, v2) {
				line.Row = bytes.TrimSpace(buf.Bytes())
				return line
			}
		}
	}
	line.Key, line.Raw = k, v
	return line
}

// ofFile says that a row describes the file and is not a part of what it holds.
func (t *table) ofFile(k []byte) bool {
	return bytes.Equal(t.bucket, bucketMeta) && slices.ContainsFunc(
		[][]byte{metaMark, metaSchema, pending.MetaIndexed, pending.MetaFlushed, metaEdition},
		func(name []byte) bool { return bytes.Equal(k, name) })
}

// put puts the row of a line in its place, and gives it.
func (t *table) put(tx *boltfile.Tx, line *exportLine) (k, v []byte, err error) {
	k, v = line.Key, line.Raw
	if line.Row != nil {
		if k, v, err = t.read(line.Row); err != nil {
			return k, v, err
		}
	}
	if t.ofFile(k) {
		return k, v, nil
	}
	b := tx.Bucket(t.bucket)
	b.FillPercent = 1 // rows come in order
	if err := b.Put(k, v); err != nil || t.also == nil {
		return k, v, err
	}
	return k, v, t.also(tx, k, v)
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
	if err := json.Unmarshal(line, &h); err != nil || h.Schema != exportSchema {
		return h, fmt.Errorf("the first line is %.200q, not that of %s", line, exportSchema)
	}
	if h.Store > schemaVersion {
		return h, fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, h.Store, schemaVersion)
	}
	return h, nil
}
