package table

import (
	"context"
	"io"
	"strconv"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

// LinkSchema names the schema of a JSONL row. It changes when a column does; columns may
// be added behind the last one.
const LinkSchema = "linkcheck.link.v1"

// WriteJSONL streams a JSON object for every mention: "schema", then Columns in
// order, "target" where the link leads through a library's proxy, and "move" where it moved. Numbers are numbers,
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
	err = eachFields(ctx, s, store.Pick{History: true, HistoryOf: isMoved}, func(r *report.Row, fields []field) error {
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
