package report

import (
	"strconv"
	"strings"
	"time"

	"linkcheck/store"
)

// Columns are the names of the columns of CSV, TSV and JSONL, in order. They
// are stable (OUTCOMES.md section 2.2). With Options.Unique "occurrences" follows.
var Columns = [...]string{"link_id", "collection", "record_id", "record_title", "record_url", "source", "locator", "context",
	"url", "url_normalized", "scheme", "host", "group", "state", "action", "outcome", "reason", "evidence", "reply",
	"final_url", "suggested_url", "archive_url", "flags", "first_seen", "first_checked", "last_checked", "last_ok",
	"failing_since", "fail_streak", "fail_days", "checks_total", "next_check", "duplicate_group", "pinned_by", "note",
	"changes", "message"}

// kind says how a field is written.
type kind uint8

const (
	word   kind = iota // a code, an address or an id: never altered
	free               // text of strangers: guarded against formulas
	number             // a whole number
	moment             // RFC 3339 in UTC; empty or null: never
	list               // words
)

// field is one value of a row.
type field struct {
	kind kind
	text string
	n    int64
	list []string
}

func at(t time.Time) field {
	if t.IsZero() {
		return field{kind: moment}
	}
	return field{kind: moment, text: t.UTC().Format(time.RFC3339)}
}

func num(n int) field { return field{kind: number, n: int64(n)} }

// fields appends the values of Columns for one mention of a link.
func (s *scope) fields(to []field, r *Row, m *store.Mention, dup string) []field {
	var by, note string
	if r.Pin != nil {
		by, note = s.clean(r.Pin.By), s.clean(r.Pin.Why)
	}
	changes := make([]string, len(r.Changed))
	for i, c := range r.Changed {
		changes[i] = string(c)
	}
	id := s.clean(m.Record)
	return append(to,
		field{kind: number, n: int64(r.ID)}, field{text: s.clean(m.Collection)}, field{text: id},
		field{kind: free, text: s.clean(m.Title)}, field{text: s.recordURL(m.Record)}, field{text: s.clean(File(m))},
		field{text: s.clean(locator(m))}, field{kind: free, text: s.clean(m.Context)}, field{text: s.address(m.URL)},
		field{text: r.Key}, field{text: r.Scheme}, field{text: r.Host}, field{text: r.Group.String()},
		field{text: r.State.String()}, field{text: r.action()}, field{text: r.Last.Outcome.String()},
		field{text: string(r.Last.Reason)}, field{text: r.Last.Evidence.String()}, field{kind: free, text: r.Last.Reply},
		field{text: r.Last.FinalURL}, field{text: withFragment(m.URL, r.Suggested)}, field{text: r.Archived},
		field{kind: list, list: r.Last.Flags}, at(r.FirstSeen), at(r.FirstChecked), at(r.Last.At), at(r.LastOK),
		at(r.FailingSince), num(r.Strikes), num(r.failDays()), num(r.Checks), at(r.NextCheck), field{text: dup},
		field{text: by}, field{kind: free, text: note}, field{kind: list, list: changes}, field{kind: free, text: r.Message})
}

// File gives the file of a mention and the member inside it.
func File(m *store.Mention) string {
	if m.Member != "" {
		return m.Source + "!" + m.Member
	}
	return m.Source
}

// locator says where in its source a mention stands: its field, or its line.
func locator(m *store.Mention) string {
	if m.Locator != "" || m.Line == 0 {
		return m.Locator
	}
	at := "line " + strconv.Itoa(m.Line)
	if m.Column > 0 {
		at += " col " + strconv.Itoa(m.Column)
	}
	return at
}

// cell gives a field as a cell of a table.
func (f *field) cell(guardAll bool) string {
	text := f.text
	switch f.kind {
	case number:
		return strconv.FormatInt(f.n, 10)
	case list:
		text = strings.Join(f.list, " ")
	}
	if (guardAll || f.kind == free) && text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}
