package page

import (
	"slices"
	"strings"

	"linkcheck/extract/doc"
)

func (t tag) get(name string) string {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// leads says whether a reader would go on at what an attribute of the tag links to, and
// whether programs are asked not to.
func (t tag) leads(a attr) (leads, noFollow bool) {
	switch a.name {
	case "href":
		leads = t.name == "a" || t.name == "area" || t.name == "link" && (t.rel("next") || t.rel("prev"))
	case "src":
		leads = t.name == "frame" || t.name == "iframe"
	case "refresh":
		leads = true
	}
	return leads, leads && t.rel("nofollow")
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
