package extract

import (
	"bufio"
	"bytes"
	"iter"
	"strings"
)

const maxBibValue = 256 << 10 // bytes of one entry

// sniffBib recognises BibTeX by its name or its first entry.
func sniffBib(p peek) bool {
	head := bytes.TrimLeft(p.head, " \t\r\n\xef\xbb\xbf")
	if strings.HasSuffix(p.name, ".bib") {
		return true
	}
	name, rest, ok := bytes.Cut(bytes.TrimPrefix(head, []byte("@")), []byte("{"))
	return ok && len(head) > 0 && head[0] == '@' && len(name) < 20 && bytes.IndexFunc(name, notLetter) < 0 && bytes.Contains(rest, []byte("="))
}

func notLetter(r rune) bool { return r > 0x7f || !letter(byte(r)) }

// readBib reads BibTeX entry by entry. Text between entries is a comment.
func readBib(d *doc) error {
	lines := newRawLines(d.in)
	var entry []byte
	begun, depth := 0, 0
	for !d.out.stopped {
		line, start, err := lines.next()
		if len(line) == 0 {
			giveBib(d, entry, begun)
			return eofIsNil(err)
		}
		opens := start && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("@"))
		if opens && (depth <= 0 || line[0] == '@') || len(entry) > maxBibValue {
			giveBib(d, entry, begun)
			entry, depth, begun = entry[:0], 0, lines.number
		}
		if !opens && len(entry) == 0 {
			continue
		}
		entry = append(entry, line...)
		depth += bytes.Count(line, []byte("{")) - bytes.Count(line, []byte("}"))
	}
	return nil
}

// giveBib gives out the links of one entry: the value of url whole, and URIs in
// the other fields.
func giveBib(d *doc, entry []byte, line int) {
	kind, body, ok := bytes.Cut(entry, []byte("{"))
	if kind = bytes.ToLower(bytes.TrimSpace(kind)); !ok || string(kind) == "@comment" && !d.o.Comments {
		return
	}
	key, _, _ := bytes.Cut(body, []byte(","))
	title := ""
	var held []Found
	off := len(entry) - len(body)
	for name, v := range bibFields(body) {
		value, at := body[v.from:v.to], v.from
		if name == "title" {
			title = oneLine(untex(value))
		}
		l, c := advance(entry[:off+at], line, 1)
		give := func(f Found) bool {
			f.Record, f.Locator = oneLine(string(key)), name
			held = append(held, f)
			return len(held) < maxHeld
		}
		text := strings.TrimSpace(untex(value))
		if name == "url" && isOneURI([]byte(text)) {
			blanks := len(value) - len(bytes.TrimLeft(value, " \t\r\n"))
			l, c = advance(value[:blanks], l, c)
			give(Found{URI: text, Raw: string(bytes.TrimSpace(value)), Line: l, Column: c, How: "url", Context: oneLine(text)})
			continue
		}
		if u := doiURI(text); name == "doi" && u != "" {
			give(Found{URI: u, Raw: text, Line: l, Column: c, How: "doi", Context: oneLine(text)})
			continue
		}
		f := newFeed(give)
		f.add([]byte(untex(value)), l, c)
		f.flush()
	}
	for _, f := range held {
		f.Title = title
		d.found(f)
	}
}

// stretch is a stretch of bytes.
type stretch struct{ from, to int }

// bibFields gives names and the places of their values in the body.
func bibFields(body []byte) iter.Seq2[string, stretch] {
	return func(yield func(string, stretch) bool) {
		i := bytes.IndexByte(body, ',') + 1
		if eq := bytes.IndexByte(body, '='); eq >= 0 && eq < i {
			i = 0 // @string has no key
		}
		for i < len(body) {
			eq := bytes.IndexByte(body[i:], '=')
			if eq < 0 {
				return
			}
			name := strings.ToLower(strings.Trim(string(body[i:i+eq]), ", \t\r\n"))
			i += eq + 1
			for i < len(body) && space(body[i]) {
				i++
			}
			from, to, next := bibValue(body, i)
			if len(name) < 40 && !yield(name, stretch{from, to}) {
				return
			}
			i = next
		}
	}
}

// bibValue takes {balanced}, "quoted" or a bare word.
func bibValue(body []byte, i int) (from, to, next int) {
	if i >= len(body) {
		return i, i, i
	}
	depth, quoted := 0, body[i] == '"'
	braced := body[i] == '{'
	for j := i; j < len(body); j++ {
		switch c := body[j]; {
		case c == '\\':
			j++
		case c == '{':
			depth++
		case c == '}':
			if depth--; braced && depth == 0 {
				return i + 1, j, j + 1
			}
			if depth < 0 {
				return i, j, len(body)
			}
		case quoted && c == '"' && depth == 0 && j > i:
			return i + 1, j, j + 1
		case !quoted && !braced && c == ',':
			return i, j, j + 1
		}
	}
	return i, len(body), len(body)
}

// untex undoes what TeX needs in URLs. Its length may differ; its lines do not.
func untex(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '$') < 0 {
		return string(b)
	}
	return strings.NewReplacer(`{\textasciitilde}`, "~", `\textasciitilde{}`, "~", `\textasciitilde`, "~", `{\~{}}`, "~", `\~{}`, "~",
		`\~`, "~", `$\sim$`, "~", `{\_}`, "_", `\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\$`, "$", `\url{`, " <", `\href{`, " <").Replace(string(b))
}

// doiURI makes a URI of a DOI that stands alone (DOI Handbook section 3.8);
// "" if it is none, or a URI already.
func doiURI(s string) string {
	s = strings.TrimSpace(s)
	if i := len("doi:"); len(s) > i && strings.EqualFold(s[:i], "doi:") {
		s = strings.TrimSpace(s[i:])
	}
	if !strings.HasPrefix(s, "10.") || strings.IndexByte(s, '/') < 0 || strings.ContainsAny(s, " \t\r\n") {
		return ""
	}
	return "https://doi.org/" + string(escapeSelector([]byte(s)))
}

// sniffRIS recognises RIS by its first tag.
func sniffRIS(p peek) bool {
	head := bytes.TrimLeft(p.head, " \t\r\n\xef\xbb\xbf")
	return bytes.HasPrefix(head, []byte("TY  - "))
}

// readRIS reads records of tagged lines, "UR  - http://...". Every line may hold
// a link; the tags for links hold nothing else.
func readRIS(d *doc) error {
	lines := newRawLines(bufio.NewReader(d.in))
	var held []Found
	id, title := "", ""
	finish := func() {
		for _, f := range held {
			f.Record, f.Title = id, title
			d.found(f)
		}
		held, id, title = held[:0], "", ""
	}
	for !d.out.stopped {
		line, _, err := lines.next()
		if len(line) == 0 {
			finish()
			return eofIsNil(err)
		}
		tag, value := "", chop(line)
		if len(line) >= 6 && string(line[2:5]) == "  -" {
			tag, value = string(line[:2]), bytes.TrimSpace(line[5:])
		}
		switch tag {
		case "ER", "TY":
			finish()
		case "ID":
			id = oneLine(string(value))
		case "TI", "T1":
			title = oneLine(string(value))
		}
		column := max(1, bytes.Index(line, value)+1)
		if u := doiURI(string(value)); tag == "DO" && u != "" {
			held = append(held, Found{URI: u, Raw: string(value), Line: lines.number, Column: column, How: "doi", Locator: tag})
			continue
		}
		f := newFeed(func(f Found) bool {
			f.Locator = tag
			held = append(held, f)
			return len(held) < maxHeld
		})
		f.add(value, lines.number, column)
		f.flush()
	}
	return nil
}
