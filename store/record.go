package store

import (
	"bytes"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

// Checked is one link and what a probe learned of it.
type Checked struct {
	ID     uint64
	Result check.Result
}

// Record writes the results of a run in one transaction: when it returns nil they
// survive a crash. Batches of some thousand are quick. A link that was removed
// meanwhile is passed over. Of two results for one link in a run, history keeps
// the later.
func (s *Store) Record(run uint64, p judge.Policy, batch []Checked) error {
	s.recording.Lock()
	defer s.recording.Unlock()
	results := make([]pending.Result, len(batch))
	for i := range batch {
		results[i] = pending.Result{Link: batch[i].ID, Result: &batch[i].Result}
	}
	var backOffs map[string]judge.BackOff
	err := s.writeCache(s.pending.Add, func(tx *boltfile.Tx) (err error) {
		if backOffs, err = s.backOffs.after(tx, results); err != nil {
			return err
		}
		if err := s.pending.Append(tx, run, p, results); err != nil {
			return err
		}
		return writeBackOffs(tx, backOffs)
	})
	if err != nil {
		return err
	}
	s.backOffs.change(backOffs)
	return s.pending.FlushMuch()
}

// probedFill is how much of a page of states or history is filled by the first probes of
// links, which come in order. What later ones let grow over a page is cut in halves, as
// bbolt does: rows grow everywhere, and a page of which most is left full is soon cut again.
const probedFill = 0.8

// applyResult judges a link by a result of the journal.
func applyResult(tx *boltfile.Tx, e *pending.Entry) error {
	states, history, key := tx.Bucket(bucketState), tx.Bucket(bucketHistory), codec.Key(e.Link)
	v := states.Get(key)
	if v == nil {
		return nil
	}
	row, err := decodeState(v)
	if err != nil {
		return err
	}
	r, parts, err := codec.SplitResult(e.Result)
	if err != nil {
		return err
	}
	if row.EventRun == 0 {
		states.FillPercent, history.FillPercent = probedFill, probedFill
	}
	was := row.State
	row.Judgement = row.After(&r, e.Run)
	if row.Next = e.Policy.NextCheck(&row.Judgement, &r, e.Link); row.Next.Before(e.NotBefore) {
		row.Next = e.NotBefore
	}
	verdictHash, metadataHash := xxhash.Sum64(parts.Verdict), xxhash.Sum64(parts.Metadata)
	if verdictHash != row.VerdictHash || was != row.State || row.EventRun == 0 {
		row.EventRun = e.Run
		err = history.Put(eventKey(e.Link, e.Run), append([]byte{byte(row.State)}, parts.Event...))
	} else if metadataHash != row.MetadataHash {
		err = refreshMetadata(history, eventKey(e.Link, row.EventRun), parts.Metadata)
	}
	if err != nil {
		return err
	}
	row.VerdictHash, row.MetadataHash, row.LastRun, row.Last = verdictHash, metadataHash, e.Run, r
	row.FinalHash = 0
	if r.FinalURL != "" {
		row.FinalHash = xxhash.Sum64String(schemeKeyOf(r.FinalURL))
	}
	row.addVisit(visit{e.Run, r.At})
	return states.Put(key, row.encode())
}

// refreshMetadata keeps in the newest event what conditional requests need.
func refreshMetadata(history *boltfile.Bucket, key, metadata []byte) error {
	row := history.Get(key)
	if len(row) == 0 {
		return fmt.Errorf("history: %w", codec.ErrShort)
	}
	_, old, err := codec.SplitResult(row[1:])
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return history.Put(key, append(bytes.Clone(row[:len(row)-len(old.Metadata)]), metadata...))
}
