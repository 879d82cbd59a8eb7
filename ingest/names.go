package ingest

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/extract"
)

// What is remembered of names; links to what comes after them stay unresolved.
const (
	maxNames     = 1 << 20  // each some 30 bytes
	maxNameTexts = 32 << 20 // bytes of the paths of their documents
)

// Names knows where the messages and parts are that links name (extract.NameOf).
type Names struct {
	at     map[uint64]location // by the hash of the name
	texts  []string            // sources, members and locators
	number map[string]uint32   // of a text in texts
	size   int                 // of texts, in bytes
}

// location is a line, and the numbers of texts.
type location struct{ source, member, locator, line uint32 }

// ReadNames reads all sources for the names in them and nothing else. What
// cannot be read has none; a pipe is left to whoever reads its links, since it can
// be read once.
func ReadNames(ctx context.Context, paths []string, o extract.Options) *Names {
	n := &Names{at: map[uint64]location{}, number: map[string]uint32{}}
	o.Names = true
	paths = slices.DeleteFunc(slices.Clone(paths), isPipe)
	for f, err := range Extract(ctx, paths, o) {
		if err != nil || f.Name == "" {
			continue
		}
		if len(n.at) == maxNames || n.size > maxNameTexts {
			break
		}
		hash := xxhash.Sum64String(f.Name)
		if _, known := n.at[hash]; !known {
			n.at[hash] = location{n.text(f.Source), n.text(f.Member), n.text(f.Locator), uint32(f.Line)}
		}
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
	k, ok := n.number[s]
	if !ok {
		k = uint32(len(n.texts))
		n.size += len(s)
		n.texts, n.number[s] = append(n.texts, s), k
	}
	return k
}

// Location gives the first location of something of this name; "" for none.
func (n *Names) Location(name string) string {
	at, ok := n.at[xxhash.Sum64String(name)]
	if !ok {
		return ""
	}
	f := extract.Found{Source: n.texts[at.source], Member: n.texts[at.member], Line: int(at.line)}
	return strings.TrimSpace(f.Location() + " " + n.texts[at.locator])
}
