package table

import (
	"bufio"
	"context"
	"io"

	"linkcheck/report"
	"linkcheck/store"
)

// eachMention calls f for every mention of every row: with Options.Unique for the
// first mention of each link only. duplicateName names the group of links that the
// row is the same as.
func eachMention(ctx context.Context, s *report.Scope, f func(r *report.Row, m *store.Mention, duplicateName string) error) error {
	duplicateName, err := s.DuplicateNames()
	if err != nil {
		return err
	}
	return s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		s.Describe(r)
		mentions := r.Places
		if s.Unique {
			mentions = mentions[:1]
		}
		name := duplicateName(r.ID)
		for i := range mentions {
			if err := f(r, &mentions[i], name); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachFields calls f with the values of Columns for every mention; with
// Options.Unique the number of mentions follows.
func eachFields(ctx context.Context, src report.Source, o report.Options, f func([]field) error) error {
	s, err := report.NewScope(src, o)
	if err != nil {
		return err
	}
	list := make([]field, 0, len(Columns)+1)
	return eachMention(ctx, s, func(r *report.Row, m *store.Mention, duplicateName string) error {
		list = fields(list[:0], s, r, m, duplicateName)
		if s.Unique {
			list = append(list, num(len(r.Places)))
		}
		return f(list)
	})
}

// newWriter begins a file, if asked for with the byte order mark that tells Excel
// that it is UTF-8.
func newWriter(w io.Writer, bom bool) *bufio.Writer {
	out := bufio.NewWriterSize(w, 1<<16)
	if bom {
		out.WriteString("\ufeff")
	}
	return out
}
