package store

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/codec"
)

// mentionRow is one mention but for its link.
type mentionRow struct {
	Mention
	holders []holding
}

// holding says in which reading a source was last found to hold a mention.
type holding struct {
	Source  uint32 `json:"source"`
	Reading uint64 `json:"gen"`
}

func (m *mentionRow) encode(linkURL string) []byte {
	const sameRaw, sameURL, hasNth = 1, 2, 4
	w := codec.Writer{Buf: make([]byte, 0, 128)}
	var flags byte
	raw, url := m.Raw, m.URL
	if url == raw {
		flags, url = flags|sameURL, ""
	}
	if raw == linkURL {
		flags, raw = flags|sameRaw, ""
	}
	if m.Nth > 0 {
		flags |= hasNth
	}
	w.Byte(flags)
	w.Uint(uint64(len(m.holders)))
	for _, h := range m.holders {
		w.Uint(uint64(h.Source))
		w.Uint(h.Reading)
	}
	w.Time(m.Retired)
	w.Time(m.FirstSeen)
	w.Time(m.LastSeen)
	w.Int(int64(m.Line))
	w.Int(int64(m.Column))
	for _, s := range []string{m.Collection, m.Member, m.Record, m.Locator, raw, url, m.How, m.Context, m.Title} {
		w.Str(s)
	}
	if m.Nth > 0 {
		w.Uint(uint64(m.Nth))
	}
	return w.Buf
}

func decodeMention(b []byte, linkURL string) (m mentionRow, err error) {
	r := codec.Reader{Buf: b}
	flags := r.Byte()
	m.holders, m.Retired = readHolders(&r)
	m.FirstSeen, m.LastSeen = r.Time(), r.Time()
	m.Line, m.Column = r.Small(), r.Small()
	for _, p := range []*string{&m.Collection, &m.Member, &m.Record, &m.Locator, &m.Raw, &m.URL, &m.How, &m.Context, &m.Title} {
		*p = r.Str()
	}
	if flags&4 != 0 {
		m.Nth = int(r.Uint32())
	}
	if flags&1 != 0 {
		m.Raw = linkURL
	}
	if flags&2 != 0 {
		m.URL = m.Raw
	}
	return m, r.Err()
}

// readMentionHead reads the beginning of a mention's row: who holds it, and when it was
// retired.
func readMentionHead(b []byte) (holders []holding, retired time.Time, err error) {
	r := codec.Reader{Buf: b}
	r.Byte()
	holders, retired = readHolders(&r)
	return holders, retired, r.Err()
}

func readHolders(r *codec.Reader) (holders []holding, retired time.Time) {
	holders = make([]holding, r.Count())
	for i := range holders {
		holders[i] = holding{uint32(r.Uint()), r.Uint()}
	}
	return holders, r.Time()
}

// hashLen is the length of a hash in a key.
const hashLen = 8

// mentionHash is the identity of a mention of one link (OUTCOMES section 4). A
// document without records is one record.
func mentionHash(m *Mention) uint64 {
	d := xxhash.New()
	record := cmp.Or(m.Record, m.Source+"\x01"+m.Member)
	location := m.Locator
	switch {
	case location != "":
	case m.Nth > 0:
		location = "#" + strconv.Itoa(m.Nth)
	default:
		location = strconv.Itoa(m.Line) + ":" + strconv.Itoa(m.Column)
	}
	for _, s := range []string{m.Collection, record, location, m.Raw} {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	return d.Sum64()
}

func mentionKey(link, hash uint64) []byte {
	return binary.BigEndian.AppendUint64(codec.Key(link), hash)
}
