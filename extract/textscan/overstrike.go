package textscan

import (
	"bytes"
	"unicode/utf8"
)

// strikes hands on text without what printers struck over: "x\bx" for a bold letter, "_\bx"
// for an underlined one, as nroff writes them. Each letter keeps its place in the file.
type strikes struct {
	feed *Feed
	held []byte // of a line that has not ended
	gone int    // bytes left out before the next letter
}

func (s *strikes) Write(b []byte) (int, error) {
	n := len(b)
	if len(s.held) > 0 {
		b = append(s.held, b...)
		s.held = nil
	}
	if bytes.IndexByte(b, '\b') < 0 {
		return n, s.add(b)
	}
	eol := bytes.LastIndexByte(b, '\n') + 1
	if len(b)-eol > maxLine {
		eol = len(b)
	}
	s.held = bytes.Clone(b[eol:])
	return n, s.undo(b[:eol])
}

func (s *strikes) undo(b []byte) error {
	for {
		i := bytes.IndexByte(b, '\b')
		if i < 0 {
			return s.add(b)
		}
		_, n := utf8.DecodeLastRune(b[:i])
		from, to := i-n, i+1 // of what is left out: the letter below, and the stroke
		switch {
		case i == 0 || b[from] == '\n':
			from = i
		case bytes.HasPrefix(b[to:], []byte("_")): // the line is drawn behind the letter
			from, to = i, to+1
		}
		if err := s.add(b[:from]); err != nil {
			return err
		}
		s.gone += to - from
		b = b[to:]
	}
}

// add hands on text that stands behind what was left out.
func (s *strikes) add(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	gone := s.gone
	s.gone = 0
	if !s.feed.Add(b, s.feed.line, s.feed.col+gone) {
		return errStopped
	}
	return nil
}

// end hands on what is held.
func (s *strikes) end() error {
	b := s.held
	s.held = nil
	return s.undo(b)
}
