package text

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
)

// WriteDuplicates writes the duplicate groups for people.
func WriteDuplicates(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	groups, err := s.Duplicates(ctx)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if len(groups) == 0 {
		out.WriteString(s.Words.Get("dupes.none") + "\n")
	}
	for _, g := range groups {
		for i, spelling := range g.Spellings {
			bold, mark := "", ""
			if i == 0 {
				bold, mark = "1", "  ✓ "+s.Words.Get("dupes.preferred")
			}
			out.WriteString(paint(escape.Line(spelling.URL), bold, o.Color) + mark + "  (" + escape.Line(spelling.WhereLine()) + ")\n")
		}
		out.WriteString("  " + escape.Line(duplicateLine(s.Words, &g)) + "\n\n")
	}
	return out.Flush()
}

// duplicateLine says at which level a group meets, why, and how sure that is.
func duplicateLine(w *words.Catalogue, g *report.Duplicate) string {
	parts := []string{w.Get(g.LevelKey())}
	if len(g.Reasons) > 0 {
		parts = append(parts, strings.Join(g.Reasons, ", "))
	}
	return strings.Join(append(parts, w.Get("sure."+g.Sure), strconv.Itoa(len(g.Spellings))+" → 1", w.Count("place", g.Mentions)), " · ")
}
