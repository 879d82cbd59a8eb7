package ingest

import (
	"fmt"
	"slices"

	"linkcheck/store"
)

// rowsEnd is what a file of rows says of what it does not hold.
type rowsEnd struct {
	cut       bool            // it is not whole
	carried   bool            // a document in which no link is left has no row
	otherwise bool            // it was extracted with other options than those of the run
	nothing   map[string]bool // roots that give nothing
	aside     []aside
}

// aside is a path below which nothing was seen.
type aside struct {
	path string
	link bool // it is not followed
}

// whyNotGone says why a document that no row names may only have been out of reach when
// the rows were made; "": it is gone.
func (e *rowsEnd) whyNotGone(src *store.Source) string {
	if e.nothing[src.Root] {
		return fmt.Sprintf("%q gives nothing now", src.Root)
	}
	at := slices.IndexFunc(e.aside, func(a aside) bool { return src.Path != a.path && Below(src.Path, a.path) })
	switch {
	case at < 0:
		return ""
	case e.aside[at].link:
		return fmt.Sprintf("the link %q is not followed without --follow", e.aside[at].path)
	}
	return fmt.Sprintf("the folder %q is empty now", e.aside[at].path)
}
