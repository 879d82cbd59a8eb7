package extract

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// rawLines gives the physical lines of a stream with their numbers. A line that
// is longer than the reader's buffer comes in pieces that share a number.
type rawLines struct {
	in     *bufio.Reader
	number int   // of the line given last, from 1
	read   int64 // bytes given so far
	middle bool  // the piece given last did not end its line
}

func newRawLines(in *bufio.Reader) *rawLines { return &rawLines{in: in} }

// next gives the next line with its terminator; start says whether a line begins
// with it. The bytes are good until the next call. The last error is io.EOF.
func (l *rawLines) next() (line []byte, start bool, err error) {
	line, err = l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = nil
	}
	if len(line) == 0 {
		return nil, false, err
	}
	if err == io.EOF {
		err = nil // it comes again with the next call
	}
	start = !l.middle
	if start {
		l.number++
	}
	l.read += int64(len(line))
	l.middle = line[len(line)-1] != '\n'
	return line, start, err
}

// chop cuts the line terminator off.
func chop(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// blankLine says whether a line holds nothing that shows.
func blankLine(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// uncontrolled drops what may never stand in a URI: NUL and line breaks.
func uncontrolled(s string) string {
	for i := range len(s) {
		if c := s[i]; c == 0 || c == '\r' || c == '\n' {
			return strings.NewReplacer("\x00", "", "\r", "", "\n", "").Replace(s)
		}
	}
	return s
}
