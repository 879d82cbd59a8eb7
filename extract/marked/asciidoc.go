package marked

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// walkAsciiDoc goes through a block of AsciiDoc (AsciiDoc Language Documentation, "Links"
// and "Document Attributes").
func walkAsciiDoc(w *walker) {
	b, literal := w.block, false
	for i := 0; i < len(b); {
		if i = w.until(i, ":{/&+"); i == len(b) {
			return
		}
		next := i + 1
		switch c := b[i]; {
		case c == ':' && w.firstOnLine(i):
			w.define(i)
		case c == ':':
			next = w.macro(i)
		case c == '{':
			next = w.attribute(i)
		case c == '&':
			next = w.reference(i)
		case c == '+':
			literal = w.literal(i, literal)
		case w.has(i, "//") && !w.has(i, "///") && (i == 0 || b[i-1] == '\n'):
			next = w.until(i, "\n")
			w.hide(i, next)
		}
		i = next
	}
}

// define keeps the attribute that the line defines which begins with the colon at i. Its value is text.
func (w *walker) define(i int) {
	name, value, ok := bytes.Cut(w.block[i+1:w.until(i, "\n")], []byte(": "))
	if ok && len(name) > 0 && len(value) < maxValue && len(w.attributes) < maxNames && ascii.Skip(name, 0, attributeByte) == len(name) {
		if text := w.expand(strings.TrimSpace(string(value))); len(text) < maxValue {
			w.attributes[ascii.Lower(name)] = text
		}
	}
}

// maxValue is the longest value of an attribute that is kept.
const maxValue = 500

func attributeByte(c byte) bool { return ascii.Alnum(c) || c == '-' || c == '_' }

// attribute gives out the value of the attribute that stands in braces at i; with a label
// behind it that is a link.
func (w *walker) attribute(i int) int {
	end := ascii.Skip(w.block, i+1, attributeByte)
	if !w.has(end, "}") {
		return i + 1
	}
	value, ok := w.attributes[ascii.Lower(w.block[i+1:end])]
	if !ok || w.expanded > maxExpanded {
		return end
	}
	w.expanded += len(value)
	if doc.SchemeOf(value) != "" {
		if next := w.labelled(i, i); next > 0 {
			return next
		}
	}
	if _, label, ok := strings.Cut(value, "["); ok && strings.HasSuffix(label, "]") && doc.SchemeOf(value) != "" {
		value = label[:len(label)-1] // the link was given out where the attribute is defined
	}
	w.put(value, i, end+1)
	return end + 1
}

// macro gives out the link whose scheme, or whose word "link", ends with the colon at i.
func (w *walker) macro(i int) int {
	from := i
	for from > w.at && ascii.SchemeByte(w.block[from-1]) {
		from--
	}
	start, target := from, from
	switch name := ascii.Lower(w.block[from:i]); {
	case name == "link":
		target = i + 1
	case strings.HasSuffix(name, "footnote") && w.has(i, ":["):
		w.put(" ", i-len("footnote"), i+1)
		return i + 1
	case name != "mailto" && !w.has(i, "://"):
		return i + 1
	case from > 0 && w.block[from-1] == '\\': // escaped
		return i + 1
	}
	if next := w.labelled(start, target); next > 0 {
		return next
	}
	return i + 1
}

// literal passes over the plus at i where it begins or ends text that is taken as it stands (AsciiDoc
// Language Documentation, "Literal Monospace"). It says whether such text is open.
func (w *walker) literal(i int, open bool) bool {
	b := w.block
	word := func(j int) bool { return j < len(b) && (ascii.Alnum(b[j]) || b[j] == '/') }
	switch {
	case open && !ascii.Space(b[i-1]) && !word(i+1) && !w.has(i, "++"):
		open = false
	case !open && (i == 0 || strings.IndexByte(" \t\n\"'([*_|`", b[i-1]) >= 0) && word(i+1):
		open = true
	default:
		return open
	}
	w.skip(i, i+1)
	return open
}

