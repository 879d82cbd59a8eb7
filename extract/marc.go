package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxRecord = 16 << 20 // bytes of one record; ISO 2709 allows 99999, real ones are longer

	recordEnd = 0x1d // ISO 2709 terminators and the subfield delimiter
	fieldEnd  = 0x1e
	subfield  = 0x1f
)

var errRecordSize = errors.New("MARC record without an end: passed over")

// sniffMARC recognises a record by its leader: a length, and a directory of
// digits that a field terminator ends.
func sniffMARC(p peek) bool {
	head := bytes.TrimLeft(p.head, "\r\n \x00\x1a\x1d")
	if len(head) < 25 {
		return false
	}
	end := bytes.IndexByte(head, fieldEnd)
	body := head[24:]
	if end >= 24 {
		body = head[24:end]
	}
	for _, s := range []string{".mrc", ".marc", ".usmarc", ".unimarc"} {
		if strings.HasSuffix(p.name, s) && end > 0 {
			return true
		}
	}
	return digits(head[:5]) && (end >= 24 || len(head) > 2000) && len(body) >= 12 && digits(body[3:12])
}

// readMARC reads records of ISO 2709. Records are parted by their terminators,
// never by their lengths: those of real files lie.
func readMARC(d *doc) error {
	var rec []byte
	line, at := 1, int64(0)
	for !d.out.stopped {
		piece, err := d.in.ReadSlice(recordEnd)
		rec = append(rec, piece...)
		if err == nil || err == io.EOF {
			oneMARC(d, rec, line, at)
			line += bytes.Count(rec, newline)
			at += int64(len(rec))
			rec = rec[:0]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && err.Error() != "bufio: buffer full" {
			return err
		}
		if len(rec) > maxRecord {
			d.damage(line, errRecordSize)
			line += bytes.Count(rec, newline)
			at += int64(len(rec))
			rec = rec[:0]
		}
	}
	return nil
}

// oneMARC reads one record; raw has its terminator, and may have what some
// systems put between records in front.
func oneMARC(d *doc, raw []byte, line int, at int64) {
	lead := len(raw) - len(bytes.TrimLeft(raw, "\r\n \x00\x1a"))
	line += bytes.Count(raw[:lead], newline)
	rec := bytes.TrimSuffix(raw[lead:], []byte{recordEnd})
	if len(rec) == 0 {
		return
	}
	fields, err := marcFields(rec)
	if len(rec) == len(raw[lead:]) {
		err = errors.New("MARC record is cut short")
	}
	if err != nil {
		d.damage(line, fmt.Errorf("record at byte %d: %w", at+int64(lead), err))
	}
	giveMARC(d, fields, rec, line)
}

// giveMARC gives out the links of a record. Only fields that can hold one are
// taken apart.
func giveMARC(d *doc, fields []marcField, rec []byte, line int) {
	c := catalogue{found: d.found, wanted: d.o.wanted()}
	decode := decoderFor(d.o, rec, fields)
	idTag := max(d.o.RecordID, "001")
	for _, f := range fields {
		switch {
		case f.tag == idTag && c.id == "":
			c.id = strings.TrimSpace(decode(controlValue(f.data)))
		case c.title == "" && (f.tag == "245" || f.tag == "200"):
			_, subs := subfieldsOf(f, decode)
			c.title = titleOf(subs)
		}
	}
	for i, f := range fields {
		if f.tag < "010" || bytes.IndexByte(f.data, ':') < 0 && !bytes.Contains(f.data, []byte("www.")) {
			continue
		}
		inds, subs := subfieldsOf(f, decode)
		for k := range subs {
			subs[k].line, subs[k].column = advance(rec[:f.off+subs[k].off], line, 1)
		}
		c.nth = func(tag string) int { return countTags(fields[:i+1], tag) }
		c.field(bibField{f.tag, inds, subs})
	}
}

func countTags(fields []marcField, tag string) (n int) {
	for _, f := range fields {
		if f.tag == tag {
			n++
		}
	}
	return n
}

// marcField is one field: a tag of the directory and the bytes that it names.
type marcField struct {
	tag  string
	data []byte // without the terminator
	off  int    // in the record
}

var (
	errNoDirectory = errors.New("MARC record without a directory: passed over")
	errDirectory   = errors.New("the directory does not fit the fields: fields taken in order")
)

// marcFields takes a record apart. Where every entry of the directory points at
// a whole field it is believed; else the fields are taken as their terminators
// part them, each with the tag whose entry comes as the so-manieth by place.
func marcFields(rec []byte) ([]marcField, error) {
	end := bytes.IndexByte(rec, fieldEnd)
	if end < 36 {
		return nil, errNoDirectory
	}
	entries := entriesOf(rec[24:end])
	fields := make([]marcField, 0, len(entries))
	for _, e := range entries {
		from := end + 1 + e.start
		to := from + e.length - 1
		if e.length < 1 || from > to || to > len(rec) || to < len(rec) && rec[to] != fieldEnd || rec[from-1] != fieldEnd || bytes.IndexByte(rec[from:to], fieldEnd) >= 0 {
			return fieldsInOrder(rec, end, entries)
		}
		fields = append(fields, marcField{e.tag, rec[from:to], from})
	}
	return fields, nil
}
