package store

import (
	"bytes"
	"fmt"
	"strings"

	bolt "go.etcd.io/bbolt"

	"linkcheck/store/internal/codec"
	"linkcheck/uri/equal"
)

// metaEdition is the edition of the rules by which the keys of all links were made.
var metaEdition = []byte("edition")

const rekeyRows = 10000 // in one transaction

func (s *Store) edition() (n uint64, err error) {
	err = s.file.View(func(tx *bolt.Tx) error {
		n = codec.Number(tx.Bucket(bucketMeta).Get(metaEdition))
		return nil
	})
	return n, err
}

func (s *Store) setEdition(n uint64) error {
	return s.file.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(n)) })
}

// rekey makes the keys of all links anew by the present rules. What a crash cuts
// off is done again.
func (s *Store) rekey() error {
	for from := []byte{}; from != nil; {
		err := s.file.Update(func(tx *bolt.Tx) (err error) {
			if from, err = rekeySome(tx, from); err != nil || from != nil {
				return err
			}
			return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(equal.Edition))
		})
		if err != nil {
			return fmt.Errorf("keys by new rules: %w", err)
		}
	}
	s.aged = false
	return nil
}

// rekeySome makes the keys of some links; next is nil at the end.
func rekeySome(tx *bolt.Tx, from []byte) (next []byte, err error) {
	b := tx.Bucket(bucketLink)
	b.FillPercent = 0.95
	changed := map[uint64][]byte{}
	var order []uint64
	c, n := b.Cursor(), 0
	for k, v := c.Seek(from); k != nil; k, v = c.Next() {
		if n++; n > rekeyRows {
			next = bytes.Clone(k)
			break
		}
		row, err := rekeyed(tx, k, v)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", codec.Number(k), err)
		}
		if row != nil {
			order, changed[codec.Number(k)] = append(order, codec.Number(k)), row
		}
	}
	for _, id := range order {
		if err := b.Put(codec.Key(id), changed[id]); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// rekeyed is the row of a link by the present rules; nil: as it is. A link whose
// identity is now that of another link keeps its own: both have a history.
func rekeyed(tx *bolt.Tx, id, row []byte) ([]byte, error) {
	l, err := decodeLink(row)
	if err != nil {
		return nil, err
	}
	key, _, _, err := readForm(l.form)
	if err != nil || strings.HasPrefix(key, RelativeMark) {
		return nil, err
	}
	url := l.url
	if url == "" {
		url = key
	}
	is := identify(url)
	form, apart := formKey(is)
	if !bytes.Equal(form, l.form) {
		if other, err := lookUp(tx.Bucket(bucketIndex).Cursor(), nameOf(form), form); other != 0 || err != nil {
			return nil, err
		}
	}
	fresh := linkRow{levels: is.levels, firstSeen: l.firstSeen, form: form}
	if url != is.key {
		fresh.url = url
	}
	if apart {
		fresh.host = is.host
	}
	b := fresh.encode()
	if bytes.Equal(b, row) {
		return nil, nil
	}
	if !bytes.Equal(form, l.form) {
		index := tx.Bucket(bucketIndex)
		if err := index.Delete(indexKey(nameOf(l.form), codec.Number(id))); err != nil {
			return nil, err
		}
		if err := index.Put(indexKey(nameOf(form), codec.Number(id)), nil); err != nil {
			return nil, err
		}
	}
	return b, nil
}
