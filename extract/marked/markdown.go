package marked

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// walkMarkdown goes through a block of Markdown (CommonMark 0.31 sections 2.4, 2.5, 4.7
// and 6; tables and bare addresses as GitHub Flavored Markdown 0.29 has them).
func walkMarkdown(w *walker) {
	b := w.block
	i := w.inComment()
	if w.indented() {
		w.codeTo(0, len(b))
		return
	}
	for i < len(b) {
		if i = w.until(i, "[<`\\&{"); i == len(b) {
			return
		}
		next := i + 1
		switch b[i] {
		case '[':
			next = w.bracket(i)
		case '<':
			if w.has(i, "<!--") {
				next = w.endComment(i, i)
			} else if end := w.tagEnd(i); end > 0 {
				next = end
				w.tag(i, end)
			}
		case '`':
			next = w.codeSpan(i)
		case '\\':
			if next < len(b) && punctuation(b[next]) {
				next++
				w.put(string(b[i+1]), i, next)
			}
		case '&':
			next = w.reference(i)
		case '{': // a tag of a template, of Hugo or Liquid
			if w.has(i, "{% ") || w.has(i, "{%-") || w.has(i, "{{%") || w.has(i, "{{<") {
				w.put(" ", i, i+2)
				next = i + 2
			}
		}
		i = next
	}
}

func punctuation(c byte) bool { return c > ' ' && c < 0x7f && !ascii.Alnum(c) }

// indented says whether the block is indented code (CommonMark section 4.4): what stands
// so below an item of a list belongs to the item.
func (w *walker) indented() bool {
	first := bytes.TrimLeft(w.block, " \t")
	deep := len(w.block)-len(first) >= 4 || w.block[0] == '\t'
	if !deep || !w.list {
		n := ascii.Skip(first, 0, ascii.Digit)
		w.list = len(first) > n+1 && (n == 0 && bytes.IndexByte([]byte("-*+"), first[0]) >= 0 && ascii.Space(first[1]) ||
			n > 0 && (first[n] == '.' || first[n] == ')') && ascii.Space(first[n+1]))
		return deep && !w.list
	}
	return false
}

// codeTo gives out code as it stands, unless it is left out.
func (w *walker) codeTo(i, end int) {
	if w.d.Options.NoCode {
		w.skip(i, end)
		return
	}
	w.textTo(end)
}

// codeSpan passes over code between backquotes (section 6.1): nothing is escaped in it.
func (w *walker) codeSpan(i int) int {
	run := ascii.Skip(w.block, i, func(c byte) bool { return c == '`' })
	mark := w.block[i:run]
	for from := run; ; {
		n := bytes.Index(w.block[from:min(len(w.block), i+maxReach)], mark)
		if n < 0 {
			return run
		}
		end := ascii.Skip(w.block, from+n, func(c byte) bool { return c == '`' })
		if end-from-n == len(mark) {
			w.codeTo(i, end)
			return end
		}
		from = end
	}
}

// bracket gives out the link whose text begins at i (section 6.3), or the reference that
// is defined there (section 4.7).
func (w *walker) bracket(i int) int {
	b := w.block
	close := w.closing(i)
	if close < 0 || close+1 >= len(b) {
		return i + 1
	}
	switch b[close+1] {
	case '(':
		d, ok := inlineDestination(b, close+2)
		if !ok {
			break
		}
		w.skip(i, i)
		w.pictures(i+1, close)
		w.skip(i, d.next)
		w.link(d.ref, d.from, d.to, b[i+1:close])
		return d.next
	case ':':
		if !w.firstOnLine(i) || b[i+1] == '^' {
			break
		}
		if d, ok := definedDestination(b, close+2); ok {
			w.skip(i, d.next)
			w.link(d.ref, d.from, d.to, b[i+1:close])
			return d.next
		}
	}
	return i + 1
}

// pictures gives out the images inside the text of a link.
func (w *walker) pictures(i, end int) {
	for {
		n := bytes.Index(w.block[i:end], []byte("!["))
		if n < 0 {
			return
		}
		i += n + 1
		close := w.closing(i)
		if close < 0 || close+1 >= end || w.block[close+1] != '(' {
			return
		}
		d, ok := inlineDestination(w.block[:end], close+2)
		if !ok {
			return
		}
		w.link(d.ref, d.from, d.to, w.block[i+1:close])
		i = d.next
	}
}

// markdownFence recognises the line that a fenced code block begins with (section 4.5).
func markdownFence(line, _ []byte) *fence {
	line = bytes.TrimLeft(line, " >")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return nil
	}
	same := func(c byte) bool { return c == line[0] }
	run := ascii.Skip(line, 0, same)
	if run < 3 || line[0] == '`' && bytes.IndexByte(line[run:], '`') >= 0 {
		return nil
	}
	mark := bytes.Clone(line[:run])
	return &fence{ends: func(l []byte) bool {
		l = bytes.TrimSpace(bytes.TrimLeft(l, " >"))
		return bytes.HasPrefix(l, mark) && len(bytes.Trim(l, string(mark[:1]))) == 0
	}}
}
