package labtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// turn is one line of a script.
type turn struct {
	who  byte
	what string
}

func parse(script string) ([]turn, error) {
	var turns []turn
	for l := range strings.Lines(script) {
		l = strings.TrimLeft(strings.TrimRight(l, "\n"), "\t ")
		switch {
		case l == "" || l[0] == '#':
		case len(l) < 3 || l[1] != ':':
			return nil, fmt.Errorf("bad turn %q", l)
		default:
			turns = append(turns, turn{l[0], l[3:]})
		}
	}
	return turns, nil
}

// allowed is what the client may say although the script does not wait for it.
func allowed(turns []turn) (may []string) {
	for _, t := range turns {
		if t.who != 'c' {
			break
		}
		may = append(may, string(Unescape(t.what)))
	}
	return may
}

var escape = regexp.MustCompile(`(?s)\\(x[0-9a-fA-F]{2}|.)`)

// Unescape undoes the escapes of a script.
func Unescape(s string) []byte {
	return escape.ReplaceAllFunc([]byte(s), func(e []byte) []byte {
		if i := strings.IndexByte("rnt", e[1]); i >= 0 {
			return []byte{"\r\n\t"[i]}
		}
		if n, err := strconv.ParseUint(string(e[2:]), 16, 8); err == nil && e[1] == 'x' {
			return []byte{byte(n)}
		}
		return e[1:]
	})
}
