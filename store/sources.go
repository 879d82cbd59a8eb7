package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// Sources yields the sources: files in the order of their paths, then the documents of
// remote roots that were read.
func (s *Store) Sources() iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		files := boltfile.Pages(s.file.View, bucketPath, nil, func(tx *boltfile.Tx, _, id []byte) (Source, bool, error) {
			row, err := decodeSource(id, tx.Bucket(bucketSource).Get(id))
			return row.Source, true, err
		})
		for src, err := range files {
			if !yield(src, err) || err != nil {
				return
			}
		}
		if roots, err := s.Roots(); err != nil {
			yield(Source{}, err)
		} else if len(roots) > 0 {
			s.remoteSources(roots)(yield)
		}
	}
}

// sourceByPath finds a file by its path, or the document of a remote root by its name.
func sourceByPath(tx *boltfile.Tx, remote uint32, path string) (row sourceRow, found bool, err error) {
	if remote != 0 {
		return documentByName(tx, remote, path)
	}
	k := tx.Bucket(bucketPath).Get([]byte(path))
	if k == nil {
		return row, false, nil
	}
	row, err = decodeSource(k, tx.Bucket(bucketSource).Get(k))
	return row, true, err
}

// fileSource makes a new source found by its path.
func fileSource(tx *boltfile.Tx, row *sourceRow) error {
	if row.Remote != 0 {
		return fileDocument(tx, row)
	}
	return tx.Bucket(bucketPath).Put([]byte(row.Path), codec.Key32(row.id))
}

// unfileSource is the inverse of fileSource.
func unfileSource(tx *boltfile.Tx, row *sourceRow) error {
	if row.Remote != 0 {
		return unfileDocument(tx, row)
	}
	return tx.Bucket(bucketPath).Delete([]byte(row.Path))
}

const sourceFill = 0.95 // of a page: new sources come in order

func putSource(tx *boltfile.Tx, row *sourceRow) error {
	b := tx.Bucket(bucketSource)
	b.FillPercent = sourceFill
	return b.Put(codec.Key32(row.id), row.encode())
}

// sourceReader reads source rows and caches the last: mentions of one source follow one
// another.
type sourceReader struct {
	tx   *boltfile.Tx
	last sourceRow
	id   uint32 // by which it was asked for
	read int
}

// forgetSources is how many rows a sourceReader reads before the pages that they stood on
// are forgotten: those of one link may stand all over the file.
const forgetSources = 128

func (c *sourceReader) row(id uint32) (*sourceRow, error) {
	if c.id == id && id != 0 {
		return &c.last, nil
	}
	if c.read++; c.read%forgetSources == 0 {
		boltfile.Forget(c.tx)
	}
	row, err := united(c.tx, id)
	if err != nil {
		return nil, err
	}
	c.last, c.id = row, id
	return &c.last, nil
}

// united gives a source as the first shard of a fleet knows it, by its path: all shards have
// it so, unless the first is a copy that was made before.
func united(tx *boltfile.Tx, id uint32) (sourceRow, error) {
	row, err := sourceByNumber(tx, id)
	if first := tx.Home(); err == nil && first != nil && first.Bucket(bucketSource) != tx.Bucket(bucketSource) {
		if known, found, err := sourceByPath(first, row.Remote, row.Path); found || err != nil {
			return known, err
		}
	}
	return row, err
}

func sourceByNumber(tx *boltfile.Tx, id uint32) (row sourceRow, err error) {
	k := codec.Key32(id)
	if row, err = decodeSource(k, tx.Bucket(bucketSource).Get(k)); err != nil {
		err = fmt.Errorf("source %d: %w", id, err)
	}
	return row, err
}

// comparePaths orders sources so that their numbers, which hang on the order in which they
// came, decide nothing.
func comparePaths(a, b *sourceRow) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Remote, b.Remote))
}

// complete fills in what the source of a mention knows.
func (c *sourceReader) complete(m *mentionRow) error {
	if len(m.holders) == 0 {
		return fmt.Errorf("%w: a mention of no source", ErrCorrupt)
	}
	row, err := c.row(m.holders[0].Source)
	if err != nil {
		return err
	}
	m.Source, m.Path, m.Remote = cmp.Or(row.Name, row.Path), row.Path, row.Remote
	if m.Retired.IsZero() {
		m.LastSeen = row.LastSeen
	}
	if row.Remote == 0 {
		m.Modified = row.ModTime
	}
	return nil
}

// source finds or makes the row of a path; a new one counts as never read. A document of no
// root is refused.
func (in *Ingest) source(tx *boltfile.Tx, remote uint32, path string) (sourceRow, error) {
	row, found, err := sourceByPath(tx, remote, path)
	if err != nil || found {
		return row, err
	}
	if remote != 0 && tx.Bucket(bucketRoot).Get(codec.Key32(remote)) == nil {
		return row, fmt.Errorf("root %d: %w", remote, ErrNotFound)
	}
	n, err := tx.Bucket(bucketSource).NextSequence()
	if err != nil {
		return row, err
	}
	row = sourceRow{id: uint32(n), Source: Source{Path: path, Remote: remote, Size: -1, LastSeen: in.Now}}
	return row, errors.Join(fileSource(tx, &row), putSource(tx, &row))
}

