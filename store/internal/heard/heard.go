// Package heard keeps what readings of archives hear beside what becomes of the documents: by what
// a sweep that is under way goes on, and the answers of a night that is not over. They are rows
// of the bucket of what probers know (package recall), which lapse by themselves.
package heard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/recall"
)

const (
	ofSweep = "sweep\x00" // then the number of a root (4 octets), and a name
	ofNight = "night\x00" // then an address

	maxKey  = 4 << 10
	ofASite = 90 * 24 * time.Hour // that a sweep may take
	night   = 12 * time.Hour      // what was heard before is of another one
)

// Is says whether a key is one of these rows.
func Is(key string) bool {
	return len(key) > len(ofSweep) && (key[:len(ofSweep)] == ofSweep || key[:len(ofNight)] == ofNight)
}

func rootKey(root uint32) []byte { return binary.BigEndian.AppendUint32([]byte(ofSweep), root) }

// Put keeps answers while the sweep of their root is under way, each with what is known of its
// document before; nil: nothing is.
func Put(b *boltfile.Bucket, list []facts.Kept, now time.Time, before func(*facts.Kept) ([]byte, error)) error {
	for i := range list {
		k := &list[i]
		key := append(rootKey(k.Remote), k.Name...)
		row, err := before(k)
		if err == nil && len(key) <= maxKey {
			w := codec.Writer{}
			w.Raw(row)
			w.Raw(k.Value)
			err = b.Put(key, (&recall.Row{Until: now.Add(ofASite), Value: w.Buf}).Encode())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Get gives what Put kept; false: nothing.
func Get(b *boltfile.Bucket, root uint32, name string) (before, value []byte, ok bool, err error) {
	v := b.Get(append(rootKey(root), name...))
	if v == nil {
		return nil, nil, false, nil
	}
	row, err := recall.Decode(v)
	if err != nil {
		return nil, nil, false, fmt.Errorf("what is kept of %.200q: %w", name, err)
	}
	r := codec.Reader{Buf: row.Value}
	before, value = bytes.Clone(r.Raw()), bytes.Clone(r.Raw())
	return before, value, r.Err() == nil, r.Err()
}

// EndSweep forgets what was kept of a root.
func EndSweep(b *boltfile.Bucket, root uint32) error {
	return drop(b, rootKey(root))
}

// PutResults keeps what addresses answered until the night is over.
func PutResults(b *boltfile.Bucket, list []facts.Heard, now time.Time) error {
	for i := range list {
		r := &list[i]
		if len(r.URL) > maxKey-len(ofNight) {
			continue
		}
		w := codec.Writer{}
		w.Result(&r.Result)
		if err := b.Put([]byte(ofNight+r.URL), (&recall.Row{Until: now.Add(night), Value: w.Buf}).Encode()); err != nil {
			return err
		}
	}
	return nil
}

// Results calls take for what was heard in a night that is not over.
func Results(b *boltfile.Bucket, now time.Time, take func(address string, r check.Result)) error {
	for k, v := range boltfile.From(b, []byte(ofNight)) {
		if !Is(string(k)) || string(k[:len(ofNight)]) != ofNight {
			break
		}
		row, err := recall.Decode(v)
		if err != nil {
			return fmt.Errorf("what was heard of %.200q: %w", k[len(ofNight):], err)
		}
		r, result := codec.Reader{Buf: row.Value}, check.Result{}
		if r.Result(&result); r.Err() != nil {
			return fmt.Errorf("what was heard of %.200q: %w", k[len(ofNight):], r.Err())
		}
		if left := row.Until.Sub(now); left > 0 && left <= night {
			take(string(k[len(ofNight):]), result)
		}
	}
	return nil
}

// EndNight forgets all answers.
func EndNight(b *boltfile.Bucket) error { return drop(b, []byte(ofNight)) }

func drop(b *boltfile.Bucket, prefix []byte) error {
	_, err := boltfile.DeleteIf(b, prefix, func(_, _ []byte) (bool, error) { return true, nil })
	return err
}
