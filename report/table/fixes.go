package table

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

// WriteFixes streams record_id, locator, old_url, new_url and reason, separated
// by tabs, for every mention of a moved link whose new address is known, of one that
// a person accepted for a link (accepted), of one that
// follows its site (reason site-moved), of a DOI at an old address of its resolver
// (old-resolver), and of an invalid one with a sure repair. old_url is the string as written in the
// record, so that MarcEdit and the batch tools of library systems find it.
// A password in it would have to be shown, so such mentions are left out unless
// Options.ShowSecrets is set. Cells are guarded against formulas as in WriteCSV: what a
// batch tool shall find has to be written with Options.Raw.
func WriteFixes(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	writeFixHead(out)
	err = s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		accepted := r.Fix != nil && !r.Fix.Refused
		if r.Group != report.Update && r.State != judge.Invalid && !accepted {
			return nil
		}
		if s.Describe(r); r.Suggested == "" {
			return nil
		}
		reason := string(r.Last.Reason)
		if r.Standing >= report.SiteMoved {
			reason = r.Standing.String()
		}
		if accepted {
			reason = "accepted"
		}
		for i := range r.LiveMentions {
			m := &r.LiveMentions[i]
			old := asWritten(m)
			new := withFragment(m.URL, r.Suggested)
			if old == new || s.SanitizeURL(old) != old || !s.ShowSecrets && strings.Contains(new, "***") {
				continue // a new address of which a part is hidden is none
			}
			cells := []string{s.Sanitize(report.RecordOf(m)), s.Sanitize(report.Locator(m)), old, new, reason}
			if err := writeFix(out, cells, s.Raw); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// fixNames are the columns of fixes; one more names the guarded cells of a row.
var fixNames = []string{"record_id", "locator", "old_url", "new_url", "reason"}

// WriteFixRows writes rows with the columns of WriteFixes.
func WriteFixRows(w io.Writer, raw bool, rows iter.Seq[[]string]) error {
	out := bufio.NewWriter(w)
	writeFixHead(out)
	for cells := range rows {
		if err := writeFix(out, cells, raw); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteFixCSV writes the same rows as CSV.
func WriteFixCSV(w io.Writer, raw bool, rows iter.Seq[[]string]) error {
	c := csv.NewWriter(w)
	if err := c.Write(append(slices.Clone(fixNames), guardedColumn)); err != nil {
		return err
	}
	for cells := range rows {
		if err := c.Write(guardText(cells, fixNames, raw)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func writeFixHead(out *bufio.Writer) {
	out.WriteString(strings.Join(fixNames, "\t") + "\t" + guardedColumn + "\n")
}

func writeFix(out *bufio.Writer, cells []string, raw bool) error {
	_, err := out.WriteString(strings.Join(guardText(cells, fixNames, raw), "\t") + "\n")
	return err
}

// asWritten gives the string to look for: the raw one where it fits on a line.
func asWritten(m *store.Mention) string {
	if m.Raw == "" || strings.ContainsAny(m.Raw, "\t\r\n") {
		return m.URL
	}
	return m.Raw
}

// withFragment gives the new address with the fragment of the old one, as a browser
// does (RFC 9110 section 10.2.2).
func withFragment(old, new string) string {
	if _, f, ok := strings.Cut(old, "#"); ok && new != "" && !strings.Contains(new, "#") {
		return new + "#" + f
	}
	return new
}
