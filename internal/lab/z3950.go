package lab

import (
	"bytes"
	"encoding/asn1"
	"io"
	"net"
)

// Z3950 serves databases on l until it is closed: name to the docids of the
// records. A docid that stands twice names two records. It knows Init in
// version 3, Search by one general term, Present of an empty MARC record, and
// Close; an unknown database is diagnostic 235 (ANSI Z39.50-1995).
func Z3950(l net.Listener, databases map[string][]string) error {
	return Serve(l, func(c net.Conn) {
		for {
			apdu, err := readAPDU(c)
			if err != nil {
				return
			}
			answer := z3950Answer(databases, apdu)
			if _, err := c.Write(answer); err != nil || len(answer) == 0 || apdu.Tag == 48 {
				return
			}
		}
	})
}

func z3950Answer(databases map[string][]string, apdu asn1.RawValue) []byte {
	switch apdu.Tag {
	case 20: // Init: accepted
		return cons(21, prim(3, "\x00\xe0"), prim(4, "\x00\xc0"), prim(5, "\x01\x00\x00"), prim(6, "\x01\x00\x00"),
			prim(12, "\x01"), prim(110, "lab"), prim(111, "linkcheck lab"), prim(112, "1"))
	case 22: // Search
		return z3950Search(databases, apdu)
	case 24: // Present: a record of USmarc, as octets
		external := "\x28\x29\x06\x07\x2a\x86\x48\xce\x13\x05\x0a" + string(prim(1, "00026nam a2200025 a 4500\x1e\x1d\x20\x20\x20\x20"))
		record := cons(1, cons(1, []byte(external)))
		return cons(25, prim(24, "\x01"), prim(25, "\x02"), prim(27, "\x00"), cons(28, append([]byte{0x30, byte(len(record))}, record...)))
	case 48: // Close: finished
		return cons(48, prim(211, "\x00"))
	}
	return nil
}

func z3950Search(databases map[string][]string, apdu asn1.RawValue) []byte {
	hits := 0
	for _, name := range contents(apdu, 105) {
		docids, ok := databases[name]
		if !ok {
			diagnostic := "\x06\x07\x2a\x86\x48\xce\x13\x04\x01\x02\x02\x00\xeb\x1a\x00"
			return cons(23, prim(23, "\x00"), prim(24, "\x00"), prim(25, "\x00"), prim(22, "\x00"), prim(26, "\x03"), cons(130, []byte(diagnostic)))
		}
		for _, term := range contents(apdu, 45) {
			for _, d := range docids {
				if d == term {
					hits++
				}
			}
		}
	}
	return cons(23, prim(23, string([]byte{byte(hits)})), prim(24, "\x00"), prim(25, "\x01"), prim(22, "\x01"))
}

// readAPDU reads one BER element of definite length, which ends with the octets that came.
func readAPDU(c io.Reader) (apdu asn1.RawValue, err error) {
	var all []byte
	buf := make([]byte, maxLine)
	for len(all) < maxLine {
		n, err := c.Read(buf)
		if err != nil {
			return apdu, err
		}
		all = append(all, buf[:n]...)
		if _, err := asn1.Unmarshal(all, &apdu); err == nil {
			return apdu, nil
		}
	}
	return apdu, io.ErrShortBuffer
}

// contents lists the contents of the primitive elements with a tag, at any depth.
func contents(e asn1.RawValue, tag int) (all []string) {
	if !e.IsCompound {
		if e.Tag == tag {
			all = append(all, string(e.Bytes))
		}
		return all
	}
	for rest := e.Bytes; len(rest) > 0; {
		var kid asn1.RawValue
		var err error
		if rest, err = asn1.Unmarshal(rest, &kid); err != nil {
			return all
		}
		all = append(all, contents(kid, tag)...)
	}
	return all
}

// prim and cons are elements with a context tag.
func prim(tag int, body string) []byte {
	e, _ := asn1.Marshal(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, Bytes: []byte(body)}) // a RawValue has no errors
	return e
}

func cons(tag int, parts ...[]byte) []byte {
	e, _ := asn1.Marshal(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: true, Bytes: bytes.Join(parts, nil)})
	return e
}
