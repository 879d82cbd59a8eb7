package harvest

import (
	"fmt"
	"regexp"
	"strings"

	"linkcheck/internal/robots"
	"linkcheck/uri"
)

// hole says which items of a gopher server are documents of a root.
type hole struct {
	server           string // the beginning of every name
	at               uri.Endpoint
	prefix           string // of the selectors, without their types
	follow, noFollow *regexp.Regexp
}

func newHole(root Root) (*hole, error) {
	u, err := uri.Parse(root.Address())
	if err != nil {
		return nil, fmt.Errorf("root %.200q: %w", root.URI, err)
	}
	g, ok := u.(*uri.Gopher)
	if !ok {
		return nil, fmt.Errorf("root %.200q is no gopher server", root.URI)
	}
	scheme, rest, _ := strings.Cut(uri.SchemeKey(g), "://")
	host, _, _ := strings.Cut(rest, "/")
	h := &hole{server: scheme + "://" + host, at: g.At, follow: root.Follow, noFollow: root.NoFollow}
	name, _ := h.name(root.Address())
	h.prefix = bare(h.selector(name))
	return h, nil
}

// name implements site. Of Gopher+ the plain item is meant.
func (h *hole) name(address string) (string, bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	g, ok := u.(*uri.Gopher)
	if !ok || g.At != h.at || g.Search != nil && *g.Search != "" {
		return "", false
	}
	key, _, _ := strings.Cut(uri.SchemeKey(g), "%09")
	return key, len(key) > len(h.server)+1
}

// selector is that of a name, with escapes; before it stands the type.
func (h *hole) selector(name string) string { return name[min(len(h.server)+2, len(name)):] }

// bare is a selector without the type that many servers put before the path. The scope is
// no path but the beginning of a selector.
func bare(selector string) string {
	if len(selector) > 1 && selector[1] == '/' && selector[0] != '/' {
		return selector[1:]
	}
	return selector
}

// resource implements site.
func (h *hole) resource(name string) (path, query string) {
	return "/" + strings.TrimPrefix(bare(h.selector(name)), "/"), ""
}

// holds implements site.
func (h *hole) holds(name string) bool {
	if !strings.HasPrefix(bare(h.selector(name)), h.prefix) && (h.follow == nil || !h.follow.MatchString(name)) {
		return false
	}
	return h.noFollow == nil || !h.noFollow.MatchString(name)
}

// fetchable implements site: menus, and what may be a document by its type (RFC 1436 section
// 3.8). A selector "URL:" or "GET " names what is elsewhere.
func (h *hole) fetchable(name string) bool {
	selector := h.selector(name)
	if !strings.ContainsRune("014569gIhs", rune(name[len(h.server)+1])) || strings.HasPrefix(strings.TrimPrefix(selector, "/"), "URL:") || strings.HasPrefix(selector, "GET%20") {
		return false
	}
	return !isNoDocument(selector)
}

// allows says whether robots.txt lets programs ask for an item: its rules are for selectors,
// with the type before them or not.
func (h *hole) allows(rules *robots.Rules, name string) bool {
	selector := h.selector(name)
	return rules.Allow(selector) && rules.Allow("/"+strings.TrimPrefix(selector, "/")) && rules.Allow(name[min(len(h.server)+1, len(name)):])
}
