package catalog

import (
	"bytes"
	"slices"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// SniffRIS recognises RIS by its first tag.
func SniffRIS(p doc.Peek) bool {
	return p.TextBegins("TY  - ")
}

// addressTags hold an address and nothing else.
var addressTags = map[string]bool{"UR": true, "LK": true, "L1": true, "L2": true, "L3": true, "L4": true}

// ReadRIS reads records of tagged lines, "UR  - http://...". Every line may have a
// link.
func ReadRIS(d *doc.Document) error {
	lines := d.Lines()
	var held []doc.Found
	id, title := "", ""
	finish := func() {
		held, id, title = yieldAll(d, withoutTwins(held), id, title, dates.MARC{}), "", ""
	}
	hold := func(f doc.Found, tag string) bool {
		f.Locator = tag
		if held = append(held, f); len(held) >= maxPending {
			held = yieldAll(d, held, id, title, dates.MARC{})
		}
		return !d.Stopped()
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
			id, _ = d.Cut(lines.Number, "id of a record", doc.OneLine(string(value)))
		case "TI", "T1":
			title, _ = d.Cut(lines.Number, "title", doc.OneLine(string(value)))
		}
		column := max(1, bytes.Index(line, value)+1)
		if u := doiURI(string(value)); tag == "DO" && u != "" {
			hold(doc.Found{URI: u, Raw: string(value), Line: lines.Number, Column: column, How: "doi"}, tag)
			continue
		}
		if addressTags[tag] && bytes.ContainsAny(value, "<>") { // as old DOIs have them
			if f, ok := uriValue(tag, &bibSub{code: 'u', text: string(value), line: lines.Number, column: column}); ok && !f.Faulty {
				f.How = "url"
				hold(f, tag)
				continue
			}
		}
		textscan.Scan(d, value, lines.Number, column, func(f doc.Found) bool { return hold(f, tag) })
	}
	finish()
	return lines.Err()
}

// withoutTwins is the links of a record without those of DO and UR that say the DOI of an
// earlier one again, in other letters or with another resolver.
func withoutTwins(held []doc.Found) []doc.Found {
	said := map[string]string{} // tag by DOI
	return slices.DeleteFunc(held, func(f doc.Found) bool {
		name := doiOf(f.URI)
		if name == "" || f.Locator != "DO" && f.Locator != "UR" {
			return false
		}
		tag, twin := said[name]
		if !twin {
			said[name] = f.Locator
		}
		return twin && tag != f.Locator
	})
}
