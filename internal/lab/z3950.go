package lab

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
)

// Z3950 serves databases on l until it is closed: name to the docids of the
// records. A docid that stands twice names two records. It knows Init in
// version 3, Search by one general term, Present of an empty MARC record, and
// Close; an unknown database is diagnostic 235 (ANSI Z39.50-1995).
func Z3950(l net.Listener, databases map[string][]string) error {
	return serve(l, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			apdu, err := readElement(in)
			if err != nil {
				return
			}
			answer := z3950Answer(databases, apdu)
			if _, err := c.Write(answer); err != nil || len(answer) == 0 || apdu.tag == 48 {
				return
			}
		}
	})
}

func z3950Answer(databases map[string][]string, apdu element) []byte {
	switch apdu.tag {
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

func z3950Search(databases map[string][]string, apdu element) []byte {
	hits := 0
	for _, name := range apdu.find(105) {
		docids, ok := databases[name]
		if !ok {
			diagnostic := "\x06\x07\x2a\x86\x48\xce\x13\x04\x01\x02\x02\x00\xeb\x1a\x00"
			return cons(23, prim(23, "\x00"), prim(24, "\x00"), prim(25, "\x00"), prim(22, "\x00"), prim(26, "\x03"), cons(130, []byte(diagnostic)))
		}
		for _, term := range apdu.find(45) {
			for _, d := range docids {
				if d == term {
					hits++
				}
			}
		}
	}
	return cons(23, prim(23, string([]byte{byte(hits)})), prim(24, "\x00"), prim(25, "\x01"), prim(22, "\x01"))
}

// element is a BER element of definite length.
type element struct {
	tag         int
	constructed bool
	body        []byte
}

// octets is a stream that elements are read from.
type octets interface {
	io.Reader
	io.ByteReader
}

func readElement(in octets) (e element, err error) {
	b, err := in.ReadByte()
	if err != nil {
		return e, err
	}
	e.constructed, e.tag = b&0x20 != 0, int(b&0x1f)
	if e.tag == 0x1f {
		for e.tag, b = 0, 0x80; b&0x80 != 0 && e.tag < 1<<20; e.tag = e.tag<<7 | int(b&0x7f) {
			if b, err = in.ReadByte(); err != nil {
				return e, err
			}
		}
	}
	size, err := readLength(in)
	if err != nil {
		return e, err
	}
	e.body = make([]byte, size)
	_, err = io.ReadFull(in, e.body)
	return e, err
}

func readLength(in octets) (int, error) {
	b, err := in.ReadByte()
	if err != nil || b < 0x80 {
		return int(b), err
	}
	size := 0
	for range b & 0x7f {
		if b, err = in.ReadByte(); err != nil {
			return 0, err
		}
		if size = size<<8 | int(b); size > maxLine {
			break
		}
	}
	if size == 0 || size > maxLine {
		return 0, fmt.Errorf("length %d", size)
	}
	return size, nil
}

// find lists the contents of the primitive elements with a tag, at any depth.
func (e element) find(tag int) (all []string) {
	if !e.constructed {
		if e.tag == tag {
			all = append(all, string(e.body))
		}
		return all
	}
	for in := bytes.NewReader(e.body); in.Len() > 0; {
		kid, err := readElement(in)
		if err != nil {
			return all
		}
		all = append(all, kid.find(tag)...)
	}
	return all
}

// prim and cons are elements with a context tag and less than 128 octets.
func prim(tag int, body string) []byte { return append(head(0x80, tag, len(body)), body...) }

func cons(tag int, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(head(0xa0, tag, len(body)), body...)
}

func head(class byte, tag, size int) []byte {
	switch {
	case tag < 31:
		return []byte{class | byte(tag), byte(size)}
	case tag < 128:
		return []byte{class | 0x1f, byte(tag), byte(size)}
	}
	return []byte{class | 0x1f, 0x80 | byte(tag>>7), byte(tag & 0x7f), byte(size)}
}
