package walls

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"linkcheck/internal/markup"
)

// LoginAddress says what an address, to which host from redirected, says of itself: that
// it is the place to log in, or that it may be. The path and the query, which has its
// question mark, are as on the wire.
func (r *Rules) LoginAddress(from, host, path, query string) (sure, perhaps bool) {
	l := &r.lists.Login
	path = strings.ToLower(path)
	label, domain, _ := strings.Cut(host, ".")
	if Under(host, l.Hosts) || host != from && strings.Contains(domain, ".") && slices.Contains(l.Labels, label) {
		return true, true
	}
	if slices.ContainsFunc(l.Paths, func(part string) bool { return hasPart(path, part) }) || strings.Contains(query, "SAMLRequest=") || strings.Contains(query, "entityID=") {
		return true, true
	}
	perhaps, parts := r.loginPath(path)
	return perhaps && (parts <= 2 || r.leadsOn(query)), perhaps
}

// LoginItself says whether an address as someone wrote it is that of a login page, and
// not of what lies behind one.
func (r *Rules) LoginItself(path, query string) bool {
	named, _ := r.loginPath(strings.ToLower(path))
	return named && !r.leadsOn(query)
}

// hasPart says whether a part of a path stands in it and ends there where a name does.
func hasPart(path, part string) bool {
	i := strings.Index(path, part)
	if i < 0 || strings.HasSuffix(part, "/") {
		return i >= 0
	}
	rest := path[i+len(part):]
	return rest == "" || strings.ContainsRune("/.;", rune(rest[0]))
}

// loginPath says whether a part between two slashes names a login page, and how many
// parts there are.
func (r *Rules) loginPath(p string) (named bool, parts int) {
	for part := range strings.SplitSeq(p, "/") {
		if part == "" {
			continue
		}
		parts++
		part, _, _ = strings.Cut(part, ";")
		part = strings.TrimSuffix(part, path.Ext(part))
		named = named || slices.Contains(r.lists.Login.Segments, joined(part))
	}
	return named, parts
}

// leadsOn says whether a query says where to go afterwards.
func (r *Rules) leadsOn(query string) bool {
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && slices.Contains(r.lists.Login.Returns, joined(strings.ToLower(name))) {
			return true
		}
	}
	return false
}

// joined is a name without what joins its words.
func joined(name string) string {
	if !strings.ContainsAny(name, "-_.") {
		return name
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.", r) {
			return -1
		}
		return r
	}, name)
}

// Login says whether the page asks who is reading, in place of what was asked for; a
// redirected one came from another address. A page with a form to log in at its head
// has a text beside it.
func (p *Page) Login(redirected bool) bool {
	const (
		most   = 700 // words of a login page that says how to get an account, and in which country
		beside = 200 // of them beside its form, where the title says nothing else
		short  = 80  // the same, where the title says more
		bare   = 15  // words of a page that a script fills, or that is a form and its heading
	)
	t := &p.rules.titles
	whole, edge := t.login.whole(p.parts), p.words < most && t.login.edge(p.parts)
	word := p.words < little && t.words.whole(p.parts) || p.words < hardly && redirected
	start := p.words < hardly && t.words.edge(p.parts)
	switch {
	case p.words < little && p.has(samlRequest) && p.read().saml:
		return true
	case word || whole && p.words < most || edge || start:
		f := p.read()
		if f.password && ((word || edge) && f.beside < short || whole && f.beside < beside || f.beside < bare) {
			return true
		}
	}
	return whole && (p.words < little && p.read().user || p.words < bare && p.read().script)
}

// form is what a page asks its reader for, and the rest of what stands in it.
type form struct {
	password bool // a field for one
	user     bool // a field for a name or an address of mail
	saml     bool // it passes on a question of SAML (SAML bindings 2.0, section 3.5)
	script   bool
	words    int // about how many are seen, without those for readers who run no scripts
	beside   int // of them outside of forms and of what surrounds every page of a site
	inside   int // elements that are open, of those
}

// read reads the page as a browser does that runs no scripts.
func (p *Page) read() *form {
	if p.form != nil {
		return p.form
	}
	p.form = new(form)
	for z := markup.NewBytesTokenizer([]byte(p.body)); z.Next(); {
		switch z.Kind() {
		case markup.Text:
			switch z.Element() {
			case "script", "style", "noscript", "title":
			default:
				p.form.text(z.Raw())
			}
		case markup.EndTag:
			var buf [markup.NameSize]byte
			if surrounds(string(markup.TagName(&buf, z.Raw()[1:]))) {
				p.form.inside = max(p.form.inside-1, 0)
			}
		case markup.StartTag:
			var buf [markup.NameSize]byte
			switch name := string(markup.TagName(&buf, z.Raw())); name {
			case "form", "nav", "header", "footer":
				p.form.inside++
			case "script":
				p.form.script = true
			case "input":
				p.form.input(z.Raw())
			case "noscript", "title", "iframe", "noembed", "noframes":
				z.RawText(name)
			}
		}
	}
	return p.form
}

// surrounds says whether an element is a form, or part of what surrounds every page.
func surrounds(name string) bool {
	return name == "form" || name == "nav" || name == "header" || name == "footer"
}

// text counts about how many words a text has.
func (f *form) text(raw []byte) {
	const long = 24 // octets from which what has no blanks counts as several words
	for word := range bytes.FieldsSeq(raw) {
		n := 1 + len(word)/long
		if f.words += n; f.inside == 0 {
			f.beside += n
		}
	}
}

// input takes an input element.
func (f *form) input(tag []byte) {
	for name, value := range markup.Attributes(tag) {
		value := strings.ToLower(markup.UnescapeAttr(string(value)))
		switch strings.ToLower(string(name)) {
		case "type":
			f.password, f.user = f.password || value == "password", f.user || value == "email"
		case "autocomplete":
			f.user = f.user || value == "username"
		case "name", "id":
			f.saml = f.saml || value == "samlrequest"
			f.user = f.user || slices.Contains([]string{"username", "user", "userid", "login", "loginid", "email", "identifier", "j_username", "barcode", "patronid"}, value)
		}
	}
}
