package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

func (in *Ingest) addBatch(tx *bolt.Tx, b *Batch) error {
	src, err := in.source(tx, b.source)
	if err != nil {
		return err
	}
	if err := in.addNames(tx, src.id, b.names); err != nil {
		return err
	}
	if err := in.nameLinks(tx, b.items); err != nil {
		return err
	}
	byLink := func(x, y *ready) int { return cmp.Or(cmp.Compare(x.link, y.link), cmp.Compare(x.hash, y.hash)) }
	if !slices.IsSortedFunc(b.items, byLink) { // new links are
		slices.SortStableFunc(b.items, byLink)
	}
	in.sum.Mentions += len(b.items)
	for i := 0; i < len(b.items); {
		n := 1
		for i+n < len(b.items) && b.items[i+n].link == b.items[i].link {
			n++
		}
		add := in.addMentions
		if b.items[i].fresh {
			add = in.addLink
		}
		if err := add(tx, src.id, b.items[i:i+n]); err != nil {
			return err
		}
		i += n
	}
	return nil
}

// source finds or makes the row of a path; a new one counts as never read.
func (in *Ingest) source(tx *bolt.Tx, path string) (sourceRow, error) {
	row, found, err := sourceByPath(tx, path)
	if err != nil || found {
		return row, err
	}
	b := tx.Bucket(bucketSource)
	n, err := b.NextSequence()
	if err != nil {
		return row, err
	}
	row = sourceRow{id: uint32(n), Source: Source{Path: path, Size: -1, LastSeen: in.now}}
	if err := tx.Bucket(bucketPath).Put([]byte(path), codec.Key32(row.id)); err != nil {
		return row, err
	}
	return row, b.Put(codec.Key32(row.id), row.encode())
}

// nameLinks gives each item the number of its link. Numbers grow with the form
// keys, so the rows of new links are put in order.
func (in *Ingest) nameLinks(tx *bolt.Tx, items []*ready) error {
	links, index := tx.Bucket(bucketLink), tx.Bucket(bucketIndex).Cursor()
	for i, it := range items {
		if i > 0 && bytes.Equal(it.form, items[i-1].form) {
			it.link, it.fresh = items[i-1].link, items[i-1].fresh
			continue
		}
		known, err := in.s.knownLink(index, it)
		if err != nil {
			return err
		}
		if it.link, it.fresh = known, known == 0; !it.fresh {
			continue
		}
		if it.link, err = links.NextSequence(); err != nil {
			return err
		}
		if err := in.s.named(tx, it); err != nil {
			return err
		}
	}
	return nil
}

// addLink makes the rows of a new link and its mentions, which are sorted by hash.
// The link is spelled as its first mention is.
func (in *Ingest) addLink(tx *bolt.Tx, source uint32, items []*ready) error {
	first := items[0]
	for _, it := range items[1:] {
		if cmp.Or(cmp.Compare(it.m.Line, first.m.Line), cmp.Compare(it.m.Column, first.m.Column)) < 0 {
			first = it
		}
	}
	row := linkRow{levels: first.is.levels, firstSeen: in.now, form: first.form}
	if first.m.URL != first.is.key {
		row.url = first.m.URL
	}
	if first.apart {
		row.host = first.is.host
	}
	fresh := stateRow{Judgement: judge.Judgement{State: judge.New}}
	mentions := tx.Bucket(bucketMention)
	mentions.FillPercent = 0.9
	for i, it := range items {
		fresh.variants = fresh.variants || it.m.URL != first.m.URL
		if i+1 < len(items) && items[i+1].hash == it.hash {
			continue
		}
		fresh.live++
		m := mentionRow{m: *it.m, src: []standing{{source, in.gen}}}
		m.m.FirstSeen = in.now
		if err := mentions.Put(mentionKey(it.link, it.hash), m.encode(first.m.URL)); err != nil {
			return err
		}
	}
	in.sum.NewLinks++
	in.sum.New += int(fresh.live)
	key, links := codec.Key(first.link), tx.Bucket(bucketLink)
	links.FillPercent = 0.95
	if err := links.Put(key, row.encode()); err != nil {
		return err
	}
	return tx.Bucket(bucketState).Put(key, fresh.encode())
}

// addMentions keeps the mentions of one known link and counts the live ones.
func (in *Ingest) addMentions(tx *bolt.Tx, source uint32, items []*ready) error {
	id := items[0].link
	url, err := urlOf(tx, id)
	if err != nil {
		return err
	}
	live, variants := 0, false
	for i := range items {
		came, err := in.addMention(tx, source, items[i], url)
		if err != nil {
			return err
		}
		live += came
		variants = variants || items[i].m.URL != url
	}
	return adjustState(tx, id, live, variants)
}

// urlOf is the URL of a link as first written.
func urlOf(tx *bolt.Tx, id uint64) (string, error) {
	row, err := decodeLink(tx.Bucket(bucketLink).Get(codec.Key(id)))
	if err != nil {
		return "", fmt.Errorf("link %d: %w", id, err)
	}
	if row.url != "" {
		return row.url, nil
	}
	key, _, _, err := readForm(row.form)
	return key, err
}

// addMention says by how many the link's live mentions grew.
func (in *Ingest) addMention(tx *bolt.Tx, source uint32, it *ready, url string) (came int, err error) {
	b := tx.Bucket(bucketMention)
	b.FillPercent = 0.9
	key := mentionKey(it.link, it.hash)
	row := mentionRow{m: *it.m}
	if v := b.Get(key); v == nil {
		row.m.FirstSeen = in.now
		came, in.sum.New = 1, in.sum.New+1
	} else {
		old, err := decodeMention(v, url)
		if err != nil {
			return 0, fmt.Errorf("mention of link %d: %w", it.link, err)
		}
		row.m.FirstSeen = old.m.FirstSeen
		if row.src = old.src; !old.m.Retired.IsZero() {
			row.src = nil
			came, in.sum.Returned = 1, in.sum.Returned+1
		}
	}
	row.m.Retired, row.m.LastSeen = time.Time{}, time.Time{}
	row.src = slices.DeleteFunc(row.src, func(s standing) bool { return s.Source == source })
	row.src = append([]standing{{source, in.gen}}, row.src...)
	return came, b.Put(key, row.encode(url))
}

// adjustState changes the head of a state row alone.
func adjustState(tx *bolt.Tx, id uint64, live int, variants bool) error {
	b, key := tx.Bucket(bucketState), codec.Key(id)
	v := b.Get(key)
	if len(v) < stateHead {
		return fmt.Errorf("state of link %d: %w", id, codec.ErrShort)
	}
	h := readHead(v)
	if live == 0 && (!variants || h.flags&flagVariants != 0) {
		return nil
	}
	v = bytes.Clone(v)
	if variants {
		v[9] |= flagVariants
	}
	binary.BigEndian.PutUint32(v[10:], uint32(max(0, int(h.live)+live)))
	return b.Put(key, v)
}
