package report

import (
	"cmp"
	"slices"
	"strings"
)

// rewriteProof is how many moved links it takes to suggest a rewrite.
const rewriteProof = 3

// Rewrite is a prefix of addresses that moved: with the new prefix in its place, the
// old addresses of some links give their new ones.
type Rewrite struct {
	Old, New string
	Links    int // moved links that agree
	Of       int // moved links below the old prefix
	Records  int // that mention them
	Examples []Example
	Also     int       // of Links, those that follow it because their site moved as a whole
	AlsoLike []Example // some of them

	alike   int // of Links, those whose known text was met again at the new address
	records map[uint64]struct{}
}

// Example is one link of a rewrite.
type Example struct{ Old, New string }

// move is one moved link.
type move struct {
	id       uint64
	old, new string
	records  []uint64 // that mention it
	alike    bool     // the text that was known was met again
	rule     prefixes // of the site that moved as a whole; zero: the link speaks for itself
}

// prefixes are those of a rewrite.
type prefixes struct{ old, new string }

// split cuts off the longest common tail of the two addresses that begins at a '/'
// after the host, and gives what stands before it: the prefixes of a rewrite.
func (m move) split() (old, new string, ok bool) {
	i, j := len(m.old), len(m.new)
	for i > 0 && j > 0 && m.old[i-1] == m.new[j-1] {
		i, j = i-1, j-1
	}
	cut := strings.IndexByte(m.old[i:], '/')
	if cut < 0 {
		return "", "", false
	}
	old, new = m.old[:i+cut], m.new[:j+cut]
	if hostless(old) || hostless(new) || len(m.old) == len(old)+1 || old == new {
		return "", "", false
	}
	return old, new, true
}

// hostless reports whether a prefix ends before its host does.
func hostless(prefix string) bool {
	_, rest, ok := strings.Cut(prefix, "://")
	return !ok || rest == ""
}

// findRewrites gives the prefixes that at least rewriteProof moves prove, with those that
// follow them as parts of a site.
func findRewrites(moves []move) []Rewrite {
	slices.SortFunc(moves, func(a, b move) int { return cmp.Or(cmp.Compare(a.old, b.old), cmp.Compare(a.new, b.new)) })
	found := map[prefixes]*Rewrite{}
	for _, m := range moves {
		old, new, ok := m.split()
		if m.rule != (prefixes{}) {
			old, new, ok = m.rule.old, m.rule.new, true
		}
		if !ok {
			continue
		}
		w := found[prefixes{old, new}]
		if w == nil {
			w = &Rewrite{Old: old, New: new, records: map[uint64]struct{}{}}
			found[prefixes{old, new}] = w
		}
		w.Links++
		if m.alike {
			w.alike++
		}
		for _, record := range m.records {
			w.records[record] = struct{}{}
		}
		list := &w.Examples
		if m.rule != (prefixes{}) {
			w.Also++
			list = &w.AlsoLike
		}
		if len(*list) < rewriteProof {
			*list = append(*list, Example{m.old, m.new})
		}
	}
	var out []Rewrite
	for _, w := range found {
		if w.Links-w.Also >= rewriteProof {
			w.Of, w.Records, w.records = countBelow(moves, w.Old+"/"), len(w.records), nil
			out = append(out, *w)
		}
	}
	slices.SortFunc(out, func(a, b Rewrite) int {
		return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
	return out
}

// countBelow counts the sorted moves whose old address begins with prefix.
func countBelow(moves []move, prefix string) int {
	from, _ := slices.BinarySearchFunc(moves, prefix, func(m move, p string) int { return cmp.Compare(m.old, p) })
	to := from
	for to < len(moves) && strings.HasPrefix(moves[to].old, prefix) {
		to++
	}
	return to - from
}
