package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

// maxProblems is how many problems Verify lists before it stops looking.
const maxProblems = 100

// ctxRows is how many rows Verify reads before it looks at its context again.
const ctxRows = 1000

// errEnough ends Verify early without being an error to the caller.
var errEnough = errors.New("enough problems")

// Verify reads the whole store and lists what is wrong with it: pages, rows that
// cannot be read, rows without their counterparts, wrong counts. Nothing listed
// means sound. It changes nothing; nothing must be written meanwhile.
func (s *Store) Verify(ctx context.Context) (problems []string, err error) {
	if problems, err = boltfile.CheckPages(s.file.Path()); err != nil || len(problems) > 0 {
		return problems, err // rows on bad pages are not worth reading
	}
	v := verifier{ctx: ctx}
	err = s.pending.View(func(tx *bolt.Tx) error {
		v.tx, v.index = tx, s.pending.Finder(tx)
		for _, step := range []func() error{v.indexRows, v.links, v.mentions, v.events, v.sources, v.names, v.runs, v.cached} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return v.problems, err
}

type verifier struct {
	ctx      context.Context
	tx       *bolt.Tx
	index    pending.Finder
	problems []string
}

func (v *verifier) add(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

// each calls f for every row, until there are too many problems.
func (v *verifier) each(bucket []byte, f func(k, row []byte)) error {
	n := 0
	return v.tx.Bucket(bucket).ForEach(func(k, row []byte) error {
		f(k, row)
		if n++; n%ctxRows == 0 && v.ctx.Err() != nil {
			return v.ctx.Err()
		}
		if len(v.problems) >= maxProblems {
			return errEnough
		}
		return nil
	})
}

func (v *verifier) indexRows() error {
	links := v.tx.Bucket(bucketLink)
	return v.each(pending.BucketIndex, func(k, _ []byte) {
		hash, link, ok := pending.SplitIndexKey(k)
		if !ok {
			v.add("index %x: no link number", k)
			return
		}
		identity, err := linkIdentity(links.Get(codec.Key(link)))
		if err != nil || pending.Hash(identity) != hash {
			v.add("index %x: link %d is another", k, link)
		}
	})
}

func (v *verifier) links() error {
	states, history, live := v.tx.Bucket(bucketState), v.tx.Bucket(bucketHistory), v.liveCounts()
	return v.each(bucketLink, func(k, b []byte) {
		row, err := decodeLink(b)
		if err != nil || len(k) != codec.KeyLen {
			v.add("link %x: %v", k, err)
			return
		}
		id := codec.Number(k)
		if !v.index.Has(pending.Hash(row.Identity), id) {
			v.add("link %d: not found by its form", id)
		}
		state, err := decodeState(states.Get(k))
		if err != nil {
			v.add("link %d: state: %v", id, err)
			return
		}
		if n := live(k); n != state.Live {
			v.add("link %d: %d live mentions, counted as %d", id, n, state.Live)
		}
		if state.EventRun != 0 && history.Get(eventKey(id, state.EventRun)) == nil {
			v.add("link %d: the event of run %d is missing", id, state.EventRun)
		}
	})
}

// liveCounts counts the live mentions of links that are asked for in ascending order.
func (v *verifier) liveCounts() func(id []byte) uint32 {
	mentions := follow(v.tx, bucketMention)
	return func(id []byte) (n uint32) {
		for more := mentions.to(id); more; more = mentions.nextOf(id) {
			if _, retired, _ := readMentionHead(mentions.v); retired.IsZero() {
				n++
			}
		}
		return n
	}
}

func (v *verifier) mentions() error {
	links, sources := v.tx.Bucket(bucketLink), v.tx.Bucket(bucketSource)
	return v.each(bucketMention, func(k, b []byte) {
		if len(k) != codec.KeyLen+hashLen || links.Get(k[:codec.KeyLen]) == nil {
			v.add("mention %x: no such link", k)
			return
		}
		id := codec.Number(k[:codec.KeyLen])
		m, err := decodeMention(b, "")
		if err != nil || len(m.holders) == 0 {
			v.add("mention of link %d: unreadable: %v", id, err)
			return
		}
		for _, h := range m.holders {
			if sources.Get(codec.Key32(h.Source)) == nil {
				v.add("mention of link %d: source %d is missing", id, h.Source)
			}
		}
	})
}

func (v *verifier) events() error {
	links := v.tx.Bucket(bucketLink)
	return v.each(bucketHistory, func(k, b []byte) {
		if len(k) != 2*codec.KeyLen || links.Get(k[:codec.KeyLen]) == nil {
			v.add("event %x: no such link", k)
			return
		}
		if _, err := decodeEvent(b); err != nil {
			v.add("event of link %d: %v", codec.Number(k[:codec.KeyLen]), err)
		}
	})
}

func (v *verifier) sources() error {
	paths := v.tx.Bucket(bucketPath)
	return v.each(bucketSource, func(k, b []byte) {
		row, err := decodeSource(k, b)
		if err != nil {
			v.add("source %x: %v", k, err)
		} else if !bytes.Equal(paths.Get([]byte(row.Path)), k) {
			v.add("source %q: not found by its path", row.Path)
		}
	})
}

func (v *verifier) names() error {
	sources := v.tx.Bucket(bucketSource)
	return v.each(bucketName, func(k, b []byte) {
		if len(k) != nameKeyLen || sources.Get(k[:4]) == nil {
			v.add("names %x: no such source", k)
		} else if err := eachName(b, func(uint64, Name) error { return nil }); err != nil {
			v.add("names %x: %v", k, err)
		}
	})
}

func (v *verifier) runs() error {
	return v.each(bucketRun, func(k, b []byte) {
		if r, err := readRun(b); err != nil || len(k) != codec.KeyLen || r.ID != codec.Number(k) {
			v.add("run %x: unreadable", k)
		}
	})
}

func (v *verifier) cached() error {
	return v.each(bucketCache, func(k, b []byte) {
		if row, err := decodeCacheRow(b); err != nil || row.until.IsZero() {
			v.add("recall of %.200q: unreadable", k)
		}
	})
}
