package catalog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const maxString = 1 << 20 // bytes of a string that are held

// SniffJSON recognises JSON: CSL, browsers' bookmarks, MARC-in-JSON.
func SniffJSON(p doc.Peek) bool {
	head := p.Text()
	return len(head) >= 2 && (head[0] == '{' || head[0] == '[') &&
		(p.Named(".json") || bytes.Contains(head, []byte(`":`)) && isJSON(head))
}

// isJSON says whether the head of a file is JSON as far as it goes.
func isJSON(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	for {
		if _, err := d.Token(); err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF
		}
	}
}

// ReadJSON looks for links in strings, whatever is around them: JSON that is cut
// short or not well formed, at which encoding/json stops, is read as far as it
// goes. The locator is the name of the member that holds the string.
func ReadJSON(d *doc.Document) error {
	line, col := 1, 1
	key, rec := "", jsonRecord{}
	var text []byte
	var cell notebookCell
	for !d.Stopped() {
		c, err := d.In.ReadByte()
		if err != nil {
			return doc.IgnoreEOF(err)
		}
		if c != '"' {
			if c == ']' || c == '}' {
				cell.give(d, rec.id)
			}
			rec.nest(c, key)
			line, col = doc.Advance([]byte{c}, line, col)
			continue
		}
		rec.afterColon = false
		text, err = jsonString(d, text[:0])
		col++
		if b, _ := d.In.Peek(16); err == nil && bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte(":")) {
			key = doc.Shown(text, 80)
		} else {
			rec.note(key, text)
			if cell.take(key, text, line) {
				// it is given out when it is whole
			} else if rec.muted > 0 || key == "@context" || key == "@type" || key == "$schema" {
				// names of vocabularies and schemas link to nothing (JSON-LD 1.1 section 3.1)
			} else if key == "DOI" || bytes.IndexByte(text, ':') >= 0 || bytes.Contains(text, []byte("www.")) {
				yieldString(d, text, doc.Found{Record: rec.id, Locator: key, Line: line, Column: col})
			}
		}
		line, col = doc.Advance(text, line, col+1)
		if err != nil {
			return doc.IgnoreEOF(err)
		}
	}
	return nil
}

// jsonRecord is the object around with an id, as items of CSL are.
type jsonRecord struct {
	depth int // of objects
	at    int // depth of the one with the id
	id    string

	afterColon  bool // nothing but blanks stands between the colon of a key and here
	open, muted int  // objects and lists that are open; of those of a context, from which on
}

func (r *jsonRecord) nest(c byte, key string) {
	switch c {
	case '{', '[':
		if r.open++; r.muted == 0 && key == "@context" && r.afterColon {
			r.muted = r.open
		}
	case '}', ']':
		if r.open == r.muted {
			r.muted = 0
		}
		r.open--
	}
	r.afterColon = c == ':' || r.afterColon && ascii.Space(c)
	switch c {
	case '{':
		r.depth++
	case '}':
		if r.depth--; r.depth < r.at {
			r.id = ""
		}
	}
}

// note takes the id of an object, unless an object around it has one.
func (r *jsonRecord) note(key string, value []byte) {
	if key == "id" && (r.id == "" || r.depth <= r.at) {
		r.id, r.at = doc.Shown(value, doc.ContextSize), r.depth
	}
}

// jsonString reads the string behind an opening quote, undecoded.
func jsonString(d *doc.Document, text []byte) ([]byte, error) {
	for len(text) < maxString {
		piece, err := d.In.ReadSlice('"')
		text = append(text, piece...)
		if err != nil && err != bufio.ErrBufferFull {
			return text, err
		}
		inside := text[:len(text)-1]
		if slashes := len(inside) - len(bytes.TrimRight(inside, `\`)); err == nil && slashes%2 == 0 {
			return inside, nil
		}
	}
	return text, nil
}

// jsonText is a string without its escapes; as it stands where they are damaged.
func jsonText(raw []byte) string {
	var decoded string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &decoded) == nil {
		return decoded
	}
	return string(raw)
}

// yieldString gives out the links of a string; f has its location.
func yieldString(d *doc.Document, raw []byte, f doc.Found) {
	if f.Locator == "DOI" {
		if u := doiURI(string(raw)); u != "" {
			f.URI, f.Raw, f.How = u, string(raw), "doi"
			d.Yield(f)
			return
		}
	}
	text := jsonText(raw)
	if textscan.IsURI([]byte(text)) {
		f.URI, f.Raw, f.How, f.Context = text, text, "string", longContext(text)
		d.Yield(f)
		return
	}
	found := func(l doc.Found) bool {
		l.Record, l.Locator, l.Line, l.Column = f.Record, f.Locator, f.Line, 0
		return d.Yield(l)
	}
	if doc.HasTags([]byte(text)) { // as descriptions carry it
		if err := d.Fragment([]byte(text), func(l doc.Found) { found(l) }).NestDeeper("html"); err != nil {
			d.Damage(f.Line, err)
		}
		return
	}
	textscan.Scan(d, []byte(text), 0, 0, found)
}
