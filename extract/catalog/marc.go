package catalog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
	"linkcheck/internal/marc8"
	"linkcheck/lint"
)

const (
	maxRecord = 16 << 20 // bytes of one record; ISO 2709 allows 99999, real ones are longer

	tagsTried    = 256      // tags that are compared in the time of a candidate
	recordOctets = 64 << 10 // of a record that are gone through for newlines in the time of a candidate, if its directory leads back

	recordEnd = 0x1d // ISO 2709 terminators and the subfield delimiter
	fieldEnd  = 0x1e
	subfield  = 0x1f
)

var errRecordSize = errors.New("MARC record without an end: passed over")

// SniffMARC recognises a record by its leader: a length, and a directory of
// digits that a field terminator ends.
func SniffMARC(p doc.Peek) bool {
	head := bytes.TrimLeft(p.Head, "\r\n \x00\x1a\x1d")
	if len(head) < 25 {
		return false
	}
	end := bytes.IndexByte(head, fieldEnd)
	body := head[24:]
	if end >= 24 {
		body = head[24:end]
	}
	if p.Named(".mrc", ".marc", ".usmarc", ".unimarc") && end > 0 && !p.Binary() {
		return true
	}
	return ascii.Digits(head[:5]) && (end >= 24 || len(head) > 2000) && len(body) >= 12 && ascii.Digits(body[3:12])
}

// marcReader reads one record after the other.
type marcReader struct {
	d       *doc.Document
	links   links
	entries []entry
	fields  []marcField
	field   bibField // the one that is taken apart
}

// ReadMARC reads records of ISO 2709. A record ends at its terminator and not by its
// length, which is often wrong; so a damaged record does not cost the next one.
func ReadMARC(d *doc.Document) error {
	m := marcReader{d: d, links: links{d: d, wanted: uriSubfields(d.Options), found: func(f doc.Found) bool {
		f.Binary = true
		return d.Yield(f)
	}}}
	var long []byte // a record that is longer than the buffer
	line, col, at := 1, 1, int64(0)
	for !d.Stopped() {
		rec, err := d.In.ReadSlice(recordEnd)
		if len(long) > 0 || err == bufio.ErrBufferFull {
			long = append(long, rec...)
			rec = long
		}
		switch {
		case err == bufio.ErrBufferFull && len(rec) <= maxRecord:
			continue
		case err == bufio.ErrBufferFull:
			d.Damage(0, fmt.Errorf("record at byte %d: %w", at, errRecordSize))
		default:
			m.record(rec, line, col, at)
		}
		line, col = doc.Advance(rec, line, col)
		at += int64(len(rec))
		long = long[:0]
		if err != nil && err != bufio.ErrBufferFull {
			return doc.IgnoreEOF(err)
		}
	}
	return nil
}

// record reads one record. raw has its terminator; before the record may stand what
// some systems write between records.
func (m *marcReader) record(raw []byte, line, col int, at int64) {
	lead := len(raw) - len(bytes.TrimLeft(raw, "\r\n \x00\x1a"))
	line, col = doc.Advance(raw[:lead], line, col)
	rec := bytes.TrimSuffix(raw[lead:], []byte{recordEnd})
	if len(rec) == 0 {
		return
	}
	err := m.parse(rec)
	if len(rec) == len(raw[lead:]) {
		err = errCutMARC
	}
	if err != nil {
		m.d.Damage(0, fmt.Errorf("record at byte %d: %w", at+int64(lead), err))
	}
	m.yield(rec, line, col)
}

// yield gives out the links of a record, which stands at line and col. Only fields that can hold one are taken apart.
func (m *marcReader) yield(rec []byte, line, col int) {
	var decode func([]byte) string
	at, last := textscan.NewCursor(rec, line, col), 0
	tag, counted, nth := "", 0, 0 // nth of m.fields[:counted] have the tag
	for i, f := range m.fields {
		if f.tag < "010" || f.tag != "856" && !mayLink(f.data) && !m.mayFail(&f) {
			continue
		}
		if decode == nil {
			decode = decoderFor(m.d.Options.Charset, rec, m.fields)
			m.head(decode)
		}
		if f.off < last && !m.d.Tried(last/recordOctets) {
			return
		}
		last = f.off
		if f.tag != tag {
			m.d.Tried(i / tagsTried)
			tag, counted, nth = f.tag, 0, 0
		}
		nth += countTags(m.fields[counted:i+1], tag)
		counted = i + 1
		m.split(f, decode)
		for k := range m.field.subs {
			s := &m.field.subs[k]
			s.line, s.column = at.At(f.off + s.off)
		}
		m.links.field(&m.field, nth)
	}
}

