package memento

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"linkcheck/store/archived"
)

// Copy is one archived copy of a page.
type Copy struct {
	URL   string
	Made  time.Time // zero: not known
	Local bool      // URL names a place on a disk and no address
}

// Archive has copies of pages.
type Archive interface {
	// Name is by which people know the archive: its address, or a folder.
	Name() string
	// Near yields copies of a page, the nearest to a time first, and ends after an error.
	Near(ctx context.Context, page string, at time.Time) iter.Seq2[Copy, error]
}

// sortNear sorts copies by how far from a time they were made, those of an unknown time last.
func sortNear(list []Copy, at time.Time) {
	far := func(c Copy) time.Duration {
		if c.Made.IsZero() {
			return 1<<63 - 1
		}
		return c.Made.Sub(at).Abs()
	}
	slices.SortStableFunc(list, func(a, b Copy) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), a.Made.Compare(b.Made))
	})
}

// yieldNear yields copies, the nearest first, or an error.
func yieldNear(list []Copy, at time.Time, err error) iter.Seq2[Copy, error] {
	return func(yield func(Copy, error) bool) {
		if err != nil {
			yield(Copy{}, err)
			return
		}
		list = slices.Clone(list)
		sortNear(list, at)
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// Named are the copies that the documents of a store name themselves: links to archives, and
// Robust Links. It is an Archive that nobody has to be asked for.
type Named struct{ pages map[string][]Copy }

// Add notes that a link leads to a copy of a page; of which is empty where the link does not
// say so, and its address may.
func (n *Named) Add(link, of string, made time.Time) {
	page, at, _ := archived.Held(link)
	if page = cmp.Or(of, page); page == "" {
		return
	}
	if made.IsZero() {
		made = at
	}
	if n.pages == nil {
		n.pages = map[string][]Copy{}
	}
	key := pageKey(page)
	if c := (Copy{URL: link, Made: made}); !slices.Contains(n.pages[key], c) {
		n.pages[key] = append(n.pages[key], c)
	}
}

// Name says what they are.
func (n *Named) Name() string { return "links of the documents" }

// Near is Archive.Near.
func (n *Named) Near(_ context.Context, page string, at time.Time) iter.Seq2[Copy, error] {
	return yieldNear(n.pages[pageKey(page)], at, nil)
}

// pageKey is the same for the spellings of an address that archives take for one: scheme, www.,
// the usual port, the case of the host, the final slash and the fragment do not count.
func pageKey(page string) string {
	page, _, _ = strings.Cut(page, "#")
	if _, rest, ok := strings.Cut(page, "://"); ok {
		page = rest
	}
	host, path, _ := strings.Cut(page, "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	for _, port := range []string{":80", ":443"} {
		host = strings.TrimSuffix(host, port)
	}
	return host + "/" + strings.TrimSuffix(path, "/")
}
