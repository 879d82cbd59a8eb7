package walls

import (
	"slices"
	"strings"
)

// accessRule is an Access that can be asked.
type accessRule struct {
	Access
	platform, must, mustNot *textFinder // nil: the rule has none
}

func newAccessRule(a Access) accessRule {
	finder := func(texts []string) *textFinder {
		if len(texts) == 0 {
			return nil
		}
		return newTextFinder(map[kinds][]string{1: texts})
	}
	return accessRule{a, finder(a.Platform), finder(a.MustContain), finder(a.MustNotContain)}
}

// NoAccess gives the name of the rule by which the text behind a page is not open to the
// one who asked; "" if there is none. whole says that the page was read to its end, and
// visible gives its words with one blank between them.
func (r *Rules) NoAccess(host, path string, p *Page, whole bool, visible func() string) string {
	text := ""
	path = strings.ToLower(path)
	for i := range r.access {
		rule := &r.access[i]
		if !rule.heeded(host, path, p.body) {
			continue
		}
		if text == "" {
			text = visible()
		}
		if rule.closed(p, whole, text) {
			return rule.Name
		}
	}
	return ""
}

// heeded says whether the rule is for a page, whose path is in lower case.
func (r *accessRule) heeded(host, path, body string) bool {
	if len(r.Paths) > 0 && !slices.ContainsFunc(r.Paths, func(part string) bool { return strings.Contains(path, part) }) {
		return false
	}
	return Under(host, r.Hosts) || r.platform != nil && r.platform.in(body) != 0
}

// closed says whether a page that the rule is for shows that its text is not open.
func (r *accessRule) closed(p *Page, whole bool, visible string) bool {
	has := func(f *textFinder) bool { return f.in(p.body)|f.in(visible) != 0 }
	switch {
	case r.mustNot != nil && has(r.mustNot):
		return true
	case r.must != nil && whole && !has(r.must):
		return true
	}
	return len(r.Title) > 0 && !slices.ContainsFunc(r.Title, func(part string) bool { return strings.Contains(p.title, part) })
}
