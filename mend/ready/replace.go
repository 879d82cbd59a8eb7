package ready

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// pair is a replacement of text.
type pair struct{ old, new string }

// replacements knows how often old addresses stand in the sources beside the places that
// changed: a system that replaces text would change them there too.
type replacements struct{ beside map[string]int }

var (
	errBeside  = errors.New("the old address stands elsewhere too, as it is or within a longer one: a replacement of text would change it there")
	errClashes = errors.New("other replacements of text would change it as well, or it stays as it is")
)

// add counts in one source, for the changes that were made in it.
func (r *replacements) add(was []byte, changes []Change) {
	if r.beside == nil {
		r.beside = map[string]int{}
	}
	met := map[string]bool{}
	for _, c := range changes {
		if met[c.Spelled] || c.Spelled == "" {
			continue
		}
		met[c.Spelled] = true
		n := bytes.Count(was, []byte(c.Spelled))
		for _, other := range changes {
			n -= strings.Count(other.Spelled, c.Spelled)
		}
		r.beside[c.Old] += n
	}
}

// pairs gives the replacements that change what the changes changed and nothing else in the
// sources, the longest first, each once.
func (r *replacements) pairs(changes []Change) (list []pair, left []Left) {
	var rest []Change
	for _, c := range changes {
		switch {
		case c.Way != "":
			left = append(left, Left{c, errWay})
		case r.beside[c.Old] > 0:
			left = append(left, Left{c, errBeside})
		case strings.ContainsAny(c.Old+c.New, "\t\r\n") || c.Old == c.New:
			left = append(left, Left{c, errClashes})
		default:
			rest = append(rest, c)
		}
	}
	for clash := true; clash; { // without a change the others are tried anew
		list = nil
		for _, c := range rest {
			if p := (pair{c.Old, c.New}); !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
		slices.SortFunc(list, func(a, b pair) int {
			if n := len(b.old) - len(a.old); n != 0 {
				return n
			}
			return strings.Compare(a.old+"\t"+a.new, b.old+"\t"+b.new)
		})
		clash = false
		rest = slices.DeleteFunc(rest, func(c Change) bool {
			now := c.Old
			for _, p := range list {
				now = strings.ReplaceAll(now, p.old, p.new)
			}
			if now != c.New {
				left, clash = append(left, Left{c, errClashes}), true
			}
			return now != c.New
		})
	}
	return list, left
}
