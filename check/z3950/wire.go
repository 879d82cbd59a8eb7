package z3950

import (
	"bytes"
	"fmt"
	"io"

	"linkcheck/check/wire"
)

// Limits of one APDU. A catalogue's answer to our questions has some hundred
// octets; the limits bound what a hostile one may make us hold.
const (
	maxAPDU  = 1 << 20 // octets
	maxDepth = 16      // elements within elements
	maxNodes = 8 << 10 // elements in all
)

const errGarbled = wire.Garbled("no Z39.50 answer")

var (
	errTooBig  = fmt.Errorf("APDU: %w", wire.ErrTooLong)
	errBadBER  = fmt.Errorf("%w: bad BER", errGarbled)
	errTooDeep = fmt.Errorf("%w: nested too deeply", errGarbled)
)

// Classes of a BER tag, as they stand in its first octet.
const (
	universal    = 0x00
	contextClass = 0x80
)

// Universal tags that the APDUs hold.
const (
	tagInteger = 2
	tagOID     = 6
	tagSeq     = 16
)

// node is one BER element: data if it is primitive, children if it is constructed.
type node struct {
	class       byte
	tag         int
	constructed bool
	data        []byte
	children    []node
}

// child returns the first element within n that has the context tag, or nil.
func (n *node) child(tag int) *node {
	if n == nil {
		return nil
	}
	for i := range n.children {
		if n.children[i].class == contextClass && n.children[i].tag == tag {
			return &n.children[i]
		}
	}
	return nil
}

// int reads the element as a signed number; the second value is false if n is
// nil or no number of at most 8 octets.
func (n *node) int() (int64, bool) {
	if n == nil || n.constructed || len(n.data) == 0 || len(n.data) > 8 {
		return 0, false
	}
	v := int64(int8(n.data[0]))
	for _, b := range n.data[1:] {
		v = v<<8 | int64(b)
	}
	return v, true
}

// text is the element's octets, joined if a sender broke the string in parts.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	if !n.constructed {
		return string(n.data)
	}
	var b bytes.Buffer
	for i := range n.children {
		b.WriteString(n.children[i].text())
	}
	return b.String()
}

// reader reads BER elements from a stream within the limits. We wrote it because
// encoding/asn1 refuses the indefinite lengths that Z39.50 servers send, and has no
// limits of nesting or count. Z39.50 has no framing beside BER itself: an APDU ends
// where its outer element ends.
type reader struct {
	in    source
	left  int // octets that this APDU may still have
	nodes int // elements that this APDU may still have
}

type source interface {
	io.Reader
	io.ByteReader
}

// readAPDU reads one whole element, with long, short and indefinite lengths.
// io.EOF comes alone when the stream ends before the first octet.
func readAPDU(in source) (*node, error) {
	r := &reader{in: in, left: maxAPDU, nodes: maxNodes}
	n, end, err := r.element(0)
	switch {
	case err == io.EOF && r.left < maxAPDU:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case end:
		return nil, fmt.Errorf("%w: stray end of contents", errBadBER)
	}
	return &n, nil
}

// element reads one element. end reports that it was the end-of-contents mark.
func (r *reader) element(depth int) (n node, end bool, err error) {
	if depth >= maxDepth {
		return n, false, errTooDeep
	}
	if r.nodes--; r.nodes < 0 {
		return n, false, errTooBig
	}
	if err = r.tag(&n); err != nil {
		return n, false, err
	}
	size, indefinite, err := r.length()
	switch {
	case err != nil:
		return n, false, err
	case indefinite && !n.constructed:
		return n, false, fmt.Errorf("%w: primitive of indefinite length", errBadBER)
	case indefinite:
		n.children, err = r.untilEnd(depth)
		return n, false, err
	}
	body, err := r.take(size)
	if err != nil {
		return n, false, err
	}
	if !n.constructed {
		n.data = body
		return n, n.class == universal && n.tag == 0 && size == 0, nil
	}
	n.children, err = r.within(body, depth)
	return n, false, err
}

// untilEnd reads the elements of an indefinite length, which two zero octets end.
func (r *reader) untilEnd(depth int) (kids []node, err error) {
	for {
		k, end, err := r.element(depth + 1)
		if err != nil || end {
			return kids, err
		}
		kids = append(kids, k)
	}
}

// within reads the elements of a body whose length was given.
func (r *reader) within(body []byte, depth int) (kids []node, err error) {
	sub := &reader{in: bytes.NewReader(body), left: len(body), nodes: r.nodes}
	defer func() { r.nodes = sub.nodes }()
	for sub.left > 0 {
		k, end, err := sub.element(depth + 1)
		if err != nil || end {
			if err == errTooBig && sub.nodes >= 0 {
				err = fmt.Errorf("%w: element longer than what holds it", errBadBER)
			}
			return kids, err
		}
		kids = append(kids, k)
	}
	return kids, nil
}

// octet reads one octet.
func (r *reader) octet() (byte, error) {
	if r.left == 0 {
		return 0, errTooBig
	}
	b, err := r.in.ReadByte()
	if err == nil {
		r.left--
	}
	return b, err
}

// tag reads class, form and number; 31 and more take the long form.
func (r *reader) tag(n *node) error {
	b, err := r.octet()
	if err != nil {
		return err
	}
	n.class, n.constructed, n.tag = b&0xc0, b&0x20 != 0, int(b&0x1f)
	if n.tag != 0x1f {
		return nil
	}
	n.tag = 0
	for range 4 {
		if b, err = r.octet(); err != nil {
			return err
		}
		if n.tag = n.tag<<7 | int(b&0x7f); b&0x80 == 0 {
			return nil
		}
	}
	return fmt.Errorf("%w: tag number too large", errBadBER)
}

// length reads a length in its short, long or indefinite form.
func (r *reader) length() (size int, indefinite bool, err error) {
	b, err := r.octet()
	if err != nil || b < 0x80 {
		return int(b), false, err
	}
	if b == 0x80 {
		return 0, true, nil
	}
	for range b & 0x7f {
		if b, err = r.octet(); err != nil {
			return 0, false, err
		}
		if size = size<<8 | int(b); size > maxAPDU {
			return 0, false, errTooBig
		}
	}
	return size, false, nil
}

// take reads size octets. What is held grows with what has come, not with what
// a length promises.
func (r *reader) take(size int) ([]byte, error) {
	if size > r.left {
		return nil, errTooBig
	}
	var b bytes.Buffer
	n, err := io.CopyN(&b, r.in, int64(size))
	r.left -= int(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), err
}
