package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// MaxLine bounds one line of a line protocol, its end included.
const MaxLine = 4096

// NewReader returns a reader that fits ReadLine.
func NewReader(c net.Conn) *bufio.Reader { return bufio.NewReaderSize(c, MaxLine) }

// ReadLine reads one line without its CR LF or LF. At the end of the stream it
// returns what came, with io.EOF. A line over MaxLine gives ErrLineTooLong.
func ReadLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = ErrLineTooLong
	}
	if whole, ok := bytes.CutSuffix(line, []byte("\n")); ok {
		line = bytes.TrimSuffix(whole, []byte("\r"))
	}
	return string(line), err
}

// ReplyCode splits a reply of three digits, as FTP and NNTP have them, from what
// follows. ok is false for a line that does not begin with a code of 100 or more.
func ReplyCode(line string) (code int, text string, ok bool) {
	if len(line) < 3 || strings.Trim(line[:3], "0123456789") != "" {
		return 0, "", false
	}
	code, _ = strconv.Atoi(line[:3])
	return code, line[3:], code >= 100
}

// FirstWords returns the line that has come already, at most 200 octets of it: what
// another protocol said in the place of an answer.
func FirstWords(r *bufio.Reader) string {
	come, _ := r.Peek(min(r.Buffered(), 200))
	line, _, _ := strings.Cut(string(come), "\n")
	return line
}

// Escape writes what may not stand in a line or a URL as %XX: blanks, controls, octets
// that are not ASCII, and those of special.
func Escape(s, special string) string {
	i := 0
	for i < len(s) && !escaped(s[i], special) {
		i++
	}
	if i == len(s) { // as most are
		return s
	}
	b := append(make([]byte, 0, len(s)+2), s[:i]...)
	for _, c := range []byte(s[i:]) {
		if escaped(c, special) {
			b = fmt.Appendf(b, "%%%02X", c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

func escaped(c byte, special string) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte(special, c) >= 0
}

// LineSafe reports whether no part holds a NUL, CR or LF, so that the parts may be
// sent in a line protocol. Where one does, the error to give is ErrControl.
func LineSafe(parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool {
		return strings.IndexByte(p, '\n') >= 0 || strings.IndexByte(p, '\r') >= 0 || strings.IndexByte(p, 0) >= 0
	})
}
