package marked

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// SniffManual recognises a page of the manual by its title (man(7), mdoc(7)), behind
// comments and what else begins with a dot.
func SniffManual(p doc.Peek) bool {
	head := p.Text()
	if len(head) == 0 || head[0] != '.' && head[0] != '\'' {
		return false
	}
	title := func(request string) bool {
		return bytes.HasPrefix(head, []byte(request[1:])) || bytes.Contains(head, []byte(request))
	}
	return title("\n.TH ") || title("\n.Dd ")
}

// ReadManual reads a page of the manual.
func ReadManual(d *doc.Document) error { return read(d, language{walkManual, nil}) }

// walkManual goes through a block line by line: an address does not go on in the next one,
// but behind \c.
func walkManual(w *walker) {
	b := w.block
	for i := 0; i < len(b); {
		eol := min(len(b), w.until(i, "\n")+1)
		if b[i] == '.' || b[i] == '\'' {
			i = w.request(i, eol)
		}
		for i < eol {
			if i = min(eol, w.until(i, `\`)); i == eol {
				break
			}
			if w.has(i, `\"`) || w.has(i, `\#`) {
				w.hide(i, eol)
				break
			}
			text, next := roffText(b, i)
			if w.has(i, "\\\n") || w.has(i, "\\c\n") && !w.has(i+3, ".") {
				next, eol = eol, min(len(b), w.until(eol, "\n")+1)
			}
			w.put(text, i, next)
			i = next
		}
		w.textTo(eol)
		w.text.Flush()
		i = eol
	}
}

// request passes over the name of the request or macro at i, and gives out the link that it
// makes of its first argument (groff_man(7) UR, mdoc(7) Lk and %U). It says where the rest
// of the line begins.
func (w *walker) request(i, eol int) int {
	b := w.block
	name := ascii.Skip(b[:eol], i+1, ascii.Blank)
	from := name
	for from < eol && !ascii.Space(b[from]) && b[from] != '\\' {
		from++
	}
	w.skip(i, from)
	switch string(b[name:from]) {
	case "UR", "URL", "Lk", "%U":
		from = ascii.Skip(b[:eol], from, ascii.Blank)
		to := from
		for to < eol && !ascii.Space(b[to]) {
			to++
		}
		ref := strings.Trim(undone(b[from:to], '\\', roffText), `"`)
		if !mailAddress(ref) && w.link(ref, from, to, nil) {
			w.skip(from, to)
		}
		return to
	}
	return from
}

// mailAddress says whether a reference is name@host, which pages have behind UR where MT is
// meant (groff_man(7)): text, no relative reference.
func mailAddress(ref string) bool {
	return strings.Contains(ref, "@") && !strings.ContainsAny(ref, ":/?#")
}

// undone is text without escapes, which mark begins, and each standing for what says gives.
func undone(b []byte, mark byte, says func(b []byte, i int) (text string, next int)) string {
	var s strings.Builder
	for i := 0; i < len(b); {
		if b[i] != mark {
			s.WriteByte(b[i])
			i++
			continue
		}
		text, next := says(b, i)
		s.WriteString(text)
		i = next
	}
	return s.String()
}

// roffText is what the escape sequence at i stands for, and where to go on (groff(7),
// "Escape sequences"): nothing where a line may break or a font changes.
func roffText(b []byte, i int) (text string, next int) {
	if i+1 >= len(b) {
		return "", len(b)
	}
	next = i + 2
	switch c := b[i+1]; c {
	case 'e', '\\':
		return `\`, next
	case '~', '0', ' ', 't':
		return " ", next
	case '&', '%', ':', '/', ',', '^', '|', ')', 'c', 'u', 'd', '\n', '{', '}':
		return "", next
	case '(', '[':
		name, next := roffName(b, i+1)
		return glyph(name), next
	case '*', 'n':
		_, next := roffName(b, next)
		return " ", next
	case 'f', 'F', 'm', 'M':
		_, next := roffName(b, next)
		return "", next
	case 's':
		if next < len(b) && (b[next] == '+' || b[next] == '-') {
			next++
		}
		_, next := roffName(b, next)
		return "", next
	case 'h', 'v', 'w', 'l', 'z':
		if next < len(b) && b[next] == '\'' {
			if n := bytes.IndexByte(b[next+1:min(len(b), next+maxRoffName)], '\''); n >= 0 {
				return "", next + 1 + n + 1
			}
		}
		return "", next
	default:
		return string(rune(c)), next
	}
}

const maxRoffName = 80 // octets of the name of a character or a font

// roffName is the name at i: one letter, two behind a parenthesis, or what brackets hold.
func roffName(b []byte, i int) (name string, next int) {
	switch {
	case i >= len(b):
		return "", len(b)
	case b[i] == '(' && i+2 < len(b):
		return string(b[i+1 : i+3]), i + 3
	case b[i] == '[':
		if n := bytes.IndexByte(b[i:min(len(b), i+maxRoffName)], ']'); n > 0 {
			return string(b[i+1 : i+n]), i + n + 1
		}
	}
	return string(b[i : i+1]), i + 1
}

// glyph is the character with a name (groff_char(7)), of those that stand in addresses and
// around them; a blank for others.
func glyph(name string) string {
	const names = `ti~ha^rs\sl/hy-at@sh#Do$dq"lq"rq"oq'cq'aq'la<ra>lB[rB]lC{rC}ba|ul_pl+eq=.`
	if len(name) == 2 {
		for i := 0; i+2 < len(names); i += 3 {
			if names[i:i+2] == name {
				return names[i+2 : i+3]
			}
		}
	}
	if code, ok := strings.CutPrefix(name, "u"); ok {
		if r, err := strconv.ParseUint(code, 16, 21); err == nil && utf8.ValidRune(rune(r)) {
			return string(rune(r))
		}
	}
	return " "
}
