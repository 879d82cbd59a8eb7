package marked

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// walkTeX goes through a block of LaTeX. Comments, verbatim text and the definitions of
// macros are left out.
func walkTeX(w *walker) {
	b := w.block
	for i := 0; i < len(b); {
		if i = w.until(i, `\%~$`); i == len(b) {
			return
		}
		next := i + 1
		switch b[i] {
		case '%':
			next = w.until(i, "\n")
			w.hide(i, next)
		case '~':
			if i == 0 || b[i-1] != '/' { // a tie, not a home directory
				w.put(" ", i, next)
			}
		case '\\':
			next = w.command(i)
		default:
			if n := mathTilde(b[i:]); n > 0 {
				next += n - 1
				w.put("~", i, next)
			}
		}
		i = next
	}
}

// command gives out what a command at i says, and where to go on.
func (w *walker) command(i int) int {
	b := w.block
	name, next := texName(b, i)
	switch name {
	case "url", "nolinkurl", "burl":
		from, to, end, ok := w.texArgument(next, true)
		if !ok {
			break
		}
		w.skip(i, end)
		w.texLink(from, to, nil)
		return end
	case "href":
		from, to, end, ok := w.texArgument(w.texOption(next), false)
		if !ok {
			break
		}
		textFrom, textTo, textEnd, labelled := w.texArgument(end, false)
		if !labelled {
			textFrom, textTo, textEnd = end, end, end
		}
		w.skip(i, textEnd)
		w.texLink(from, to, b[textFrom:textTo])
		return textEnd
	case "htmladdnormallink", "htmladdnormallinkfoot": // of LaTeX2HTML, section html.sty
		textFrom, textTo, end, ok := w.texArgument(next, false)
		from, to, end, ok2 := w.texArgument(end, false)
		if !ok || !ok2 {
			break
		}
		w.skip(i, end)
		w.texLink(from, to, b[textFrom:textTo])
		return end
	case "verb", "lstinline":
		if _, _, end, ok := w.texArgument(next, true); ok {
			w.skip(i, end)
			return end
		}
	case "path": // sets an address as \url does, and links nothing (url package, section 1)
		if from, to, end, ok := w.texArgument(next, true); ok {
			w.skip(i, end)
			w.apart(plainTeX(b[from:to]), from)
			return end
		}
	case "newcommand", "renewcommand", "providecommand", "def", "gdef", "edef", "newenvironment", "renewenvironment":
		if end := w.texDefinition(next); end > 0 {
			w.skip(i, end)
			return end
		}
	}
	text, next := texText(b, i)
	w.put(text, i, next)
	return next
}

// texLink gives out the argument of a command as a reference. Blanks and line ends are
// nothing in it (url package, section 1).
func (w *walker) texLink(from, to int, context []byte) {
	ref := plainTeX(w.block[from:to])
	switch {
	case strings.HasPrefix(ref, "www."):
		w.apart(ref, from)
	case strings.IndexByte(ref, '@') < 0 || strings.ContainsAny(ref, "/:"): // else a mail address
		w.link(ref, from, to, context)
	}
}

// apart searches the argument of a command, which stands at i, as text of its own.
func (w *walker) apart(text string, i int) {
	w.text.Flush()
	w.put(text, i, i)
	w.text.Flush()
}

// plainTeX undoes the commands in the argument of a command that holds an address.
func plainTeX(b []byte) string {
	var s strings.Builder
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case ascii.Space(c):
			i++
		case c == '%' && i+1 < len(b) && b[i+1] == '\n':
			i++
		case c == '{' && i+1 < len(b) && b[i+1] == '\\': // {\_}
			text, next := texText(b, i+1)
			s.WriteString(text)
			if i = next; i < len(b) && b[i] == '}' {
				i++
			}
		case c == '$' && mathTilde(b[i:]) > 0:
			s.WriteByte('~')
			i += mathTilde(b[i:])
		case c == '\\':
			text, next := texText(b, i)
			s.WriteString(text)
			if text == " " {
				s.WriteByte('\\') // a macro: nobody knows what it stands for
			}
			i = next
		default:
			s.WriteByte(c)
			i++
		}
	}
	return s.String()
}

// texFence recognises environments whose text is taken as it stands.
func texFence(line, _ []byte) *fence {
	_, name, ok := bytes.Cut(line, []byte(`\begin{`))
	if name, _, _ = bytes.Cut(name, []byte{'}'}); !ok {
		return nil
	}
	switch string(bytes.TrimSuffix(name, []byte{'*'})) {
	case "verbatim", "Verbatim", "lstlisting", "minted", "comment", "filecontents":
		end := append(append([]byte(`\end{`), name...), '}')
		return &fence{func(line []byte) bool { return bytes.Contains(line, end) }, true}
	}
	return nil
}
