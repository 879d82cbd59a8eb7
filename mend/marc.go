package mend

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linkcheck/extract"
	"linkcheck/internal/ascii"
	"linkcheck/internal/marc8"
)

// Numbers of ISO 2709 as MARC 21 has them.
const (
	leaderSize = 24
	entrySize  = 12 // tag, length of 4 digits, start of 5

	maxFieldLength  = 9999
	maxRecordLength = 99999

	recordEnd = 0x1d
	fieldEnd  = 0x1e
	delimiter = 0x1f
)

var errNotSound = errors.New("the directory or the base address of the record does not fit its fields")

// field is one field of a record: its tag, and its octets with the terminator.
type field struct {
	tag string
	span
}

// record is one record of ISO 2709, from its leader to its terminator.
type record struct {
	octets []byte
	base   int
	fields []field // in the order of the directory
}

// parseRecord takes a record apart by its directory, where every entry points at a whole
// field; else by the terminators of its fields, where it is sure which tag is whose. The
// data begin behind the directory, whatever the base address says.
func parseRecord(b []byte) (*record, error) {
	end := bytes.IndexByte(b, fieldEnd)
	if end < leaderSize || (end-leaderSize)%entrySize != 0 || len(b) == 0 || b[len(b)-1] != recordEnd {
		return nil, errNotSound
	}
	r, sound := &record{octets: b, base: end + 1}, true
	for at := leaderSize; at < end; at += entrySize {
		length, ok := digits(b[at+3 : at+7])
		start, ok2 := digits(b[at+7 : at+12])
		f := field{string(b[at : at+3]), span{r.base + start, r.base + start + length}}
		if !ok || !ok2 || length < 1 || f.to > len(b)-1 || b[f.from-1] != fieldEnd || bytes.IndexByte(b[f.from:f.to], fieldEnd) != length-1 {
			sound = false
		}
		r.fields = append(r.fields, f)
	}
	if !sound && !r.inOrder() {
		return nil, errNotSound
	}
	return r, nil
}

// inOrder gives the entries of a directory that lies the fields as they follow each other.
// That is sure where the order of the entries is that of their starts and most lengths are
// right, and where all lengths are right in one of the two orders alone.
func (r *record) inOrder() bool {
	var spans []span
	for at := r.base; at < len(r.octets)-1; {
		n := bytes.IndexByte(r.octets[at:], fieldEnd)
		if n < 0 {
			return false
		}
		spans, at = append(spans, span{at, at + n + 1}), at+n+1
	}
	if len(spans) != len(r.fields) {
		return false
	}
	right := func(order []int) (n int) {
		for i, of := range order {
			if f := r.fields[of]; f.to-f.from == spans[i].to-spans[i].from {
				n++
			}
		}
		return n
	}
	listed := make([]int, len(spans))
	for i := range listed {
		listed[i] = i
	}
	placed := slices.Clone(listed)
	slices.SortStableFunc(placed, func(a, b int) int { return r.fields[a].from - r.fields[b].from })
	order, whole := listed, len(spans)
	switch byList, byPlace := right(listed), right(placed); {
	case slices.Equal(listed, placed) && 2*byList > whole, byList == whole && byPlace < whole:
	case byPlace == whole && byList < whole:
		order = placed
	default:
		return false
	}
	for i, of := range order {
		r.fields[of].span = spans[i]
	}
	return true
}

// digits reads a number; 0 for what is none, as extract has it.
func digits(b []byte) (int, bool) {
	if !ascii.Digits(b) {
		return 0, false
	}
	n, err := strconv.Atoi(string(b))
	return n, err == nil
}

// rewrite writes the values of jobs, and what follows from them: the length of the record, its
// base address, its directory (ISO 2709 sections 4.3 and 4.4).
func (r *record) rewrite(jobs []job) ([]byte, error) {
	grown := func(s span) (n int) { // by how much the stretch grows
		for _, j := range jobs {
			if s.from <= j.at.from && j.at.to <= s.to {
				n += len(j.value) - (j.at.to - j.at.from)
			}
		}
		return n
	}
	directory, fault := bytes.Clone(r.octets[:leaderSize]), error(nil)
	enter := func(tag string, length, start int) {
		if length > maxFieldLength {
			fault = fmt.Errorf("field %.10q would have %d octets, more than ISO 2709 can say", tag, length)
		}
		directory = fmt.Appendf(directory, "%s%04d%05d", tag, length, start)
	}
	for _, f := range r.fields {
		start, length, gone := f.from-r.base+grown(span{r.base, f.from}), f.to-f.from, false
		for _, j := range jobs {
			switch inside := f.from <= j.at.from && j.at.to <= f.to; {
			case inside && j.field:
				gone = gone || j.at == f.span
			case inside:
				length += len(j.value) - (j.at.to - j.at.from)
			}
		}
		if gone {
			continue
		}
		enter(f.tag, length, start)
		start += length
		for _, j := range jobs {
			if j.field && j.at == (span{f.to, f.to}) {
				enter(f.tag, len(j.value), start)
				start += len(j.value)
			}
		}
	}
	base := len(directory) + 1
	out := append(append(directory, fieldEnd), splice(r.octets[r.base:], shifted(jobs, r.base))...)
	if len(out) > maxRecordLength {
		return nil, fmt.Errorf("the record would have %d octets, more than ISO 2709 can say", len(out))
	}
	copy(out, fmt.Sprintf("%05d", len(out)))
	copy(out[12:], fmt.Sprintf("%05d", base))
	return out, fault
}

