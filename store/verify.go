package store

import (
	"bytes"
	"context"
	"fmt"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// maxProblems is how many problems Verify lists before it stops looking.
const maxProblems = 100

// Verify reads the whole store and lists what is wrong with it: pages, rows that
// cannot be read, rows without their counterparts, wrong counts. Nothing listed
// means sound. It changes nothing;
// nothing must be written meanwhile.
func (s *Store) Verify(ctx context.Context) (problems []string, err error) {
	if problems, err = boltfile.CheckPages(s.Path()); err != nil || len(problems) > 0 {
		return problems, err // rows on bad pages are not worth reading
	}
	v := verifier{ctx: ctx}
	err = s.view(func(tx *bolt.Tx) error {
		v.tx = tx
		for _, step := range []func() error{v.index, v.links, v.mentions, v.events, v.sources, v.names, v.runs, v.recalls} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err == errStop {
		err = nil
	}
	return v.problems, err
}

type verifier struct {
	ctx      context.Context
	tx       *bolt.Tx
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
		if n++; n%pageRows == 0 && v.ctx.Err() != nil {
			return v.ctx.Err()
		}
		if len(v.problems) >= maxProblems {
			return errStop
		}
		return nil
	})
}

func (v *verifier) index() error {
	links := v.tx.Bucket(bucketLink)
	return v.each(bucketIndex, func(k, _ []byte) {
		if len(k) != hashLen+codec.KeyLen {
			v.add("index %x: no link number", k)
			return
		}
		row, err := decodeLink(links.Get(k[hashLen:]))
		if err != nil || nameOf(row.form) != codec.Number(k[:hashLen]) {
			v.add("index %x: link %d is another", k, codec.Number(k[hashLen:]))
		}
	})
}

func (v *verifier) links() error {
	states, hist := v.tx.Bucket(bucketState), v.tx.Bucket(bucketHist)
	index, live := v.tx.Bucket(bucketIndex), v.liveCounts()
	return v.each(bucketLink, func(k, b []byte) {
		row, err := decodeLink(b)
		if err != nil || len(k) != codec.KeyLen {
			v.add("link %x: %v", k, err)
			return
		}
		if index.Get(indexKey(nameOf(row.form), codec.Number(k))) == nil {
			v.add("link %d: not found by its form", codec.Number(k))
		}
		state, err := decodeState(states.Get(k))
		if err != nil {
			v.add("link %d: state: %v", codec.Number(k), err)
			return
		}
		if n := live(k); n != state.live {
			v.add("link %d: %d live mentions, counted as %d", codec.Number(k), n, state.live)
		}
		if state.histRun != 0 && hist.Get(eventKey(codec.Number(k), state.histRun)) == nil {
			v.add("link %d: the event of run %d is missing", codec.Number(k), state.histRun)
		}
	})
}

// liveCounts counts the live mentions of links that are asked for in ascending order.
func (v *verifier) liveCounts() func(id []byte) uint32 {
	c := v.tx.Bucket(bucketMention).Cursor()
	k, m := c.First()
	return func(id []byte) (n uint32) {
		for ; k != nil && bytes.Compare(k[:min(codec.KeyLen, len(k))], id) <= 0; k, m = c.Next() {
			r := codec.Reader{Buf: m}
			r.Byte()
			if _, retired := readStandings(&r); bytes.HasPrefix(k, id) && retired.IsZero() {
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
		m, err := decodeMention(b, "")
		if err != nil || len(m.src) == 0 {
			v.add("mention of link %d: unreadable: %v", codec.Number(k[:codec.KeyLen]), err)
			return
		}
		for _, s := range m.src {
			if sources.Get(codec.Key32(s.Source)) == nil {
				v.add("mention of link %d: source %d is missing", codec.Number(k[:codec.KeyLen]), s.Source)
			}
		}
	})
}

func (v *verifier) events() error {
	links := v.tx.Bucket(bucketLink)
	return v.each(bucketHist, func(k, b []byte) {
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
		if len(k) != 12 || sources.Get(k[:4]) == nil {
			v.add("names %x: no such source", k)
		} else if err := eachName(b, func(uint64, Place) error { return nil }); err != nil {
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

func (v *verifier) recalls() error {
	return v.each(bucketRecall, func(k, b []byte) {
		if n, err := decodeNote(b); err != nil || n.until.IsZero() {
			v.add("recall of %.200q: unreadable", k)
		}
	})
}
