package store

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/codec"

	"github.com/cespare/xxhash/v2"
)

const hashLen = 8

func hash(s string) uint64 { return xxhash.Sum64String(s) }

// nameOf is the hash under which the index finds a form.
func nameOf(form []byte) uint64 { return xxhash.Sum64(form) }

// linkRow is what never changes about a link.
type linkRow struct {
	levels    [4]uint64 // identity.levels
	firstSeen time.Time
	form      []byte // formKey
	url       string // as first written, cleaned; "" where it equals the key
	host      string // "" where the form key holds it
}

func (l *linkRow) encode() []byte {
	var mask byte
	for i, h := range l.levels {
		if h != 0 {
			mask |= 1 << i
		}
	}
	w := codec.Writer{Buf: make([]byte, 0, len(l.form)+len(l.url)+len(l.host)+48)}
	w.Byte(mask)
	for _, h := range l.levels {
		if h != 0 {
			w.U64(h)
		}
	}
	w.Time(l.firstSeen)
	w.Raw(l.form)
	w.Str(l.url)
	w.Str(l.host)
	return w.Buf
}

// decodeLink reads a row; form is a part of b.
func decodeLink(b []byte) (l linkRow, err error) {
	r := codec.Reader{Buf: b}
	l.levels = readLevels(&r)
	l.firstSeen = r.Time()
	l.form = r.Raw()
	l.url = r.Str()
	l.host = r.Str()
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

// mentionRow is one mention but for its link; src lists the sources in which it
// stands now.
type mentionRow struct {
	m   Mention
	src []standing
}

// standing says in which ingest a source was last seen to hold a mention.
type standing struct {
	Source uint32 `json:"source"`
	Gen    uint64 `json:"gen"`
}

func (m *mentionRow) encode(linkURL string) []byte {
	const sameRaw, sameURL = 1, 2
	w := codec.Writer{Buf: make([]byte, 0, 128)}
	var flags byte
	raw, url := m.m.Raw, m.m.URL
	if url == raw {
		flags, url = flags|sameURL, ""
	}
	if raw == linkURL {
		flags, raw = flags|sameRaw, ""
	}
	w.Byte(flags)
	w.Uint(uint64(len(m.src)))
	for _, s := range m.src {
		w.Uint(uint64(s.Source))
		w.Uint(s.Gen)
	}
	w.Time(m.m.Retired)
	w.Time(m.m.FirstSeen)
	w.Time(m.m.LastSeen)
	w.Int(int64(m.m.Line))
	w.Int(int64(m.m.Column))
	for _, s := range []string{m.m.Collection, m.m.Member, m.m.Record, m.m.Locator, raw, url, m.m.How, m.m.Context, m.m.Title} {
		w.Str(s)
	}
	return w.Buf
}

func decodeMention(b []byte, linkURL string) (m mentionRow, err error) {
	r := codec.Reader{Buf: b}
	flags := r.Byte()
	m.src, m.m.Retired = readStandings(&r)
	m.m.FirstSeen, m.m.LastSeen = r.Time(), r.Time()
	m.m.Line, m.m.Column = r.Small(), r.Small()
	for _, p := range []*string{&m.m.Collection, &m.m.Member, &m.m.Record, &m.m.Locator, &m.m.Raw, &m.m.URL,
		&m.m.How, &m.m.Context, &m.m.Title} {
		*p = r.Str()
	}
	if flags&1 != 0 {
		m.m.Raw = linkURL
	}
	if flags&2 != 0 {
		m.m.URL = m.m.Raw
	}
	return m, r.Err()
}

// readStandings reads the head of a mention row, all that the sweep needs.
func readStandings(r *codec.Reader) (src []standing, retired time.Time) {
	src = make([]standing, r.Count())
	for i := range src {
		src[i] = standing{uint32(r.Uint()), r.Uint()}
	}
	return src, r.Time()
}

// mentionHash is the identity of a mention of one link (OUTCOMES section 4). A
// document without records is one record.
func mentionHash(m *Mention) uint64 {
	d := xxhash.New()
	record, place := m.Record, m.Locator
	if record == "" {
		record = m.Source + "\x01" + m.Member
	}
	if place == "" {
		place = strconv.Itoa(m.Line) + ":" + strconv.Itoa(m.Column)
	}
	for _, s := range []string{m.Collection, record, place, m.Raw} {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	return d.Sum64()
}

func mentionKey(link, identity uint64) []byte {
	return binary.BigEndian.AppendUint64(codec.Key(link), identity)
}

// Source is one file that was read.
type Source struct {
	Path       string
	Collection string
	Root       string // the argument under which it was found
	Options    string // fingerprint of what extraction was told; another one means read again
	Size       int64
	ModTime    time.Time
	Hash       []byte
	LastSeen   time.Time
	Gone       time.Time // when it was found to be no more; zero: it is there
	Mentions   int       // found in it when it was last read
	Problems   int       // damages met when it was last read
	NotRead    []Kind    // documents in it, or it itself, in formats that nothing reads
}

// Kind is a format and how many documents have it.
type Kind struct {
	Name string
	N    int
}

// sourceRow is a Source with its numbers.
type sourceRow struct {
	Source
	id       uint32
	gen      uint64    // the reading in which it was last read whole; 0: never
	seenGen  uint64    // the reading in which it was last there
	prevSeen time.Time // when it was seen before that
}

func (s *sourceRow) encode() []byte {
	w := codec.Writer{}
	w.Uint(s.gen)
	w.Uint(s.seenGen)
	w.Int(s.Size)
	w.Int(s.ModTime.UnixNano())
	w.Time(s.LastSeen)
	w.Time(s.prevSeen)
	w.Time(s.Gone)
	w.Int(int64(s.Mentions))
	w.Int(int64(s.Problems))
	for _, v := range []string{s.Path, s.Collection, s.Root, s.Options, string(s.Hash)} {
		w.Str(v)
	}
	if len(s.NotRead) > 0 {
		w.Uint(uint64(len(s.NotRead)))
		for _, k := range s.NotRead {
			w.Str(k.Name)
			w.Int(int64(k.N))
		}
	}
	return w.Buf
}

func decodeSource(k, b []byte) (s sourceRow, err error) {
	if len(k) != 4 {
		return s, codec.ErrShort
	}
	s.id = binary.BigEndian.Uint32(k)
	r := codec.Reader{Buf: b}
	s.gen, s.seenGen = r.Uint(), r.Uint()
	s.Size = r.Int()
	s.ModTime = time.Unix(0, r.Int()).UTC()
	s.LastSeen, s.prevSeen, s.Gone = r.Time(), r.Time(), r.Time()
	s.Mentions, s.Problems = r.Small(), r.Small()
	s.Path, s.Collection, s.Root, s.Options = r.Str(), r.Str(), r.Str(), r.Str()
	s.Hash = bytes.Clone(r.Raw())
	for range r.Count() {
		s.NotRead = append(s.NotRead, Kind{r.Str(), r.Small()})
	}
	return s, r.Err()
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
	r.Timing(&e.Result)
	r.Verdict(&e.Result)
	r.Metadata(&e.Result)
	return e, r.Err()
}

func eventKey(link, run uint64) []byte {
	return append(codec.Key(link), codec.Key(run)...)
}
