package catalog

import (
	"bytes"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// SniffMRK recognises the mnemonic form of MARC that MarcEdit writes.
func SniffMRK(p doc.Peek) bool {
	return p.TextBegins("=LDR  ", "=000  ")
}

// ReadMRK reads records of lines "=856  40$uhttp://..."; the leader begins one.
func ReadMRK(d *doc.Document) error {
	lines := d.Lines()
	counts := map[string]int{}
	c := links{d: d, wanted: uriSubfields(d.Options), found: d.Yield}
	idTag, code := idField(d.Options)
	var pending []doc.Found
	if idTag >= "010" { // it may stand behind the links of its record
		c.found = func(f doc.Found) bool {
			if pending = append(pending, f); len(pending) >= maxPending {
				pending = yieldAll(d, pending, c.id, c.title, c.dates)
			}
			return !d.Stopped()
		}
	}
	for line, start := range lines.All() {
		line = doc.Chop(line)
		if lines.Number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if !start || len(line) < 6 || line[0] != '=' || string(line[4:6]) != "  " {
			continue
		}
		tag, value := string(line[1:4]), line[6:]
		counts[tag]++
		switch {
		case tag == "LDR" || tag == "000":
			clear(counts)
			pending = yieldAll(d, pending, c.id, c.title, c.dates)
			c.id, c.title, c.dates = "", "", dates.MARC{}
		case tag < "010":
			if c.dates.Note(tag, string(value)); tag == idTag {
				c.id, _ = d.Cut(lines.Number, "id of a record", strings.TrimSpace(string(value)))
			}
		case tag == idTag && c.id == "":
			f := mrkField(tag, value, lines.Number)
			c.id, _ = d.Cut(lines.Number, "id of a record", idOf(f.subs, code))
			c.field(&f, counts[tag])
		case dateFields[tag] != 0 || tag == "245" && c.title == "" || c.mayHold(tag, value, '$'):
			f := mrkField(tag, value, lines.Number)
			if tag == "245" {
				c.title = titleOf(d, f.subs)
			}
			noteDate(&c.dates, &f)
			c.field(&f, counts[tag])
		}
	}
	yieldAll(d, pending, c.id, c.title, c.dates)
	return lines.Err()
}

// mnemonics are those of the characters of ASCII that have a meaning in the form, or had one
// in character sets of MARC ("MARCMaker and MARCBreaker User's Manual", Library of Congress).
var mnemonics = strings.NewReplacer("{dollar}", "$", "{lcub}", "{", "{rcub}", "}", "{bsol}", `\`, "{verbar}", "|",
	"{spcirc}", "^", "{spgrave}", "`", "{sptilde}", "~", "{spundscr}", "_")

// mrkField takes a field apart.
func mrkField(tag string, value []byte, number int) bibField {
	f := newField(tag, value, '$', nil, func(b []byte) string { return string(b) })
	f.inds = strings.ReplaceAll(f.inds, `\`, " ")
	for i := range f.subs {
		s := &f.subs[i]
		s.text = mnemonics.Replace(s.text)
		s.line, s.column = number, s.off+7
	}
	return f
}
