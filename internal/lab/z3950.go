package lab

import (
	"bytes"
	"encoding/asn1"
	"io"
	"net"
)

// Z3950 serves databases on l until l is closed. It maps the name of a database to the
// docids of its records; a docid that stands twice in it names two records. The server
// knows Init, where it agrees to version 3, Search, which counts the records that have
// the docid of the query, Present, which always gives the same empty MARC record, and
// Close (ANSI Z39.50-1995). It hangs up at any other APDU. The tags are those of
// PROTOCOLS 1.1; inside an answer some have another meaning than outside.
func Z3950(l net.Listener, databases map[string][]string) error {
	return Serve(l, func(c net.Conn) {
		for {
			apdu, err := readAPDU(c)
			if err != nil {
				return
			}
			answer := z3950Answer(databases, apdu)
			if _, err := c.Write(answer); err != nil || len(answer) == 0 || apdu.Tag == tagClose {
				return
			}
		}
	})
}

const tagClose = 48

// z3950Answer gives the answer to one APDU; nil if it is not known.
func z3950Answer(databases map[string][]string, apdu asn1.RawValue) []byte {
	switch apdu.Tag {
	case 20: // Init. Answered: versions 1 to 3, search and present, sizes of 65536; accepted; the name of the server
		return cons(21, prim(3, "\x00\xe0"), prim(4, "\x00\xc0"), prim(5, "\x01\x00\x00"), prim(6, "\x01\x00\x00"),
			prim(12, "\x01"), prim(110, "lab"), prim(111, "linkcheck lab"), prim(112, "1"))
	case 22: // Search
		return z3950Search(databases, apdu)
	case 24: // Present
		// An EXTERNAL of 41 octets: the OID of USmarc (1.2.840.10003.5.10), and the record as octets.
		external := "\x28\x29\x06\x07\x2a\x86\x48\xce\x13\x05\x0a" + string(prim(1, "00026nam a2200025 a 4500\x1e\x1d\x20\x20\x20\x20"))
		record := cons(1, cons(1, []byte(external)))
		// One record returned, the next would be the second, presentStatus success, records.
		return cons(25, prim(24, "\x01"), prim(25, "\x02"), prim(27, "\x00"), cons(28, append([]byte{0x30, byte(len(record))}, record...)))
	case tagClose: // closeReason finished
		return cons(tagClose, prim(211, "\x00"))
	}
	return nil
}

// z3950Search counts the records whose docid is the term of the query (tag 45), in the
// databases named (tag 105).
func z3950Search(databases map[string][]string, apdu asn1.RawValue) []byte {
	hits := 0
	for _, name := range contents(apdu, 105) {
		docids, ok := databases[name]
		if !ok { // Bib-1 diagnostic 235, with an empty addinfo: the database does not exist
			diagnostic := "\x06\x07\x2a\x86\x48\xce\x13\x04\x01\x02\x02\x00\xeb\x1a\x00"
			// No hits, none returned, no next one, searchStatus false, resultSetStatus none.
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
	// The number of hits, none returned, the next would be the first, searchStatus true.
	return cons(23, prim(23, string([]byte{byte(hits)})), prim(24, "\x00"), prim(25, "\x01"), prim(22, "\x01"))
}

// readAPDU reads until the octets that came hold one whole BER element, of definite
// length. The client waits for each answer, so nothing comes after it.
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

// contents lists the contents of the primitive elements with a tag of any class, in e or
// at any depth within it.
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

// prim is a primitive element with a context tag.
func prim(tag int, body string) []byte {
	e, _ := asn1.Marshal(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, Bytes: []byte(body)}) // a RawValue has no errors
	return e
}

// cons is a constructed element with a context tag around others.
func cons(tag int, parts ...[]byte) []byte {
	e, _ := asn1.Marshal(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: true, Bytes: bytes.Join(parts, nil)})
	return e
}
