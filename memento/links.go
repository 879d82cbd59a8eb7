package memento

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// link is one link of a list (RFC 8288 section 3; as application/link-format RFC 6690
// section 2).
type link struct {
	target   string
	rel      []string
	datetime time.Time // RFC 7089 section 2.2.4; zero: none that can be read
}

func (l *link) is(rel string) bool { return slices.Contains(l.rel, rel) }

// parseLinks reads a list of links. What is none is passed over.
func parseLinks(text string) (list []link) {
	for {
		_, rest, ok := strings.Cut(text, "<")
		target, rest, closed := strings.Cut(rest, ">")
		if !ok || !closed {
			return list
		}
		l := link{target: strings.TrimSpace(target)}
		text = l.params(rest)
		list = append(list, l)
	}
}

// params reads the parameters behind a target, and gives what stands behind them.
func (l *link) params(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		rest, ok := strings.CutPrefix(text, ";")
		if !ok {
			return text
		}
		end := strings.IndexAny(rest, "=;,<")
		if end < 0 {
			return ""
		}
		name := strings.ToLower(strings.TrimSpace(rest[:end]))
		if text = rest[end:]; text[0] != '=' {
			continue
		}
		var value string
		value, text = paramValue(strings.TrimLeft(text[1:], " \t"))
		switch name {
		case "rel":
			l.rel = append(l.rel, strings.Fields(strings.ToLower(value))...)
		case "datetime":
			l.datetime, _ = http.ParseTime(value)
		}
	}
}

// paramValue gives the value at the beginning of a text, in quotes or not, and what follows.
func paramValue(text string) (value, rest string) {
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		value, rest, _ = strings.Cut(quoted, `"`)
		return value, rest
	}
	if end := strings.IndexAny(text, ";,<"); end >= 0 {
		return strings.TrimSpace(text[:end]), text[end:]
	}
	return strings.TrimSpace(text), ""
}

// mementos gives the copies among links (RFC 7089 section 2.2.4), relative ones in respect of
// base.
func mementos(base string, links []link) (list []Copy) {
	for _, l := range links {
		if !l.is("memento") {
			continue
		}
		if at, err := resolve(base, l.target); err == nil {
			list = append(list, Copy{URL: at, Made: l.datetime})
		}
	}
	return list
}
