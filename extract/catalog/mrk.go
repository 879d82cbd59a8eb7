package catalog

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
)

// SniffMRK recognises the mnemonic form of MARC that MarcEdit writes.
func SniffMRK(p doc.Peek) bool {
	return p.Begins("=LDR  ", "=000  ")
}

// ReadMRK reads records of lines "=856  40$uhttp://..."; the leader begins one.
func ReadMRK(d *doc.Document) error {
	lines := d.Lines()
	c := links{wanted: uriSubfields(d.Options), found: d.Yield}
	counts := map[string]int{}
	c.nth = func(tag string) int { return counts[tag] }
	for line, start := range lines.All() {
		line = doc.Chop(line)
		if !start || len(line) < 6 || line[0] != '=' || string(line[4:6]) != "  " {
			continue
		}
		tag, value := string(line[1:4]), line[6:]
		counts[tag]++
		switch {
		case tag == "LDR" || tag == "000":
			clear(counts)
			c.id, c.title = "", ""
		case tag < "010":
			if tag == max(d.Options.RecordID, "001") {
				c.id = strings.TrimSpace(string(value))
			}
		default:
			f := mrkField(tag, value, lines.Number)
			if tag == "245" {
				c.title = titleOf(f.subs)
			}
			c.field(f)
		}
	}
	return lines.Err()
}

// mrkField splits a field into subfields; a dollar in the text is written {dollar}.
func mrkField(tag string, value []byte, number int) bibField {
	f := bibField{tag: tag}
	at := bytes.IndexByte(value, '$')
	if at < 0 {
		return f
	}
	f.inds = strings.ReplaceAll(string(value[:at]), `\`, " ")
	for at < len(value) {
		end := len(value)
		if n := bytes.IndexByte(value[at+1:], '$'); n >= 0 {
			end = at + 1 + n
		}
		if end-at > 1 {
			text := strings.ReplaceAll(string(value[at+2:end]), "{dollar}", "$")
			f.subs = append(f.subs, bibSub{code: value[at+1], text: text, line: number, column: at + 9})
		}
		at = end
	}
	return f
}
