package report

import (
	"context"
	"fmt"

	"linkcheck/store"
	"linkcheck/uri"
)

// eachRow calls f for every picked link that stands in the report and that the
// options want, in the order of the source. A row holds until f returns.
func (s *scope) eachRow(ctx context.Context, src Source, pick store.Pick, f func(*Row) error) error {
	pick.Places = true
	r := new(Row)
	for e, err := range ahead(src.Scan(pick)) {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		*r = s.row(&e)
		if len(r.Places) == 0 || !s.wants(r) {
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// streamRows calls f with the fields of every row: one a mention, or with
// Options.Unique one a link, its first mention and the count of them.
func streamRows(ctx context.Context, src Source, o Options, f func([]field) error) error {
	s, _, err := prepare(src, o)
	if err != nil {
		return err
	}
	groups, err := indexGroups(src, uri.Registry)
	if err != nil {
		return err
	}
	fields := make([]field, 0, len(Columns)+1)
	return s.eachRow(ctx, src, store.Pick{}, func(r *Row) error {
		s.tell(r)
		dup := groups.of(r.ID)
		if o.Unique {
			return f(append(s.fields(fields[:0], r, &r.Places[0], dup), num(len(r.Places))))
		}
		for i := range r.Places {
			if err := f(s.fields(fields[:0], r, &r.Places[i], dup)); err != nil {
				return err
			}
		}
		return nil
	})
}
