package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

// Salvage makes a store at to of those rows of the damaged one at from that are as they
// were written, and hang together: a mention whose link is lost is lost. The store at from is not
// changed; nothing may stand at to. It gives what was lost, by table; nothing listed means
// that nothing was. It ends with ctx. The error wraps ErrInUse, ErrForeign, ErrNewer or
// ErrCorrupt where it is one of these; ErrCorrupt: there is nothing to save.
func Salvage(ctx context.Context, from, to string) (lost []string, err error) {
	if _, err := os.Lstat(to); err == nil {
		return nil, fmt.Errorf("%s is there already", to)
	}
	s, err := Open(to, nil) // a new one is empty, and soon opened
	if err != nil {
		return nil, err
	}
	v := salvage{s: s, ctx: ctx, meta: map[string][]byte{}}
	found, err := boltfile.Salvage(ctx, from, maxLockWait, v.row)
	if err == nil {
		err = v.finish(found)
	}
	if err == nil {
		lost, err = v.lost(found)
	}
	if err = errors.Join(err, s.file.Close()); err == nil { // what is pending is flushed by the next to open it
		err = soundNow(ctx, to)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store %q: %w", from, err), os.Remove(to))
	}
	return lost, nil
}

// soundNow opens a store, which puts it in order, and verifies it.
func soundNow(ctx context.Context, path string) error {
	s, err := Open(path, &Options{Context: ctx})
	if err != nil {
		return err
	}
	problems, err := s.Verify(ctx)
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%w: what was saved does not hang together: %s", ErrCorrupt, problems[0])
	}
	return errors.Join(err, s.Close())
}

// salvage is a Salvage under way.
type salvage struct {
	s      *Store
	ctx    context.Context
	rows   []exportLine // to be written
	octets int
	meta   map[string][]byte
	states int // made anew for links whose own were lost
}

// row takes a row that is as it was written.
func (v *salvage) row(table string, k, value []byte) error {
	if table == string(bucketMeta) {
		v.meta[string(k)] = bytes.Clone(value)
		return nil
	}
	v.rows = append(v.rows, exportLine{Table: table, Key: bytes.Clone(k), Raw: bytes.Clone(value)})
	if v.octets += len(k) + len(value); len(v.rows) < importRows && v.octets < importOctets {
		return nil
	}
	return v.write()
}

// write writes the rows that were taken, but for those that follow from others (index,
// path, under). One that is no row of its table is lost.
func (v *salvage) write() error {
	err := v.s.file.Update(func(tx *boltfile.Tx) error {
		for _, r := range v.rows {
			b := tx.Bucket([]byte(r.Table))
			i := slices.IndexFunc(tables[:], func(t table) bool { return string(t.bucket) == r.Table })
			switch {
			case r.Table == string(pending.BucketJournal):
				if err := b.Put(r.Key, r.Raw); err != nil {
					return err
				}
			case i >= 0:
				_, err := tables[i].show(r.Key, r.Raw)
				if err == nil {
					err = tables[i].put(tx, r.Key, r.Raw)
				}
				if err != nil && b.Delete(r.Key) != nil {
					return err
				}
			}
		}
		return nil
	})
	v.rows, v.octets = nil, 0
	return cmp.Or(v.ctx.Err(), err)
}

// finish makes a store of the rows: what hangs on one that is lost goes too.
func (v *salvage) finish(found boltfile.Found) error {
	if err := v.write(); err != nil {
		return err
	}
	whole := found.Tables[string(bucketMeta)].Whole
	if whole && !bytes.Equal(v.meta[string(metaMark)], markText) {
		return ErrForeign
	}
	if n := codec.Number(v.meta[string(metaSchema)]); whole && n > schemaVersion {
		return fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, n, schemaVersion)
	}
	err := v.s.file.Update(func(tx *boltfile.Tx) (err error) {
		for name, t := range found.Tables {
			if b := tx.Bucket([]byte(name)); b != nil && name != string(bucketMeta) {
				err = errors.Join(err, b.RaiseSequence(t.Counter))
			}
		}
		return errors.Join(err, v.putMeta(tx.Bucket(bucketMeta), tx.Bucket(pending.BucketJournal), whole))
	})
	mends := []mend{{bucketSource, dropRootless}, {bucketMention, mendMention}, dropWithout(bucketHistory, bucketLink, 0, codec.KeyLen), dropWithout(bucketState, bucketLink, 0, codec.KeyLen),
		dropWithout(bucketPin, bucketLink, 1, 1+codec.KeyLen), dropWithout(bucketName, bucketSource, 0, 4), {bucketLink, v.mendState}}
	for _, name := range [][]byte{bucketLink, bucketMention, bucketSource} {
		if !found.Tables[string(name)].Whole {
			mends = append(mends, mend{bucketSource, readAgain}, mend{bucketRoot, sweepAgain})
		}
	}
	for _, m := range mends {
		for from := []byte{}; from != nil && err == nil; {
			err = cmp.Or(v.ctx.Err(), v.s.file.Update(func(tx *boltfile.Tx) (err error) {
				from, err = m.some(tx, from)
				return err
			}))
		}
	}
	return err
}

