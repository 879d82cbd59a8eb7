package doc

import (
	"bytes"
	"io"
	"iter"
)

// Lines gives the physical lines of a document. A line that is longer than the
// buffer of the document comes in pieces that share a number.
type Lines struct {
	Number int   // of the line at hand, from 1
	End    int64 // bytes of the document up to the end of the line at hand

	d      *Document
	middle bool // the piece given last did not end its line
	err    error
}

// Lines gives what is left of d line by line.
func (d *Document) Lines() *Lines { return &Lines{d: d} }

// All gives each line with its terminator; start says whether a line begins with
// it. The bytes are good until the next one. It ends where the document does, and
// when the caller of the document wants no more.
func (l *Lines) All() iter.Seq2[[]byte, bool] {
	return func(yield func(line []byte, start bool) bool) {
		for !l.d.Stopped() {
			line, err := l.d.In.ReadSlice('\n')
			if len(line) == 0 {
				l.err = err
				return
			}
			start := !l.middle
			if start {
				l.Number++
			}
			l.End += int64(len(line))
			l.middle = line[len(line)-1] != '\n'
			if !yield(line, start) {
				return
			}
		}
	}
}

// Err is the error that ended All, nil at the end of the document.
func (l *Lines) Err() error { return IgnoreEOF(l.err) }

// IgnoreEOF is err, or nil for io.EOF.
func IgnoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// Chop cuts the line terminator off.
func Chop(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// BlankLine says whether a line holds nothing that shows.
func BlankLine(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
