package report

import (
	"context"
	"fmt"

	"linkcheck/store"
	"linkcheck/uri"
)

// eachRow calls f for every link that the options want, in the order of the
// source, with the collection and retirement of its mentions already judged.
func (s *scope) eachRow(ctx context.Context, src Source, f func(*Row) error) error {
	for l, err := range src.Links() {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.Mentions == 0 {
			continue
		}
		r := s.row(l)
		if !s.wants(&r) {
			continue
		}
		if err := f(&r); err != nil {
			return err
		}
	}
	return nil
}

// eachMention calls f for every live mention of a link until f returns false.
func (s *scope) eachMention(src Source, link uint64, f func(*store.Mention) (bool, error)) error {
	for m, err := range src.MentionsOf(link) {
		if err != nil {
			return fmt.Errorf("report: read mentions of link %d: %w", link, err)
		}
		if !s.live(&m) {
			continue
		}
		if more, err := f(&m); err != nil || !more {
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
	return s.eachRow(ctx, src, func(r *Row) error {
		dup := groups.of(r.ID)
		n := 0
		err := s.eachMention(src, r.ID, func(m *store.Mention) (bool, error) {
			n++
			if n > 1 && o.Unique {
				return true, nil
			}
			fields = s.fields(fields[:0], r, m, dup)
			if o.Unique {
				return true, nil
			}
			return true, f(fields)
		})
		if err != nil || !o.Unique || n == 0 {
			return err
		}
		return f(append(fields, num(n)))
	})
}
