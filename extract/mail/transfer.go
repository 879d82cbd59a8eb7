package mail

import (
	"bytes"
	"encoding/base64"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// quotedPrintable decodes one line (RFC 2045 section 6.7). What is no escape
// stays as it stands; a soft break ties the next line to this one, and its URIs.
func (b *body) quotedPrintable(line []byte, number int, start bool) {
	text := line
	soft := false
	if line[len(line)-1] == '\n' {
		text = bytes.TrimRight(line, " \t\r\n")
		if soft = len(text) > 0 && text[len(text)-1] == '='; soft {
			text = text[:len(text)-1]
		} else {
			text = append(text, '\n') // in place: the line had one
		}
	}
	start, b.soft = start && !b.soft, soft
	if !ascii.Only(text) || bytes.IndexByte(text, '=') < 0 {
		b.decodedText(unescape(text), number, 1, start)
		return
	}
	column := 1
	for len(text) > 0 {
		// Up to an escape and with it: what follows stands two bytes further on.
		n := len(text)
		if i := bytes.IndexByte(text, '='); i >= 0 {
			n = i + 1
			if i+2 < len(text) && unhex(text[i+1]) < 16 && unhex(text[i+2]) < 16 {
				n = i + 3
			}
		}
		piece := text[:n]
		text = text[n:]
		b.decodedText(unescape(piece), number, column, start)
		column, start = column+n, false
	}
}

// unescape undoes =XX in place.
func unescape(text []byte) []byte {
	i := bytes.IndexByte(text, '=')
	if i < 0 {
		return text
	}
	out := text[:i]
	for ; i < len(text); i++ {
		c := text[i]
		if c == '=' && i+2 < len(text) {
			hi, lo := unhex(text[i+1]), unhex(text[i+2])
			if hi < 16 && lo < 16 {
				c, i = hi<<4|lo, i+2
			}
		}
		out = append(out, c)
	}
	return out
}

// unhex gives the value of a hexadecimal digit, 255 for what is none.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// base64 decodes what is of the alphabet and passes over the rest (RFC 2045
// section 6.8). The text has no physical lines.
func (b *body) base64(line []byte, number int, start bool) {
	line = doc.Chop(line)
	if len(line) > 0 && bytes.IndexByte(line, ' ') >= 0 && bytes.IndexByte(line, ':') >= 0 {
		return // a footer that a list put behind the code, not code
	}
	for _, c := range line {
		if ascii.Alnum(c) || c == '+' || c == '/' {
			b.b64 = append(b.b64, c)
		}
	}
	n := len(b.b64) &^ 3
	b.decode64(b.b64[:n])
	b.b64 = b.b64[:copy(b.b64, b.b64[n:])]
}

// base64Tail decodes a last group that padding or damage cut short.
func (b *body) base64Tail() {
	b.decode64(b.b64[:len(b.b64)])
	b.b64 = b.b64[:0]
}

func (b *body) decode64(group []byte) {
	n := len(b.decoded)
	b.decoded = append(b.decoded, make([]byte, base64.RawStdEncoding.DecodedLen(len(group)))...)
	got, _ := base64.RawStdEncoding.Decode(b.decoded[n:], group)
	b.decoded = b.decoded[:n+got]
	if len(b.decoded) >= maxLeaf {
		b.part()
	}
}
