package serve

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/words"
)

const (
	listSize  = 200  // rows of a page
	maxShown  = 1000 // mentions of one link on its own page
	maxChoice = 500  // words of one choice
)

// listPage is the page of /links.
type listPage struct {
	*html.Page
	Want          selection
	Rows          []html.LinkRow
	Choices       []choice
	Kept          []parameter // hidden fields of the form: what it leaves as it is
	Chips         []chip
	Heads         []columnHead
	Status, Range string
	Before, After string
	Filtered      bool

	// Of pages from which the source is changed.
	Edit   bool
	Said   []said         // of each row
	Active []activeFilter // what the list is filtered by
	Query  template.URL   // of the exports of the view
	Owners []string
}

// activeFilter is one of the filters, with the address of the list without it.
type activeFilter struct{ Label, Value, Href string }

// parameter is one of the query of an address.
type parameter struct{ Name, Value string }

// choice is a list to choose from: the name of its parameter, the word chosen, all words.
type choice struct {
	Name, Now string
	Words     []string
}

type chip struct {
	Word, Href string
	N          int
	On         bool
}

type columnHead struct{ Class, Label, Href, Sort, Mark string }

// readSelection reads the selection in the query of an address.
func readSelection(q url.Values) selection {
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil || page < 1 || page > 1<<30/listSize {
		page = 1
	}
	sort := q.Get("sort")
	if !slices.Contains(sortKeys[:], strings.TrimPrefix(sort, "-")) {
		sort = sortKeys[0]
	}
	return selection{q.Get("group"), q.Get("state"), q.Get("scheme"), q.Get("host"), q.Get("collection"), q.Get("reason"), q.Get("change"), q.Get("q"), sort, page, q.Get("owner"), q.Get("record")}
}

// href gives the address of this selection with one field changed, at its first page
// unless that field is the page.
func (w selection) href(name, value string) string {
	q := url.Values{}
	for _, f := range w.fields() {
		if f.Value != "" && f.Name != name {
			q.Set(f.Name, f.Value)
		}
	}
	if value != "" {
		q.Set(name, value)
	}
	return "links?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

func (w *selection) fields() []parameter {
	return []parameter{{"group", w.Group}, {"state", w.State}, {"scheme", w.Scheme}, {"host", w.Host}, {"collection", w.Collection},
		{"reason", w.Reason}, {"change", w.Change}, {"q", w.Text}, {"sort", w.Sort}, {"owner", w.Owner}, {"record", w.Record}}
}

func (s *Server) serveList(w http.ResponseWriter, r *http.Request, snap *snapshot) {
	p := &listPage{Page: s.newPage(snap, "", "."), Want: readSelection(r.URL.Query())}
	if s.csrf == "" {
		p.Want.Owner, p.Want.Record = "", ""
	}
	part, total := snap.pick(&p.Want, listSize)
	for _, i := range part {
		e, err := s.src.Entry(snap.entries[i].id, maxShown)
		if err != nil {
			s.writePage(w, snap, "list", p, err)
			return
		}
		row := snap.Row(&e)
		t := html.NewLinkRow(snap.Scope, &row, e.History)
		t.Href = "link/" + strconv.FormatUint(e.ID, 10)
		p.Rows = append(p.Rows, t)
		if s.csrf != "" {
			p.Said = append(p.Said, saidOf(snap, &row))
		}
	}
	p.setControls(snap, total)
	if s.csrf != "" {
		p.setEditing(snap)
	}
	s.writePage(w, snap, "list", p, nil)
}

// setControls fills in what is around the table: filters, page numbers, column heads.
func (p *listPage) setControls(snap *snapshot, total int) {
	w, want := snap.Words, &p.Want
	p.Status = w.Count("link", total)
	from := (want.Page - 1) * listSize
	if len(p.Rows) > 0 {
		p.Range = w.Get("page.of", "from", w.Number(from+1), "to", w.Number(from+len(p.Rows)), "n", w.Number(total))
	}
	if want.Page > 1 {
		p.Before = want.href("page", strconv.Itoa(want.Page-1))
	}
	if from+listSize < total {
		p.After = want.href("page", strconv.Itoa(want.Page+1))
	}
	for g := range report.GroupCount {
		word := g.String()
		c := chip{Word: word, N: snap.ByGroup[g], On: want.Group == word, Href: want.href("group", word)}
		if c.On {
			c.Href = want.href("group", "")
		}
		p.Chips = append(p.Chips, c)
	}
	var states []string
	for st, some := range snap.standings {
		if some {
			states = append(states, report.Standing(st).String())
		}
	}
	p.Choices = []choice{{"scheme", want.Scheme, snap.schemes.Strings()}, {"collection", want.Collection, snap.collections.Strings()}, {"state", want.State, states}}
	for i, c := range p.Choices {
		words := slices.Sorted(slices.Values(c.Words))
		words = words[:min(maxChoice, len(words))]
		p.Choices[i].Words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	}
	for _, f := range want.fields() {
		if f.Value != "" && slices.Contains([]string{"group", "host", "reason", "change", "sort", "owner", "record"}, f.Name) {
			p.Kept = append(p.Kept, f)
		}
		p.Filtered = p.Filtered || f.Value != "" && f.Name != "sort"
	}
	p.setHeads(w)
}

// setEditing fills in what pages have from which the source is changed.
func (p *listPage) setEditing(snap *snapshot) {
	w := snap.Words
	p.Edit = true
	for _, f := range p.Want.fields() {
		if f.Value == "" || f.Name == "sort" {
			continue
		}
		value := f.Value
		switch f.Name {
		case "group", "state", "change":
			value = w.Get(f.Name + "." + f.Value)
		}
		p.Active = append(p.Active, activeFilter{w.Get("edit.by." + f.Name), value, p.Want.href(f.Name, "")})
	}
	p.Query = template.URL(strings.TrimPrefix(p.Want.href("sort", p.Want.Sort), "links?"))
	for _, owner := range snap.owners.Strings() {
		if owner != "" && len(p.Owners) < maxChoice {
			p.Owners = append(p.Owners, owner)
		}
	}
	slices.Sort(p.Owners)
}

func (p *listPage) setHeads(w *words.Catalogue) {
	labels := [...]string{"col.state", "col.link", "col.what", "col.where", "col.checks"}
	classes := [...]string{"c-state", "c-link", "", "c-where", "c-checks"}
	for i, key := range sortKeys {
		h := columnHead{Class: classes[i], Label: w.Get(labels[i]), Href: p.Want.href("sort", key)}
		switch p.Want.Sort {
		case key:
			h.Sort, h.Mark, h.Href = "ascending", "▲", p.Want.href("sort", "-"+key)
		case "-" + key:
			h.Sort, h.Mark = "descending", "▼"
		}
		p.Heads = append(p.Heads, h)
	}
}
