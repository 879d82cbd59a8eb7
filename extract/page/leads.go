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
		leads = t.name == "a" || t.name == "area" || t.name == "link" && t.onward
	case "src":
		leads = t.name == "frame" || t.name == "iframe"
	case "refresh":
		leads = true
	}
	return leads, leads && t.noFollow
}

// relations reads the attribute rel: once for a tag, which may have a hundred thousand others.
func (t *tag) relations() {
	alternate := false
	for word := range strings.FieldsFuncSeq(t.get("rel"), between) {
		switch strings.ToLower(word) {
		case "next", "prev":
			t.onward = true
		case "alternate":
			alternate = true
		case "nofollow":
			t.noFollow = true
		case "canonical":
			t.canonical = true
		}
	}
	if alternate && (t.get("hreflang") != "" || isFeed(t.get("type"))) {
		t.onward = true
	}
}

// isFeed says whether a media type is that of a feed: HTML Standard section 4.6.7.1 takes an
// alternate of these types for the page's syndication, and its entries may be linked nowhere else.
func isFeed(mediaType string) bool {
	switch mediaType, _, _ = strings.Cut(mediaType, ";"); strings.ToLower(strings.TrimSpace(mediaType)) {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml":
		return true
	}
	return false
}

// between says what stands between the words of a list.
func between(r rune) bool { return r == ',' || r <= ' ' }

// hasWord says whether a list has a word, in either case.
func hasWord(list, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(list, between), func(s string) bool { return strings.EqualFold(s, word) })
}

// canonical gives out the address by which the page wants to be known, RFC 6596.
func (p *page) canonical(t tag) {
	if !p.d.Options.Leads || t.name != "link" || !t.canonical {
		return
	}
	if ref := cleanRef(t.get("href")); ref != "" {
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

// social gives out the address in what a page tells of itself to those who show a link to it:
// Open Graph (ogp.me) and the cards of Twitter.
func (p *page) social(t tag) {
	name := strings.ToLower(t.get("property") + t.get("name"))
	name, card := strings.CutPrefix(name, "twitter:")
	name, graph := strings.CutPrefix(name, "og:")
	if !card && !graph {
		return
	}
	switch name[strings.LastIndexByte(name, ':')+1:] {
	case "url", "secure_url", "image", "src", "video", "audio", "player", "see_also":
	default:
		return
	}
	for _, a := range t.attrs {
		if a.name == "content" && doc.SchemeOf(strings.TrimSpace(a.value)) != "" {
			a.name = "meta"
			p.ref(t, a, p.d.Base)
		}
	}
}

// says gives out what the page says of itself.
func (p *page) says(f doc.Found) {
	if p.howOverride == "" {
		p.d.Yield(f)
	}
}
