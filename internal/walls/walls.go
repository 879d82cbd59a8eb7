package walls

import (
	"slices"
	"strings"
	"sync"
)

// Rules are what is looked for. They are safe for concurrent use.
type Rules struct {
	lists  Lists
	texts  *textFinder // of all kinds
	parked *textFinder // of parkedText alone
	titles struct{ login, words, challenge, errors titleSet }
	access []accessRule
}

// The kinds of texts that are sought in pages.
const (
	wallText kinds = 1 << iota
	wallScript
	wallAsks
	captcha
	parkedText
	parkedOffer
	samlRequest
	allKinds = 1<<iota - 1
)

// own are the lists of this package.
var own = sync.OnceValues(func() (Lists, []Access) {
	lists, err := ReadLists(ownLists)
	access, err2 := ReadAccess(ownAccess)
	if err != nil || err2 != nil {
		panic("walls.toml or access.toml is not in order") // both are part of the program, and read by its tests
	}
	return lists, access
})

// New makes the rules of this package's own lists with more.
func New(more Lists, access []Access) *Rules {
	lists, rules := own()
	r := &Rules{lists: lists.with(more)}
	for _, a := range slices.Concat(rules, access) {
		r.access = append(r.access, newAccessRule(a))
	}
	l := &r.lists
	r.texts = newTextFinder(map[kinds][]string{
		wallText: l.Challenge.Texts, wallScript: l.Challenge.Scripts, wallAsks: l.Challenge.Asks, captcha: l.Challenge.Captchas,
		parkedText: l.Parked.Texts, parkedOffer: l.Parked.Offers, samlRequest: {"samlrequest"},
	})
	r.parked = newTextFinder(map[kinds][]string{parkedText: l.Parked.Texts})
	r.titles.login, r.titles.words = newTitleSet(l.Login.Titles), newTitleSet(l.Login.Words)
	r.titles.challenge, r.titles.errors = newTitleSet(l.Challenge.Titles), newTitleSet(l.Error.Titles)
	return r
}

// Page is an HTML page that was read by Rules.Read.
type Page struct {
	rules *Rules
	title string   // in lower case
	parts []string // of the title
	body  string
	words int
	form  *form // once read

	sought, found kinds // of texts in the body
}

// Read looks a page through: its title, its source, and about how many words of it a
// reader sees.
func (r *Rules) Read(title, body string, words int) *Page {
	title = strings.ToLower(title)
	return &Page{rules: r, title: title, parts: titleParts(title), body: body, words: words}
}

// has says whether texts of one of some kinds stand in the body. Those of parkedText are
// sought in pages of any length, for which they have a finder of their own; the others
// count as a rule only in a page of few words, so that is asked first.
func (p *Page) has(k kinds) bool {
	switch missing := k &^ p.sought; missing {
	case 0:
	case parkedText:
		p.sought |= parkedText
		p.found |= p.rules.parked.in(p.body)
	default:
		p.sought = allKinds
		p.found = p.rules.texts.in(p.body)
	}
	return p.found.has(k)
}

// Words up to which a page says little else than what was found in it.
const (
	hardly = 40  // a line or two
	little = 150 // a short notice
	notice = 400 // an error page with the menu of its site
)

// Challenge says whether the page asks for a proof that a person is reading. One that
// came with an error counts whatever else it says.
func (p *Page) Challenge(failed bool) bool {
	switch {
	case (failed || p.words < little) && p.has(wallText),
		(failed || p.words < hardly) && p.has(wallScript),
		p.words < little && p.has(wallAsks) && (p.words < hardly || p.has(captcha|wallScript)):
		return true
	}
	return (failed || p.words < little) && p.rules.titles.challenge.whole(p.parts)
}

// Parked says whether the page offers its domain, or advertisements in its place.
func (p *Page) Parked(host string) bool {
	switch {
	case p.words < hardly && p.has(parkedOffer), p.has(parkedText):
		return true
	case p.words >= notice:
		return false
	}
	named := strings.Contains(p.title, strings.TrimPrefix(host, "www."))
	return named && (strings.Contains(p.title, "for sale") || p.has(parkedOffer)) || p.rules.texts.in(p.title).has(parkedOffer)
}

// ParkedHost says whether a host sells domains.
func (r *Rules) ParkedHost(host string) bool { return Under(host, r.lists.Parked.Hosts) }

// Error says whether the title of the page is that of an error page, and whether there
// is little else to read, so that the page is one.
func (p *Page) Error() (title, page bool) {
	number, phrase := p.rules.titles.errors.failure(p.parts)
	return phrase || number && p.words < little, (phrase || number) && p.words < notice
}

// Shell says whether a script makes what a reader sees of the page: there is one, and
// hardly a word beside it.
func (p *Page) Shell() bool {
	const most = 5 // "Loading, please wait ..."
	return p.words < little && p.read().script && p.form.words <= most
}
