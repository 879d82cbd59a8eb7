package records

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// maxNext is how many octets the tags may have by which the next record is known.
const maxNext = 4 << 10

// tooLong is the fault of a record over maxRecord.
const tooLong = "longer than 16 MiB"

// errForm is the error of what is not well formed.
var errForm = errors.New("not well formed")

// fault is the error of a page that the decoder could not go on with.
func (s *scanner) fault(err error) error {
	switch syntax := (*xml.SyntaxError)(nil); {
	case errors.Is(err, errTooLong), errors.Is(err, errTag):
		return err
	case len(s.open) == 0 && (err == io.EOF || errors.As(err, &syntax)):
		return &Other{s.src.firstLine()}
	case err == io.EOF:
		return ErrCut
	case errors.As(err, &syntax):
		if _, err := s.src.ReadByte(); err == io.EOF {
			return ErrCut
		}
		return fmt.Errorf("%w: %.200s", errForm, syntax.Msg)
	}
	return err
}

// passOver goes on behind an entry in which a fault was met: where the next one begins, or what
// stands around them ends, as the page's own tags say. That is looked for from where the bad one
// began: what it leaves open may have taken in others. The error is the fault itself where
// it is none of an entry, or nothing follows: then the page is cut, or its frame is broken.
func (s *scanner) passOver(fault error) error {
	if s.entry == 0 || !errors.Is(fault, errForm) && fault != ErrCut {
		return fault
	}
	prefix := ""
	if name := s.open[s.entry-1]; name.Space != "" {
		prefix = regexp.QuoteMeta(name.Space) + ":"
	}
	next, err := regexp.Compile(fmt.Sprintf(s.next, prefix))
	if err != nil || !s.src.find(next) {
		return fault
	}
	text := fault.Error()
	if fault == ErrCut {
		text = errForm.Error() + ": something in it has no end"
	}
	s.close(s.entry)
	s.entry, s.inside, s.bare, s.text = 0, 0, false, s.text[:0]
	s.decode()
	return s.page.fault(text)
}

// decode begins to take apart what comes next.
func (s *scanner) decode() {
	s.from = s.src.offset()
	s.dec = xml.NewDecoder(s.src)
	s.dec.Strict = false
}

// close ends the open elements from a depth on, with what they declare.
func (s *scanner) close(depth int) {
	s.open = s.open[:depth-1]
	for len(s.spaces) > 0 && s.spaces[len(s.spaces)-1].depth >= depth {
		s.spaces = s.spaces[:len(s.spaces)-1]
	}
}

// find goes to the next match behind the first octet that is kept, if there is one.
func (s *source) find(next *regexp.Regexp) bool {
	s.stop, s.at = 0, 0
	if !s.lost {
		s.at = int(s.keep-s.base) + 1
	}
	for {
		s.keep = s.base + int64(s.at)
		if at := next.FindIndex(s.buf[s.at:]); at != nil {
			s.at += at[0]
			s.keep = s.base + int64(s.at)
			return true
		}
		if s.err != nil {
			return false
		}
		s.at = max(s.at, len(s.buf)-maxNext)
		s.keep = s.base + int64(s.at)
		s.fill()
	}
}
