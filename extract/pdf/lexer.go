package pdf

import "bytes"

// The kinds of tokens that are not told by their first octet.
const (
	tokenEnd     = 0
	tokenCut     = 'c' // the octets end within a token, and go on
	tokenNumber  = 'n'
	tokenKeyword = 'k'
	tokenOpen    = '{' // of a dictionary
	tokenClose   = '}'
)

// token is what a lexer takes at once. The octets of a name or string are good until the
// lexer gets others.
type token struct {
	kind byte // one of the above, '/' name, '(' string, '[', ']'
	num  float64
	text []byte
}

// lexer takes octets apart into tokens (ISO 32000-1 section 7.2).
type lexer struct {
	buf []byte
	pos int
	cut bool // the octets go on behind buf
}

// Classes of octets (ISO 32000-1 section 7.2.2).
const (
	classRegular = iota
	classBlank
	classDelimiter
)

var classes = func() (t [256]byte) {
	for _, c := range []byte("\x00\t\n\f\r ") {
		t[c] = classBlank
	}
	for _, c := range []byte("()<>[]{}/%") {
		t[c] = classDelimiter
	}
	return t
}()

// blanks steps over blanks and comments.
func (l *lexer) blanks() {
	for l.pos < len(l.buf) {
		switch c := l.buf[l.pos]; {
		case classes[c] == classBlank:
			l.pos++
		case c == '%':
			n := bytes.IndexAny(l.buf[l.pos:], "\r\n")
			if n < 0 {
				n = len(l.buf) - l.pos
			}
			l.pos += n
		default:
			return
		}
	}
}

// next gives the next token.
func (l *lexer) next() token {
	l.blanks()
	if l.pos >= len(l.buf) {
		if l.cut {
			return token{kind: tokenCut}
		}
		return token{}
	}
	switch c := l.buf[l.pos]; c {
	case '[', ']':
		l.pos++
		return token{kind: c}
	case '(':
		return l.literal()
	case '<':
		if l.pos+1 < len(l.buf) && l.buf[l.pos+1] == '<' {
			l.pos += 2
			return token{kind: tokenOpen}
		}
		return l.hex()
	case '>':
		if l.pos+1 == len(l.buf) && l.cut {
			return token{kind: tokenCut}
		}
		if l.pos++; l.pos < len(l.buf) && l.buf[l.pos] == '>' {
			l.pos++
		}
		return token{kind: tokenClose}
	case '/':
		return l.name()
	case '{', '}', ')':
		l.pos++
		return token{kind: tokenKeyword, text: l.buf[l.pos-1 : l.pos]}
	default:
		return l.word()
	}
}

// run gives the regular octets ahead; false where they may go on.
func (l *lexer) run(from int) ([]byte, bool) {
	i := from
	for i < len(l.buf) && classes[l.buf[i]] == classRegular {
		i++
	}
	return l.buf[from:i], i < len(l.buf) || !l.cut
}

// word is a number or a keyword.
func (l *lexer) word() token {
	w, whole := l.run(l.pos)
	if !whole {
		return token{kind: tokenCut}
	}
	l.pos += len(w)
	if f, ok := parseNumber(w); ok {
		return token{kind: tokenNumber, num: f}
	}
	return token{kind: tokenKeyword, text: w}
}

// parseNumber reads a number (section 7.3.3), and what other programs make of wrong ones:
// "--5" is -5, "1.2.3" is 1.2, "12-3" is 12.
func parseNumber(w []byte) (float64, bool) {
	i, negative := 0, false
	for i < len(w) && (w[i] == '+' || w[i] == '-') {
		negative = negative || w[i] == '-'
		i++
	}
	f, scale, digits := 0.0, 0.0, 0
	for ; i < len(w); i++ {
		switch c := w[i]; {
		case '0' <= c && c <= '9':
			digits++
			if scale == 0 {
				f = f*10 + float64(c-'0')
			} else {
				f += float64(c-'0') * scale
				scale /= 10
			}
		case c == '.' && scale == 0:
			scale = 0.1
		case (c == '.' || c == '-') && digits > 0:
			i = len(w)
		default:
			return 0, false
		}
	}
	if negative {
		f = -f
	}
	return f, digits > 0 || scale != 0
}

// name is a name without its slash (section 7.3.5).
func (l *lexer) name() token {
	w, whole := l.run(l.pos + 1)
	if !whole {
		return token{kind: tokenCut}
	}
	l.pos += 1 + len(w)
	if bytes.IndexByte(w, '#') >= 0 {
		plain := make([]byte, 0, len(w))
		for i := 0; i < len(w); i++ {
			if i+2 < len(w) && w[i] == '#' && hexDigit(w[i+1]) >= 0 && hexDigit(w[i+2]) >= 0 {
				plain = append(plain, byte(hexDigit(w[i+1])<<4|hexDigit(w[i+2])))
				i += 2
				continue
			}
			plain = append(plain, w[i])
		}
		w = plain
	}
	return token{kind: '/', text: w}
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// hex is a string in hexadecimal (section 7.3.4.3).
func (l *lexer) hex() token {
	n := bytes.IndexByte(l.buf[l.pos:], '>')
	if n < 0 {
		if l.cut {
			return token{kind: tokenCut}
		}
		n = len(l.buf) - l.pos
	}
	digits := l.buf[l.pos+1 : l.pos+n]
	l.pos = min(l.pos+n+1, len(l.buf))
	out := make([]byte, 0, len(digits)/2+1)
	half := -1
	for _, c := range digits {
		d := hexDigit(c)
		switch {
		case d < 0:
		case half < 0:
			half = d
		default:
			out = append(out, byte(half<<4|d))
			half = -1
		}
	}
	if half >= 0 {
		out = append(out, byte(half<<4))
	}
	return token{kind: '(', text: out}
}

// literal is a string in parentheses (section 7.3.4.2).
func (l *lexer) literal() token {
	depth, plain := 0, true
	for i := l.pos; i < len(l.buf); i++ {
		switch l.buf[i] {
		case '\\':
			plain = false
			i++
		case '\r':
			plain = false
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				raw := l.buf[l.pos+1 : i]
				l.pos = i + 1
				if plain {
					return token{kind: '(', text: raw}
				}
				return token{kind: '(', text: unescape(raw)}
			}
		}
	}
	if l.cut {
		return token{kind: tokenCut}
	}
	raw := l.buf[l.pos+1:]
	l.pos = len(l.buf)
	return token{kind: '(', text: unescape(raw)}
}

// unescape undoes the escapes of a string (section 7.3.4.2, table 3).
func unescape(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\r' {
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
			out = append(out, '\n')
			continue
		}
		if c != '\\' || i+1 >= len(raw) {
			out = append(out, c)
			continue
		}
		i++
		switch c = raw[i]; c {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
		case '\n':
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 0
			for j := 0; j < 3 && i < len(raw) && '0' <= raw[i] && raw[i] <= '7'; j++ {
				n = n<<3 | int(raw[i]-'0')
				i++
			}
			i--
			out = append(out, byte(n))
		default:
			out = append(out, c)
		}
	}
	return out
}
