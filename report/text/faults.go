package text

import (
	"bufio"
	"io"
	"iter"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/lint"
	"linkcheck/report/faults"
	"linkcheck/report/words"
)

const maxValue = faults.MaxShown

// WriteFaults writes a line for each fault: its record and place, what is wrong, what stands
// there, and what to write instead.
func WriteFaults(w io.Writer, in *words.Catalogue, rows iter.Seq[lint.Row]) error {
	out := bufio.NewWriter(w)
	for r := range rows {
		at := r.Source
		if r.Member != "" {
			at += "!" + r.Member
		}
		parts := []string{strings.TrimSpace(at + " " + r.Record + " " + r.Locator), in.Get("fault." + r.Code), quote(r.Value), faults.Repair(in, &r)}
		for i := range parts {
			parts[i] = escape.Line(parts[i])
		}
		if _, err := out.WriteString(strings.Join(parts, "\t") + "\n"); err != nil {
			return err
		}
	}
	return out.Flush()
}

// quote shows where a value begins and ends, so that blanks there are seen.
func quote(value string) string { return `"` + words.Shorten(value, maxValue) + `"` }
