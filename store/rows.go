package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
)

// linkRow is what never changes about a link. It is exported as JSON.
type linkRow struct {
	Identity  octets    `json:"form"`           // linkkey.Keys.Identity
	URL       string    `json:"url,omitempty"`  // as first written, cleaned; "" where it equals the key
	Host      string    `json:"host,omitempty"` // "" where the identity holds it
	FirstSeen time.Time `json:"first_seen,omitzero"`
	Levels    [4]uint64 `json:"levels,omitzero"` // linkkey.Keys.Levels

	// Of a link through a library's proxy: what it leads to, and how that is written
	// (proxied.Link). Its Host is that of the target.
	Target string `json:"target,omitempty"`
	Via    string `json:"via,omitempty"`
}

// octets is a string in JSON.
type octets []byte

func (o octets) MarshalText() ([]byte, error) { return o, nil }

func (o *octets) UnmarshalText(text []byte) error {
	*o = bytes.Clone(text)
	return nil
}

func newLinkRow(k *linkkey.Keys, url string, firstSeen time.Time) linkRow {
	row := linkRow{Levels: k.Levels, FirstSeen: firstSeen, Identity: k.Identity, Target: k.Target, Via: k.Via}
	if k.Apart {
		row.Host = k.Host
	}
	if url != k.Key {
		row.URL = url
	}
	return row
}

func (l *linkRow) encode() []byte {
	var mask byte
	for i, h := range l.Levels {
		if h != 0 {
			mask |= 1 << i
		}
	}
	w := codec.Writer{Buf: make([]byte, 0, len(l.Identity)+len(l.URL)+len(l.Host)+48)}
	w.Byte(mask)
	for _, h := range l.Levels {
		if h != 0 {
			w.U64(h)
		}
	}
	w.Time(l.FirstSeen)
	w.Raw(l.Identity)
	w.Str(l.URL)
	w.Str(l.Host)
	if l.Target != "" || l.Via != "" {
		w.Str(l.Target)
		w.Str(l.Via)
	}
	return w.Buf
}

// decodeLink reads a row; identity is a part of b.
func decodeLink(b []byte) (l linkRow, err error) {
	r := codec.Reader{Buf: b}
	l.Levels = readLevels(&r)
	l.FirstSeen = r.Time()
	l.Identity = r.Raw()
	l.URL = r.Str()
	l.Host = r.Str()
	l.Target, l.Via = r.Str(), r.Str()
	return l, r.Err()
}

func readLevels(r *codec.Reader) (levels [4]uint64) {
	mask := r.Byte()
	for i := range levels {
		if mask&(1<<i) != 0 {
			levels[i] = r.U64()
		}
	}
	return levels
}

// linkIdentity is the identity in the row of a link.
func linkIdentity(row []byte) ([]byte, error) {
	l, err := decodeLink(row)
	return l.Identity, err
}

// linkParts are the strings of a link; host is "" if it has none.
type linkParts struct{ key, scheme, host, url, target string }

func (l *linkRow) parts() (p linkParts, err error) {
	p.key, p.scheme, p.host, err = linkkey.Split(l.Identity)
	if l.Host != "" {
		p.host = l.Host
	}
	if p.url = l.URL; p.url == "" && (p.key != linkkey.RelativeMark || p.scheme != "") { // an empty reference is empty
		p.url = p.key
	}
	p.target = l.Target
	return p, err
}

// readLinkParts reads the row of a link and the strings in it.
func readLinkParts(b []byte) (l linkRow, p linkParts, err error) {
	if l, err = decodeLink(b); err == nil {
		p, err = l.parts()
	}
	return l, p, err
}

// eventRow is a row of history: the key holds link and run.
type eventRow struct {
	State  judge.State
	Result check.Result
}

func (e *eventRow) encode() []byte {
	w := codec.Writer{Buf: make([]byte, 0, 256)}
	w.Byte(byte(e.State))
	w.Result(&e.Result)
	return w.Buf
}

