package alive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"

	"linkcheck/check"
	"linkcheck/uri"
)

// LDAP makes the prober of ldap and ldaps URLs: without a bind it asks for the root DSE, which
// every server has for this (RFC 4512 section 5.1), and for no attribute of it. The entry of the URL
// is not asked for: directories are not to be searched by strangers.
func LDAP(o check.Options) check.Prober {
	return proberOf(o, "ldaps", func(_ context.Context, c io.Writer, r *bufio.Reader, _ *uri.Opaque) check.Result {
		result := answered(c, r, rootDSE, 2, func(head []byte) (int, bool) { return messageLength(r, head) }, isLDAP, check.ReasonLDAPAnswer)
		c.Write(unbind) // whether it is heard matters no more
		return result
	})
}

// NFS makes the prober of nfs URLs: the procedure that does nothing and takes nothing (RFC 1813
// section 3.3.0).
func NFS(o check.Options) check.Prober {
	return proberOf(o, "", func(_ context.Context, c io.Writer, r *bufio.Reader, _ *uri.Opaque) check.Result {
		return answered(c, r, nullCall, 4, recordLength, isRPC, check.ReasonRPCAnswer)
	})
}

// answered sends a question, reads a head that tells how long the answer is, and the answer.
// What does not look like one is another protocol.
func answered(c io.Writer, r *bufio.Reader, question []byte, head int, length func(head []byte) (int, bool), is func([]byte) bool, reason check.Reason) check.Result {
	if _, err := c.Write(question); err != nil {
		return check.Classify(err)
	}
	first, err := r.Peek(head)
	if len(first) == 0 {
		return check.ClassifyFirst(err)
	}
	n, ok := 0, false
	if err == nil {
		n, ok = length(first)
	}
	if !ok || n > maxRead {
		text, _ := r.Peek(r.Buffered())
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, string(text))
	}
	answer := make([]byte, n)
	if _, err := io.ReadFull(r, answer); err != nil {
		return check.Classify(err)
	}
	if !is(answer) {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, string(answer))
	}
	return check.New(check.Reachable, reason, "")
}

// Messages of LDAP in BER (RFC 4511 sections 4.1.1, 4.3 and 4.5.1).
var (
	// rootDSE is message 1: a search of base "", the base object alone, no aliases, one
	// entry, 10 seconds, any object class, the attribute "1.1", which is none (section 4.5.1.8).
	rootDSE = []byte{
		0x30, 0x2a, 0x02, 0x01, 1, 0x63, 0x25,
		0x04, 0, 0x0a, 1, 0, 0x0a, 1, 0, 0x02, 1, 1, 0x02, 1, 10, 0x01, 1, 0,
		0x87, 11, 'o', 'b', 'j', 'e', 'c', 't', 'C', 'l', 'a', 's', 's',
		0x30, 5, 0x04, 3, '1', '.', '1',
	}
	unbind = []byte{0x30, 5, 0x02, 1, 2, 0x42, 0}
)

// messageLength gives the length of a BER message with its head, of which the length has at
// most two octets beside the first.
func messageLength(r *bufio.Reader, head []byte) (n int, ok bool) {
	if head[0] != 0x30 {
		return 0, false
	}
	more := 0
	if head[1] >= 0x80 {
		if more = int(head[1] & 0x7f); more < 1 || more > 2 {
			return 0, false
		}
		var err error
		if head, err = r.Peek(2 + more); err != nil {
			return 0, false
		}
		for _, octet := range head[2:] {
			n = n<<8 | int(octet)
		}
	} else {
		n = int(head[1])
	}
	return 2 + more + n, true
}

// isLDAP reports message 1 with an entry (0x64), a reference (0x73) or the end of a search
// (0x65), whatever its result; or message 0, the notice of a server that disconnects (section 4.4).
func isLDAP(message []byte) bool {
	at := bytes.IndexByte(message[:min(len(message), 6)], 0x02) // the message id
	if at < 0 || len(message) < at+4 || message[at+1] != 1 {
		return false
	}
	switch id, kind := message[at+2], message[at+3]; {
	case id == 1:
		return kind == 0x64 || kind == 0x65 || kind == 0x73
	default:
		return id == 0 && kind == 0x78
	}
}

// callID marks our call.
const callID = 0x6c6e6b31

// nullCall is procedure 0 of NFS version 3 in a record of its own, without credentials (RFC 5531
// sections 9 and 11).
var nullCall = words(1<<31|40, callID, 0, 2, 100003, 3, 0, 0, 0, 0, 0)

func words(list ...uint32) (octets []byte) {
	for _, w := range list {
		octets = binary.BigEndian.AppendUint32(octets, w)
	}
	return octets
}

// recordLength gives the length of a record with its mark (RFC 5531 section 11).
func recordLength(mark []byte) (int, bool) {
	n := binary.BigEndian.Uint32(mark) &^ (1 << 31)
	return int(min(n, maxRead)) + 4, n >= 12 && n <= maxRead
}

// isRPC reports a reply to our call, accepted or denied: either way a server has answered.
func isRPC(record []byte) bool {
	return binary.BigEndian.Uint32(record[4:]) == callID && binary.BigEndian.Uint32(record[8:]) == 1
}
