package mail

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// quotedPrintable decodes one line (RFC 2045 section 6.7). What is no escape stays
// as it stands; a soft break ties the next line to this one, and its URIs.
// mime/quotedprintable stops at the first fault and does not say where text stood.
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
		b.add(unescape(text), number, 1, start)
		return
	}
	for column := 1; len(text) > 0; start = false {
		// Up to an escape and with it: what follows stands two bytes further on.
		piece, width := text, len(text)
		if i := bytes.IndexByte(text, '='); i >= 0 {
			piece, width = text[:i+1], i+1
			if c, ok := escaped(text[i:]); ok {
				piece[i], width = c, i+3
			}
		}
		b.add(piece, number, column, start)
		column, text = column+width, text[width:]
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
		if e, ok := escaped(text[i:]); ok {
			c, i = e, i+2
		}
		out = append(out, c)
	}
	return out
}

// escaped is the byte for which the "=XX" at the front of text stands.
func escaped(text []byte) (byte, bool) {
	if len(text) < 3 || text[0] != '=' {
		return 0, false
	}
	var c [1]byte
	_, err := hex.Decode(c[:], text[1:3])
	return c[0], err == nil
}

// base64 decodes what is of the alphabet and passes over the rest (RFC 2045
// section 6.8). The text has no physical lines.
func (b *body) base64(line []byte) {
	line = doc.Chop(line)
	if bytes.IndexByte(line, ' ') >= 0 && bytes.IndexByte(line, ':') >= 0 {
		return // a footer that a list put behind the code, not code
	}
	for _, c := range line {
		if ascii.Alnum(c) || c == '+' || c == '/' {
			b.b64 = append(b.b64, c)
		}
	}
	n := len(b.b64) &^ 3
	b.decodeBase64(b.b64[:n])
	b.b64 = b.b64[:copy(b.b64, b.b64[n:])]
}

func (b *body) decodeBase64(group []byte) {
	n := len(b.decoded)
	b.decoded = append(b.decoded, make([]byte, base64.RawStdEncoding.DecodedLen(len(group)))...)
	got, _ := base64.RawStdEncoding.Decode(b.decoded[n:], group)
	b.decoded = b.decoded[:n+got]
	if len(b.decoded) >= maxLeaf {
		b.readDecoded()
	}
}
