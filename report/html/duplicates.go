package html

import (
	"context"
	"strings"

	"linkcheck/report"
)

// duplicateCard is one group of spellings on the page.
type duplicateCard struct {
	Spellings []report.Spelling
	LevelWord string
	SureWord  string
	Reasons   string
}

const (
	maxCards         = 40
	maxCardSpellings = 12 // of one card
)

func (p *Page) setDuplicates(ctx context.Context) error {
	groups, err := p.Duplicates(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups[:min(maxCards, len(groups))] {
		p.Dupes = append(p.Dupes, duplicateCard{g.Spellings[:min(maxCardSpellings, len(g.Spellings))], p.Words.Get("level." + g.Level.String()),
			p.Words.Get("sure." + g.Sure), strings.Join(g.Reasons, ", ")})
	}
	if n := len(groups) - maxCards; n > 0 {
		p.MoreDupes = p.Words.Get("more", "n", p.Words.Number(n)) + ": linkcheck dupes"
	}
	return nil
}
