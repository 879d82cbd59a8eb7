package marked

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// rst goes through text that is no table (reStructuredText Markup Specification, "Hyperlink References"
// and "Hyperlink Targets").
func (w *walker) rst() {
	b := w.block
	for i := 0; i < len(b); {
		if i = w.until(i, "`\\._"); i == len(b) {
			return
		}
		next := i + 1
		switch {
		case b[i] == '`':
			next = w.phrase(i)
		case b[i] == '\\':
			next = min(i+2, len(b))
			if text := b[i+1 : next]; len(bytes.TrimSpace(text)) > 0 {
				w.put(string(text), i, next)
			} else {
				w.put("", i, next)
			}
		case (w.has(i, ".. _") || w.has(i, ".. __:") || w.has(i, "__ ")) && w.firstOnLine(i):
			next = w.target(i)
		}
		i = next
	}
}

// phrase gives out the link of a reference at i that holds its target: `text <url>`_.
func (w *walker) phrase(i int) int {
	b := w.block
	if w.has(i, "``") { // literal: nothing is escaped in it
		if n := bytes.Index(b[i+2:min(len(b), i+maxReach)], []byte("``")); n >= 0 {
			w.textTo(i + 2 + n)
			return i + 2 + n + 2
		}
		return i + 2
	}
	end := i + 1
	for end < len(b) && b[end] != '`' {
		if b[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(b) || !w.has(end, "`_") || b[end-1] != '>' {
		return i + 1
	}
	open := bytes.LastIndexByte(b[i:end], '<')
	if open < 0 {
		return i + 1
	}
	open += i + 1
	ref, named := rstTarget(b[open : end-1])
	w.skip(i, end+2)
	if !named {
		w.link(ref, open, end-1, b[i+1:open-1])
	}
	return end + 2
}

// target gives out the explicit target at i: ".. _name: url", or "__ url" of an anonymous one.
func (w *walker) target(i int) int {
	b := w.block
	line := w.until(i, "\n")
	from := i + len("__ ")
	if b[i] == '.' {
		name := i + len(".. _")
		if w.has(name, "`") {
			name = max(name, w.until(name+1, "`"))
		}
		for name < line && (b[name] != ':' || name+1 < len(b) && !ascii.Space(b[name+1])) {
			if b[name] == '\\' {
				name++
			}
			name++
		}
		if name >= line {
			return i + 1
		}
		from = name + 1
	}
	end := line
	for end < len(b) { // it goes on in lines that are indented deeper
		next := w.until(end+1, "\n")
		if indent(b, end+1) <= indent(b, i-column(b, i)) {
			break
		}
		end = next
	}
	ref, named := rstTarget(b[from:end])
	w.skip(i, end)
	if from = ascii.Skip(b[:end], from, ascii.Space); ref != "" && !named && !strings.Contains(ref, "@") || strings.Contains(ref, ":") {
		w.link(ref, from, from+len(bytes.TrimRight(b[from:end], " \t\r\n")), b[i:line])
	}
	return end
}

// rstTarget is a target without blanks and escapes; named says that it is the name of another one.
func rstTarget(b []byte) (ref string, named bool) {
	var s strings.Builder
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b):
			i++
			s.WriteByte(b[i])
		case !ascii.Space(b[i]):
			s.WriteByte(b[i])
		}
	}
	b = bytes.TrimRight(b, " \t\r\n")
	return s.String(), bytes.HasSuffix(b, []byte{'_'}) && !bytes.HasSuffix(b, []byte(`\_`))
}

// column is how far i stands behind the beginning of its line.
func column(b []byte, i int) int { return i - bytes.LastIndexByte(b[:i], '\n') - 1 }

// indent is how many blanks the line at i begins with.
func indent(b []byte, i int) int { return ascii.Skip(b, min(i, len(b)), ascii.Blank) - min(i, len(b)) }
