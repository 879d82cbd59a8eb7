package builds

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/uri"
)

// WriteAtom streams a feed (RFC 4287) of the links that changed in the last run, or since
// that of Options.Since. An entry is one change of one link: its id is the same in every
// feed that has it, so that readers show it once.
func WriteAtom(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	begun := map[uint64]time.Time{}
	for _, r := range s.Nights {
		begun[r.ID] = r.Started.UTC()
	}
	out := bufio.NewWriter(w)
	of := []string{s.StorePath, strings.Join(s.Collections, "\n"), strings.Join(s.Only, "\n")}
	element := func(name, text string) { fmt.Fprintf(out, "<%s>%s</%s>\n", name, attribute(text), name) }
	fmt.Fprintf(out, "%s<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"%s\">\n", xml.Header, s.Words.Lang)
	element("id", uuid(append([]string{"feed"}, of...)...))
	element("title", s.Sanitize(titleOf(s))+": "+s.Words.Get("changed"))
	element("updated", lastRun(s).Format(time.RFC3339))
	fmt.Fprintf(out, "<author><name>%s</name></author>\n<generator version=\"%s\">%s</generator>\n", program, attribute(s.Sanitize(s.Version)), program)
	err = s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		if len(r.Changed) == 0 {
			return nil
		}
		s.Describe(r)
		var changes []string
		for _, c := range r.Changed {
			changes = append(changes, s.Words.Get("change."+string(c)))
		}
		out.WriteString("<entry>\n")
		element("id", uuid(s.StorePath, fmt.Sprint(r.ID), fmt.Sprint(r.ChangedRun), r.ChangeCodes()))
		element("title", strings.Join(changes, ", ")+": "+r.URL)
		at, known := begun[r.ChangedRun]
		if !known {
			at = lastRun(s)
		}
		element("updated", at.Format(time.RFC3339))
		if opens(r.URL) {
			fmt.Fprintf(out, "<link rel=\"alternate\" href=\"%s\"/>\n", attribute(r.URL))
		}
		fmt.Fprintf(out, "<content type=\"text\">%s</content>\n", attribute(strings.TrimSpace(r.Message+" "+r.Step)+" "+s.WhereLine(r)))
		_, err := out.WriteString("</entry>\n")
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("</feed>\n")
	return out.Flush()
}

// opens reports whether an address may stand in a link: readers open it, and it is a URI.
func opens(address string) bool {
	u, err := url.Parse(address)
	return err == nil && uri.Clickable(address) && u.String() == address
}

// uuid is a name that only these texts have: RFC 9562 section 5.8.
func uuid(texts ...string) string {
	h := sha256.Sum256([]byte("linkcheck\x00" + strings.Join(texts, "\x00")))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
