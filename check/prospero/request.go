package prospero

import (
	"encoding/binary"
)

// maxPacket is more than a Prospero server was seen to send (1262 octets).
const maxPacket = 2 << 10

// request puts the ARDP header before a text: version 0, 15 octets, packet 1 of
// 1, flag 08 with a window of 1 (REAL-SERVERS B8).
func request(cid uint16, text string) []byte {
	h := []byte{15, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0x08, 0, 0, 1}
	binary.BigEndian.PutUint16(h[1:], cid)
	return append(h, text...)
}

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

// isText says whether octets without a header begin like a line of an answer.
func isText(b []byte) bool {
	switch line := string(b[:min(len(b), 40)]); word(line) {
	case "ERROR", "VERSION", "FAILURE", "VERSION-NOT-SUPPORTED", "MULTI-PACKET":
		return true
	}
	return false
}
