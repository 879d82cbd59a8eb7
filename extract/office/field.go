package office

import "strings"

// fieldLink gives the reference of a field of Word or RTF (ECMA-376 part 1 section
// 17.16.5.25): HYPERLINK "address" \l "place". "" for every other, and for a place in the
// same document.
func fieldLink(code string) string {
	name, rest := fieldWord(code)
	switch strings.ToUpper(name) {
	case "HYPERLINK", "INCLUDEPICTURE", "INCLUDETEXT":
	default:
		return ""
	}
	ref, place := "", ""
	for rest != "" {
		var word string
		word, rest = fieldWord(rest)
		switch {
		case word == `\l` || word == `\L`:
			place, rest = fieldWord(rest)
		case word == `\o` || word == `\t` || word == `\O` || word == `\T` || word == `\c`:
			_, rest = fieldWord(rest)
		case ref == "" && !strings.HasPrefix(word, `\`):
			ref = word
		}
	}
	return withPlace(ref, place)
}

// fieldWord cuts the first word off a field's code. In quotes a backslash stands before
// what it takes the meaning of.
func fieldWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\n\u00a0")
	if s == "" {
		return "", ""
	}
	closing := ""
	for _, q := range []string{`"`, "\u201c"} {
		if after, ok := strings.CutPrefix(s, q); ok {
			s, closing = after, q
		}
	}
	if closing == "" {
		n := strings.IndexAny(s, " \t\r\n\"\u00a0")
		if n <= 0 {
			n = len(s)
		}
		return s[:n], s[n:]
	}
	if closing != `"` {
		word, rest, _ = strings.Cut(s, "\u201d")
		return word, rest
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"'):
			i++
			b.WriteByte(s[i])
		case s[i] == '"':
			return b.String(), s[i+1:]
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}

// withPlace is a target with a place in it: target#place.
func withPlace(target, place string) string {
	if target == "" || place == "" || strings.Contains(target, "#") {
		return target
	}
	return target + "#" + strings.TrimPrefix(place, "#")
}

// formulaLinks gives the addresses of the calls of HYPERLINK in a formula: those that are
// spelled out, in one string or several that & joins. linked says that there is such a call
// at all: the value of the cell is its text then.
func formulaLinks(formula string) (refs []string, linked bool) {
	for i := 0; i < len(formula); {
		switch c := formula[i]; {
		case c == '"':
			_, i = formulaString(formula, i)
		case (c == 'H' || c == 'h') && len(formula)-i > len(hyperlink) && strings.EqualFold(formula[i:i+len(hyperlink)], hyperlink):
			i += len(hyperlink)
			linked = true
			var ref string
			if ref, i = formulaArgument(formula, i); ref != "" {
				refs = append(refs, ref)
			}
		default:
			i++
		}
	}
	return refs, linked
}

const hyperlink = "HYPERLINK("

// formulaArgument reads strings that are joined; "" where there is anything else.
func formulaArgument(s string, i int) (value string, next int) {
	var b strings.Builder
	for {
		i = blanks(s, i)
		if i >= len(s) || s[i] != '"' {
			return "", i
		}
		var piece string
		piece, i = formulaString(s, i)
		b.WriteString(piece)
		i = blanks(s, i)
		switch {
		case i >= len(s):
			return "", i
		case s[i] == '&':
			i++
		case s[i] == ',' || s[i] == ';' || s[i] == ')':
			return b.String(), i
		default:
			return "", i
		}
	}
}

// formulaString reads the string that begins at s[i]; a quote in it is written twice.
func formulaString(s string, i int) (value string, next int) {
	from := i + 1
	for i = from; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		return strings.ReplaceAll(s[from:i], `""`, `"`), i + 1
	}
	return s[min(from, len(s)):], len(s)
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}
