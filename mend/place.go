package mend

import (
	"bytes"
	"strings"

	"linkcheck/extract"
)

// locateInText finds the octets of a place in the text of its piece, by line and column.
func (d *document) locateInText(p *piece, f *extract.Found) (span, bool) {
	line, ok := p.lineStart(f.Line, d.lineEnd(p.text))
	at := line + f.Column - 1
	if !ok || f.Column < 1 || at >= len(p.text) {
		return span{}, false
	}
	s := spellings[d.Format]
	if d.Format == "xml" { // the value of a subfield may begin where its section of CDATA does
		at += sectionAt(p.text[at:])
	}
	for _, read := range s.read {
		if n := match(p.text[at:], f.Raw, read); n > 0 {
			return span{at, at + n}, true
		}
	}
	if s.begins == nil {
		return span{}, false
	}
	// What stands before it in its value is spelled longer than it reads: it is further on.
	for _, from := range s.begins(p.text[line:at]) {
		start, read := line+from, s.read[0]
		if n := sectionAt(p.text[start:]); d.Format == "xml" && n > 0 {
			start, read = start+n, octet
		}
		if found, ok := walk(p.text, start, at-line-from, f.Raw, read); ok {
			return found, true
		}
	}
	return span{}, false
}

// sectionAt is the length of what begins a section of CDATA; 0: none begins here.
func sectionAt(b []byte) int {
	if bytes.HasPrefix(b, []byte(section)) {
		return len(section)
	}
	return 0
}

// walk reads so many octets of a value that begins at from, and matches there, or behind
// blanks.
func walk(text []byte, from, octets int, raw string, read reading) (span, bool) {
	for octets > 0 && from < len(text) {
		piece, n := read(text[from:])
		octets, from = octets-len(piece), from+n
	}
	for from < len(text) && octets == 0 {
		if n := match(text[from:], raw, read); n > 0 {
			return span{from, from + n}, true
		}
		if piece, n := read(text[from:]); strings.TrimSpace(piece) == "" {
			from += n
		} else {
			break
		}
	}
	return span{}, false
}

// lineStart is where a line begins, from 1.
func (p *piece) lineStart(line int, end byte) (int, bool) {
	if p.lines == nil {
		p.lines = append(p.lines, 0)
		for i, c := range p.text {
			if c == end {
				p.lines = append(p.lines, i+1)
			}
		}
	}
	if line < 1 || line > len(p.lines) {
		return 0, false
	}
	return p.lines[line-1], true
}

// lineEnd is what lines end in: in a page without a newline in its head it is CR
// (extract/doc).
func (d *document) lineEnd(text []byte) byte {
	head := text[:min(len(text), sniffed)]
	if d.isPage() && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// sniffed is how much of a page decides what its lines end in (doc.SniffSize).
const sniffed = 4096

// match is how many octets at the front of b spell raw; -1: they do not. A line end within
// a value stands for a blank or for nothing.
func match(b []byte, raw string, read reading) int {
	from := len(b)
	for raw != "" {
		if len(b) == 0 {
			return -1
		}
		piece, n := read(b)
		switch {
		case len(piece) > 0 && len(piece) <= len(raw) && raw[:len(piece)] == piece:
			raw = raw[len(piece):]
		case b[0] == '\n' && raw[0] == ' ':
			raw = raw[1:]
		case (b[0] == '\n' || b[0] == '\r') && len(b) < from:
		default:
			return -1
		}
		b = b[n:]
	}
	return from - len(b)
}
