package records

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// MaxPage is how many octets are read of a page.
const MaxPage = 64 << 20

const (
	maxRecord    = 16 << 20 // octets of a record
	maxTag       = 1 << 20  // octets of a tag, a comment, a CDATA section
	maxReference = 32       // octets of a numeric character reference
	maxProlog    = 256      // octets in which the encoding is declared
	chunkSize    = 32 << 10
)

// ErrCut is the error of a page that ends within an element.
var ErrCut = errors.New("it ends in the middle")

var (
	errTooLong = errors.New("longer than 64 MiB")
	errTag     = fmt.Errorf("%w: a tag of more than 1 MiB", errForm)
)

// source is the octets of a page in UTF-8, without those that XML forbids. Those from
// keep on stay at hand.
type source struct {
	in   io.Reader
	head []byte // the first octets as they came
	raw  []byte // read and not cleaned yet: a sequence that goes on in what comes next
	buf  []byte
	at   int   // of the next octet in buf
	base int64 // offset of buf[0]
	keep int64
	stop int64 // offset behind which a tag has no end; 0: no tag is read
	lost bool  // octets behind keep were too many, and are gone
	err  error
}

// limited is a reader of at most so many octets.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, errTooLong
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// newSource begins behind the XML declaration.
func newSource(r io.Reader, limit int) *source {
	in := bufio.NewReaderSize(&limited{r, limit}, chunkSize)
	head, _ := in.Peek(maxProlog)
	s := &source{head: bytes.Clone(head)}
	encoding := ""
	if prolog, rest, ok := bytes.Cut(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("?>")); ok && bytes.HasPrefix(prolog, []byte("<?xml")) {
		encoding = encodingOf(prolog)
		in.Discard(len(head) - len(rest))
	} else if bytes.HasPrefix(head, []byte("\ufeff")) {
		in.Discard(len("\ufeff"))
	}
	s.in = in
	if e, name := charset.Lookup(encoding); e != nil && name != "utf-8" && !strings.HasPrefix(name, "utf-16") {
		s.in = e.NewDecoder().Reader(in)
	}
	return s
}

// encodingOf reads the encoding of an XML declaration; "": it has none.
func encodingOf(prolog []byte) string {
	_, after, _ := bytes.Cut(prolog, []byte("encoding"))
	after = bytes.TrimLeft(after, " \t\r\n=")
	if len(after) == 0 {
		return ""
	}
	name, _, _ := bytes.Cut(after[1:], after[:1])
	return string(name)
}

// firstLine is the first line of what came.
func (s *source) firstLine() string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(s.head), []byte("\n"))
	return strings.ToValidUTF8(string(bytes.TrimSpace(line)), "?")
}

// ReadByte is all that a decoder asks for.
func (s *source) ReadByte() (byte, error) {
	for s.at == len(s.buf) {
		switch {
		case s.err != nil:
			return 0, s.err
		case s.stop > 0 && s.base+int64(s.at) > s.stop:
			return 0, errTag
		}
		s.fill()
	}
	s.at++
	return s.buf[s.at-1], nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	c, err := s.ReadByte()
	if err != nil || len(p) == 0 {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// fill reads more and forgets what is not kept.
func (s *source) fill() {
	if len(s.buf)-int(s.keep-s.base) > maxRecord {
		s.lost, s.keep = true, s.base+int64(len(s.buf))
	}
	if n := int(s.keep - s.base); n > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[n:])]
		s.base, s.at = s.keep, s.at-n
	}
	from := len(s.raw)
	s.raw = slices.Grow(s.raw, chunkSize)[:from+chunkSize]
	n, err := s.in.Read(s.raw[from:])
	s.raw, s.err = s.raw[:from+n], err
	n = clean(s.raw, err != nil)
	s.buf = append(s.buf, s.raw[:n]...)
	s.raw = s.raw[:copy(s.raw, s.raw[n:])]
}

// begin notes where a token begins.
func (s *source) begin() {
	s.stop = 0
	if c, err := s.ReadByte(); err == nil {
		if s.at--; c == '<' {
			s.stop = s.base + int64(s.at) + maxTag
		}
	}
}

// hold keeps the octets from an offset on.
func (s *source) hold(from int64) { s.keep, s.lost = from, false }

// offset is that of the next octet.
func (s *source) offset() int64 { return s.base + int64(s.at) }

// held gives the octets between two offsets behind the one from which they are kept; nil where they
// were too many. They are good until the next read.
func (s *source) held(from, to int64) []byte {
	if s.lost {
		return nil
	}
	return s.buf[from-s.base : to-s.base]
}

// clean makes blanks of what XML forbids. It returns how many octets are done: those that
// follow are the beginning of something, unless it is the end.
func clean(b []byte, end bool) int {
	for i := 0; i < len(b); {
		n := 1
		switch c := b[i]; {
		case c >= utf8.RuneSelf:
			if !end && !utf8.FullRune(b[i:]) {
				return i
			}
			var r rune
			if r, n = utf8.DecodeRune(b[i:]); r == utf8.RuneError && n == 1 || !inXML(r) {
				blank(b[i : i+n])
			}
		case c == '&':
			ref, whole := reference(b[i:])
			if !end && !whole {
				return i
			}
			if n = len(ref); forbidden(ref) {
				blank(ref)
			}
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			b[i] = ' '
		}
		i += n
	}
	return len(b)
}

func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

// reference is the numeric character reference at the beginning of b, or its ampersand
// alone. It is not whole where more octets might make it one.
func reference(b []byte) (ref []byte, whole bool) {
	if len(b) > 1 && b[1] != '#' {
		return b[:1], true
	}
	for i, c := range b[:min(len(b), maxReference)] {
		switch {
		case c == ';':
			return b[:i+1], true
		case i > 1 && c != 'x' && (c < '0' || c > '9') && (c|' ' < 'a' || c|' ' > 'f'):
			return b[:1], true
		}
	}
	return b[:1], len(b) >= maxReference
}

// forbidden says whether a character reference names what XML forbids.
func forbidden(ref []byte) bool {
	if len(ref) < 4 {
		return false
	}
	digits, base := string(ref[2:len(ref)-1]), 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return err == nil && n <= utf8.MaxRune && !inXML(rune(n))
}

// inXML says whether a character may stand in XML 1.0 (section 2.2).
func inXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}
