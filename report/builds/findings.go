package builds

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/uri"
)

// finding is a link at one of its places. All text is sanitized.
type finding struct {
	*report.Row
	path         string // of the document: below the folder of the report, with slashes; or its address
	line, column int    // from 1; 0: not known
	place        string // member, record and field, in words; "": line and column say it
	url          string // as it stands there
	fingerprint  string // the same in each report, also where lines moved; of no two places
}

// text says what happened to a link and what to do, on one line.
func (f *finding) text() string {
	text := f.url + ": " + f.Message
	if f.Step != "" {
		text += " " + f.Step
	}
	if f.place != "" {
		text += " (" + f.place + ")"
	}
	return text
}

// rule is the word under which findings are counted together.
func (f *finding) rule() string {
	if f.Standing >= report.Drift || f.Group == report.Update { // the reason is that of a good answer
		return f.Standing.String()
	}
	return cmp.Or(string(f.Last.Reason), f.Standing.String())
}

// eachFinding calls f for every place of the links of a report for which want says so. The
// finding is valid until f returns.
func eachFinding(ctx context.Context, s *report.Scope, want func(*report.Row) bool, f func(*finding) error) error {
	hidden := map[string]int{} // for links that look alike because a secret in them is masked
	return s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		if !want(r) {
			return nil
		}
		s.Describe(r)
		seen := hidden // how often a link stands at what has no other name
		if !strings.Contains(r.Key, "***") {
			seen = map[string]int{}
		}
		for i := range r.LiveMentions {
			m := &r.LiveMentions[i]
			found := finding{Row: r, path: pathOf(s, m), line: m.Line, column: m.Column, place: placeOf(s, m), url: s.SanitizeURL(m.URL)}
			name := strings.Join([]string{r.Key, found.path, found.place}, "\x00")
			seen[name]++
			found.fingerprint = sum(name, strconv.Itoa(seen[name]))
			if err := f(&found); err != nil {
				return err
			}
		}
		return nil
	})
}

// findings are the rows that need a person.
func findings(r *report.Row) bool { return r.Group.NeedsYou() }

// pathOf is the document of a mention, as builds name files: relative to the folder that they
// build, where it is below that.
func pathOf(s *report.Scope, m *store.Mention) string {
	name := m.Source
	if uri.Clickable(name) {
		return s.SanitizeURL(name)
	}
	if s.Folder != "" && filepath.IsAbs(name) {
		if below, err := filepath.Rel(s.Folder, name); err == nil && filepath.IsLocal(below) {
			name = below
		}
	}
	return s.Sanitize(strings.TrimPrefix(filepath.ToSlash(filepath.Clean(name)), "./"))
}

// placeOf names what is no line of a file: a member, a record, a field.
func placeOf(s *report.Scope, m *store.Mention) string {
	var parts []string
	for _, part := range []string{m.Member, m.Record, m.Locator} {
		if part != "" {
			parts = append(parts, s.Sanitize(part))
		}
	}
	return strings.Join(parts, " ")
}

// sum is a short name for texts that only they have.
func sum(texts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(h[:16])
}

// titleOf is what a report is about, as far as the options say it.
func titleOf(s *report.Scope) string {
	return cmp.Or(s.Title, strings.Join(s.Owners, ", "), strings.Join(s.RootNames, ", "), s.Words.Get("title"))
}

// lastRun is when the last run began, in UTC; without one, when the report is made.
func lastRun(s *report.Scope) time.Time {
	at := s.Now
	for _, r := range s.Nights {
		at = r.Started
	}
	return at.UTC()
}

// attribute escapes text for XML: within an attribute, and so within an element too. What
// XML 1.0 has no sign for becomes U+FFFD.
func attribute(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes all
	return b.String()
}
