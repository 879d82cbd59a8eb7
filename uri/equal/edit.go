package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// Changes that several rules make; each reports whether it changed anything.

// set gives a part another value.
func set[T comparable](part *T, value T) bool {
	was := *part
	*part = value
	return value != was
}

// lowerPart folds the raw letters of part.
func lowerPart(part *string) bool { return set(part, chars.LowerRaw(*part)) }

// lowerUntil folds the raw letters of part from an offset up to the delimiter end.
func lowerUntil(part *string, from int, end byte) bool {
	head := *part
	if i := strings.IndexByte(head[from:], end); i >= 0 {
		head = head[:from+i]
	}
	return set(part, chars.LowerRaw(head)+(*part)[len(head):])
}

// sortList sorts the elements of part.
func sortList(part *string, separator string) bool {
	list := strings.Split(*part, separator)
	slices.Sort(list)
	return set(part, strings.Join(list, separator))
}

// dropUser drops the userinfo; a name other than "" is the only one dropped.
func dropUser(p *uri.Parts, name string) bool {
	if user, _, _ := strings.Cut(p.User, ":"); name != "" && user != name {
		return false
	}
	p.User = ""
	return set(&p.HasUser, false)
}
