package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// What several rules do to a part; each reports whether it changed anything.

// lowerPart folds the raw letters of part.
func lowerPart(part *string) bool {
	was := *part
	*part = chars.LowerRaw(was)
	return *part != was
}

// lowerUntil folds the raw letters of part from an offset up to the delimiter end.
func lowerUntil(part *string, from int, end byte) bool {
	to := strings.IndexByte((*part)[from:], end) + from
	if to < from {
		to = len(*part)
	}
	head := (*part)[:to]
	ok := lowerPart(&head)
	*part = head + (*part)[to:]
	return ok
}

// sortList sorts the elements of part.
func sortList(part *string, separator string) bool {
	list := strings.Split(*part, separator)
	if slices.IsSorted(list) {
		return false
	}
	slices.Sort(list)
	*part = strings.Join(list, separator)
	return true
}

// dropUser drops the userinfo; a name other than "" is the only one dropped.
func dropUser(p *uri.Parts, name string) bool {
	if user, _, _ := strings.Cut(p.User, ":"); !p.HasUser || name != "" && user != name {
		return false
	}
	p.HasUser, p.User = false, ""
	return true
}

// withoutZeros drops leading zeros but for a last digit.
func withoutZeros(digits string) string {
	last := len(digits) - 1
	return strings.TrimLeft(digits[:last], "0") + digits[last:]
}
