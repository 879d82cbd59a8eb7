package html

import (
	"cmp"

	"linkcheck/lint"
	"linkcheck/report/faults"
	"linkcheck/report/words"
	"linkcheck/store"
)

// pageFaults is how many faults of a kind the page shows.
const pageFaults = 200

// faultGroup are the faults of a kind.
type faultGroup struct {
	Name string
	N    int
	Rows []faultRow
	More int // that are not shown
}

type faultRow struct {
	ID bool // Name is that of a record

	Name, RecordURL, Title, Locator, Value, Repair string
}

// setFaults groups the faults, which are in the order of their kinds.
func (p *Page) setFaults() {
	if p.Faults == nil {
		return
	}
	code := ""
	for i := range p.Faults.Rows {
		r := &p.Faults.Rows[i]
		if r.Code != code {
			code = r.Code
			p.FaultGroups = append(p.FaultGroups, faultGroup{Name: p.Words.Get("fault." + code)})
		}
		g := &p.FaultGroups[len(p.FaultGroups)-1]
		if g.N++; g.N > pageFaults {
			g.More++
			continue
		}
		g.Rows = append(g.Rows, p.faultRow(r))
	}
}

func (p *Page) faultRow(r *lint.Row) faultRow {
	row := faultRow{ID: r.Record != "", Name: cmp.Or(r.Record, r.Source), Title: r.Title, Locator: r.Locator, Value: words.Shorten(r.Value, faults.MaxShown), Repair: faults.Repair(p.Words, r)}
	row.Value = cmp.Or(row.Value, "–")
	row.RecordURL = p.RecordAddress(&store.Mention{Record: r.Record, Collection: r.Collection})
	return row
}
