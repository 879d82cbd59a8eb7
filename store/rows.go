package store

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"time"

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
	w := writer{b: make([]byte, 0, len(l.form)+len(l.url)+len(l.host)+48)}
	w.byte(mask)
	for _, h := range l.levels {
		if h != 0 {
			w.u64(h)
		}
	}
	w.time(l.firstSeen)
	w.raw(l.form)
	w.str(l.url)
	w.str(l.host)
	return w.b
}

// decodeLink reads a row; form is a part of b.
func decodeLink(b []byte) (l linkRow, err error) {
	r := reader{b: b}
	l.levels = readLevels(&r)
	l.firstSeen = r.time()
	l.form = r.raw()
	l.url = r.str()
	l.host = r.str()
	return l, r.err()
}

func readLevels(r *reader) (levels [4]uint64) {
	mask := r.byte()
	for i := range levels {
		if mask&(1<<i) != 0 {
			levels[i] = r.u64()
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
	w := writer{b: make([]byte, 0, 128)}
	var flags byte
	raw, url := m.m.Raw, m.m.URL
	if url == raw {
		flags, url = flags|sameURL, ""
	}
	if raw == linkURL {
		flags, raw = flags|sameRaw, ""
	}
	w.byte(flags)
	w.uint(uint64(len(m.src)))
	for _, s := range m.src {
		w.uint(uint64(s.Source))
		w.uint(s.Gen)
	}
	w.time(m.m.Retired)
	w.time(m.m.FirstSeen)
	w.time(m.m.LastSeen)
	w.int(m.m.Line)
	w.int(m.m.Column)
	for _, s := range []string{m.m.Collection, m.m.Member, m.m.Record, m.m.Locator, raw, url, m.m.How, m.m.Context, m.m.Title} {
		w.str(s)
	}
	return w.b
}

func decodeMention(b []byte, linkURL string) (m mentionRow, err error) {
	r := reader{b: b}
	flags := r.byte()
	m.src, m.m.Retired = readStandings(&r)
	m.m.FirstSeen, m.m.LastSeen = r.time(), r.time()
	m.m.Line, m.m.Column = r.int(), r.int()
	for _, p := range []*string{&m.m.Collection, &m.m.Member, &m.m.Record, &m.m.Locator, &m.m.Raw, &m.m.URL,
		&m.m.How, &m.m.Context, &m.m.Title} {
		*p = r.str()
	}
	if flags&1 != 0 {
		m.m.Raw = linkURL
	}
	if flags&2 != 0 {
		m.m.URL = m.m.Raw
	}
	return m, r.err()
}

// readStandings reads the head of a mention row, all that the sweep needs.
func readStandings(r *reader) (src []standing, retired time.Time) {
	src = make([]standing, r.count())
	for i := range src {
		src[i] = standing{uint32(r.uint()), r.uint()}
	}
	return src, r.time()
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
	return binary.BigEndian.AppendUint64(idKey(link), identity)
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
	w := writer{}
	w.uint(s.gen)
	w.uint(s.seenGen)
	w.big(s.Size)
	w.big(s.ModTime.UnixNano())
	w.time(s.LastSeen)
	w.time(s.prevSeen)
	w.time(s.Gone)
	w.int(s.Mentions)
	w.int(s.Problems)
	for _, v := range []string{s.Path, s.Collection, s.Root, s.Options, string(s.Hash)} {
		w.str(v)
	}
	if len(s.NotRead) > 0 {
		w.uint(uint64(len(s.NotRead)))
		for _, k := range s.NotRead {
			w.str(k.Name)
			w.int(k.N)
		}
	}
	return w.b
}

func decodeSource(k, b []byte) (s sourceRow, err error) {
	if len(k) != 4 {
		return s, errShort
	}
	s.id = binary.BigEndian.Uint32(k)
	r := reader{b: b}
	s.gen, s.seenGen = r.uint(), r.uint()
	s.Size = r.big()
	s.ModTime = time.Unix(0, r.big()).UTC()
	s.LastSeen, s.prevSeen, s.Gone = r.time(), r.time(), r.time()
	s.Mentions, s.Problems = r.int(), r.int()
	s.Path, s.Collection, s.Root, s.Options = r.str(), r.str(), r.str(), r.str()
	s.Hash = bytes.Clone(r.raw())
	for range r.count() {
		s.NotRead = append(s.NotRead, Kind{r.str(), r.int()})
	}
	return s, r.err()
}
