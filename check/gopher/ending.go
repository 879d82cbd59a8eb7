package gopher

import (
	"errors"
	"slices"
)

// How a menu or a text ends. RFC 1436 has no length, so that a connection which is closed in
// the midst of an answer looks like its end; and servers differ: many send no "." line. What
// an answer had when it was last read tells a cut one (HARVEST section 5).
const (
	withDot   = "dot"   // the "." line
	withItems = "items" // of a menu: one that points somewhere
	openRow   = "open"  // of a menu: its last row has no end of line
)

var (
	errNoDot   = errors.New("it ends without the line of a dot that it had")
	errNoItems = errors.New("a menu without an item, where items were")
	errOpenRow = errors.New("its last row has no end")
)

// isShort is why an answer seems to be cut that has other marks than it had; nil: it does not.
func isShort(had, has []string) error {
	missing := func(mark string) bool { return slices.Contains(had, mark) && !slices.Contains(has, mark) }
	switch {
	case slices.Contains(has, openRow) && !slices.Contains(had, openRow):
		return errOpenRow
	case missing(withDot):
		return errNoDot
	case missing(withItems):
		return errNoItems
	}
	return nil
}