// putMeta writes what is known of the store as a whole. Where that is in doubt all keys are
// made anew, all mentions are looked at again, and the journal, of which nobody knows how much of it
// was flushed, is lost.
func (v *salvage) putMeta(meta, journal *boltfile.Bucket, whole bool) error {
	if !whole {
		_, err := boltfile.DeleteIf(journal, nil, func(_, _ []byte) (bool, error) { return true, nil })
		return errors.Join(err, meta.Put(metaEdition, codec.Key64(0)), meta.Put(metaRetire, []byte{1}))
	}
	for name, value := range v.meta {
		if name == string(pending.MetaIndexed) { // the index is made anew
			continue
		}
		if err := meta.Put([]byte(name), value); err != nil {
			return err
		}
	}
	return nil
}

// lost says what was lost.
func (v *salvage) lost(found boltfile.Found) (lost []string, err error) {
	if found.Behind {
		lost = append(lost, "one of the two headers is damaged: what was written last may be missing")
	}
	all, older := 0, found.Tables[string(bucketMeta)].Whole && codec.Number(v.meta[string(metaSchema)]) < schemaVersion
	err = v.s.file.View(func(tx *boltfile.Tx) error {
		for _, name := range buckets {
			if bytes.Equal(name, bucketMeta) || bytes.Equal(name, bucketPath) || bytes.Equal(name, bucketUnder) || bytes.Equal(name, pending.BucketIndex) {
				continue
			}
			table, was := found.Tables[string(name)]
			kept := tx.Bucket(name).Rows()
			if bytes.Equal(name, bucketState) {
				kept -= v.states
			}
			all += kept
			switch {
			case !was && older: // it has fewer
			case !table.Counted:
				lost = append(lost, fmt.Sprintf("%s: %d rows kept; how many there were cannot be read", name, kept))
			case table.Written > kept:
				lost = append(lost, fmt.Sprintf("%s: %d of %d rows lost", name, table.Written-kept, table.Written))
			}
		}
		return nil
	})
	if err == nil && all == 0 && len(lost) > 0 {
		err = fmt.Errorf("%w: no row of it can be read", ErrCorrupt)
	}
	return lost, err
}

// mend goes over the rows of a bucket: change may write other rows under the same key.
type mend struct {
	bucket []byte
	change func(tx *boltfile.Tx, k, row []byte) (change, error)
}

// change is what a row under the same key is to be, nil for none; without a bucket nothing
// is changed.
type change struct{ bucket, row []byte }

// some mends after some rows; next is nil at the end.
func (m mend) some(tx *boltfile.Tx, from []byte) (next []byte, err error) {
	var keys [][]byte
	var list []change
	next, err = boltfile.Part(tx.Bucket(m.bucket), from, pruneRows, func(k, row []byte) error {
		c, err := m.change(tx, k, row)
		if c.bucket != nil {
			keys, list = append(keys, bytes.Clone(k)), append(list, c)
		}
		return err
	})
	for i, c := range list {
		if b := tx.Bucket(c.bucket); err == nil && c.row == nil {
			err = b.Delete(keys[i])
		} else if err == nil {
			err = b.Put(keys[i], c.row)
		}
	}
	return next, err
}

// dropWithout drops rows whose key names, at some octets, a link or source that is lost.
func dropWithout(bucket, of []byte, begin, end int) mend {
	return mend{bucket, func(tx *boltfile.Tx, k, _ []byte) (c change, err error) {
		named := !bytes.Equal(bucket, bucketPin) || k[0] == 'l' // a pin of a host names no link
		if named && (len(k) < end || tx.Bucket(of).Get(k[begin:end]) == nil) {
			c.bucket = bucket
		}
		return c, nil
	}}
}

// mendMention drops a mention whose link or sources are lost.
func mendMention(tx *boltfile.Tx, k, row []byte) (c change, err error) {
	if tx.Bucket(bucketLink).Get(k[:codec.KeyLen]) == nil {
		return change{bucket: bucketMention}, nil
	}
	m, err := decodeMention(row, notAText)
	if err != nil {
		return c, err
	}
	held := len(m.holders)
	m.holders = slices.DeleteFunc(m.holders, func(h holding) bool { return tx.Bucket(bucketSource).Get(codec.Key32(h.Source)) == nil })
	switch len(m.holders) {
	case held:
		return c, nil
	case 0:
		return change{bucket: bucketMention}, nil
	}
	return change{bucketMention, m.encode(notAText)}, nil
}

// mendState makes the state of a link agree with its mentions and history. A link whose
// state is lost counts as one that was never asked about.
func (v *salvage) mendState(tx *boltfile.Tx, k, _ []byte) (c change, err error) {
	state, old := stateRow{}, tx.Bucket(bucketState).Get(k)
	if old == nil {
		v.states++
	} else if state, err = decodeState(old); err != nil {
		return c, err
	}
	state.Live = 0
	for at, row := range boltfile.From(tx.Bucket(bucketMention), k) {
		if !bytes.HasPrefix(at, k) {
			break
		}
		_, retired, err := readMentionHead(row)
		if err != nil {
			return c, err
		}
		if retired.IsZero() {
			state.Live++
		}
	}
	if tx.Bucket(bucketHistory).Get(eventKey(codec.Number(k), state.EventRun)) == nil {
		state.EventRun = 0 // the next probe writes one
	}
	if row := state.encode(); !bytes.Equal(row, old) {
		c = change{bucketState, row}
	}
	return c, nil
}

// readAgain has the next run read a source, which may hold mentions that are lost.
func readAgain(_ *boltfile.Tx, k, row []byte) (c change, err error) {
	src, err := decodeSource(k, row)
	src.Options = ""
	return change{bucketSource, src.encode()}, err
}
