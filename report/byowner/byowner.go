// Package byowner has what reports need that are made for each who mends links: who there is, and
// names of files.
package byowner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"linkcheck/report"
	"linkcheck/store"
)

// Known gives who mends anything in a source, as far as it must be read to find all that
// are wanted.
func Known(ctx context.Context, src report.Source, o report.Options, wanted []string) (map[string]bool, error) {
	o.Owners, o.Only, o.Since = nil, nil, ""
	s, err := report.NewScope(ctx, src, o)
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
	found := errors.New("found")
	err = s.EachRow(ctx, store.Pick{Most: 1}, func(r *report.Row) error {
		before := len(known)
		for _, owner := range r.Owners {
			if owner != "" {
				known[owner] = true
			}
		}
		if len(known) > before && !missing() {
			return found
		}
		return nil
	})
	if err != nil && err != found {
		return nil, err
	}
	return known, nil
}

// maxFileName is how many octets of an owner the name of a file holds.
const maxFileName = 60

// FileNames gives a name for a file of each of the owners, without its ending: none leads out
// of a folder, is a name that systems keep for themselves, or is that of another, in capitals or not.
// What a name does not say is said by a number made of the owner.
func FileNames(owners []string) []string {
	list, taken := make([]string, len(owners)), map[string]bool{"index": true}
	for i, owner := range owners {
		name := strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '@' || c == '.' {
				return c
			}
			return '-'
		}, owner)
		name = strings.Trim(name[:min(len(name), maxFileName)], ".-")
		same := name == owner
		if owner == "" {
			name = "nobody-named"
		}
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		if kept[strings.TrimRight(stem, "0123456789")] {
			name, same = "owner-"+name, false
		}
		if !same || taken[strings.ToLower(name)] {
			sum := sha256.Sum256([]byte(owner))
			name = strings.TrimPrefix(fmt.Sprintf("%s-%x", name, sum[:6]), "-")
		}
		taken[strings.ToLower(name)], list[i] = true, name
	}
	return list
}

// kept are the names that Windows keeps for devices, without their numbers.
var kept = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "com": true, "lpt": true}
