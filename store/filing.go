package store

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// metaFiled names the last link up to which all are found by their forms.
var metaFiled = []byte("filed")

const (
	fileAt   = 1 << 17 // links that may wait to be filed
	fileRows = 10000   // filed in one transaction
	fileFill = 0.75    // of a page: more come between
	formLen  = 72      // of a form, about
)

// fileForms puts the forms of new links in their places. What a crash cuts off is
// done again.
func (s *Store) fileForms() error {
	for {
		var some unfiled
		if err := s.peek(some.find); err != nil {
			return err
		}
		if some.upTo == 0 {
			s.loose.mu.Lock()
			defer s.loose.mu.Unlock()
			s.loose.fresh = nil
			return nil
		}
		slices.SortFunc(some.list, func(a, b form) int { return bytes.Compare(some.key(a), some.key(b)) })
		for done := false; !done; {
			err := s.update(func(tx *bolt.Tx) (err error) {
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
	list []form
	heap []byte
	upTo uint64
}

// form is the place of a link's form in the heap.
type form struct {
	id       uint64
	from, to uint32
}

func (u *unfiled) key(f form) []byte { return u.heap[f.from:f.to] }

// find gathers the next links that are not filed. The numbers of links that were
// removed are passed over.
func (u *unfiled) find(tx *bolt.Tx) error {
	links := tx.Bucket(bucketLink)
	filed := number(tx.Bucket(bucketMeta).Get(metaFiled))
	if filed >= links.Sequence() {
		return nil
	}
	u.upTo = links.Sequence()
	n := min(fileAt, int(u.upTo-filed))
	u.list, u.heap = make([]form, 0, n), make([]byte, 0, n*formLen)
	c := links.Cursor()
	for k, v := c.Seek(idKey(filed + 1)); k != nil; k, v = c.Next() {
		if len(u.list) == fileAt {
			u.upTo = u.list[fileAt-1].id
			return nil
		}
		row, err := decodeLink(v)
		if err != nil {
			return fmt.Errorf("link %d: %w", number(k), err)
		}
		from := uint32(len(u.heap))
		u.heap = append(u.heap, row.form...)
		u.list = append(u.list, form{number(k), from, uint32(len(u.heap))})
	}
	return nil
}

// file files the first of the list; done says that these were the last.
func (u *unfiled) file(tx *bolt.Tx) (done bool, err error) {
	forms, n := tx.Bucket(bucketForm), min(fileRows, len(u.list))
	forms.FillPercent = fileFill
	for _, f := range u.list[:n] {
		if err := forms.Put(u.key(f), idKey(f.id)); err != nil {
			return false, err
		}
	}
	if n < len(u.list) {
		return false, nil
	}
	return true, tx.Bucket(bucketMeta).Put(metaFiled, be64(u.upTo))
}

// knownLink finds the link of a mention by its form, filed or not; 0: none.
func (s *Store) knownLink(tx *bolt.Tx, it *ready) (uint64, error) {
	if id, ok := s.loose.fresh[it.name]; ok {
		row, err := decodeLink(tx.Bucket(bucketLink).Get(idKey(id)))
		if err != nil || bytes.Equal(row.form, it.form) {
			return id, err
		}
	}
	return number(tx.Bucket(bucketForm).Get(it.form)), nil
}

// named notes a new link, to be found until it is filed. Of two forms with one
// hash the second is filed at once.
func (s *Store) named(tx *bolt.Tx, it *ready) error {
	if _, taken := s.loose.fresh[it.name]; taken {
		return tx.Bucket(bucketForm).Put(it.form, idKey(it.link))
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
	return s.peek(func(tx *bolt.Tx) error {
		last := tx.Bucket(bucketLink).Sequence()
		maps.DeleteFunc(s.loose.fresh, func(_, id uint64) bool { return id > last })
		return nil
	})
}
