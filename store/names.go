package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"
)

// Name is a message or a part of one that links may name without saying where it
// is (RFC 2392, RFC 5538), and where it stands in its source.
type Name struct {
	Name    string
	Member  string
	Locator string
	Line    int
}

// Place is where a named thing stands.
type Place struct {
	Source, Member, Locator string
	Line                    int
}

// Name adds names to a batch: they stand in the source of its mentions.
func (b *Batch) Name(list []Name) { b.names = append(b.names, list...) }

// The names of a source are rows of their own, in the order in which they were
// read: source id (4), sequence (8) -> the reading, then for each name its hash,
// line, locator and member. Nothing looks one up by key: those that are wanted
// are looked for together, in one walk.

func (in *Ingest) addNames(tx *bolt.Tx, source uint32, list []Name) error {
	if len(list) == 0 {
		return nil
	}
	in.named = true
	b := tx.Bucket(bucketName)
	seq, err := b.NextSequence()
	if err != nil {
		return err
	}
	w := codec.Writer{}
	w.Uint(in.gen)
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

// dropNames forgets the names of a source that older readings left.
func (in *Ingest) dropNames(tx *bolt.Tx, source uint32, all bool) error {
	b := tx.Bucket(bucketName)
	var stale [][]byte
	c, prefix := b.Cursor(), codec.Key32(source)
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if r := (codec.Reader{Buf: v}); all || r.Uint() < in.gen {
			stale = append(stale, bytes.Clone(k))
		}
	}
	return deleteAll(b, stale, nil)
}

// namingSchemes are those whose links may name a message or a part alone.
var namingSchemes = [...]string{"cid", "mid", "news", "snews"}

// wakeNaming makes those of their links due that could not be asked about: what
// they name may have come.
func (in *Ingest) wakeNaming() error {
	if err := in.s.settle(); err != nil {
		return err
	}
	return in.s.file.Update(func(tx *bolt.Tx) error {
		links, states := tx.Bucket(bucketLink), tx.Bucket(bucketState)
		var wake [][]byte
		err := states.ForEach(func(k, v []byte) error {
			if len(v) < stateHead || readHead(v).state != judge.NotCheckable {
				return nil
			}
			row, err := decodeLink(links.Get(k))
			scheme, _, _ := bytes.Cut(row.form, []byte{0})
			if slices.Contains(namingSchemes[:], string(scheme)) {
				wake = append(wake, bytes.Clone(k))
			}
			return err
		})
		for _, k := range wake {
			row := bytes.Clone(states.Get(k))
			binary.BigEndian.PutUint64(row, codec.Seconds(in.now))
			if err := states.Put(k, row); err != nil {
				return err
			}
		}
		return err
	})
}

// Named finds where things with the given names stand in the sources. One that
// stands in several places is found in the first.
func (s *Store) Named(names []string) (map[string]Place, error) {
	found := map[string]Place{}
	if len(names) == 0 {
		return found, nil
	}
	wanted := make(map[uint64]string, len(names))
	for _, n := range names {
		wanted[xxhash.Sum64String(n)] = n
	}
	err := s.file.View(func(tx *bolt.Tx) error {
		sources := sourceCache{tx: tx}
		return tx.Bucket(bucketName).ForEach(func(k, v []byte) error {
			return eachName(v, func(hash uint64, p Place) error {
				name, ok := wanted[hash]
				if _, had := found[name]; !ok || had || len(k) < 4 {
					return nil
				}
				row, err := sources.row(uint32(codec.Number(k[:4])))
				if err != nil {
					return err
				}
				p.Source = row.Path
				found[name] = p
				return nil
			})
		})
	})
	return found, err
}

// eachName calls f with the names of a row.
func eachName(row []byte, f func(hash uint64, p Place) error) error {
	r := codec.Reader{Buf: row}
	r.Uint()
	var p Place
	for len(r.Buf) > 0 {
		hash := r.U64()
		p.Line, p.Locator = r.Small(), r.Str()
		if r.Byte() == 1 {
			p.Member = r.Str()
		}
		if r.Err() != nil {
			return fmt.Errorf("names: %w", codec.ErrShort)
		}
		if err := f(hash, p); err != nil {
			return err
		}
	}
	return nil
}
