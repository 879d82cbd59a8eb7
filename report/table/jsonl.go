package table

import (
	"context"
	"io"
	"strconv"

	"linkcheck/report"
)

// LinkSchema names the schema of a JSONL row. It changes when a column does; columns may
// be added behind the last one.
const LinkSchema = "linkcheck.link.v1"

// WriteJSONL streams a JSON object for every mention: "schema", then Columns in
// order, and "target" where the link leads through a library's proxy. Numbers are numbers,
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
	err = eachFields(ctx, s, func(r *report.Row, fields []field) error {
		line = append(line[:0], `{"schema":"`+LinkSchema+`"`...)
		for i := range fields {
			line = append(append(append(line, `,"`...), names[i]...), `":`...)
			line = fields[i].json(line)
		}
		if r.Target != "" {
			line = report.AppendJSON(append(line, `,"target":`...), r.Target)
		}
		_, err := out.Write(append(line, "}\n"...))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
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
