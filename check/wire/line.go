package wire

import (
	"bufio"
	"net"
	"strings"
)

// MaxLine bounds one line of a line protocol, its end included.
const MaxLine = 4096

// NewReader gives a reader that fits ReadLine.
func NewReader(c net.Conn) *bufio.Reader { return bufio.NewReaderSize(c, MaxLine) }

// ReadLine reads one line without its CR LF or LF. At the end of the stream it
// returns what came, with io.EOF. A line over MaxLine gives ErrLineTooLong.
func ReadLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = ErrLineTooLong
	}
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
		if n > 0 && line[n-1] == '\r' {
			n--
		}
	}
	return string(line[:n]), err
}

// LineSafe reports whether no part holds a NUL, CR or LF, so that the parts may be
// sent in a line protocol. Where one does, the error to give is ErrControl.
func LineSafe(parts ...string) bool {
	for _, p := range parts {
		if strings.ContainsAny(p, "\x00\r\n") {
			return false
		}
	}
	return true
}
