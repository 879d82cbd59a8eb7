package prospero

import (
	"encoding/binary"
	"strings"
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

// quote makes one token of s.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