func decodeEvent(b []byte) (e eventRow, err error) {
	r := codec.Reader{Buf: b}
	e.State = r.State()
	r.Result(&e.Result)
	return e, r.Err()
}

func eventKey(link, run uint64) []byte { return append(codec.Key(link), codec.Key(run)...) }

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

// How much of a page of history is filled by the first probes of links, and of states, where
// these are links one behind another, or some among others. What later ones let grow over a page
// is cut in halves, as bbolt does: rows grow everywhere, and a page of which most is left full is
// soon cut again.
const probedFill, scatteredFill = 0.8, 0.5

// writer writes what results change in the rows of their links, in one transaction.
type writer struct {
	states, history *boltfile.Bucket
	first, probed   uint64 // of the links probed for the first time: the first, and how many they are
}

func newWriter(tx *boltfile.Tx) func(*pending.Judged) error {
	w := writer{states: tx.Bucket(bucketState), history: tx.Bucket(bucketHistory)}
	return w.write
}

// fill notes that a link is probed for the first time.
func (w *writer) fill(link uint64) {
	w.first, w.probed = cmp.Or(w.first, link), w.probed+1
	w.states.FillPercent, w.history.FillPercent = probedFill, probedFill
	if w.probed <= (link-w.first)/2 {
		w.states.FillPercent = scatteredFill
	}
}

func (w *writer) write(j *pending.Judged) (err error) {
	if j.State == nil {
		return nil
	}
	if j.First {
		w.fill(j.Link)
	}
	if key := eventKey(j.Link, j.Run); j.Event != nil {
		err = w.history.Put(key, j.Event)
	} else if j.Metadata != nil {
		err = refreshMetadata(w.history, key, j.Metadata)
	}
	if err != nil {
		return err
	}
	return w.states.Put(codec.Key(j.Link), j.State)
}

// hashLen is the length of a hash in a key.
const hashLen = 8

func mentionKey(link, hash uint64) []byte {
	return binary.BigEndian.AppendUint64(codec.Key(link), hash)
}

// eventRun is the run in the key of an event.
func eventRun(k []byte) (run uint64, err error) {
	if len(k) != 2*codec.KeyLen {
		return 0, codec.ErrShort
	}
	return codec.Number(k[codec.KeyLen:]), nil
}

// readingRow is what the store knows of its last reading.
type readingRow struct {
	reading uint64
	links   uint64 // the number of the last link before it
	mixed   bool   // some links that it brought are spelled in more than one way: Finish chooses
}

func (r *readingRow) put(tx *boltfile.Tx) error {
	v := append(codec.Key64(r.reading), codec.Key64(r.links)...)
	if r.mixed {
		v = append(v, 1)
	}
	return tx.Bucket(bucketMeta).Put(metaReading, v)
}

// lastReading gives the row; it is zero in a store that older programs read last.
func lastReading(tx *boltfile.Tx) (r readingRow) {
	if v := tx.Bucket(bucketMeta).Get(metaReading); len(v) >= 16 {
		r = readingRow{codec.Number(v[:8]), codec.Number(v[8:16]), len(v) > 16}
	}
	return r
}

// asKept is a result with its times as the file keeps them: what is left of a second that a
// host asks to be left alone counts whole.
func asKept(r *check.Result) check.Result {
	kept := *r
	kept.At = r.At.Truncate(time.Second)
	kept.RetryAfter = (r.RetryAfter + time.Second - 1).Truncate(time.Second)
	return kept
}

// lastResult is the newest row of history, with the numbers of the last probe.
func lastResult(e *eventRow, state *stateRow) check.Result {
	r, last := e.Result, &state.Last
	r.At, r.Took, r.Bytes, r.Attempts, r.RetryAfter = last.At, last.Took, last.Bytes, last.Attempts, last.RetryAfter
	return r
}

// scattered counts the links that hardly stand on the page of the one before.
func scattered(ids []uint64) (n int) {
	const near = 32
	for i := range ids {
		if i == 0 || ids[i]-ids[i-1] > near { // as it does where the numbers fall
			n++
		}
	}
	return n
}