// shifted gives jobs in a text from which so many octets at the front are taken.
func shifted(jobs []job, by int) []job {
	moved := slices.Clone(jobs)
	for i := range moved {
		moved[i].at.from, moved[i].at.to = moved[i].at.from-by, moved[i].at.to-by
	}
	return moved
}

// marcPieces makes a piece of each record for which there may be a change, and reads it by
// itself. Records end at their terminators, whatever their lengths say (extract/catalog).
func marcPieces(d *document) ([]*piece, error) {
	wanted := map[string]bool{}
	for _, c := range d.changes {
		wanted[c.Record] = true
	}
	d.o.Input = "marc"
	var pieces []*piece
	for from, to := 0, 0; from < len(d.octets); from = to {
		to = len(d.octets)
		if i := bytes.IndexByte(d.octets[from:], recordEnd); i >= 0 {
			to = from + i + 1
		}
		p := &piece{span: span{from, to}, text: d.octets[from:to], nth: len(d.founds)}
		lead := leadOf(p.text)
		r, err := parseRecord(p.text[lead:])
		if p.err = err; err == nil && d.o.RecordID == "" && ascii.Only([]byte(r.id())) && !wanted[r.id()] {
			continue
		}
		p.founds, p.damages = read(d.name, p.text, d.o)
		d.founds = append(d.founds, p.founds...)
		p.apply = func(jobs []job) ([]byte, error) {
			out, err := r.rewrite(shifted(jobs, lead))
			return append(bytes.Clone(p.text[:lead]), out...), err
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// leadOf is how many octets stand before a record: what some systems write between two.
func leadOf(b []byte) int { return len(b) - len(bytes.TrimLeft(b, "\r\n \x00\x1a")) }

// id is the control number of a record, as extract gives it.
func (r *record) id() string {
	for _, f := range r.fields {
		if f.tag == "001" {
			return strings.TrimSpace(string(r.octets[f.from : f.to-1]))
		}
	}
	return ""
}

// locateInRecord finds a place in the subfield that its locator names. Columns count octets
// of the decoded subfield, which MARC-8 may spell with more or fewer.
func locateInRecord(p *piece, f *extract.Found) (span, bool) {
	lead := leadOf(p.text)
	r, err := parseRecord(p.text[lead:])
	if err != nil {
		return span{}, false
	}
	_, s, ok := r.subfield(f.Locator)
	if !ok {
		return span{}, false
	}
	s.from, s.to = s.from+lead, s.to+lead
	line, ok := p.lineStart(f.Line, '\n')
	if !ok {
		return span{}, false
	}
	from := max(line, s.from)
	want := line + f.Column - 1 - from // octets of the decoded text before it
	for at := from; at+len(f.Raw) <= s.to; at++ {
		if n := match(p.text[at:s.to], f.Raw, octet); n > 0 && readsAs(p.text[from:at], want) {
			return span{at, at + n}, true
		}
	}
	return span{}, false
}

// readsAs says whether octets are text of such a length, in MARC-8 or UTF-8, valid or not.
func readsAs(b []byte, length int) bool {
	return len(b) == length || len(marc8.Decode(b)) == length || len(bytes.ToValidUTF8(b, []byte("\uFFFD"))) == length
}

// subfield is the value of the subfield that a locator names, 856[2]$u, 856[2]$u[3], and its
// field.
func (r *record) subfield(locator string) (field, span, bool) {
	tag, rest, ok := strings.Cut(locator, "[")
	number, code, ok2 := strings.Cut(rest, "]$")
	nth, err := strconv.Atoi(number)
	if !ok || !ok2 || err != nil || code == "" {
		return field{}, span{}, false
	}
	same := 1
	if _, n, more := strings.Cut(code, "["); more && code != "[" {
		same, _ = strconv.Atoi(strings.TrimSuffix(n, "]"))
	}
	for _, f := range r.fields {
		if f.tag != tag {
			continue
		}
		if nth--; nth > 0 {
			continue
		}
		for at := f.from; at < f.to-1; {
			end := at + bytes.IndexAny(r.octets[at:f.to], "\x1e\x1f")
			if at > f.from && end > at && r.octets[at] == code[0] {
				if same--; same == 0 {
					return f, span{at + 1, end}, true
				}
			}
			at = end + 1
		}
		return field{}, span{}, false
	}
	return field{}, span{}, false
}
