package pending

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// The index finds a link by the hash of its identity: its keys are the hash and the
// number of the link behind it, so that links whose hashes are equal stand side by
// side; the identity itself is in the row of the link.

// MetaIndexed names the last link up to which all are in the index.
var MetaIndexed = []byte("filed")

const (
	hashLen   = 8
	indexRows = 2500 // put into the index in one transaction

	// Of a page: of the first links, which come in the order of their hashes, and of later ones, which fall between.
	indexFill, betweenFill = 0.75, 0.6
)

// Hash is the hash under which the index finds an identity.
func Hash(identity []byte) uint64 { return xxhash.Sum64(identity) }

func indexKey(hash, link uint64) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, hashLen+codec.KeyLen), hash), codec.Key(link)...)
}

// SplitIndexKey gives the hash and link of a key of the index; ok is false for what is
// no such key.
func SplitIndexKey(k []byte) (hash, link uint64, ok bool) {
	if len(k) != hashLen+codec.KeyLen {
		return 0, 0, false
	}
	return codec.Number(k[:hashLen]), codec.Number(k[hashLen:]), true
}

// Finder finds links by their identity in one transaction.
type Finder struct {
	q     *Queue
	tx    *boltfile.Tx
	index *boltfile.Cursor
}

// Finder gives a finder. In a transaction of Add its NewOrKnown finds pending links too.
func (q *Queue) Finder(tx *boltfile.Tx) Finder { return Finder{q, tx, tx.Bucket(BucketIndex).Cursor()} }

// Link finds the link with an identity in the index; 0: it is not there.
func (f *Finder) Link(hash uint64, identity []byte) (uint64, error) {
	prefix := codec.Key64(hash)
	for k, _ := f.index.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = f.index.Next() {
		link := codec.Number(k[hashLen:])
		if is, err := f.hasIdentity(link, identity); is || err != nil {
			return link, err
		}
	}
	return 0, nil
}

// NewOrKnown finds the link with an identity, in the index or pending; 0: none.
func (f *Finder) NewOrKnown(hash uint64, identity []byte) (uint64, error) {
	if link, ok := f.q.links[hash]; ok {
		if is, err := f.hasIdentity(link, identity); is || err != nil {
			return link, err
		}
	}
	return f.Link(hash, identity)
}

// Written is NewOrKnown for any transaction: it finds what was committed before it.
func (f *Finder) Written(hash uint64, identity []byte) (uint64, error) {
	f.q.mu.RLock()
	link, ok := f.q.links[hash]
	f.q.mu.RUnlock()
	if ok && f.tx.Bucket(f.q.Links).Get(codec.Key(link)) != nil {
		if is, err := f.hasIdentity(link, identity); is || err != nil {
			return link, err
		}
	}
	return f.Link(hash, identity)
}

func (f *Finder) hasIdentity(link uint64, identity []byte) (bool, error) {
	is, err := f.q.Identity(f.tx.Bucket(f.q.Links).Get(codec.Key(link)))
	if err != nil {
		return false, fmt.Errorf("link %d: %w", link, err)
	}
	return bytes.Equal(is, identity), nil
}

// Put puts a link into the index at once.
func (f *Finder) Put(hash, link uint64) error { return f.index.Bucket().Put(indexKey(hash, link), nil) }

// Remove takes a link from the index.
func (f *Finder) Remove(hash, link uint64) error {
	return f.index.Bucket().Delete(indexKey(hash, link))
}

// Has says whether the index leads from a hash to a link.
func (f *Finder) Has(hash, link uint64) bool {
	key := indexKey(hash, link)
	k, _ := f.index.Seek(key)
	return bytes.Equal(k, key)
}

// AddLink makes a new link known in a transaction of Add; a flush puts it into the index.
// Of two identities with one hash the second is put there at once.
func (q *Queue) AddLink(tx *boltfile.Tx, hash, link uint64) error {
	if _, taken := q.links[hash]; taken {
		return tx.Bucket(BucketIndex).Put(indexKey(hash, link), nil)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.links[hash] = link
	return nil
}

// forgetLinks forgets the links of a transaction that failed.
func (q *Queue) forgetLinks() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.file.View(func(tx *boltfile.Tx) error {
		last := tx.Bucket(q.Links).Sequence()
		maps.DeleteFunc(q.links, func(_, link uint64) bool { return link > last })
		return nil
	})
}

// flushLinks puts new links into the index. What a crash cuts off is done again, which
// changes nothing.
func (q *Queue) flushLinks(ctx context.Context) error {
	for {
		list, upTo, err := q.unindexed()
		if err != nil {
			return err
		}
		if upTo == 0 {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.links = map[uint64]uint64{}
			return nil
		}
		slices.SortFunc(list, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
		put, fill := (*boltfile.Bucket).Put, betweenFill
		for begin, done := true, false; !done; begin = false {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(indexRows, len(list))
			done = n == len(list)
			err := q.file.Update(func(tx *boltfile.Tx) error {
				index := tx.Bucket(BucketIndex)
				if first, _ := index.Cursor().First(); begin && first == nil { // and the list names a link once
					put, fill = (*boltfile.Bucket).PutNew, indexFill
				}
				index.FillPercent = fill
				for _, l := range list[:n] {
					if err := put(index, indexKey(l.hash, l.link), nil); err != nil {
						return err
					}
				}
				if !done {
					return nil
				}
				return tx.Bucket(q.Meta).Put(MetaIndexed, codec.Key64(upTo))
			})
			if err != nil {
				return err
			}
			list = list[n:]
		}
	}
}

// hashed is a link and the hash of its identity.
type hashed struct{ hash, link uint64 }

// unindexed gathers the next links that are not in the index, up to the number upTo; 0:
// there are none. The numbers of links that were removed are passed over.
func (q *Queue) unindexed() (list []hashed, upTo uint64, err error) {
	err = q.file.View(func(tx *boltfile.Tx) error {
		links := tx.Bucket(q.Links)
		indexed := codec.Number(tx.Bucket(q.Meta).Get(MetaIndexed))
		if indexed >= links.Sequence() {
			return nil
		}
		upTo = links.Sequence()
		list = make([]hashed, 0, min(q.MostLinks, int(upTo-indexed)))
		for k, v := range boltfile.From(links, codec.Key(indexed+1)) {
			if len(list) == q.MostLinks {
				upTo = list[len(list)-1].link
				return nil
			}
			identity, err := q.Identity(v)
			if err != nil {
				return fmt.Errorf("link %d: %w", codec.Number(k), err)
			}
			list = append(list, hashed{Hash(identity), codec.Number(k)})
		}
		return nil
	})
	return list, upTo, err
}
