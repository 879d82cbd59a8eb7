package store

import (
	"bytes"
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// maxProblems is how many problems Verify lists before it stops looking.
const maxProblems = 100

// Verify reads the whole store and lists what is wrong with it: pages, rows that
// cannot be read, rows without their counterparts, wrong counts. Nothing listed
// means sound. It changes nothing;
// nothing must be written meanwhile.
func (s *Store) Verify(ctx context.Context) (problems []string, err error) {
	if problems, err = checkPages(s.path); err != nil || len(problems) > 0 {
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
		if len(k) != hashLen+idLen {
			v.add("index %x: no link number", k)
			return
		}
		row, err := decodeLink(links.Get(k[hashLen:]))
		if err != nil || nameOf(row.form) != number(k[:hashLen]) {
			v.add("index %x: link %d is another", k, number(k[hashLen:]))
		}
	})
}

func (v *verifier) links() error {
	states, hist := v.tx.Bucket(bucketState), v.tx.Bucket(bucketHist)
	index, live := v.tx.Bucket(bucketIndex), v.liveCounts()
	return v.each(bucketLink, func(k, b []byte) {
		row, err := decodeLink(b)
		if err != nil || len(k) != idLen {
			v.add("link %x: %v", k, err)
			return
		}
		if index.Get(indexKey(nameOf(row.form), number(k))) == nil {
			v.add("link %d: not found by its form", number(k))
		}
		state, err := decodeState(states.Get(k))
		if err != nil {
			v.add("link %d: state: %v", number(k), err)
			return
		}
		if n := live(k); n != state.live {
			v.add("link %d: %d live mentions, counted as %d", number(k), n, state.live)
		}
		if state.histRun != 0 && hist.Get(eventKey(number(k), state.histRun)) == nil {
			v.add("link %d: the event of run %d is missing", number(k), state.histRun)
		}
	})
}

// liveCounts counts the live mentions of links that are asked for in ascending order.
func (v *verifier) liveCounts() func(id []byte) uint32 {
	c := v.tx.Bucket(bucketMention).Cursor()
	k, m := c.First()
	return func(id []byte) (n uint32) {
		for ; k != nil && bytes.Compare(k[:min(idLen, len(k))], id) <= 0; k, m = c.Next() {
			r := reader{b: m}
			r.byte()
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
		if len(k) != idLen+hashLen || links.Get(k[:idLen]) == nil {
			v.add("mention %x: no such link", k)
			return
		}
		m, err := decodeMention(b, "")
		if err != nil || len(m.src) == 0 {
			v.add("mention of link %d: unreadable: %v", number(k[:idLen]), err)
			return
		}
		for _, s := range m.src {
			if sources.Get(be32(s.Source)) == nil {
				v.add("mention of link %d: source %d is missing", number(k[:idLen]), s.Source)
			}
		}
	})
}

func (v *verifier) events() error {
	links := v.tx.Bucket(bucketLink)
	return v.each(bucketHist, func(k, b []byte) {
		if len(k) != 2*idLen || links.Get(k[:idLen]) == nil {
			v.add("event %x: no such link", k)
			return
		}
		if _, err := decodeEvent(b); err != nil {
			v.add("event of link %d: %v", number(k[:idLen]), err)
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
		if r, err := readRun(b); err != nil || len(k) != idLen || r.ID != number(k) {
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
