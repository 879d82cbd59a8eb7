package ingest

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/extract"
)

// What is remembered of names; links to what comes after them stay unresolved.
const (
	maxNamed     = 1 << 20  // names, 24 bytes each
	maxNamedText = 32 << 20 // bytes of the paths of their documents
)

// Names tells where the messages and parts stand that links name (extract.NameOf).
type Names struct {
	at    [256][]namedAt // by the first octet of the hash, so that none is long; sorted
	count int
	texts []string // sources, members and locators
	known map[string]uint32
	size  int // of texts
}

// namedAt is one of them: numbers are places in texts.
type namedAt struct {
	hash                          uint64
	source, member, locator, line uint32
}

// ReadNames reads all sources for the names in them and nothing else. What
// cannot be read has none; a pipe is left to whoever reads its links, since it can
// be read once.
func ReadNames(ctx context.Context, paths []string, o extract.Options) *Names {
	n := &Names{known: map[string]uint32{}}
	o.Names = true
	paths = slices.DeleteFunc(slices.Clone(paths), isPipe)
	for f, err := range Extract(ctx, paths, o) {
		if err != nil || f.Name == "" {
			continue
		}
		if n.count == maxNamed || n.size > maxNamedText {
			break
		}
		hash := xxhash.Sum64String(f.Name)
		n.count++
		n.at[hash>>56] = append(n.at[hash>>56], namedAt{hash, n.text(f.Source), n.text(f.Member), n.text(f.Locator), uint32(f.Line)})
	}
	n.known = nil
	for _, at := range n.at {
		slices.SortStableFunc(at, func(a, b namedAt) int { return cmp.Compare(a.hash, b.hash) })
	}
	return n
}

// isPipe says that a path is neither a file nor a directory.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// text numbers a string.
func (n *Names) text(s string) uint32 {
	k, ok := n.known[s]
	if !ok {
		k = uint32(len(n.texts))
		n.size += len(s)
		n.texts, n.known[s] = append(n.texts, s), k
	}
	return k
}

// Place gives the first place where something of this name stands; "" for none.
func (n *Names) Place(name string) string {
	hash := xxhash.Sum64String(name)
	at := n.at[hash>>56]
	i, ok := slices.BinarySearchFunc(at, hash, func(a namedAt, h uint64) int { return cmp.Compare(a.hash, h) })
	if !ok {
		return ""
	}
	a := at[i]
	return placeIn(extract.Found{Source: n.texts[a.source], Member: n.texts[a.member], Locator: n.texts[a.locator], Line: int(a.line)})
}

// placeIn says where a message or a part of it stands.
func placeIn(f extract.Found) string { return strings.TrimSpace(f.Place() + " " + f.Locator) }
