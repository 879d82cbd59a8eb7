package report

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"unicode/utf8"
)

// LinkSchema names the form of a JSONL row. It changes when a column does.
const LinkSchema = "linkcheck.link.v1"

// WriteJSONL streams a JSON object for every mention: "schema", then Columns in
// order. Numbers are numbers, flags and changes lists, times null for never.
func WriteJSONL(ctx context.Context, w io.Writer, src Source, o Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	names := header(o.Unique)
	line := make([]byte, 0, 1<<12)
	err := streamRows(ctx, src, o, func(fields []field) error {
		line = append(line[:0], `{"schema":"`+LinkSchema+`"`...)
		for i := range fields {
			line = append(append(append(line, `,"`...), names[i]...), `":`...)
			line = fields[i].json(line)
		}
		_, err := out.Write(append(line, "}\n"...))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

func (f *field) json(to []byte) []byte {
	switch f.kind {
	case number:
		return strconv.AppendInt(to, f.n, 10)
	case moment:
		if f.text == "" {
			return append(to, "null"...)
		}
	case list:
		to = append(to, '[')
		for i, s := range f.list {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendJSON(to, s)
		}
		return append(to, ']')
	}
	return appendJSON(to, f.text)
}

const hex = "0123456789abcdef"

// appendJSON appends s as a JSON string that may stand inside an HTML script
// element: < > & and the line separators U+2028 and U+2029 are escaped.
func appendJSON(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			to = append(append(to, s[start:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				to = append(append(to, s[start:i]...), `\ufffd`...)
			case r == '\u2028' || r == '\u2029':
				to = append(append(to, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			default:
				i += size
				continue
			}
		}
		i += size
		start = i
	}
	return append(append(to, s[start:]...), '"')
}
