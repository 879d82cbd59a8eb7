package labtest

import (
	"fmt"
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

// Unescape undoes the escapes of a script.
func Unescape(s string) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'r':
			out = append(out, '\r')
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'x':
			n, err := strconv.ParseUint(s[i+1:min(i+3, len(s))], 16, 8)
			if err != nil {
				return append(out, s[i-1:]...)
			}
			out = append(out, byte(n))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return out
}
