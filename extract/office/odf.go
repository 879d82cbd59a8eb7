package office

import (
	"archive/zip"
	"bytes"
	"io"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// odf reads the content or the styles of an OpenDocument file (ISO 26300 part 1): a text,
// the sheets of a spreadsheet or the slides of a presentation.
type odf struct {
	*flow
	t       *xmltoken.Tokens
	styles  bool // only headers and footers are of the document
	count   int  // of paragraphs, or of slides
	place   string
	pages   bool // slides
	heads   int  // elements around that are headers or footers
	ranges  []bool
	table   string // name of the sheet
	row     int    // of the cell, from 1
	col     int
	nextRow int            // rows before the next
	again   int            // how often the cell before stands for more
	depth   int            // tables inside one another
	sheets  bool           // a spreadsheet
	notes   map[string]int // how many there were of a kind, note or endnote
	noted   string         // the note that is around
	formula bool           // the cell at hand is a link by its formula
}

// readODF reads OpenDocument: its content, then the headers and footers of its pages.
func readODF(d *doc.Document, files []*zip.File) error {
	p := newParts(d, files)
	encrypted := false
	p.xml("META-INF/manifest.xml", func(_ *doc.Document, t *xmltoken.Tokens) {
		encrypted = encrypted || t.Kind == xmltoken.Start && xmltoken.Local(t.Name) == "encryption-data"
	})
	if encrypted {
		return &doc.Foreign{Kind: "encrypted OpenDocument"}
	}
	kind := ""
	if m, done := p.open("mimetype"); m != nil {
		head, _ := io.ReadAll(io.LimitReader(m.In, 200))
		kind = string(head)
		done()
	}
	o := odf{notes: map[string]int{}, pages: strings.Contains(kind, "presentation"), sheets: strings.Contains(kind, "spreadsheet")}
	o.read(p, "content.xml")
	if !o.pages {
		styles := odf{notes: map[string]int{}, styles: true}
		styles.read(p, "styles.xml")
	}
	return nil
}

func (o *odf) read(p *parts, part string) {
	p.xml(part, func(d *doc.Document, t *xmltoken.Tokens) {
		if o.flow == nil {
			o.flow, o.t = newFlow(d), t
			o.packaged = true
		}
		take(t, o)
	})
	if o.flow != nil {
		o.finish()
	}
}

// isHeader says whether an element is a header or footer of pages.
func isHeader(name string) bool {
	return name == "header" || name == "footer" || strings.HasPrefix(name, "header-") && name != "header-style" || strings.HasPrefix(name, "footer-") && name != "footer-style"
}

func (o *odf) start(name string) {
	switch name {
	case "tracked-changes", "annotation", "note-citation", "ruby-text", "binary-data":
		o.skip()
	case "desc", "title":
		if strings.HasPrefix(o.t.Name, "svg:") {
			o.skip()
		}
	case "p", "h":
		o.paragraph()
	case "s":
		n, _ := strconv.Atoi(attr(o.t, "c"))
		o.addString(strings.Repeat(" ", min(max(n, 1), 100)))
	case "tab":
		o.addString("\t")
	case "line-break":
		o.addString("\n")
	case "page":
		o.count++
		o.place = "slide " + strconv.Itoa(o.count)
	case "notes":
		o.place = strings.TrimSuffix(o.place, " notes") + " notes"
	case "note":
		kind := "note"
		if attr(o.t, "note-class") == "endnote" {
			kind = "endnote"
		}
		o.notes[kind]++
		o.noted = kind + " " + strconv.Itoa(o.notes[kind])
	case "table", "table-row", "table-cell", "covered-table-cell":
		o.cell(name)
	case "a":
		o.ranges = append(o.ranges, o.link(attr(o.t, "href"), howLink, o.where(), 0, 0))
	case "bibliography-mark":
		o.refer(attr(o.t, "url"))
	default:
		if o.heads > 0 || isHeader(name) {
			o.header(name)
		}
		if n := len(o.ranges); name == "event-listener" && n > 0 && o.ranges[n-1] {
			return // LibreOffice says the link of a shape twice
		}
		if bytes.Contains(o.t.Raw, []byte(":href=")) {
			o.refer(attr(o.t, "href"))
		}
	}
}

func (o *odf) header(name string) {
	if isHeader(name) {
		o.heads++
		o.place, _, _ = strings.Cut(name, "-")
	}
}

// refer gives out what an element names that has no text of its own.
func (o *odf) refer(ref string) {
	if (!o.styles || o.heads > 0) && o.link(ref, howLink, o.where(), 0, 0) {
		o.endLink()
	}
}

func (o *odf) skip() {
	if !o.t.Empty {
		skip(o.t)
		o.t.Empty = false
	}
}

// where says where the element at hand stands.
func (o *odf) where() string {
	switch {
	case o.sheets && o.row > 0 && o.depth == 1:
		return o.table + "!" + columnName(o.col) + strconv.Itoa(o.row)
	case o.sheets:
		return o.table
	case o.noted != "":
		return o.noted
	case o.pages || o.heads > 0:
		return o.place
	case o.top() != nil:
		return o.top().locator
	}
	return "paragraph " + strconv.Itoa(max(1, o.count))
}

func (o *odf) paragraph() {
	if o.pages || o.sheets || o.noted != "" || o.heads > 0 {
		o.begin(o.where())
		return
	}
	o.count++
	o.begin("paragraph " + strconv.Itoa(o.count))
}

// cell begins a table, a row or a cell of it: one that is repeated is one. Tables stand in
// cells, too; those have the place of the cell around.
func (o *odf) cell(name string) {
	if name == "table" {
		if o.depth++; o.depth == 1 {
			o.table, _ = o.d.Cut(0, "name of a sheet", attr(o.t, "name"))
			o.row, o.col, o.nextRow = 0, 0, 0
		}
		return
	}
	if o.depth != 1 || !o.sheets {
		return
	}
	if name == "table-row" {
		o.row, o.col, o.again = o.nextRow+1, 0, 0
		o.nextRow += o.repeated("number-rows-repeated")
		return
	}
	o.col += o.again + 1
	o.again = o.repeated("number-columns-repeated") - 1
	formula := attr(o.t, "formula")
	refs, linked := formulaLinks(formula)
	for _, ref := range refs {
		if o.link(ref, howFormula, o.where(), 0, 0) {
			o.endLink()
		}
	}
	o.formula = linked
}

// repeated is how often the element at hand stands for itself.
func (o *odf) repeated(attribute string) int {
	n, _ := strconv.Atoi(attr(o.t, attribute))
	return min(max(n, 1), 1<<24)
}

func (o *odf) end(name string) {
	switch name {
	case "p", "h":
		o.flow.end()
	case "a":
		n := len(o.ranges) - 1
		if n >= 0 && o.ranges[n] {
			o.endLink()
		}
		o.ranges = o.ranges[:max(0, n)]
	case "notes":
		o.place = strings.TrimSuffix(o.place, " notes")
	case "note":
		o.noted = ""
	case "table":
		o.depth = max(0, o.depth-1)
	case "table-cell", "covered-table-cell":
		if o.depth == 1 {
			o.formula = false
		}
	default:
		if isHeader(name) {
			o.heads = max(0, o.heads-1)
		}
	}
}

// onText takes visible text. Line breaks and indents of the file are blanks (ISO 26300
// part 1 section 6.1.2).
func (o *odf) onText() {
	if o.top() == nil || o.formula || o.styles && o.heads == 0 {
		return
	}
	text := o.t.Text
	if !o.t.Literal {
		text = xmltoken.Unentity(text)
	}
	for i, c := range text {
		if c == '\n' || c == '\t' || c == '\r' {
			text[i] = ' '
		}
	}
	o.add(text, 0, 0)
}
