package catalog

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract/columns"
	"linkcheck/extract/doc"
)

// isKBART recognises a list of titles (KBART, NISO RP-9-2014) by its heads, in UTF-8 or UTF-16.
func isKBART(head []byte) bool {
	return bytes.IndexByte(head, '\t') >= 0 && kbartColumns(head) != nil
}

// kbartColumns say what the columns of a list of titles hold; nil where the text begins otherwise.
func kbartColumns(head []byte) *columns.Columns {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	line = bytes.TrimPrefix(bytes.ReplaceAll(line, []byte{0}, nil), []byte("\ufeff"))
	line = bytes.TrimPrefix(bytes.TrimPrefix(line, []byte("\xff\xfe")), []byte("\xfe\xff"))
	heads := strings.Split(strings.ToLower(string(line)), "\t")
	for i, h := range heads {
		heads[i] = strings.Trim(strings.TrimSpace(h), `"`)
	}
	c := &columns.Columns{Title: "publication_title", URL: []string{"title_url"}}
	if !slices.Contains(heads, c.Title) || !slices.Contains(heads, c.URL[0]) {
		return nil
	}
	for _, id := range []string{"title_id", "online_identifier", "print_identifier"} { // ISSN or ISBN where the provider has no id of its own
		if slices.Contains(heads, id) {
			c.ElseID = append(c.ElseID, id)
		}
	}
	if len(c.ElseID) > 0 {
		c.ID, c.ElseID = c.ElseID[0], c.ElseID[1:]
	}
	return c
}

// kbart gives the columns of t where it is a list of titles; then each of its lines is a row: tabs and
// line ends alone part what is in it, and titles hold quotes.
func (t *table) kbart() *columns.Columns {
	head, _ := t.d.In.Peek(doc.SniffSize)
	c := kbartColumns(head)
	if owner := t.d.Options.Columns.Owner; c != nil && owner != "" && t.ownerColumn(firstLine(head)) > 0 {
		c.Owner = owner
	}
	if c != nil {
		t.lines, t.sep = true, '\t'
	}
	return c
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	return doc.Chop(line)
}

// lineCell is the text of a cell of a table in which a row is a line, and where the next one begins.
func (t *table) lineCell(row []byte, i int) ([]byte, int) {
	text, next := row[i:], len(row)+1
	if n := bytes.IndexByte(text, t.sep); n >= 0 {
		text, next = text[:n], i+n+1
	}
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		text = bytes.ReplaceAll(text[1:len(text)-1], []byte(`""`), []byte(`"`))
	}
	return text, next
}
