package catalog

import (
	"bytes"

	"linkcheck/extract/doc"
)

// notebookCell is text in Markdown that stands in pieces in a list of JSON (nbformat 4.5,
// "Markdown cells").
type notebookCell struct {
	kind string
	text []byte
	at   doc.Locations // of the text
}

// take takes the value of a member; it says whether that is a piece of the text.
func (c *notebookCell) take(key string, raw []byte, line int) bool {
	switch {
	case key == "cell_type":
		c.kind = doc.Shown(raw, 20)
	case key == "source" && c.kind == "markdown":
		if len(c.text) == 0 {
			c.at.Reset()
		}
		for piece := range bytes.Lines([]byte(jsonText(raw))) {
			c.at.Add(piece, line, 1)
			c.text = append(c.text, piece...)
		}
		return len(c.text) < maxString
	}
	return false
}

// give gives out the links of a text that is whole.
func (c *notebookCell) give(d *doc.Document, record string) {
	if len(c.text) == 0 {
		return
	}
	found := func(f doc.Found) {
		f.Line, _ = c.at.Physical(f.Line, max(1, f.Column))
		f.Record, f.Locator, f.Column = record, "source", 0
		d.Yield(f)
	}
	if err := d.Fragment(c.text, found).NestDeeper("markdown"); err != nil {
		d.Damage(0, err)
	}
	c.text = c.text[:0]
}
