package table

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"linkcheck/internal/escape"
	"linkcheck/report"
)

// DuplicateSchema names the schema of a JSON duplicate group.
const DuplicateSchema = "linkcheck.duplicate.v1"

// duplicateJSON is one line of WriteDuplicates.
type duplicateJSON struct {
	Schema    string            `json:"schema"`
	Level     string            `json:"level"`
	Sure      string            `json:"sure"`
	Reasons   []string          `json:"reasons"`
	Preferred string            `json:"preferred"`
	Spellings []report.Spelling `json:"spellings"`
	Mentions  int               `json:"places"`
}

// WriteDuplicates writes one duplicate group a line, as a JSON object.
func WriteDuplicates(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	s.Exact = true
	groups, err := s.Duplicates(ctx)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(escape.NewWriter(w)) // lines are whole: nothing stays behind
	enc := json.NewEncoder(out)
	for _, g := range groups {
		line := duplicateJSON{DuplicateSchema, g.Level.String(), g.Sure, append([]string{}, g.Reasons...), g.Spellings[0].URL, g.Spellings, g.Mentions}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
