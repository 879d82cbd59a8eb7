package table

import (
	"context"
	"io"
	"strconv"

	"linkcheck/judge"
	"linkcheck/lint"
	"linkcheck/report"
	"linkcheck/store"
)

// LinkSchema names the schema of a JSONL row. It changes when a column does; columns may
// be added behind the last one.
const LinkSchema = "linkcheck.link.v1"

// WriteJSONL streams a JSON object for every mention: "schema", then Columns in
// order, "target" where the link leads through a library's proxy, "move" where it
// moved, and "faults" where the address is written wrongly. Numbers are numbers,
// flags and changes lists, times null for never.
func WriteJSONL(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	s.Exact = true
	out := newWriter(w, false)
	names := header(o.Unique)
	line := make([]byte, 0, 1<<12)
	err = eachFields(ctx, s, store.Pick{History: true, HistoryOf: isMoved}, func(r *report.Row, m *store.Mention, fields []field) error {
		line = append(line[:0], `{"schema":"`+LinkSchema+`"`...)
		for i := range fields {
			line = append(append(append(line, `,"`...), names[i]...), `":`...)
			line = fields[i].json(line)
		}
		if r.Target != "" {
			line = report.AppendJSON(append(line, `,"target":`...), r.Target)
		}
		if r.Proof.Why != "" {
			line = appendMove(append(line, `,"move":`...), s, r)
		}
		line = appendFaults(line, s, r, m)
		_, err := out.Write(append(line, "}\n"...))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// isMoved says of which links a history is wanted: it proves moves, or does not.
func isMoved(l *store.Link) bool { return l.State == judge.Moved }

// appendMove writes the redirects of a move, each with its status code and where it led, and
// what proves it: a word of package moved, and the sentence.
func appendMove(to []byte, s *report.Scope, r *report.Row) []byte {
	to = append(to, `{"chain":[`...)
	for i := range r.Last.Hops {
		h := &r.Last.Hops[i]
		if i > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(append(to, `{"code":`...), int64(h.Code), 10)
		to = append(report.AppendJSON(append(to, `,"url":`...), s.SanitizeURL(h.URL)), '}')
	}
	to = strconv.AppendBool(append(to, `],"proven":`...), r.Proof.Proven())
	to = report.AppendJSON(append(to, `,"proof":`...), string(r.Proof.Why))
	return append(report.AppendJSON(append(to, `,"words":`...), r.Proof.Sentence(s.Words)), '}')
}

// appendFaults writes what is wrong with how the address is written at a place, as lint lists it,
// with the repair where there is one.
func appendFaults(to []byte, s *report.Scope, r *report.Row, m *store.Mention) []byte {
	if r.Relative {
		return to
	}
	a := lint.Address{How: m.How, Locator: m.Locator, Raw: m.Raw, URL: m.URL}
	list := a.Faults()
	for i, f := range list {
		before := `,`
		if i == 0 {
			before = `,"faults":[`
		}
		to = report.AppendJSON(append(append(to, before...), `{"fault":`...), f.Code)
		if f.Repair != "" {
			to = report.AppendJSON(append(to, `,"repair":`...), s.Sanitize(f.Repair))
		}
		to = append(to, '}')
	}
	if len(list) > 0 {
		to = append(to, ']')
	}
	return to
}

// json appends a field as a JSON value.
func (f *field) json(to []byte) []byte {
	switch f.kind {
	case number:
		return strconv.AppendInt(to, f.n, 10)
	case moment:
		if f.text == "" {
			return append(to, "null"...)
		}
	case list:
		return append(report.AppendJSON(append(to, '['), f.list...), ']')
	}
	return report.AppendJSON(to, f.text)
}
