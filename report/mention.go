package report

import (
	"strconv"
	"strings"

	"linkcheck/store"
)

// File gives the file of a mention and the member inside it.
func File(m *store.Mention) string {
	if m.Member != "" {
		return m.Source + "!" + m.Member
	}
	return m.Source
}

// Locator says where in its source a mention stands: its field, or its line.
func Locator(m *store.Mention) string {
	if m.Locator != "" || m.Line == 0 {
		return m.Locator
	}
	at := "line " + strconv.Itoa(m.Line)
	if m.Column > 0 {
		at += " col " + strconv.Itoa(m.Column)
	}
	return at
}

// NearName names the record of a mention, or its file by its name and its folder's.
func NearName(m *store.Mention) string {
	name := RecordOf(m)
	if m.Record != "" {
		return name
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		if i = strings.LastIndexByte(name[:i], '/'); i >= 0 {
			return name[i+1:]
		}
	}
	return name
}

// RecordOf gives the record of a mention, or its document where there is none.
func RecordOf(m *store.Mention) string {
	if m.Record != "" {
		return m.Record
	}
	return File(m)
}

// WhereLine says where a link stands: its first mention, and how many more.
func (s *Scope) WhereLine(row *Row) string {
	m := row.First()
	first := strings.TrimSpace(s.Sanitize(NearName(m)) + " " + s.Sanitize(Locator(m)))
	if row.Count > 1 {
		first += " +" + s.Words.Number(row.Count-1)
	}
	return first
}
