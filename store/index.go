package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// The index finds a link by the hash of its form: its keys are the hash and the
// number of the link behind it, so that links whose hashes are equal stand side by
// side; the form itself is in the row of the link.

// metaFiled names the last link up to which all are in the index.
var metaFiled = []byte("filed")

const (
	fileAt   = 1 << 17 // links that may wait to be filed
	fileRows = 2500    // filed in one transaction
	fileFill = 0.75    // of a page: more come between
)

func indexKey(name, id uint64) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, hashLen+codec.KeyLen), name), codec.Key(id)...)
}

// lookUp finds the link of a form by a cursor of the index; 0: it is not there.
func lookUp(c *bolt.Cursor, name uint64, form []byte) (uint64, error) {
	prefix := codec.Key64(name)
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		id := codec.Number(k[hashLen:])
		if is, err := hasForm(c.Bucket().Tx(), id, form); is || err != nil {
			return id, err
		}
	}
	return 0, nil
}

func hasForm(tx *bolt.Tx, id uint64, form []byte) (bool, error) {
	row, err := decodeLink(tx.Bucket(bucketLink).Get(codec.Key(id)))
	if err != nil {
		return false, fmt.Errorf("link %d: %w", id, err)
	}
	return bytes.Equal(row.form, form), nil
}

// fileLinks puts new links into the index. What a crash cuts off is done again.
func (s *Store) fileLinks() error {
	for {
		var some unfiled
		if err := s.file.View(some.find); err != nil {
			return err
		}
		if some.upTo == 0 {
			s.loose.mu.Lock()
			defer s.loose.mu.Unlock()
			s.loose.fresh = nil
			return nil
		}
		slices.SortFunc(some.list, func(a, b named) int { return cmp.Compare(a.name, b.name) })
		for done := false; !done; {
			err := s.file.Update(func(tx *bolt.Tx) (err error) {
				done, err = some.file(tx)
				return err
			})
			if err != nil {
				return err
			}
			some.list = some.list[min(fileRows, len(some.list)):]
		}
	}
}

// unfiled are links that are to be filed; upTo is the highest number among them.
type unfiled struct {
	list []named
	upTo uint64
}

// named is a link and the hash of its form.
type named struct{ name, id uint64 }

// find gathers the next links that are not filed. The numbers of links that were
// removed are passed over.
func (u *unfiled) find(tx *bolt.Tx) error {
	links := tx.Bucket(bucketLink)
	filed := codec.Number(tx.Bucket(bucketMeta).Get(metaFiled))
	if filed >= links.Sequence() {
		return nil
	}
	u.upTo = links.Sequence()
	u.list = make([]named, 0, min(fileAt, int(u.upTo-filed)))
	c := links.Cursor()
	for k, v := c.Seek(codec.Key(filed + 1)); k != nil; k, v = c.Next() {
		if len(u.list) == fileAt {
			u.upTo = u.list[fileAt-1].id
			return nil
		}
		row, err := decodeLink(v)
		if err != nil {
			return fmt.Errorf("link %d: %w", codec.Number(k), err)
		}
		u.list = append(u.list, named{nameOf(row.form), codec.Number(k)})
	}
	return nil
}

// file files the first of the list; done says that these were the last.
func (u *unfiled) file(tx *bolt.Tx) (done bool, err error) {
	index, n := tx.Bucket(bucketIndex), min(fileRows, len(u.list))
	index.FillPercent = fileFill
	for _, l := range u.list[:n] {
		if err := index.Put(indexKey(l.name, l.id), nil); err != nil {
			return false, err
		}
	}
	if n < len(u.list) {
		return false, nil
	}
	return true, tx.Bucket(bucketMeta).Put(metaFiled, codec.Key64(u.upTo))
}

// knownLink finds the link of a mention, filed or not; 0: none.
func (s *Store) knownLink(index *bolt.Cursor, it *ready) (uint64, error) {
	if id, ok := s.loose.fresh[it.name]; ok {
		if is, err := hasForm(index.Bucket().Tx(), id, it.form); is || err != nil {
			return id, err
		}
	}
	return lookUp(index, it.name, it.form)
}

// named notes a new link, to be found until it is filed. Of two forms with one
// hash the second is filed at once.
func (s *Store) named(tx *bolt.Tx, it *ready) error {
	if _, taken := s.loose.fresh[it.name]; taken {
		return tx.Bucket(bucketIndex).Put(indexKey(it.name, it.link), nil)
	}
	s.loose.mu.Lock()
	defer s.loose.mu.Unlock()
	if s.loose.fresh == nil {
		s.loose.fresh = map[uint64]uint64{}
	}
	s.loose.fresh[it.name] = it.link
	return nil
}

// forgetNamed forgets the links of a transaction that failed.
func (s *Store) forgetNamed() error {
	s.loose.mu.Lock()
	defer s.loose.mu.Unlock()
	return s.file.View(func(tx *bolt.Tx) error {
		last := tx.Bucket(bucketLink).Sequence()
		maps.DeleteFunc(s.loose.fresh, func(_, id uint64) bool { return id > last })
		return nil
	})
}