// labelled gives out the link whose target is followed by a label in square brackets; it
// says where to go on, 0 where there is none.
func (w *walker) labelled(start, target int) int {
	b := w.block
	end := w.run(target, "[ \t\r\n<>\"")
	if w.has(target, "++") {
		line := w.run(target, "\n")
		if n := bytes.Index(b[target+2:line], []byte("++[")); n > 0 {
			target, end = target+2, target+2+n
		}
	}
	open := end
	if w.has(end, "++") {
		open += 2
	}
	if open >= len(b) || b[open] != '[' || bytes.HasSuffix(b[target:end], []byte("footnote:")) {
		return 0
	}
	close := w.closing(open)
	if close < 0 {
		close = w.labelEnd(open)
	}
	if close < 0 || w.at > start {
		return 0
	}
	ref := unescape(w.expand(string(b[target:end])))
	w.textTo(start)
	if !w.link(ref, target, end, b[open+1:close]) {
		return 0
	}
	w.skip(start, open)
	w.pictureLink(open, close)
	w.skip(start, close+1)
	return close + 1
}

// pictureLink gives out where the picture leads whose attributes stand in the brackets at open and close.
func (w *walker) pictureLink(open, close int) {
	at := bytes.Index(w.block[open:close], []byte("link="))
	if at < 1 || strings.IndexByte("[, ", w.block[open+at-1]) < 0 {
		return
	}
	from := open + at + len("link=")
	if w.has(from, `"`) {
		from++
	}
	to := min(close, w.run(from, ",\" "))
	if ref := w.expand(string(w.block[from:to])); doc.SchemeOf(ref) != "" {
		w.link(unescape(ref), from, to, nil)
	}
}

// labelEnd is where a label ends that has an opening bracket of its own which none closes: the
// first closing one without a backslash; -1 for nowhere.
func (w *walker) labelEnd(open int) int {
	for i := open + 1; ; i++ {
		if i = w.run(i, "]"); i >= len(w.block) || w.block[i] != ']' || i-open > maxReach {
			return -1
		}
		if w.block[i-1] != '\\' {
			return i
		}
	}
}

// expand puts the values of attributes in their places.
func (w *walker) expand(ref string) string {
	var s strings.Builder
	for {
		before, rest, ok := strings.Cut(ref, "{")
		name, after, closed := strings.Cut(rest, "}")
		value, known := w.attributes[ascii.Lower([]byte(name))]
		if !ok || !closed || !known || s.Len() > maxReach || w.expanded > maxExpanded {
			s.WriteString(ref)
			return s.String()
		}
		s.WriteString(before)
		s.WriteString(value)
		w.expanded += len(value)
		ref = after
	}
}

// maxExpanded is how many octets of values may stand in other places of a document.
const maxExpanded = 1 << 20

// asciiDocFence recognises the line that a delimited block begins with.
func asciiDocFence(line, before []byte) *fence {
	line = bytes.TrimSpace(line)
	if underlines(line, before) || len(line) < 3 || len(line) > 200 || bytes.IndexByte([]byte("-./`"), line[0]) < 0 {
		return nil
	}
	run := ascii.Skip(line, 0, func(c byte) bool { return c == line[0] })
	if line[0] == '`' && run == 3 || run == len(line) && run > 3 && line[0] != '`' {
		mark := string(line[:run])
		return &fence{func(l []byte) bool { return string(bytes.TrimSpace(l)) == mark }, line[0] == '/'}
	}
	return nil
}

// underlines says whether a line makes a title of the one before: it is as long, give or take
// two letters (AsciiDoc User Guide, "Two line titles").
func underlines(line, before []byte) bool {
	n := utf8.RuneCount(bytes.TrimRight(before, " \t"))
	return n > 0 && before[0] != '.' && before[0] != '[' && max(n-len(line), len(line)-n) <= 2
}
