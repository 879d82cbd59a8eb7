package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/judge"
	"linkcheck/uri"
)

// A row of the journal holds a run, its policy, and results of it one behind
// another, each behind its link, the time before which its host wants to be asked
// nothing (0: none), and its length. The key is a number that grows.

const (
	journalRow = 32 << 10 // a row ends with the result that reaches this: a page of rows is written anew by each addition
	lengthLen  = 4
)

// Record keeps the results of a run in one transaction: when it returns nil they
// survive a crash. Batches of some thousand are quick. A link that was removed
// meanwhile is passed over. Of two results for one link in a run, history keeps
// the later.
func (s *Store) Record(run uint64, p judge.Policy, batch []Checked) error {
	s.loose.work.Lock()
	defer s.loose.work.Unlock()
	var rests []rest
	err := s.withNotes(func(tx *bolt.Tx) (err error) {
		if rests, err = s.restsOf(tx, batch); err != nil {
			return err
		}
		if err := putJournal(tx.Bucket(bucketJournal), run, p, batch, rests); err != nil {
			return err
		}
		return s.putRests(tx, rests)
	})
	if err != nil {
		return err
	}
	s.ram.rest(rests)
	if s.loose.journaled(batch) < foldAt {
		return nil
	}
	return s.fold()
}

// journaled notes that results wait and says how many do.
func (l *loose) journaled(batch []Checked) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waits == nil {
		l.waits = map[uint64]struct{}{}
	}
	for i := range batch {
		l.waits[batch[i].ID] = struct{}{}
	}
	l.rows += len(batch)
	return l.rows
}

func putJournal(b *bolt.Bucket, run uint64, p judge.Policy, batch []Checked, rests []rest) error {
	b.FillPercent = 1 // rows come in order
	for i := 0; i < len(batch); {
		w := writer{b: make([]byte, 0, journalRow+journalRow/8)}
		w.uint(run)
		w.big(int64(p.MaxAge))
		w.u64(math.Float64bits(p.Splay))
		for ; i < len(batch) && len(w.b) < journalRow; i++ {
			w.uint(batch[i].ID)
			var wait time.Time
			if len(rests) > 0 && rests[0].of == i {
				wait, rests = rests[0].next, rests[1:]
			}
			w.time(wait)
			at := len(w.b)
			w.b = append(w.b, make([]byte, lengthLen)...)
			encodeResult(&w, &batch[i].Result)
			binary.BigEndian.PutUint32(w.b[at:], uint32(len(w.b)-at-lengthLen))
		}
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		if err := b.Put(be64(n), w.b); err != nil {
			return err
		}
	}
	return nil
}

// journal is a row as it is read.
type journal struct {
	run    uint64
	policy judge.Policy
	row    []byte
	at     int // where the next result stands
}

func readJournal(row []byte) (j journal, err error) {
	r := reader{b: row}
	j.run = r.uint()
	j.policy.MaxAge = time.Duration(r.big())
	j.policy.Splay = math.Float64frombits(r.u64())
	j.row, j.at = row, len(row)-len(r.b)
	return j, r.err()
}

// came is a result as the journal holds it.
type came struct {
	link   uint64
	wait   time.Time
	result []byte // a part of the row
}

// next gives the next result.
func (j *journal) next() (c came, err error) {
	r := reader{b: j.row[j.at:]}
	c.link, c.wait = r.uint(), r.time()
	if len(r.b) < lengthLen {
		return c, errShort
	}
	n := int(binary.BigEndian.Uint32(r.b))
	if r.b = r.b[lengthLen:]; n == 0 || n > len(r.b) {
		return c, errShort
	}
	j.at = len(j.row) - len(r.b) + n
	c.result = r.b[:n]
	return c, r.err()
}

// hostOfURL is the host of a URL, "" if it has none.
func hostOfURL(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}

// restsOf finds the hosts of those results that tell of a rest, as the file keeps
// their time: to the second.
func (s *Store) restsOf(tx *bolt.Tx, batch []Checked) (list []rest, err error) {
	for i := range batch {
		if !s.ram.tellsOfRest(&batch[i].Result) {
			continue
		}
		row := tx.Bucket(bucketLink).Get(idKey(batch[i].ID))
		if row == nil {
			continue
		}
		l, err := decodeLink(row)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", batch[i].ID, err)
		}
		host, err := l.hostName()
		if err != nil {
			return nil, err
		}
		r := batch[i].Result
		if final := hostOfURL(r.FinalURL); final != "" && judge.AsksBackOff(&r) {
			host = final // the one that asks, not the one that sent us there
		}
		r.At = r.At.Truncate(time.Second)
		list = append(list, rest{host: host, result: &r, of: i, next: s.ram.host(host).NextCheck(&r)})
	}
	return list, nil
}
