package harvest

import (
	"fmt"

	"linkcheck/check"
)

// New makes the harvester of a root by its kind.
func New(root Root, r check.Reader, o Options) (Harvester, error) {
	switch root.Kind {
	case Web, Sitemap, Gopher, FTP:
		return NewWalk(root, r, o), nil
	case OAI:
		return NewOAI(root, r, o), nil
	case SRU:
		return NewSRU(root, r, o), nil
	case News:
		return NewRoll(root, r, o), nil
	case Z3950:
		return NewZ3950(root, r, o), nil
	}
	return nil, fmt.Errorf("%s: no archive of a kind that is read", root.URI)
}
