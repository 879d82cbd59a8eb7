package catalog

import (
	"bytes"
	"iter"
	"regexp"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const maxBibValue = 256 << 10 // bytes of one entry

// SniffBib recognises BibTeX by its name or its first entry.
func SniffBib(p doc.Peek) bool {
	if p.Named(".bib") {
		return true
	}
	head := p.Text()
	name, rest, ok := bytes.Cut(bytes.TrimPrefix(head, []byte("@")), []byte("{"))
	return ok && len(head) > 0 && head[0] == '@' && len(name) < 20 && ascii.Skip(name, 0, ascii.Letter) == len(name) && bytes.Contains(rest, []byte("="))
}

// ReadBib reads BibTeX entry by entry. Text between entries is a comment.
func ReadBib(d *doc.Document) error {
	lines := d.Lines()
	var entry []byte
	begun, depth := 0, 0
	for line, start := range lines.All() {
		opens := start && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("@"))
		if opens && (depth <= 0 || line[0] == '@') || len(entry) > maxBibValue {
			yieldEntry(d, entry, begun)
			entry, depth, begun = entry[:0], 0, lines.Number
		}
		if !opens && len(entry) == 0 {
			continue
		}
		entry = append(entry, line...)
		depth += bytes.Count(line, []byte("{")) - bytes.Count(line, []byte("}"))
	}
	yieldEntry(d, entry, begun)
	return lines.Err()
}

// yieldEntry gives out the links of one entry: the value of url whole, and URIs in
// the other fields.
func yieldEntry(d *doc.Document, entry []byte, line int) {
	open := bytes.IndexAny(entry, "{(") // both are right
	kind, body := entry[:max(open, 0)], entry[open+1:]
	if kind = bytes.ToLower(bytes.TrimSpace(kind)); open < 0 || string(kind) == "@comment" && !d.Options.Comments {
		return
	}
	key, _, _ := bytes.Cut(body, []byte(","))
	title := ""
	var held []doc.Found
	off := len(entry) - len(body)
	at := textscan.NewCursor(entry, line, 1)
	for name, v := range bibFields(body) {
		v = unbraced(body, v)
		value := body[v.from:v.to]
		if name == "file" {
			value = attached(value)
		}
		if name == "title" {
			title, _ = d.Cut(line, "title", doc.OneLine(untex(value)))
		}
		l, c := at.At(off + v.from)
		give := func(f doc.Found) bool {
			f.Locator = name
			held = append(held, f)
			return len(held) < maxPending
		}
		text := strings.TrimSpace(untex(value))
		if name == "url" && strings.Contains(text, "\n") {
			text = strings.Join(strings.Fields(text), "") // a line break in it is nothing
		}
		if name == "url" && textscan.IsURI([]byte(text)) {
			blanks := len(value) - len(bytes.TrimLeft(value, " \t\r\n"))
			l, c = doc.Advance(value[:blanks], l, c)
			give(doc.Found{URI: text, Raw: string(bytes.TrimSpace(value)), Line: l, Column: c, How: "url", Context: longContext(text)})
			continue
		}
		if u := doiURI(text); name == "doi" && u != "" {
			give(doc.Found{URI: u, Raw: text, Line: l, Column: c, How: "doi", Context: longContext(text)})
			continue
		}
		textscan.Scan(d, []byte(untex(value)), l, c, give)
	}
	id, _ := d.Cut(line, "key", doc.OneLine(string(key)))
	yieldAll(d, held, id, title, dates.MARC{})
}

// attached is a list of files as JabRef and Zotero write it ("text:http\://host/a:PDF;..."),
// with blanks for all but where each of them is.
func attached(value []byte) []byte {
	value = bytes.Clone(value)
	first, colons := 0, 0 // of the file at hand
	for i, c := range value {
		switch {
		case c == ';':
			value[i], first, colons = ' ', i+1, 0
		case c == ':' && (i == 0 || value[i-1] != '\\') && !bytes.HasPrefix(value[i:], []byte("://")):
			if value[i], colons = ' ', colons+1; colons == 2 { // what stood before the first is a description
				described := bytes.IndexByte(value[first:], ' ')
				copy(value[first:], bytes.Repeat([]byte{' '}, described))
			}
		}
	}
	return value
}

// span is a stretch of bytes.
type span struct{ from, to int }

// bibFields gives the names of the fields and where their values stand in the body.
func bibFields(body []byte) iter.Seq2[string, span] {
	return func(yield func(string, span) bool) {
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
			from, to, next := bibValue(body, ascii.Skip(body, i, ascii.Space))
			if len(name) < 40 && !yield(name, span{from, to}) {
				return
			}
			i = next
		}
	}
}

// bibValue finds the ends of a value that begins at i, {balanced}, "quoted" or a bare
// word, and where the next field begins.
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

// unbraced is a value without the braces that hold all of it once more.
func unbraced(body []byte, v span) span {
	for range 4 { // more is no habit of anybody
		value := bytes.TrimSpace(body[v.from:v.to])
		if len(value) < 2 || value[0] != '{' {
			return v
		}
		from := v.from + bytes.IndexByte(body[v.from:v.to], '{')
		if _, to, next := bibValue(body, from); to != next-1 || next != from+len(value) {
			return v
		}
		v = span{from + 1, from + len(value) - 1}
	}
	return v
}

// untex undoes the escapes that URLs need in TeX. It leaves line breaks as they are.
func untex(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '$') < 0 {
		return string(b)
	}
	return texPlain.Replace(texLinks.ReplaceAllString(texEscapes.Replace(string(b)), " <$1> "))
}

// texLinks are links of TeX, with their texts.
var texLinks = regexp.MustCompile(`\\(?:url|nolinkurl|href)\s*\{([^{}]*)\}(?:\s*\{[^{}]*\})?`)

// texPlain is for those that no brace ends.
var texPlain = strings.NewReplacer(`\url{`, " <", `\href{`, " <")

// texEscapes are the escapes that URLs need in TeX.
var texEscapes = strings.NewReplacer(`{\textasciitilde}`, "~", `\textasciitilde{}`, "~", `\textasciitilde`, "~", `{\~{}}`, "~", `\~{}`, "~",
	`\~`, "~", `$\sim$`, "~", `{\_}`, "_", `{\%}`, "%", `{\&}`, "&", `{\#}`, "#", `{\$}`, "$", `\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\$`, "$", `\:`, ":",
	`\allowbreak{}`, "", `\allowbreak `, "", `\allowbreak`, "", `\-`, "", `\/`, "")
