package gopher

import (
	"bytes"
	"strconv"
	"strings"
)

// item is one line of a menu: RFC 1436 section 2.
type item struct {
	Type     byte
	Display  string
	Selector string
	Host     string
	Port     int
}

// menu gives the items of a menu that point somewhere, in order. Information
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
	for len(body) > 0 {
		l, rest, _ := bytes.Cut(body, []byte("\n"))
		s := string(bytes.TrimSuffix(l, []byte("\r")))
		if s == "." {
			break
		}
		all, body = append(all, s), rest
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

// isInfo tells lines that are text for the reader.
func (i item) isInfo() bool { return i.Type == 'i' }

// isError tells a line by which a server says no: type 3, or the host that UMN
// gopherd puts into its errors whatever their type (REAL-SERVERS D 1).
func (i item) isError() bool {
	return i.Type == '3' || strings.EqualFold(i.Host, "error.host")
}
