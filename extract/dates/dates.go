// Package dates reads the dates of documents, however they are written. Pure.
package dates

import (
	"slices"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// Where the date of a document comes from: the words of doc.Found.DateFrom.
const (
	Mail    = "mail"      // Date of a message (RFC 5322 section 3.6.1)
	RFC     = "rfc"       // the month on the first page of an RFC or draft
	WARC    = "warc"      // when it was captured
	Entered = "marc 008"  // when the record was entered (008/00-05; UNIMARC 100 $a/00-07)
	Changed = "marc 005"  // when the record was last changed
	Issued  = "marc year" // of publication, from webYear on (008/07-10, 264 $c, 260 $c)
	Robust  = "robust"    // data-versiondate of a Robust Link
)

const (
	firstYear = 1968 // of a date that is believed: the first year of MARC, and of RFCs but one
	lastYear  = 2100
	webYear   = 1995 // of publication from which on a work may have its web
)

// Give gives f the date of the document around it, and where that says so, unless it has one.
func Give(f *doc.Found, date, from string) {
	if f.Date == "" && date != "" {
		f.Date, f.DateFrom = date, from
	}
}

// Day gives a date as doc.Found has it, "" for what is none: month and day may be 0, not known.
func Day(year, month, day int) string {
	if year < firstYear || year > lastYear || month < 0 || month > 12 || day < 0 || day > 31 {
		return ""
	}
	b := strconv.AppendInt(make([]byte, 0, len("2006-01-02")), int64(year), 10)
	if month > 0 {
		b = append(b, '-', '0'+byte(month/10), '0'+byte(month%10))
	}
	if month > 0 && day > 0 {
		b = append(b, '-', '0'+byte(day/10), '0'+byte(day%10))
	}
	return string(b)
}

// OfDigits reads a date that begins with year, month and day in eight digits, with or
// without a sign between them.
func OfDigits(s string) string {
	s = strings.ReplaceAll(s[:min(len(s), len("2006-01-02"))], "-", "")
	if len(s) < 8 || !ascii.Digits(s[:8]) {
		return ""
	}
	return wholeDay(atoi(s[:4]), atoi(s[4:6]), atoi(s[6:8]))
}

// wholeDay is Day, where month and day are known.
func wholeDay(year, month, day int) string {
	if month == 0 || day == 0 {
		return ""
	}
	return Day(year, month, day)
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // whoever calls has digits
	return n
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// monthOf gives the number of a month by its English name, of which three letters or more are
// there; 0: it is none.
func monthOf(word string) int {
	word = strings.TrimSuffix(word, ".")
	if len(word) < 3 {
		return 0
	}
	return 1 + slices.IndexFunc(months, func(name string) bool { return len(word) <= len(name) && strings.EqualFold(name[:len(word)], word) })
}

// OfText reads a date as people and their programs write it, with the name of its month:
// "Tue, 5 Nov 1996 10:00:00 GMT", "5-Nov-96", "Sat Jan  3 01:05:34 1996", "November 5, 1996",
// "November 1996". A year of two digits is one of 1968 to 2067 (RFC 5322 section 4.3 has 1950 to
// 2049, of which no message is).
func OfText(s string) string {
	year, month, day := 0, 0, 0
	for word := range strings.FieldsFuncSeq(s[:min(len(s), 200)], func(r rune) bool { return strings.ContainsRune(" \t\r\n,-/()", r) }) {
		switch {
		case !ascii.Digits(word):
			if month == 0 {
				month = monthOf(word)
			}
		case len(word) == 4 && year == 0:
			year = atoi(word)
		case len(word) <= 2 && day == 0:
			day = atoi(word)
		case len(word) == 2 && year == 0 && month > 0:
			if year = 1900 + atoi(word); year < firstYear {
				year += 100
			}
		}
	}
	if year == 0 || month == 0 {
		return ""
	}
	return Day(year, month, day)
}

// MARC gathers what a MARC record says of its dates.
type MARC struct {
	entered, issued string
	changed         string // as 005 has it: most records say when they were entered
}

// Known says that nothing which comes can tell a better date.
func (m *MARC) Known() bool { return m.entered != "" }

// Note takes the value of a field: of a control field, or of the subfield $a of 100, $c of 260
// and 264.
func (m *MARC) Note(tag, value string) {
	if m.Known() {
		return
	}
	value = value[:min(len(value), 100)]
	switch tag {
	case "005":
		m.changed = value
	case "008":
		if len(value) >= 6 && ascii.Digits(value[:6]) {
			year := 1900 + atoi(value[:2])
			if year < firstYear {
				year += 100
			}
			m.entered = wholeDay(year, atoi(value[2:4]), atoi(value[4:6]))
		}
		if len(value) >= 11 && !m.Known() {
			m.issue(value[7:11])
		}
	case "100": // UNIMARC; in MARC 21 it is a name
		m.entered = OfDigits(value)
	case "260", "264":
		for i := range len(value) - 3 {
			if m.issued == "" && ascii.Digits(value[i:i+4]) {
				m.issue(value[i : i+4])
			}
		}
	}
}

// issue takes a year of publication: a book of 1790 has no web of its year.
func (m *MARC) issue(year string) {
	if m.issued == "" && ascii.Digits(year) && atoi(year) >= webYear {
		m.issued = Day(atoi(year), 0, 0)
	}
}

// Best is the date by which the record was made: when it was entered, else when it was
// changed, else the year of publication.
func (m *MARC) Best() (date, from string) {
	if m.Known() {
		return m.entered, Entered
	}
	if changed := OfDigits(m.changed); changed != "" {
		return changed, Changed
	}
	if m.issued != "" {
		return m.issued, Issued
	}
	return "", ""
}

// Give is the function of that name, for Best.
func (m *MARC) Give(f *doc.Found) {
	date, from := m.Best()
	Give(f, date, from)
}
