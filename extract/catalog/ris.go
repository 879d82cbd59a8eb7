package catalog

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// SniffRIS recognises RIS by its first tag.
func SniffRIS(p doc.Peek) bool {
	return p.TextBegins("TY  - ")
}

// ReadRIS reads records of tagged lines, "UR  - http://...". Every line may have a
// link.
func ReadRIS(d *doc.Document) error {
	lines := d.Lines()
	var held []doc.Found
	id, title := "", ""
	finish := func() {
		held, id, title = yieldAll(d, held, id, title), "", ""
	}
	for line := range lines.All() {
		tag, value := "", doc.Chop(line)
		if len(line) >= 6 && string(line[2:5]) == "  -" {
			tag, value = string(line[:2]), bytes.TrimSpace(line[5:])
		}
		switch tag {
		case "ER", "TY":
			finish()
		case "ID":
			id = doc.OneLine(string(value))
		case "TI", "T1":
			title = doc.OneLine(string(value))
		}
		column := max(1, bytes.Index(line, value)+1)
		if u := doiURI(string(value)); tag == "DO" && u != "" {
			held = append(held, doc.Found{URI: u, Raw: string(value), Line: lines.Number, Column: column, How: "doi", Locator: tag})
			continue
		}
		textscan.Scan(value, lines.Number, column, func(f doc.Found) bool {
			f.Locator = tag
			held = append(held, f)
			return len(held) < maxPending
		})
	}
	finish()
	return lines.Err()
}
