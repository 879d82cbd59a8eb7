package textscan

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// unquoted is a reference without the marks of quoted-printable (RFC 2045 section 6.7), where
// they stand in a text that does not say that it is encoded: those of equals signs, and of a
// blank at the end of the line. Those of other octets look like the values of a query.
func (s *scanner) unquoted(h hit) string {
	if !strings.Contains(h.uri, "=3D") && !strings.HasSuffix(h.uri, "=20") || !s.encoded(h) {
		return h.uri
	}
	uri := h.uri
	if eol := ascii.Skip(s.text, h.end, ascii.Blank); eol == len(s.text) || s.text[eol] == '\n' || s.text[eol] == '\r' {
		uri = strings.TrimSuffix(uri, "=20")
	}
	return strings.ReplaceAll(uri, "=3D", "=")
}

const encodedAround = 4 << 10 // bytes on both sides of a reference that are looked at

// encoded says whether the text around a reference has marks of quoted-printable, or the
// reference has none but encoded equals signs, and more than one.
func (s *scanner) encoded(h hit) bool {
	if n := strings.Count(h.uri, "=3D"); n > 1 && n == strings.Count(strings.TrimSuffix(h.uri, "=20"), "=") {
		return true
	}
	before := s.text[max(0, h.start-encodedAround):h.start]
	behind := s.text[h.end:min(len(s.text), h.end+encodedAround)]
	return s.tried(len(before)+len(behind)) && (marked(before) || marked(behind))
}

// marked says whether a text has what only quoted-printable has: blanks and equals signs at the
// ends of lines, octets in hexadecimal inside words.
func marked(text []byte) bool {
	for i := bytes.IndexByte(text, '='); i >= 0; {
		mark := text[i:min(len(text), i+3)]
		behind := bytes.TrimRight(text[i:min(len(text), i+5)][len(mark):], "\r")
		switch {
		case softBlank(mark) && (len(behind) == 0 || behind[0] == '\n') && !inQuery(text[:i]):
			return true
		case octetMark(mark) && i > 0 && ascii.Letter(text[i-1]) && len(behind) > 0 && (ascii.Letter(behind[0]) || behind[0] == '='):
			return true
		case string(mark) == `=3D` && len(behind) > 0 && behind[0] == '"':
			return true
		case len(mark) > 1 && (mark[1] == '\n' || mark[1] == '\r') && softEnd(text, i):
			return true
		}
		next := bytes.IndexByte(text[i+1:], '=')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// inQuery says whether a text ends in a word with a question mark.
func inQuery(text []byte) bool {
	return bytes.IndexByte(text[bytes.LastIndexAny(text, " \t\n")+1:], '?') >= 0
}

// softEnd says whether the "=" at text[i], which ends a line, is a soft break.
func softEnd(text []byte, i int) bool {
	width := i + 1 - lineStart(text, i)
	return 60 <= width && width <= 76+maxQuoting
}

// octetMark says whether b is the mark of an octet outside ASCII.
func octetMark(b []byte) bool {
	return len(b) == 3 && b[0] == '=' && hexDigit(b[1]) >= 8 && hexDigit(b[1]) < 16 && hexDigit(b[2]) < 16
}

// hexDigit is the value of a digit as encoders write it; 255 for what is none.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// softBreak says whether the "=" before tail is a soft line break of
// quoted-printable that was not decoded (RFC 2045 section 6.7): a line before or
// behind it ends so too, or it is as long as encoders make lines and the
// reference has no query that a value could be missing from, or an encoded one.
func softBreak(text []byte, tail int, ref string) bool {
	start, eol := lineStart(text, tail), lineEnd(text, tail)
	if text[tail-1] != '=' || tail-start > 76+maxQuoting {
		return false
	}
	before := bytes.TrimRight(text[:max(0, start-1)], "\r")
	behind := bytes.TrimRight(text[:lineEnd(text, min(eol+1, len(text)))], "\r")
	if bytes.HasSuffix(before, []byte("=")) || len(behind) > eol && bytes.HasSuffix(behind, []byte("=")) {
		return true
	}
	encoded := tail - start - len(quoteMark(text, tail))
	return 70 <= encoded && encoded <= 76 && (strings.IndexByte(ref, '?') < 0 || strings.Contains(ref, "=3D"))
}

const maxQuoting = 12 // bytes of marks of quoting before an encoded line
