package gopher

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"linkcheck/check/wire"
	"linkcheck/uri"
)

// item is one line of a menu: RFC 1436 section 2.
type item struct {
	Type     byte
	Display  string
	Selector string
	Host     string
	Port     int
}

// menu returns the items of a menu that point somewhere, in order. Information
// lines, errors and lines that are no items are left out.
func menu(body []byte) []item {
	var items []item
	for _, l := range lines(body) {
		if i, ok := parseItem(l); ok && !i.isInfo() && !i.isError() {
			items = append(items, i)
		}
	}
	return items
}

// lines splits a body at its ends of line and stops at the "." line.
func lines(body []byte) []string {
	var all []string
	for l := range bytes.Lines(body) {
		s := strings.TrimSuffix(strings.TrimSuffix(string(l), "\n"), "\r")
		if s == "." {
			break
		}
		all = append(all, s)
	}
	return all
}

// parseItem reads "Tdisplay TAB selector TAB host TAB port [TAB +]".
func parseItem(l string) (item, bool) {
	f := strings.Split(l, "\t")
	if len(f) < 4 || len(f[0]) == 0 {
		return item{}, false
	}
	port, err := strconv.Atoi(strings.TrimSpace(f[3]))
	if err != nil || port < 0 || port > 65535 {
		return item{}, false
	}
	return item{Type: f[0][0], Display: f[0][1:], Selector: f[1], Host: strings.TrimSpace(f[2]), Port: port}, true
}

// isInfo recognizes lines that are text for the reader.
func (i item) isInfo() bool { return i.Type == 'i' }

// isError recognizes lines by which a server says no: type 3, or the host that UMN
// gopherd puts into its errors whatever their type (REAL-SERVERS D 1).
func (i item) isError() bool { return i.Type == '3' || strings.EqualFold(i.Host, "error.host") }

// parseHeader splits a Gopher+ answer into its first line ("+24", "+-1", "--2"), of
// which ok is the sign, and what follows. The number is a length, not a code: exact,
// or -1 until the "." line, or -2 until the end. found is false where the answer has
// no header.
func parseHeader(answer []byte) (ok bool, rest []byte, found bool) {
	first, rest, ended := bytes.Cut(answer, []byte("\n"))
	first = bytes.TrimSuffix(first, []byte("\r"))
	if !ended || len(first) < 2 || len(first) > 12 || first[0] != '+' && first[0] != '-' {
		return false, nil, false
	}
	n, err := strconv.Atoi(string(first[1:]))
	if err != nil || n < -2 {
		return false, nil, false
	}
	if n >= 0 && n < len(rest) {
		rest = rest[:n] // a "." line may follow an exact length (REAL-SERVERS D 4)
	}
	return first[0] == '+', rest, true
}

// url returns the gopher URL of an item of a menu.
func (i item) url() string {
	return fmt.Sprintf("gopher://%s/%c%s", net.JoinHostPort(i.Host, strconv.Itoa(i.Port)), i.Type, escape(i.Selector))
}

// escape encodes what may not stand in a URL path (rfc1738bis section 2.3.1:
// no characters are reserved).
func escape(s string) string { return wire.Escape(s, "\"#%<>?[\\]^`{|}") }

// readAnswer reads until the server closes, enough says so, or max octets have
// come. What was read is given also beside an error; an answer that fills the
// limit is none.
func readAnswer(r io.Reader, max int, enough func(soFar []byte) bool) ([]byte, error) {
	var all []byte
	buf := make([]byte, 4<<10)
	for len(all) < max {
		n, err := r.Read(buf[:min(len(buf), max-len(all))])
		all = append(all, buf[:n]...)
		switch {
		case err == io.EOF, errors.Is(err, wire.ErrTooLong) && len(all) > 0, err == nil && enough(all):
			return all, nil
		case err != nil:
			return all, err
		}
	}
	return all, nil
}

func authority(at uri.Endpoint) string { return fmt.Sprintf("%s:%d", at.Host, at.Port) }
