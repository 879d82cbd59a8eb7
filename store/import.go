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
	in := importer{s: s, in: bufio.NewScanner(r)}
	in.in.Buffer(make([]byte, 1<<16), maxLine)
	head, err := readHeadLine(in.in)
	if err == nil {
		in.sum = newRowSum(&head)
		err = s.beginFilling(&head)
	}
	for more := true; more && err == nil; {
		more, err = in.some(ctx)
	}
	if err == nil && !in.ended && head.Store >= endsFrom {
		err = errCutShort
	}
	if err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	if err := cmp.Or(s.flush(ctx), s.raiseReading()); err != nil {
		return false, err
	}
	if head.Rules != equal.Edition {
		if err := s.rekey(ctx); err != nil {
			return false, err
		}
	}
	for _, at := range s.shards {
		if s.doubt {
			err = cmp.Or(err, at.readAllAgain(ctx))
		}
		err = cmp.Or(err, at.loadTables())
	}
	if err == nil && s.dir != "" {
		s.set.Filling = false
		err = s.set.Write(s.dir)
	}
	return in.ended, err
}

// beginFilling notes which rules made the keys that come. A set is none before it is filled.
func (s *Store) beginFilling(head *exportHead) error {
	if s.dir == "" {
		return s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(head.Rules)) })
	}
	if head.Rules != equal.Edition {
		return fmt.Errorf("%w: edition %d, and this program has %d: fill a store of one file first", ErrOlder, head.Rules, equal.Edition)
	}
	s.set.Filling = true
	return s.set.Write(s.dir)
}

// raiseReading has the first file know of every reading that the others know of.
func (s *Store) raiseReading() (err error) {
	last := uint64(0)
	for _, at := range s.shards {
		err = cmp.Or(err, at.file.View(func(tx *boltfile.Tx) error {
			last = max(last, tx.Bucket(bucketMention).Sequence())
			return nil
		}))
	}
	return cmp.Or(err, s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMention).RaiseSequence(last) }))
}

var (
	errCutWithin = errors.New("the export is cut short: it ends within this line; copy it again, or make it anew from the store")
	errPacked    = errors.New("the export is compressed: unpack it first (gzip -dc FILE | linkcheck store import -)")
	errCutShort  = errors.New("the export is cut short: its last line is missing; make it anew from the store")
	errOther     = errors.New("the export is not as it was written: its rows are not those that its last line counted; make it anew from the store")
)

// importer reads an export.
type importer struct {
	s      *Store
	in     *bufio.Scanner
	line   int // rows so far
	rows   int // of them that are not in their places yet
	octets int // of those
	sum    *rowSum
	ended  bool    // the last line was read
	places []uint8 // of a set: the shards of links, by their numbers in the export
}

// parsed is a row on its way to its place.
type parsed struct {
	table *table
	k, v  []byte
	line  int
}

// some puts the rows of some lines in place; more is false at the end.
func (i *importer) some(ctx context.Context) (more bool, err error) {
	rows := make([][]parsed, len(i.s.shards))
	for more = true; more && i.octets < importOctets && i.rows < importRows; {
		text, err := readLine(i.in)
		if more = err != io.EOF; !more {
			break
		}
		if i.line++; err == nil {
			err = cmp.Or(ctx.Err(), i.row(text, rows))
		}
		if err != nil {
			return false, fmt.Errorf("line %d: %w", 1+i.line, err)
		}
	}
	i.rows, i.octets = 0, 0
	put := func(at *Store) error {
		list := rows[at.place]
		if rows[at.place] = nil; len(list) == 0 {
			return nil
		}
		return at.file.Update(func(tx *boltfile.Tx) error {
			for _, r := range list {
				if err := cmp.Or(r.bringSources(tx), r.table.put(tx, r.k, r.v)); err != nil {
					return fmt.Errorf("line %d: %w", r.line, err)
				}
			}
			return nil
		})
	}
	return more, cmp.Or(put(i.s), i.s.sideBySide(put)) // the first file has the sources of the others
}

func (i *importer) row(text []byte, rows [][]parsed) error {
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
	t := tableOf(line.Table)
	if t == nil {
		return fmt.Errorf("no table %.200q", line.Table)
	}
	k, v, err := t.parse(&line)
	if i.sum.add(line.Table, k, v); err != nil {
		return err
	}
	i.rows, i.octets = i.rows+1, i.octets+len(k)+len(v)
	return i.place(parsed{t, k, v, 1 + i.line}, rows)
}

// tableOf gives the table of a name, or nil.
func tableOf(name string) *table {
	for n := range tables {
		if string(tables[n].bucket) == name {
			return &tables[n]
		}
	}
	return nil
}

// place says in which files a row stands: a link in that of its host, and there all that is
// its; what is known of the whole store in each; of a fleet all but the sources.
func (i *importer) place(r parsed, rows [][]parsed) error {
	link, n := r.table.link(r.k), 0
	switch {
	case len(rows) == 1:
	case bytes.Equal(r.table.bucket, bucketMeta), link == nil && i.s.ofFleet() && !bytes.Equal(r.table.bucket, bucketSource):
		other, err := r.elsewhere()
		for n = 1; n < len(rows); n++ {
			rows[n] = append(rows[n], other)
		}
		n = 0
		if err != nil {
			return err
		}
	case link != nil:
		number := codec.Number(link)
		if number >= 1<<shardBits {
			return fmt.Errorf("link %d: a file of a set numbers %d", number, uint64(1)<<shardBits)
		}
		if bytes.Equal(r.table.bucket, bucketLink) {
			row, err := decodeLink(r.v)
			if err != nil {
				return err
			}
			i.places = append(i.places, make([]uint8, max(0, int(number)+1-len(i.places)))...)
			i.places[number] = uint8(i.s.at(row.Identity).place)
		}
		if number < uint64(len(i.places)) {
			n = int(i.places[number])
		}
		copy(link, codec.Key(uint64(n)<<shardBits|number))
	}
	rows[n] = append(rows[n], r)
	return nil
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

// parse gives the row of a line.
func (t *table) parse(line *exportLine) (k, v []byte, err error) {
	if line.Row != nil {
		return t.read(line.Row)
	}
	return line.Key, line.Raw, nil
}

// put puts a row in its place.
func (t *table) put(tx *boltfile.Tx, k, v []byte) error {
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
