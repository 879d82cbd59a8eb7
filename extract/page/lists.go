package page

import (
	"strings"

	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
	"linkcheck/uri/secret"
)

// refs gives out a list of references between commas or blanks.
func (p *page) refs(t tag, a attr, base string) (swallowed bool) {
	if secret.SplitBy(a.value, ", \t\r\n\f") {
		return p.ref(t, a, base)
	}
	between := func(c byte) bool { return c == ',' || c <= ' ' }
	parts := parts{of: a}
	for start := 0; !swallowed; {
		start = ascii.Skip(a.value, start, between)
		end := ascii.Skip(a.value, start, func(c byte) bool { return !between(c) })
		if start == end {
			return false
		}
		swallowed = p.ref(t, parts.next(start, end), base)
		start = end
	}
	return true
}

// parts takes parts out of the value of an attribute, from its front to its end.
type parts struct {
	of         attr
	raw, value int // of.raw[:raw] stands for of.value[:value]
}

// next is a part of the value, as an attribute of its own.
func (p *parts) next(start, end int) attr {
	for p.value < start {
		rest := p.of.raw[p.raw:]
		n := strings.IndexByte(rest[:min(len(rest), start-p.value)], '&')
		text := ""
		switch {
		case n == 0:
			text, n = markup.Reference(rest)
			p.value += len(text)
		case n < 0:
			n = start - p.value
			p.value = start
		default:
			p.value += n
		}
		p.raw += n
	}
	s := apart(p.of.value[start:end], p.of.value)
	return attr{name: p.of.name, value: s, raw: s, off: p.of.off + p.raw}
}

// srcset gives out the candidates of a srcset: URL, blank, descriptors, comma. A
// comma inside a URL belongs to it (HTML, "parse a srcset attribute").
func (p *page) srcset(a attr) (swallowed bool) {
	if secret.SplitBy(a.value, ", \t\r\n\f") {
		return p.ref(tag{}, a, p.d.Base)
	}
	parts := parts{of: a}
	for start := 0; start < len(a.value) && !swallowed; {
		start = ascii.Skip(a.value, start, func(c byte) bool { return c == ',' || htmlBlank(c) })
		end := ascii.Skip(a.value, start, func(c byte) bool { return !htmlBlank(c) })
		u := strings.TrimRight(a.value[start:end], ",")
		next := end
		if len(u) == end-start { // descriptors may follow
			next = ascii.Skip(a.value, end, func(c byte) bool { return c != ',' }) + 1
		}
		if u != "" {
			swallowed = p.ref(tag{}, parts.next(start, start+len(u)), p.d.Base)
		}
		start = next
	}
	return swallowed
}

func htmlBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' }
