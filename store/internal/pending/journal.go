package pending

import (
	"encoding/binary"
	"math"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// A row of the journal holds a run, its policy, and results of it one behind another:
// each behind its link, the end of its host's back-off (0: none), and its length. The key
// is a number that grows.
const (
	rowSize   = 32 << 10 // a row ends with the result that reaches this: a page of rows is written anew by each addition
	lengthLen = 4
)

// Result is what a probe learned of a link, for the journal.
type Result struct {
	Link      uint64
	NotBefore time.Time // the end of its host's back-off: no check is due earlier; zero: none
	Result    *check.Result
}

// Append writes results of a run to the journal, once in a transaction of Add. batch
// must stay as it is until Add returns.
func (q *Queue) Append(tx *boltfile.Tx, run uint64, p judge.Policy, batch []Result) error {
	b := tx.Bucket(BucketJournal)
	b.FillPercent = 1 // rows come in order
	q.appended = batch
	for len(batch) > 0 {
		w := codec.Writer{Buf: make([]byte, 0, rowSize+rowSize/8)}
		w.Uint(run)
		w.Int(int64(p.MaxAge))
		w.U64(math.Float64bits(p.Splay))
		for ; len(batch) > 0 && len(w.Buf) < rowSize; batch = batch[1:] {
			w.Uint(batch[0].Link)
			w.Time(batch[0].NotBefore)
			at := len(w.Buf)
			w.Buf = append(w.Buf, make([]byte, lengthLen)...)
			w.Result(batch[0].Result)
			binary.BigEndian.PutUint32(w.Buf[at:], uint32(len(w.Buf)-at-lengthLen))
		}
		q.written += len(w.Buf)
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

// Entry is a result as the journal holds it.
type Entry struct {
	Run       uint64
	Policy    judge.Policy
	Link      uint64
	NotBefore time.Time
	Result    []byte // as codec.Writer.Result wrote it; a part of the row
}

// journalRow is a row as it is read.
type journalRow struct {
	run    uint64
	policy judge.Policy
	row    []byte
	at     int // where the next result stands
}

func openRow(row []byte) (j journalRow, err error) {
	r := codec.Reader{Buf: row}
	j.run = r.Uint()
	j.policy.MaxAge = time.Duration(r.Int())
	j.policy.Splay = math.Float64frombits(r.U64())
	j.row, j.at = row, len(row)-len(r.Buf)
	return j, r.Err()
}

// more says whether another result follows.
func (j *journalRow) more() bool { return j.at < len(j.row) }

// next gives the next result.
func (j *journalRow) next() (Entry, error) {
	r := codec.Reader{Buf: j.row[j.at:]}
	e := Entry{Run: j.run, Policy: j.policy, Link: r.Uint(), NotBefore: r.Time()}
	if len(r.Buf) < lengthLen {
		return e, codec.ErrShort
	}
	n := int(binary.BigEndian.Uint32(r.Buf))
	if r.Buf = r.Buf[lengthLen:]; n == 0 || n > len(r.Buf) {
		return e, codec.ErrShort
	}
	j.at = len(j.row) - len(r.Buf) + n
	e.Result = r.Buf[:n]
	return e, r.Err()
}
