package prospero

import (
	"encoding/binary"
	"strings"
)

// packet is one datagram from a server. Its header may have any length: the
// first octet tells it, and what is missing has its default (PROTOCOLS 3.1).
type packet struct {
	bare   bool // text without a header, as servers answer to what they take for version 1
	cid    uint16
	number uint16 // 1 unless given; 0: control
	wait   uint16 // seconds after which to ask again: the request is queued
	option byte
	text   string
}

// ARDP options from a server.
const (
	optionRefused  = 1
	optionRedirect = 4 // and 5: with notice to the old server
	optionQueued   = 253
)

// parsePacket reads a datagram; false says that it is no ARDP and no text.
func parsePacket(b []byte) (p packet, ok bool) {
	if len(b) == 0 {
		return p, false
	}
	size := int(b[0])
	if size >= 0x20 {
		return packet{bare: true, number: 1, text: string(b)}, isText(b)
	}
	if size == 0 || size == 2 || size > len(b) {
		return p, false
	}
	p = packet{number: 1, text: string(b[size:])}
	word := func(at int, to *uint16) {
		if at+2 <= size {
			*to = binary.BigEndian.Uint16(b[at:])
		}
	}
	word(1, &p.cid)
	word(3, &p.number)
	word(9, &p.wait)
	if size > 12 {
		p.option = b[12]
	}
	return p, true
}

// isText reports whether octets without a header begin like a line of an answer.
func isText(b []byte) bool {
	switch line := string(b[:min(len(b), 40)]); word(line) {
	case "ERROR", "VERSION", "FAILURE", "VERSION-NOT-SUPPORTED", "MULTI-PACKET":
		return true
	}
	return false
}

// tokens splits a line at blanks as a server means it: a quote toggles quoting
// anywhere, also within a token, two quotes within quotes are one, and a pair
// of quotes alone is an empty token. Two blanks hold an empty token between
// them (REAL-SERVERS B4 and B5).
func tokens(line string) []string {
	var out []string
	var token strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			token.WriteByte(c)
			i++
		case c == '\'':
			quoted = !quoted
		case c == ' ' && !quoted:
			out = append(out, token.String())
			token.Reset()
		default:
			token.WriteByte(c)
		}
	}
	return append(out, token.String())
}

// word is the first word of a line: what kind of line it is.
func word(line string) string {
	w, _, _ := strings.Cut(line, " ")
	return strings.TrimRight(w, "\r\n")
}
