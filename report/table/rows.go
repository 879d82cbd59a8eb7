package table

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/store"
)

// eachFields calls f with the values of Columns for every mention of every link. With
// Options.Unique it does so for the first mention of each only, and the number of
// mentions follows. History is for what pick says. The fields are valid until f returns.
func eachFields(ctx context.Context, s *report.Scope, pick store.Pick, f func(*report.Row, *store.Mention, []field) error) error {
	duplicateName, err := s.DuplicateNames(ctx)
	if err != nil {
		return err
	}
	list := make([]field, 0, len(Columns)+1)
	if s.Unique {
		pick.Most = 1
	}
	return s.EachRow(ctx, pick, func(r *report.Row) error {
		s.Describe(r)
		mentions := r.LiveMentions
		if s.Unique {
			mentions = mentions[:1]
		}
		name := duplicateName(r.ID)
		for i := range mentions {
			list = fields(list[:0], s, r, &mentions[i], name)
			if s.Unique {
				list = append(list, num(r.Picked))
			}
			if err := f(r, &mentions[i], list); err != nil {
				return err
			}
		}
		return nil
	})
}

// newWriter begins a file. A byte order mark tells Excel that it is UTF-8.
func newWriter(w io.Writer, bom bool) *bufio.Writer {
	out := bufio.NewWriterSize(w, 1<<16)
	if bom {
		out.WriteString("\ufeff")
	}
	return out
}

// Columns are the names of the columns of CSV, TSV and JSONL, in order. They
// are stable (OUTCOMES.md section 2.2). With Options.Unique "occurrences" follows. The last
// of CSV, TSV and XLSX is "guarded".
var Columns = [...]string{"link_id", "collection", "record_id", "record_title", "record_url", "source", "locator", "context",
	"url", "url_normalized", "scheme", "host", "group", "state", "action", "outcome", "reason", "evidence", "reply",
	"final_url", "suggested_url", "archive_url", "flags", "first_seen", "first_checked", "last_checked", "last_ok",
	"failing_since", "fail_streak", "fail_days", "checks_total", "next_check", "duplicate_group", "pinned_by", "note",
	"changes", "message", "root", "owner"}

// kind says how a field is written.
type kind uint8

const (
	text   kind = iota
	number      // a whole number
	moment      // RFC 3339 in UTC; empty or null: never
	list        // words
)

// field is one value of a row.
type field struct {
	kind kind
	text string
	n    int64
	list []string
}

func at(t time.Time) field {
	f := field{kind: moment}
	if !t.IsZero() {
		f.text = t.UTC().Format(time.RFC3339)
	}
	return f
}

func num(n int) field { return field{kind: number, n: int64(n)} }

// fields appends the values of Columns for one mention of a link.
func fields(to []field, s *report.Scope, r *report.Row, m *store.Mention, duplicateName string) []field {
	var by, note string
	if r.Pin != nil {
		by, note = s.Sanitize(r.Pin.By), s.Sanitize(r.Pin.Why)
	}
	if r.Note != nil {
		note = strings.TrimPrefix(note+"; "+s.Sanitize(r.Note.Text), "; ")
	}
	root := s.RootOf(m.Collection)
	return append(to,
		field{kind: number, n: int64(r.ID)}, field{text: s.Sanitize(m.Collection)}, field{text: s.Sanitize(m.Record)},
		field{text: s.Sanitize(m.Title)}, field{text: s.RecordAddress(m)}, field{text: s.Sanitize(report.File(m))},
		field{text: s.Sanitize(report.Locator(m))}, field{text: s.Sanitize(m.Context)}, field{text: s.SanitizeURL(m.URL)},
		field{text: r.Key}, field{text: r.Scheme}, field{text: r.Host}, field{text: r.Group.String()},
		field{text: r.State.String()}, field{text: r.Action()}, field{text: r.Last.Outcome.String()},
		field{text: string(r.Last.Reason)}, field{text: r.Last.Evidence.String()}, field{text: r.Last.Reply},
		field{text: r.Last.FinalURL}, field{text: withFragment(s.SanitizeURL(m.URL), r.Suggested)}, field{text: r.ArchivedAt(m)},
		field{kind: list, list: r.Last.Flags}, at(r.FirstSeen), at(r.FirstChecked), at(r.Last.At), at(r.LastOK),
		at(r.FailingSince), num(r.Strikes), num(r.FailDays()), num(r.Checks), at(r.NextCheck), field{text: duplicateName},
		field{text: by}, field{text: note}, field{kind: list, list: strings.Fields(r.ChangeCodes())}, field{text: r.Message},
		field{text: s.Sanitize(root.Name)}, field{text: s.Sanitize(m.Owner)})
}

