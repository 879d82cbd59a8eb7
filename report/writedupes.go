package report

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// placesNamed is how many places of a spelling stand in the text for people.
const placesNamed = 3

// DuplicateSchema names the form of a JSON duplicate group.
const DuplicateSchema = "linkcheck.duplicate.v1"

// duplicateJSON is one line of WriteDupesJSON.
type duplicateJSON struct {
	Schema    string     `json:"schema"`
	Level     string     `json:"level"`
	Sure      string     `json:"sure"`
	Reasons   []string   `json:"reasons"`
	Preferred string     `json:"preferred"`
	Spellings []Spelling `json:"spellings"`
	Places    int        `json:"places"`
}

// WriteDupesJSON writes one duplicate group a line.
func WriteDupesJSON(ctx context.Context, w io.Writer, src Source, o Options) error {
	groups, err := FindDuplicates(ctx, src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for _, g := range groups {
		line := duplicateJSON{DuplicateSchema, g.Level.String(), g.Sure, append([]string{}, g.Reasons...), g.Spellings[0].URL, g.Spellings, g.Places}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteDupes writes the duplicate groups for people.
func WriteDupes(ctx context.Context, w io.Writer, src Source, o Options) error {
	groups, err := FindDuplicates(ctx, src, o)
	if err != nil {
		return err
	}
	words, err := newWords(o.Lang)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if len(groups) == 0 {
		out.WriteString(words.get("dupes.none") + "\n")
	}
	for _, g := range groups {
		for i, s := range g.Spellings {
			mark := ""
			if i == 0 {
				mark = "  ✓ " + words.get("dupes.preferred")
			}
			out.WriteString(paint(s.URL, bold(i == 0), o.Color) + mark + "  (" + places(s) + ")\n")
		}
		out.WriteString("  " + words.duplicate(&g) + "\n\n")
	}
	return out.Flush()
}

// places names the first places of a spelling and counts the others.
func places(s Spelling) string {
	named := s.Where[:min(len(s.Where), placesNamed)]
	text := strings.Join(named, "; ")
	if more := s.Places - len(named); more > 0 {
		text += " +" + strconv.Itoa(more)
	}
	return text
}

func bold(yes bool) string {
	if yes {
		return "1"
	}
	return ""
}

// duplicate says at which level a group meets, why, and how sure that is.
func (w *words) duplicate(g *Duplicate) string {
	parts := []string{w.get("level." + g.Level.String())}
	if len(g.Reasons) > 0 {
		parts = append(parts, strings.Join(g.Reasons, ", "))
	}
	return strings.Join(append(parts, w.get("sure."+g.Sure), strconv.Itoa(len(g.Spellings))+" → 1", w.count("place", g.Places)), " · ")
}
