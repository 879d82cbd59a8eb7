package lint

import (
	"cmp"
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/repair"
)

// Place is where a fault stands. The names are those of extract.
type Place struct {
	Collection string `json:"collection,omitempty"`
	Source     string `json:"source"`
	Member     string `json:"member,omitempty"`
	Line       int    `json:"line,omitempty"`
	Record     string `json:"record_id"`
	Locator    string `json:"locator"`
	Title      string `json:"record_title,omitempty"`
	Owner      string `json:"owner,omitempty"`
}

// Row is a fault in its place. Of Same, Also are other records that hold the address, the
// first of them, and More is how many others there are.
type Row struct {
	Place
	Fault
	Also []string
	More int
}

// InCatalogue says whether the place of a link is one of the catalogue's own for a resource:
// $u of 856, 857 and 956, location of MODS, a cell of a table whose rows are records. An
// address that records share elsewhere, such as that of a licence (540), is meant to be shared.
func (a *Address) InCatalogue(record string) bool {
	if _, err := uri.Parse(a.URL); err != nil {
		if _, sure := repair.Slips(a.URL); !sure { // it is no address that could be another's
			return false
		}
	}
	switch tag, rest, _ := strings.Cut(a.Locator, "["); {
	case record == "":
		return false
	case tag == "856" || tag == "857" || tag == "956":
		return strings.Contains(rest, "]$u")
	case a.How == "cell":
		return true
	}
	return strings.HasSuffix(a.Locator, "location/url")
}

// Spelled is an address in its place.
type Spelled struct {
	Place
	Raw string
}

const maxAlso = 20 // records that a row names

// InSeveral gives a row for each record of which the others hold the same address; none where
// all places are of one record.
func InSeveral(places []Spelled) (rows []Row) {
	type record struct{ collection, source, member, id string }
	of := func(p *Spelled) record { return record{p.Collection, p.Source, p.Member, p.Record} }
	var first []Spelled // of each record
	seen := map[record]bool{}
	for i := range places {
		if r := of(&places[i]); !seen[r] {
			seen[r], first = true, append(first, places[i])
		}
	}
	if len(first) < 2 {
		return nil
	}
	for i := range first {
		row := Row{Place: first[i].Place, Fault: Fault{Code: Same, Value: first[i].Raw}}
		for k := 0; k < len(first) && len(row.Also) < maxAlso; k++ {
			if k != i {
				row.Also = append(row.Also, first[k].Record)
			}
		}
		row.More = len(first) - 1 - len(row.Also)
		rows = append(rows, row)
	}
	return rows
}

// List are the faults of a store.
type List struct {
	Rows []Row
	More int // that the store counts and does not hold
}

// Sort puts rows in the order of Codes, then of their places.
func Sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(slices.Index(Codes, a.Code), slices.Index(Codes, b.Code)),
			strings.Compare(a.Source, b.Source), strings.Compare(a.Member, b.Member), strings.Compare(a.Record, b.Record),
			cmp.Compare(a.Line, b.Line), strings.Compare(a.Locator, b.Locator), strings.Compare(a.Value, b.Value))
	})
}
