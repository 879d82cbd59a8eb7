package gopher

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/uri"
)

// header is the first line of a Gopher+ answer: "+24", "+-1", "--2". The number
// is a length, not a code: exact, or -1 until the "." line, or -2 until the end.
type header struct {
	ok bool // '+'
}

// parseHeader splits a Gopher+ answer into its header and what follows. found
// is false where the answer has none.
func parseHeader(answer []byte) (h header, rest []byte, found bool) {
	first, rest, ended := bytes.Cut(answer, []byte("\n"))
	first = bytes.TrimSuffix(first, []byte("\r"))
	if !ended || len(first) < 2 || len(first) > 12 || first[0] != '+' && first[0] != '-' {
		return header{}, nil, false
	}
	n, err := strconv.Atoi(string(first[1:]))
	if err != nil || n < -2 {
		return header{}, nil, false
	}
	if n >= 0 && n < len(rest) {
		rest = rest[:n] // a "." line may follow an exact length (REAL-SERVERS D 4)
	}
	return header{ok: first[0] == '+'}, rest, true
}

// judgeRefusal reads the body of a "-" answer, "code administrator" and a text:
// 1 not available, 2 try later, 3 moved with a descriptor of the new place.
func judgeRefusal(rest []byte) check.Result {
	code, text, _ := strings.Cut(string(rest), "\n")
	text = strings.TrimSuffix(text, "\n.\r\n")
	switch {
	case strings.HasPrefix(code, "1") && strings.Contains(text, "Malformed command"):
		// Our request is meant, not the item (REAL-SERVERS D 2).
		return check.New(check.Undetermined, check.ReasonGopherErrorOther, text)
	case strings.HasPrefix(code, "1"):
		return check.New(check.Gone, check.ReasonGopherError1, text)
	case strings.HasPrefix(code, "2"):
		return check.New(check.Temporary, check.ReasonGopherError2, text)
	case strings.HasPrefix(code, "3"):
		r := check.New(check.Moved, check.ReasonGopherError3, text)
		if items := menu([]byte(text)); len(items) > 0 {
			r.SuggestedURL = items[0].url()
		}
		return r
	}
	return check.New(check.Undetermined, check.ReasonGopherErrorOther, string(rest))
}

// url gives the gopher URL of an item of a menu.
func (i item) url() string {
	return fmt.Sprintf("gopher://%s/%c%s", authority(uri.Endpoint{Host: bracketed(i.Host), Port: i.Port}), i.Type, escape(i.Selector))
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// escape encodes what may not stand in a URL path (rfc1738bis section 2.3.1:
// no characters are reserved).
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>?[\\]^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
