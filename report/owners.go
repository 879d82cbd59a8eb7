package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"linkcheck/store"
)

// OwnerRow is one who mends links, sanitized, with what stands at their places. A link that
// stands at places of several counts for each.
type OwnerRow struct {
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
			o = &OwnerRow{Owner: owner, Shown: b.Sanitize(owner)}
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
	slices.SortFunc(b.OwnerRows, func(x, y OwnerRow) int {
		return cmp.Or(trueFirst(x.Owner != "", y.Owner != ""), cmp.Compare(y.NeedThem, x.NeedThem), strings.Compare(x.Owner, y.Owner))
	})
	if len(b.OwnerRows) == 1 && b.OwnerRows[0].Owner == "" {
		b.OwnerRows = nil
	}
}

// KnownOwners gives who mends anything in a source, as far as it must be read to find all that
// are wanted.
func KnownOwners(ctx context.Context, src Source, o Options, wanted []string) (map[string]bool, error) {
	o.Owners, o.Only, o.Since = nil, nil, ""
	s, err := NewScope(ctx, src, o)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, r := range o.Roots {
		if r.Owner != "" {
			known[r.Owner] = true
		}
	}
	missing := func() bool { return slices.ContainsFunc(wanted, func(w string) bool { return !known[w] }) }
	if !missing() {
		return known, nil
	}
	for e, err := range src.Scan(store.Pick{Mentions: true, Most: 1, Collections: s.Collections, OwnerOf: s.OwnerOf}) {
		if err != nil {
			return nil, fmt.Errorf("report: read links: %w", err)
		}
		before := len(known)
		for _, owner := range e.Owners {
			if owner != "" {
				known[owner] = true
			}
		}
		if len(known) > before && !missing() {
			break
		}
	}
	return known, nil
}

// maxFileName is how many octets of an owner the name of a file holds.
const maxFileName = 60

// FileNames gives a name for a file of each of the owners, without its ending: none leads out
// of a folder, is a name that systems keep for themselves, or is that of another, in capitals or not.
// What a name does not say is said by a number made of the owner.
func FileNames(rows []OwnerRow) []string {
	list, taken := make([]string, len(rows)), map[string]bool{"index": true}
	for i, r := range rows {
		name := strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '@' || c == '.' {
				return c
			}
			return '-'
		}, r.Owner)
		name = strings.Trim(name[:min(len(name), maxFileName)], ".-")
		same := name == r.Owner
		if r.Owner == "" {
			name = "nobody-named"
		}
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		if kept[strings.TrimRight(stem, "0123456789")] {
			name, same = "owner-"+name, false
		}
		if !same || taken[strings.ToLower(name)] {
			sum := sha256.Sum256([]byte(r.Owner))
			name = strings.TrimPrefix(fmt.Sprintf("%s-%x", name, sum[:6]), "-")
		}
		taken[strings.ToLower(name)], list[i] = true, name
	}
	return list
}

// kept are the names that Windows keeps for devices, without their numbers.
var kept = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "com": true, "lpt": true}
