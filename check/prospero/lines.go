package prospero

import "strings"

// tokens splits a line at blanks as a server means it: a quote toggles quoting
// anywhere, also within a token, two quotes within quotes are one, and a pair
// of quotes alone is an empty token. Two blanks hold an empty token between
// them (REAL-SERVERS B4 and B5).
func tokens(line string) []string {
	var out []string
	var token strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			token.WriteByte(c)
			i++
		case c == '\'':
			quoted = !quoted
		case c == ' ' && !quoted:
			out = append(out, token.String())
			token.Reset()
		default:
			token.WriteByte(c)
		}
	}
	return append(out, token.String())
}

// word is the first word of a line: what kind of line it is.
func word(line string) string {
	w, _, _ := strings.Cut(line, " ")
	return strings.TrimRight(w, "\r\n")
}

// quote makes one token of s.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
