package marked

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// texName gives the name of the command whose backslash is at i, "" for one of a single
// character that is no letter, and what follows it.
func texName(b []byte, i int) (name string, next int) {
	next = ascii.Skip(b, i+1, ascii.Letter)
	if next == i+1 {
		return "", min(i+2, len(b))
	}
	return string(b[i+1 : min(next, i+1+maxTeXName)]), next
}

const maxTeXName = 40 // bytes of the name of a command

// texText is what the command at i stands for in an address, and where to go on: nothing
// where lines may break, a blank for a command that nobody here knows.
func texText(b []byte, i int) (text string, next int) {
	name, next := texName(b, i)
	if name == "" {
		c := b[next-1]
		switch c {
		case '#', '%', '_', '&', '$', '{', '}':
			return string(c), next
		case '~', '^':
			return string(c), texGroup(b, next)
		case '-', '/':
			return "", next
		}
		return " ", next
	}
	switch name {
	case "textasciitilde", "sim":
		return "~", texEnd(b, next)
	case "textunderscore":
		return "_", texEnd(b, next)
	case "slash":
		return "/", texEnd(b, next)
	case "string", "protect":
		return "", next
	case "allowbreak", "linebreak", "discretionary", "hspace", "penalty":
		for _, close := range "]}}}" { // the arguments, which are short
			open := byte('[')
			if close == '}' {
				open = '{'
			}
			if n := bytes.IndexByte(b[next:min(len(b), next+maxTeXName)], byte(close)); n > 0 && b[next] == open {
				next += n + 1
			}
		}
		return "", ascii.Skip(b, ascii.Skip(b, next, ascii.Digit), ascii.Blank)
	}
	return " ", next
}

// texGroup steps over the {} that ends the name of a command.
func texGroup(b []byte, i int) int {
	if bytes.HasPrefix(b[i:], []byte("{}")) {
		return i + 2
	}
	return i
}

// texEnd steps over what ends the name of a command of letters: {}, or blanks.
func texEnd(b []byte, i int) int {
	if next := texGroup(b, i); next > i {
		return next
	}
	return ascii.Skip(b, i, ascii.Blank)
}

// mathTilde is the length of a tilde in mathematics at the front of b.
func mathTilde(b []byte) int {
	for _, s := range []string{`$\sim$`, `${\sim}$`, `$_{\sim}$`, `$^\sim$`, `$\tilde{}$`} {
		if bytes.HasPrefix(b, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// texOption steps over an argument in square brackets, and blanks before it.
func (w *walker) texOption(i int) int {
	if j := ascii.Skip(w.block, i, ascii.Space); j < len(w.block) && w.block[j] == '[' {
		if end := w.closing(j); end > 0 {
			return end + 1
		}
	}
	return i
}

// texArgument finds the argument of a command, in braces, or where it may be so between
// two of another character, and what follows it.
func (w *walker) texArgument(i int, delimited bool) (from, to, next int, ok bool) {
	b := w.block
	i = ascii.Skip(b, i, ascii.Space)
	switch {
	case i >= len(b):
	case b[i] == '{':
		if to := w.closing(i); to > 0 {
			return i + 1, to, to + 1, true
		}
	case delimited && !ascii.Alnum(b[i]) && b[i] != '\\' && b[i] != '*':
		if end := w.run(i+1, string(b[i])); end < len(b) && b[end] == b[i] {
			return i + 1, end, end + 1, true
		}
	}
	return i, i, i, false
}

// texDefinition is where the definition of a macro ends whose name stands at i; 0 where
// that is not to be seen.
func (w *walker) texDefinition(i int) int {
	if w.has(i, "*") {
		i++
	}
	if _, _, next, ok := w.texArgument(i, false); ok { // {\name}
		i = w.texOption(w.texOption(next))
	}
	if i = w.run(i, "{"); i >= len(w.block) || w.block[i] != '{' {
		return 0
	}
	return w.closing(i) + 1
}