// header gives the names of the columns.
func header(unique bool) []string {
	if unique {
		return append(Columns[:len(Columns):len(Columns)], "occurrences")
	}
	return Columns[:]
}

// plain gives a field as text, without the guard that spreadsheets need.
func (f *field) plain() string {
	switch f.kind {
	case number:
		return strconv.FormatInt(f.n, 10)
	case list:
		return strings.Join(f.list, " ")
	}
	return f.text
}

// guardedColumn is the name of the column that says which cells of its row are guarded.
const guardedColumn = "guarded"

// guardText is guard for the cells of a text. A spreadsheet may take another separator than
// ours (where the comma is in numbers it is the semicolon), and then a cell is several: a
// "'" goes behind each one before what would be a formula (OUTCOMES section 2.2).
func guardText(cells, names []string, raw bool) []string {
	return guardBy(splitGuarded, cells, names, raw)
}

// guard keeps a spreadsheet from taking the cells of a row for formulas: such a cell gets
// a "'" before it, and its name stands in one more cell at the end. With raw nothing is
// guarded, and that cell is empty. A cell is one line in any case.
func guard(cells, names []string, raw bool) []string { return guardBy(guarded, cells, names, raw) }

func guardBy(of func(cell string) string, cells, names []string, raw bool) []string {
	var changed []string
	for i := range cells {
		if plain(cells[i]) {
			continue
		}
		cells[i] = escape.Line(cells[i])
		if raw {
			continue
		}
		if safe := of(cells[i]); safe != cells[i] {
			cells[i] = safe
			changed = append(changed, names[i])
		}
	}
	return append(cells, strings.Join(changed, " "))
}

// plain says that a cell is what nearly all are: shown ASCII without a separator, behind a
// letter or digit. None of it is escaped or guarded.
func plain(cell string) bool {
	for i := range len(cell) {
		switch c := cell[i]; {
		case c < ' ', c >= 0x7f, c == ',', c == ';', c == '|':
			return false
		}
	}
	return cell == "" || 'a' <= cell[0] && cell[0] <= 'z' || 'A' <= cell[0] && cell[0] <= 'Z' || '0' <= cell[0] && cell[0] <= '9'
}

// guarded is a cell with its guard, if it needs one.
func guarded(cell string) string {
	if formula(cell) {
		return "'" + cell
	}
	return cell
}

// splitGuarded guards each part of a cell that another separator would make. Numbers with a
// sign stay there: the addresses of catalogues hold ",-1,0" (Innopac), which calls no
// function, sheet or program.
func splitGuarded(cell string) string {
	safe, done, calls := []byte(nil), 0, strings.LastIndexAny(cell, "(|![")
	for i := range len(cell) {
		if c := cell[i]; c != ',' && c != ';' && c != '|' && c != '\t' || !formula(cell[i+1:]) {
			continue
		}
		if sign := strings.IndexAny(cell[i+1:], signs); calls > i || !strings.Contains("+-", cell[i+1+sign:i+2+sign]) {
			safe, done = append(append(safe, cell[done:i+1]...), '\''), i+1
		}
	}
	return guarded(string(safe) + cell[done:])
}

// signs are those that formulas begin with, in their wide forms too.
const signs = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"

// formula reports whether a program for spreadsheets may take a cell for a formula: it
// begins with one of the signs, in their wide forms too, or with a control character; what
// such programs strip or overlook may stand before (blanks, quotes, what is not seen).
func formula(cell string) bool {
	for _, r := range cell {
		switch {
		case strings.ContainsRune(signs, r), unicode.IsControl(r):
			return true
		case !strings.ContainsRune("'\"`\u2018\u2019\u201c\u201d\uff07\uff02\ufffd", r) && !unicode.In(r, unicode.Z, unicode.Cf, unicode.Mn):
			return false
		}
	}
	return false
}
