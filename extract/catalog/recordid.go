package catalog

import (
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// idField is the field that holds the id of a record, and the code of its subfield; 0: the
// first.
func idField(o doc.Options) (tag string, code byte) {
	if len(o.RecordID) > 4 {
		return o.RecordID[:3], o.RecordID[4]
	}
	return max(o.RecordID, "001"), 0
}

// idOf is the id of a record in a field that has subfields.
func idOf(subs []bibSub, code byte) string {
	for _, s := range subs {
		if code == 0 || s.code == code {
			return strings.TrimSpace(s.text)
		}
	}
	return ""
}

// dateFields are the fields with subfields that say something of the dates of a record, and
// the code of that.
var dateFields = map[string]byte{"100": 'a', "260": 'c', "264": 'c'}

// noteDate takes from a field what it says of the dates of its record.
func noteDate(dates *dates.MARC, f *bibField) {
	code := dateFields[f.tag]
	if code == 0 || dates.Known() {
		return
	}
	for _, s := range f.subs {
		if s.code == code {
			dates.Note(f.tag, s.text)
		}
	}
}
