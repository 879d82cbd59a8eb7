package marked

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// SniffTexinfo recognises Texinfo by its name or by its first line.
func SniffTexinfo(p doc.Peek) bool {
	return named(p, ".texi", ".texinfo", ".txi") || p.TextBegins(`\input texinfo`)
}

// ReadTexinfo reads Texinfo.
func ReadTexinfo(d *doc.Document) error { return read(d, language{walkTexinfo, texinfoFence}) }

// walkTexinfo goes through a block of Texinfo (GNU Texinfo 7.1).
func walkTexinfo(w *walker) {
	b := w.block
	for i := 0; i < len(b); {
		if i = w.until(i, "@"); i == len(b) {
			return
		}
		name, next := texName(b, i)
		switch name {
		case "c", "comment":
			if w.firstOnLine(i) {
				next = w.until(i, "\n")
				w.hide(i, next)
				i = next
				continue
			}
		case "uref", "url": // section "Referring to a Resource in a Browser"
			if end := w.uref(i, next); end > 0 {
				i = end
				continue
			}
		case "image": // its argument is the name of a file
			if w.has(next, "{") && w.closing(next) > 0 {
				i = w.closing(next) + 1
				w.skip(next, i)
				continue
			}
		}
		text, next := texinfoText(b, i)
		w.put(text, i, next)
		i = next
	}
}

// uref gives out the link at i, whose argument begins at open: an address, behind a comma
// its text. It says where to go on, 0 where there is none.
func (w *walker) uref(i, open int) int {
	if !w.has(open, "{") {
		return 0
	}
	close := w.closing(open)
	if close < 0 {
		return 0
	}
	ref, label, _ := bytes.Cut(w.block[open+1:close], []byte{','})
	w.skip(i, close+1)
	w.link(undone(ref, '@', texinfoText), open+1, open+1+len(ref), label)
	return close + 1
}

// texinfoText is what the command at i stands for (sections "Inserting @ and {} and ,",
// "Preventing Hyphenation"), and where to go on: nothing where a word may break, and for a
// command whose argument is shown as it stands.
func texinfoText(b []byte, i int) (text string, next int) {
	name, next := texName(b, i)
	switch name {
	case "":
		switch c := b[next-1]; {
		case c == '-' || c == '/' || c == ':':
			return "", next
		case ascii.Space(c) || c == '*':
			return " ", next
		default:
			return string(b[next-1 : next]), next
		}
	case "comma":
		return ",", texGroup(b, next)
	case "atchar":
		return "@", texGroup(b, next)
	case "lbracechar":
		return "{", texGroup(b, next)
	case "rbracechar":
		return "}", texGroup(b, next)
	case "hashchar":
		return "#", texGroup(b, next)
	}
	if i > 0 && ascii.Alnum(b[i-1]) { // a mail address whose @ was not doubled
		return "@" + name, next
	}
	return "", next
}

// texinfoFence recognises text that nobody sees.
func texinfoFence(line, _ []byte) *fence {
	if !bytes.HasPrefix(line, []byte("@ignore")) {
		return nil
	}
	return &fence{func(line []byte) bool { return bytes.HasPrefix(line, []byte("@end ignore")) }, true}
}
