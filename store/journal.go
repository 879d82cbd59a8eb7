package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"
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
		w := codec.Writer{Buf: make([]byte, 0, journalRow+journalRow/8)}
		w.Uint(run)
		w.Int(int64(p.MaxAge))
		w.U64(math.Float64bits(p.Splay))
		for ; i < len(batch) && len(w.Buf) < journalRow; i++ {
			w.Uint(batch[i].ID)
			var wait time.Time
			if len(rests) > 0 && rests[0].of == i {
				wait, rests = rests[0].next, rests[1:]
			}
			w.Time(wait)
			at := len(w.Buf)
			w.Buf = append(w.Buf, make([]byte, lengthLen)...)
			w.Result(&batch[i].Result)
			binary.BigEndian.PutUint32(w.Buf[at:], uint32(len(w.Buf)-at-lengthLen))
		}
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		if err := b.Put(codec.Key64(n), w.Buf); err != nil {
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
	r := codec.Reader{Buf: row}
	j.run = r.Uint()
	j.policy.MaxAge = time.Duration(r.Int())
	j.policy.Splay = math.Float64frombits(r.U64())
	j.row, j.at = row, len(row)-len(r.Buf)
	return j, r.Err()
}

// came is a result as the journal holds it.
type came struct {
	link   uint64
	wait   time.Time
	result []byte // a part of the row
}

// next gives the next result.
func (j *journal) next() (c came, err error) {
	r := codec.Reader{Buf: j.row[j.at:]}
	c.link, c.wait = r.Uint(), r.Time()
	if len(r.Buf) < lengthLen {
		return c, codec.ErrShort
	}
	n := int(binary.BigEndian.Uint32(r.Buf))
	if r.Buf = r.Buf[lengthLen:]; n == 0 || n > len(r.Buf) {
		return c, codec.ErrShort
	}
	j.at = len(j.row) - len(r.Buf) + n
	c.result = r.Buf[:n]
	return c, r.Err()
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
		row := tx.Bucket(bucketLink).Get(codec.Key(batch[i].ID))
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
