package marked

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// destination is where a link of Markdown leads (CommonMark section 6.3).
type destination struct {
	ref      string // escapes and character references undone
	from, to int    // where it stands
	next     int    // behind the link
}

// inlineDestination reads the destination and title at i, up to the closing parenthesis.
func inlineDestination(b []byte, i int) (d destination, ok bool) {
	if d, ok = linkDestination(b, ascii.Skip(b, i, ascii.Space)); !ok {
		return d, false
	}
	end := titleEnd(b, ascii.Skip(b, d.next, ascii.Space))
	end = ascii.Skip(b, end, ascii.Space)
	if end >= len(b) || b[end] != ')' {
		return d, false
	}
	d.next = end + 1
	return d, true
}

// definedDestination reads that of a definition, up to the end of its line.
func definedDestination(b []byte, i int) (d destination, ok bool) {
	if d, ok = linkDestination(b, ascii.Skip(b, i, ascii.Space)); !ok || d.from == d.to {
		return d, false
	}
	end := ascii.Skip(b, d.next, ascii.Blank)
	end = ascii.Skip(b, titleEnd(b, end), ascii.Blank)
	d.next = end
	return d, end >= len(b) || b[end] == '\n' || b[end] == '\r'
}

// linkDestination reads what stands in angle brackets, or up to a blank or to a
// parenthesis that nothing opened inside.
func linkDestination(b []byte, i int) (d destination, ok bool) {
	if i < len(b) && b[i] == '<' {
		end := i + bytes.IndexAny(b[i:min(len(b), i+maxReach)], ">\n")
		if end < i || b[end] != '>' {
			return d, false
		}
		return destination{plainMarkdown(b[i+1 : end]), i + 1, end, end + 1}, true
	}
	depth, end := 0, i
	for ; end < len(b) && b[end] > ' ' && end-i < maxReach; end++ {
		if b[end] == '\\' && end+1 < len(b) && punctuation(b[end+1]) {
			end++
		} else if b[end] == '(' {
			depth++
		} else if b[end] == ')' {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	end = min(end, len(b))
	return destination{plainMarkdown(b[i:end]), i, end, end}, depth == 0
}

// titleEnd is where the title ends that begins at i; i where there is none.
func titleEnd(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	close := b[i]
	switch close {
	case '"', '\'':
	case '(':
		close = ')'
	default:
		return i
	}
	for j := i + 1; j < min(len(b), i+maxReach); j++ {
		switch b[j] {
		case '\\':
			j++
		case close:
			return j + 1
		}
	}
	return i
}

// plainMarkdown undoes backslash escapes and character references.
func plainMarkdown(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return unescape(string(b))
	}
	var s strings.Builder
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) && punctuation(b[i+1]) {
			i++
		}
		s.WriteByte(b[i])
	}
	return unescape(s.String())
}