// head reads the id and the title of the record, which most records never need.
func (m *marcReader) head(decode func([]byte) string) {
	c := &m.links
	c.id, c.title, c.dates = "", "", dates.MARC{}
	idTag, code := idField(m.d.Options)
	for _, f := range m.fields {
		switch {
		case f.tag == idTag && c.id == "":
			id := strings.TrimSpace(decode(controlValue(f.data)))
			if code != 0 {
				id = idOf(m.split(f, decode).subs, code)
			}
			c.id, _ = m.d.Cut(0, "id of a record", id)
		case f.tag == "005" || f.tag == "008":
			c.dates.Note(f.tag, string(controlValue(f.data)))
		case !c.dates.Known() && dateFields[f.tag] != 0:
			noteDate(&c.dates, m.split(f, decode))
		case c.title == "" && (f.tag == "245" || f.tag == "200"):
			c.title = titleOf(m.d, m.split(f, decode).subs)
		}
	}
}

// split takes a field apart, in the place of the one before it.
func (m *marcReader) split(f marcField, decode func([]byte) string) *bibField {
	m.field = newField(f.tag, f.data, subfield, m.field.subs, decode)
	return &m.field
}

// mayLink says whether a URI may stand in the field: a colon with something
// right behind it, or www.
func mayLink(data []byte) bool {
	for rest := data; ; {
		_, rest, _ = bytes.Cut(rest, []byte{':'})
		if len(rest) == 0 {
			return bytes.Contains(data, []byte("www."))
		}
		if rest[0] > ' ' {
			return true
		}
	}
}

// mayFail says whether something may be wrong with the field that no link tells.
func (m *marcReader) mayFail(f *marcField) bool {
	return m.d.Options.Faults && lint.IsLink(f.tag) && bytes.Contains(f.data, []byte{subfield, 'u'})
}

// marcField is one field: a tag of the directory and the bytes it points at.
type marcField struct {
	tag  string
	data []byte // without the terminator
	off  int    // in the record
}

const maxFields = 20000 // of one record

var (
	errCutMARC     = errors.New("MARC record is cut short")
	errNoDirectory = errors.New("MARC record without a directory: its fields have no tags")
	errDirectory   = errors.New("the directory does not fit the fields: fields taken in order")
)

// parse splits a record into fields: by its directory, where every entry points at
// a whole field; else at the terminators of fields.
func (m *marcReader) parse(rec []byte) error {
	m.entries, m.fields = m.entries[:0], m.fields[:0]
	end := bytes.IndexByte(rec, fieldEnd)
	if end < 36 {
		m.inOrder(rec, end)
		return errNoDirectory
	}
	m.readDirectory(rec[24:end])
	total := 0
	for _, e := range m.entries {
		total += e.length
		from := end + 1 + e.start
		to := from + e.length - 1
		if e.length < 1 || total > len(rec) || to > len(rec) || to < len(rec) && rec[to] != fieldEnd || rec[from-1] != fieldEnd || bytes.IndexByte(rec[from:to], fieldEnd) >= 0 {
			m.inOrder(rec, end)
			return errDirectory
		}
		m.fields = append(m.fields, marcField{e.tag, rec[from:to], from})
	}
	return nil
}

// decoderFor makes the function that decodes the text of a record: UTF-8 by leader byte 9,
// else MARC-8; charset overrides both. What is no MARC-8 becomes U+FFFD,
// which only matters in titles: URIs are ASCII.
func decoderFor(charset string, rec []byte, fields []marcField) func([]byte) string {
	switch {
	case charset != "":
		return func(b []byte) string { return string(doc.ToUTF8(b, charset)) }
	case len(rec) > 9 && rec[9] == 'a', countTags(fields, "200") > 0 && countTags(fields, "245") == 0: // UNIMARC, where the leader does not tell
		return func(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
	}
	return marc8.Decode
}
