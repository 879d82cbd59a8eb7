package report

import (
	"bufio"
	"context"
	"io"
	"strings"

	"linkcheck/judge"
	"linkcheck/store"
)

// WriteFixes streams record_id, locator, old_url, new_url and reason, separated
// by tabs, for every mention of a moved link whose new address is known and of
// an invalid one whose repair is sure. old_url is the string as it stands in the
// record, so that MarcEdit and the batch tools of library systems find it.
// A password in it would have to be shown, so such mentions are left out unless
// Options.ShowSecrets is set.
func WriteFixes(ctx context.Context, w io.Writer, src Source, o Options) error {
	s, _, err := prepare(src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString("record_id\tlocator\told_url\tnew_url\treason\n")
	err = s.eachRow(ctx, src, store.Pick{}, func(r *Row) error {
		if r.State != judge.Moved && r.State != judge.Invalid {
			return nil
		}
		if s.tell(r); r.Suggested == "" {
			return nil
		}
		for i := range r.Places {
			m := &r.Places[i]
			old := asWritten(m)
			new := withFragment(m.URL, r.Suggested)
			if old == new || s.address(old) != old {
				continue
			}
			cells := []string{s.clean(recordOf(m)), s.clean(locator(m)), old, new, string(r.Last.Reason)}
			if _, err := out.WriteString(strings.Join(cells, "\t") + "\n"); err != nil {
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

// asWritten gives the string to look for: the raw one where it fits on a line.
func asWritten(m *store.Mention) string {
	if m.Raw == "" || strings.ContainsAny(m.Raw, "\t\r\n") {
		return m.URL
	}
	return m.Raw
}

// nearName names the record of a mention, or its file by its name and its folder's.
func nearName(m *store.Mention) string {
	name := recordOf(m)
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

// recordOf gives the record of a mention, or its document where there is none.
func recordOf(m *store.Mention) string {
	if m.Record != "" {
		return m.Record
	}
	return File(m)
}
