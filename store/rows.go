package store

import (
	"bytes"
	"encoding/binary"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
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

// sourceRow is a Source with its numbers.
type sourceRow struct {
	Source
	id       uint32
	prevSeen time.Time // when it was seen before LastSeen
}

// isKnown says whether a source that was read is told from another version of it.
func (s *sourceRow) isKnown() bool {
	return s.Read != 0 && (s.Version != "" || len(s.Hash) > 0 || s.Remote == 0 && s.Options != "")
}

func (s *sourceRow) encode() []byte {
	w := codec.Writer{}
	w.Uint(s.Read)
	w.Uint(s.Asked)
	w.Int(s.Size)
	strs := [...]string{s.Path, s.Collection, s.Root, s.Options, string(s.Hash)}
	if s.Remote == 0 {
		w.Int(s.ModTime.UnixNano())
	} else {
		w.Int(0)
		strs[1], strs[2], strs[3] = "", "", "" // the root has them, or the end of the row
	}
	w.Time(s.LastSeen)
	if s.Remote != 0 && s.prevSeen.Equal(s.LastSeen) {
		w.Time(time.Time{})
	} else {
		w.Time(s.prevSeen)
	}
	w.Time(s.Gone)
	w.Int(int64(s.Mentions))
	w.Int(int64(s.Problems))
	for _, v := range strs {
		w.Str(v)
	}
	if len(s.NotRead) > 0 || s.Name != "" || s.Damage != "" || s.Remote != 0 || s.Rows != "" {
		w.Uint(uint64(len(s.NotRead)))
		for _, k := range s.NotRead {
			w.Str(k.Name)
			w.Int(int64(k.N))
		}
		w.Str(s.Name)
		w.Str(s.Damage)
	}
	switch {
	case s.Remote != 0:
		s.encodeRemote(&w)
	case s.Rows != "":
		w.Uint(0)
		w.Str(s.Rows)
	}
	return w.Buf
}

func (s *sourceRow) encodeRemote(w *codec.Writer) {
	w.Uint(uint64(s.Remote))
	w.Packed(s.Options)
	w.Packed(s.Version)
	if s.Media == "" && s.Depth == 0 && s.Noted == 0 {
		return // past the end all is zero
	}
	w.Packed(s.Media)
	w.Uint(uint64(s.Depth))
	w.Byte(s.Noted)
	if s.Noted != 0 {
		w.Time(s.NotedAt)
	}
}

func decodeSource(k, b []byte) (s sourceRow, err error) {
	if len(k) != 4 {
		return s, codec.ErrShort
	}
	s.id = binary.BigEndian.Uint32(k)
	r := codec.Reader{Buf: b}
	s.Read, s.Asked = r.Uint(), r.Uint()
	s.Size = r.Int()
	s.ModTime = time.Unix(0, r.Int()).UTC()
	s.LastSeen, s.prevSeen, s.Gone = r.Time(), r.Time(), r.Time()
	s.Mentions, s.Problems = r.Small(), r.Small()
	s.Path, s.Collection, s.Root, s.Options = r.Str(), r.Str(), r.Str(), r.Str()
	s.Hash = bytes.Clone(r.Raw())
	for range r.Count() {
		s.NotRead = append(s.NotRead, facts.Kind{Name: r.Str(), N: r.Small()})
	}
	s.Name, s.Damage = r.Str(), r.Str()
	if s.Remote = r.Uint32(); s.Remote != 0 {
		s.decodeRemote(&r)
	} else {
		s.Rows = r.Str()
	}
	return s, r.Err()
}

func (s *sourceRow) decodeRemote(r *codec.Reader) {
	s.ModTime, s.Collection, s.Root = time.Time{}, "", ""
	s.Options, s.Version, s.Media = r.Packed(), r.Packed(), r.Packed()
	if s.Depth = int(r.Uint32()); s.prevSeen.IsZero() {
		s.prevSeen = s.LastSeen
	}
	if s.Noted = r.Byte(); s.Noted != 0 {
		s.NotedAt = r.Time()
	}
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
