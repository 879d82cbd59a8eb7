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

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/uri/equal"
)

// A store as text is one JSON object a line. The first line names the format; the
// others are the rows, table by table. A row that its readable form cannot hold
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

// exportLine is one row, readable or as it is stored.
type exportLine struct {
	Table string          `json:"table"`
	Row   json.RawMessage `json:"row,omitempty"`
	Key   []byte          `json:"key,omitempty"`
	Raw   []byte          `json:"raw,omitempty"`
}

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
				return enc.Encode(t.line(k, v))
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return out.Flush()
}

// Import fills the store with what Export wrote. The store must be empty. It ends with ctx.
func (s *Store) Import(ctx context.Context, r io.Reader) error {
	if st, err := s.Stats(); err != nil || st.Links+st.Unnamed+st.Runs+st.Sources+st.Pins > 0 {
		if err != nil {
			return err
		}
		return fmt.Errorf("import: the store is not empty")
	}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), maxLine)
	head, err := readHeadLine(in)
	if err == nil {
		err = s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(head.Rules)) })
	}
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	for line, more := 2, true; more; line += importRows {
		err := s.file.Update(func(tx *boltfile.Tx) (err error) {
			more, err = importSome(ctx, tx, in, line)
			return err
		})
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	if err := s.pending.Flush(ctx); err != nil {
		return err
	}
	if head.Rules != equal.Edition {
		if err := s.rekey(ctx); err != nil {
			return err
		}
	}
	return s.loadTables()
}

// importSome puts the rows of some lines in place; more is false at the end.
func importSome(ctx context.Context, tx *boltfile.Tx, in *bufio.Scanner, number int) (more bool, err error) {
	for i := range importRows {
		text, err := readLine(in)
		if err == io.EOF {
			return false, nil
		}
		if err == nil {
			err = cmp.Or(ctx.Err(), importLine(tx, text))
		}
		if err != nil {
			return false, fmt.Errorf("line %d: %w", number+i, err)
		}
	}
	return true, nil
}

func importLine(tx *boltfile.Tx, text []byte) error {
	var line exportLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	for _, t := range tables {
		if string(t.bucket) == line.Table {
			return t.put(tx, &line)
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

func (t *table) put(tx *boltfile.Tx, line *exportLine) error {
	k, v := line.Key, line.Raw
	if line.Row != nil {
		var err error
		if k, v, err = t.read(line.Row); err != nil {
			return err
		}
	}
	if t.ofFile(k) {
		return nil
	}
	b := tx.Bucket(t.bucket)
	b.FillPercent = 1 // rows come in order
	if err := b.Put(k, v); err != nil || t.also == nil {
		return err
	}
	return t.also(tx, k, v)
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
