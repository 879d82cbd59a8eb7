package report

import "unicode/utf8"

const hex = "0123456789abcdef"

// AppendJSON appends s as a JSON string that may stand inside an HTML script
// element: < > & and the line separators U+2028 and U+2029 are escaped.
func AppendJSON(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			to = append(append(to, s[start:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				to = append(append(to, s[start:i]...), `\ufffd`...)
			case r == '\u2028' || r == '\u2029':
				to = append(append(to, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			default:
				i += size
				continue
			}
		}
		i += size
		start = i
	}
	return append(append(to, s[start:]...), '"')
}
