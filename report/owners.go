package report

import (
	"cmp"
	"slices"
	"strings"
)

// ownerRow is one who mends links, sanitized, with what stands at their places. A link that
// stands at places of several counts for each.
type ownerRow struct {
	Owner    string // as Options.Owners takes it; "": nobody is known
	Shown    string // the same, sanitized
	Links    int
	ByGroup  [GroupCount]int
	NeedThem int // links in Fix, Update and Check
	Changed  int
}

// countOwners counts one link for all who mend it.
func (b *builder) countOwners(r *Row) {
	for _, owner := range r.Owners {
		o := b.owners[owner]
		if o == nil {
			o = &ownerRow{Owner: owner, Shown: b.Sanitize(owner)}
			b.owners[owner] = o
		}
		o.Links++
		o.ByGroup[r.Group]++
		if r.Group.NeedsYou() {
			o.NeedThem++
		}
		if len(r.Changed) > 0 {
			o.Changed++
		}
	}
}

// setOwnerRows sorts the owners: those with most to do first, and who is not known last.
// Where nobody is known of any link there is none.
func (b *builder) setOwnerRows() {
	for _, o := range b.owners {
		b.OwnerRows = append(b.OwnerRows, *o)
	}
	slices.SortFunc(b.OwnerRows, func(x, y ownerRow) int {
		return cmp.Or(trueFirst(x.Owner != "", y.Owner != ""), cmp.Compare(y.NeedThem, x.NeedThem), strings.Compare(x.Owner, y.Owner))
	})
	if len(b.OwnerRows) == 1 && b.OwnerRows[0].Owner == "" {
		b.OwnerRows = nil
	}
}
