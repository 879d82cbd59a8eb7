package page

import (
	"slices"
	"strings"

	"linkcheck/extract/doc"
)

// isLead says whether a reader would go on at what an attribute of a tag links to.
func (t tag) isLead(a attr) bool {
	switch a.name {
	case "href":
		return t.name == "a" || t.name == "area" || t.name == "link" && (t.rel("next") || t.rel("prev"))
	case "src":
		return t.name == "frame" || t.name == "iframe"
	}
	return a.name == "refresh"
}

// rel says whether the attribute rel of a tag has a word.
func (t tag) rel(word string) bool { return hasWord(t.get("rel"), word) }

func hasWord(list, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r <= ' ' }), func(s string) bool { return strings.EqualFold(s, word) })
}

// canonical gives out the address by which the page wants to be known, RFC 6596.
func (p *page) canonical(t tag) {
	if ref := cleanRef(t.get("href")); p.d.Options.Leads && t.name == "link" && ref != "" && t.rel("canonical") {
		if to := doc.Resolve(p.d.Base, ref); to != "" {
			p.says(doc.Found{URI: to, Canonical: true})
		}
	}
}

// robots gives out that the page asks programs not to follow its links: an element meta
// that is no part of RFC 9309, as the archives of mailing lists have it.
func (p *page) robots(t tag) {
	if p.d.Options.Leads && strings.EqualFold(strings.TrimSpace(t.get("name")), "robots") && (hasWord(t.get("content"), "nofollow") || hasWord(t.get("content"), "none")) {
		p.says(doc.Found{NoFollow: true})
	}
}

// says gives out what the page says of itself.
func (p *page) says(f doc.Found) {
	if p.howOverride == "" {
		p.d.Yield(f)
	}
}
