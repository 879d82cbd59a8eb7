package z3950

import (
	"bytes"
	"encoding/binary"
)

// header is tag and length of an element in the shortest form.
func header(class byte, tag int, constructed bool, size int) []byte {
	if constructed {
		class |= 0x20
	}
	var h []byte
	if tag < 0x1f {
		h = append(h, class|byte(tag))
	} else {
		h = append(h, class|0x1f)
		for shift := 21; shift > 0; shift -= 7 {
			if tag>>shift > 0 {
				h = append(h, 0x80|byte(tag>>shift&0x7f))
			}
		}
		h = append(h, byte(tag&0x7f))
	}
	switch {
	case size < 0x80:
		return append(h, byte(size))
	case size < 0x100:
		return append(h, 0x81, byte(size))
	default:
		return binary.BigEndian.AppendUint32(append(h, 0x84), uint32(size))
	}
}

// prim is a primitive element with a context tag.
func prim(tag int, body ...byte) []byte {
	return append(header(contextClass, tag, false, len(body)), body...)
}

// cons is a constructed element with a context tag around others.
func cons(tag int, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(header(contextClass, tag, true, len(body)), body...)
}

// seq is a universal SEQUENCE around others.
func seq(parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(header(universal, tagSeq, true, len(body)), body...)
}

// oid is a universal OBJECT IDENTIFIER whose octets are encoded already.
func oid(body []byte) []byte {
	return append(header(universal, tagOID, false, len(body)), body...)
}

// number is the shortest two's complement of v, for v >= 0.
func number(v int) []byte {
	b := []byte{byte(v)}
	for v >>= 8; v > 0; v >>= 8 {
		b = append([]byte{byte(v)}, b...)
	}
	if b[0]&0x80 != 0 {
		b = append([]byte{0}, b...)
	}
	return b
}