// The names of a source are rows of their own, in the order in which they were
// read: source (4), sequence (8) -> the reading, then for each name its hash, line,
// locator and member. FindNames reads all of them once.

const nameKeyLen = 4 + 8

func (in *Ingest) addNames(tx *boltfile.Tx, source uint32, list []Name) error {
	if len(list) == 0 {
		return nil
	}
	b := tx.Bucket(bucketName)
	seq, err := b.NextSequence()
	if err != nil {
		return err
	}
	w := codec.Writer{}
	w.Uint(in.Reading)
	member := ""
	for _, n := range list {
		w.U64(xxhash.Sum64String(n.Name))
		w.Int(int64(n.Line))
		w.Str(n.Locator)
		if n.Member == member {
			w.Byte(0) // as the one before
		} else {
			w.Byte(1)
			w.Str(n.Member)
			member = n.Member
		}
	}
	return b.Put(append(codec.Key32(source), codec.Key64(seq)...), w.Buf)
}

// dropNames forgets the names of a source that older readings left, or all.
func (in *Ingest) dropNames(tx *boltfile.Tx, source uint32, all bool) error {
	_, err := boltfile.DeleteIf(tx.Bucket(bucketName), codec.Key32(source), func(_, v []byte) (bool, error) {
		r := codec.Reader{Buf: v}
		return all || r.Uint() < in.Reading, nil
	})
	return err
}

// namingSchemes are those whose links may name a message or a part alone.
var namingSchemes = [...]string{"cid", "mid", "news", "snews"}

// makeNamingDue makes those links of namingSchemes due that could not be probed: what
// they name may have been read meanwhile.
func (in *Ingest) makeNamingDue() error {
	if err := in.s.pending.Flush(context.Background()); err != nil {
		return err
	}
	return in.s.file.Update(func(tx *boltfile.Tx) error {
		links, states := tx.Bucket(bucketLink), tx.Bucket(bucketState)
		var due [][]byte
		err := boltfile.Each(states, func(k, v []byte) error {
			if h, err := readStateHead(v); err != nil || h.state != judge.NotCheckable {
				return nil
			}
			identity, err := linkIdentity(links.Get(k))
			scheme, _, _ := bytes.Cut(identity, []byte{0})
			if slices.Contains(namingSchemes[:], string(scheme)) {
				due = append(due, bytes.Clone(k))
			}
			return err
		})
		for _, k := range due {
			row := bytes.Clone(states.Get(k))
			setNext(row, in.Now)
			if err := states.Put(k, row); err != nil {
				return err
			}
		}
		return err
	})
}

// FindNames finds where things with the given names stand in the sources. One that
// stands in several locations is found in the first by path, member and line.
func (s *Store) FindNames(names []string) (map[string]Name, error) {
	found := map[string]Name{}
	if len(names) == 0 {
		return found, nil
	}
	wanted, paths := make(map[uint64]string, len(names)), map[string]string{}
	for _, n := range names {
		wanted[xxhash.Sum64String(n)] = n
	}
	err := s.file.View(func(tx *boltfile.Tx) error {
		sources := sourceReader{tx: tx}
		return boltfile.Each(tx.Bucket(bucketName), func(k, v []byte) error {
			return eachName(v, func(hash uint64, n Name) error {
				name, ok := wanted[hash]
				if !ok || len(k) != nameKeyLen {
					return nil
				}
				row, err := sources.row(uint32(codec.Number(k[:4])))
				if err != nil {
					return err
				}
				n.Name, n.Source = name, cmp.Or(row.Name, row.Path)
				first, had := found[name]
				if !had || cmp.Or(strings.Compare(row.Path, paths[name]), strings.Compare(n.Member, first.Member), cmp.Compare(n.Line, first.Line)) < 0 {
					found[name], paths[name] = n, row.Path
				}
				return nil
			})
		})
	})
	return found, err
}

// eachName calls f with the names of a row, which are known by their hashes.
func eachName(row []byte, f func(hash uint64, n Name) error) error {
	r := codec.Reader{Buf: row}
	r.Uint()
	var n Name
	for len(r.Buf) > 0 {
		hash := r.U64()
		n.Line, n.Locator = r.Small(), r.Str()
		if r.Byte() == 1 {
			n.Member = r.Str()
		}
		if err := r.Err(); err != nil {
			return fmt.Errorf("names: %w", err)
		}
		if err := f(hash, n); err != nil {
			return err
		}
	}
	return nil
}
