package table

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"linkcheck/report"
	"linkcheck/store"
)

// eachFields calls f with the values of Columns for every mention of every link. With
// Options.Unique it does so for the first mention of each only, and the number of
// mentions follows. The fields are valid until f returns.
func eachFields(ctx context.Context, s *report.Scope, f func(*report.Row, []field) error) error {
	duplicateName, err := s.DuplicateNames(ctx)
	if err != nil {
		return err
	}
	list := make([]field, 0, len(Columns)+1)
	return s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		s.Describe(r)
		mentions := r.LiveMentions
		if s.Unique {
			mentions = mentions[:1]
		}
		name := duplicateName(r.ID)
		for i := range mentions {
			list = fields(list[:0], s, r, &mentions[i], name)
			if s.Unique {
				list = append(list, num(len(r.LiveMentions)))
			}
			if err := f(r, list); err != nil {
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
// are stable (OUTCOMES.md section 2.2). With Options.Unique "occurrences" follows.
var Columns = [...]string{"link_id", "collection", "record_id", "record_title", "record_url", "source", "locator", "context",
	"url", "url_normalized", "scheme", "host", "group", "state", "action", "outcome", "reason", "evidence", "reply",
	"final_url", "suggested_url", "archive_url", "flags", "first_seen", "first_checked", "last_checked", "last_ok",
	"failing_since", "fail_streak", "fail_days", "checks_total", "next_check", "duplicate_group", "pinned_by", "note",
	"changes", "message"}

// kind says how a field is written.
type kind uint8

const (
	code      kind = iota // a code, an address or an id: altered with Options.SpreadsheetSafe only
	untrusted             // untrusted text: guarded against formulas
	number                // a whole number
	moment                // RFC 3339 in UTC; empty or null: never
	list                  // words
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
	return append(to,
		field{kind: number, n: int64(r.ID)}, field{text: s.Sanitize(m.Collection)}, field{text: s.Sanitize(m.Record)},
		field{kind: untrusted, text: s.Sanitize(m.Title)}, field{text: s.RecordAddress(m.Record)}, field{text: s.Sanitize(report.File(m))},
		field{text: s.Sanitize(report.Locator(m))}, field{kind: untrusted, text: s.Sanitize(m.Context)}, field{text: s.SanitizeURL(m.URL)},
		field{text: r.Key}, field{text: r.Scheme}, field{text: r.Host}, field{text: r.Group.String()},
		field{text: r.State.String()}, field{text: r.Action()}, field{text: r.Last.Outcome.String()},
		field{text: string(r.Last.Reason)}, field{text: r.Last.Evidence.String()}, field{kind: untrusted, text: r.Last.Reply},
		field{text: r.Last.FinalURL}, field{text: withFragment(s.SanitizeURL(m.URL), r.Suggested)}, field{text: r.Archived},
		field{kind: list, list: r.Last.Flags}, at(r.FirstSeen), at(r.FirstChecked), at(r.Last.At), at(r.LastOK),
		at(r.FailingSince), num(r.Strikes), num(r.FailDays()), num(r.Checks), at(r.NextCheck), field{text: duplicateName},
		field{text: by}, field{kind: untrusted, text: note}, field{kind: list, list: strings.Fields(r.ChangeCodes())}, field{kind: untrusted, text: r.Message})
}

// header gives the names of the columns.
func header(unique bool) []string {
	if unique {
		return append(Columns[:len(Columns):len(Columns)], "occurrences")
	}
	return Columns[:]
}

// plain gives a field as text, without the guard that CSV needs.
func (f *field) plain() string {
	if f.kind == list {
		return strings.Join(f.list, " ")
	}
	return f.text
}

// cell gives a field as a cell of CSV or TSV. Untrusted text that a spreadsheet
// would take for a formula gets a "'" before it; with guardAll any text does.
func (f *field) cell(guardAll bool) string {
	if f.kind == number {
		return strconv.FormatInt(f.n, 10)
	}
	text := f.plain()
	if (guardAll || f.kind == untrusted) && text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}
