package report

import (
	"context"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"linkcheck/judge"
	"linkcheck/store"
)

const (
	pageCauses = 12  // causes shown at once
	pageMore   = 200 // further causes behind a summary
	pageMoves  = 8
	pageDupes  = 40
)

// page is what the template shows.
type page struct {
	*Report
	Lang          string
	Back          string       // of a page below the first one: the way back
	Base          template.URL // before a choice of links: "#" or the address of the list
	CSP           string
	Style, Script template.HTML
	Early         template.HTML // script before the page: rows that it will replace are not laid out first
	Bar           template.HTML
	Cards         []card
	Trend         *trend
	FirstCauses   []causeRow
	MoreCauses    []causeRow
	FirstMoves    []Rewrite
	MoreMoves     []Rewrite
	Top           []topRow
	Dupes         []dupCard
	MoreDupes     string
	OddCount      []Count
	Repairs       []oddRow
	Coverage      []fact
	LeftOut       string
	Made          string
}

type card struct {
	Word  string
	N     int
	Delta string
	Spark template.HTML
}

type causeRow struct {
	Cause
	Icon  string
	Word  string // of the state
	Name  string
	Href  string
	Meter template.HTML
}

type topRow struct {
	Row
	Icon        string
	StateWord   string
	ChangeWords []string
	Reply       string
	Record      string
	RecordURL   string
	Title       string
	Locator     string
	More        string
	Strip       template.HTML
	Href        string // of the link\'s own page; "" in a file
}

type oddRow struct {
	URL, Message, Reason, Suggested, Record, Locator string
}

type fact struct{ Name, Value string }

func (r *Report) page(ctx context.Context) (*page, error) {
	p := &page{Report: r, Base: "#", Lang: r.words.lang, Bar: r.bar(), Cards: r.cards(), Trend: r.trend(), Coverage: r.coverage(), LeftOut: r.leftOut()}
	var style, script, early string
	var err error
	if p.Style, style, err = asset("report.css", "style"); err != nil {
		return nil, err
	}
	if p.Script, script, err = asset("report.js", "script"); err != nil {
		return nil, err
	}
	if p.Early, early, err = asset("early.js", "script"); err != nil {
		return nil, err
	}
	p.CSP = "default-src 'none'; style-src " + style + "; script-src " + script + " " + early + "; img-src data:; base-uri 'none'; form-action 'none'"
	p.Made = r.words.get("made", "version", r.Options.Version, "date", r.words.day(r.Now))
	p.setCauses()
	if err := p.setTop(); err != nil {
		return nil, err
	}
	p.setOdd()
	return p, p.setDupes(ctx)
}

func (p *page) setCauses() {
	most := 1
	if len(p.Causes) > 0 {
		most = p.Causes[0].Links
	}
	rows := make([]causeRow, 0, len(p.Causes))
	for _, c := range firstN(p.Causes, pageCauses+pageMore) {
		row := causeRow{Cause: c, Name: c.name(), Word: p.words.get("state." + c.State), Icon: c.Group.String(), Meter: meter(c.Group, c.Links, most)}
		if c.Move != nil {
			row.Name = c.Move.Old
			row.Href = url.Values{"group": {"update"}, "q": {c.Move.Old}}.Encode()
		} else {
			row.Href = url.Values{"group": {c.Group.String()}, "host": {c.Host}, "reason": {c.Reason}}.Encode()
			row.Icon = stateIcon(c.State)
		}
		row.Href = string(p.Base) + strings.ReplaceAll(row.Href, "+", "%20")
		rows = append(rows, row)
	}
	p.FirstCauses = firstN(rows, pageCauses)
	p.MoreCauses = rows[len(p.FirstCauses):]
	moves := firstN(p.Rewrites, pageMoves+pageMore)
	p.FirstMoves = firstN(moves, pageMoves)
	p.MoreMoves = moves[len(p.FirstMoves):]
}

// stateIcon gives the icon of a state: shape tells it where colour cannot.
func stateIcon(state string) string {
	switch state {
	case "invalid":
		return "pen"
	case "restricted":
		return "lock"
	case "undetermined":
		return "ask"
	case "not-checkable", "ignored":
		return "none"
	case "suspect":
		return "check"
	case "moved":
		return "update"
	case "failing", "new":
		return "wait"
	case "dead", "pinned-dead":
		return "fix"
	}
	return "fine"
}

func (p *page) setTop() error {
	var ids []uint64
	for i := range p.Report.Top {
		ids = append(ids, p.Report.Top[i].ID)
	}
	past := map[uint64][]store.Event{}
	for e, err := range p.src.Scan(store.Pick{Only: oneOf(ids), Past: true}) {
		if err != nil {
			return fmt.Errorf("report: read history: %w", err)
		}
		past[e.ID] = e.Past
	}
	for i := range p.Report.Top {
		r := &p.Report.Top[i]
		p.Top = append(p.Top, p.topRow(r, past[r.ID]))
	}
	return nil
}

// topRow adds to a row what the page shows of its places and history.
func (s *scope) topRow(r *Row, past []store.Event) topRow {
	s.tell(r)
	t := topRow{Row: *r, Icon: stateIcon(r.State.String()), StateWord: s.words.get("state." + r.State.String()), Reply: r.said()}
	for _, c := range r.Changed {
		t.ChangeWords = append(t.ChangeWords, s.words.get("change."+string(c)))
	}
	t.Strip = s.strip(past)
	m := r.first()
	t.Record, t.RecordURL = s.clean(nearName(m)), s.recordURL(m.Record)
	t.Title, t.Locator = s.clean(m.Title), s.clean(locator(m))
	if r.N > 1 {
		t.More = "+" + s.words.number(r.N-1)
	}
	return t
}

func (p *page) setOdd() {
	for _, c := range p.Report.OddCount {
		state, reason, _ := strings.Cut(c.Word, " ")
		word := p.words.get("state." + state)
		if key, ok := p.words.find("what.", reason); ok && (state != judge.Invalid.String() || !strings.Contains(p.words.get(key), "{")) {
			word = fill(p.words.get(key), "scheme", reason)
		}
		p.OddCount = append(p.OddCount, Count{word + " (" + reason + ")", c.N})
	}
	for i := range p.Odd {
		r := &p.Odd[i]
		if r.State != judge.Invalid {
			break
		}
		m := r.first()
		p.Repairs = append(p.Repairs, oddRow{r.URL, r.Message, string(r.Last.Reason), r.Suggested, p.clean(nearName(m)), p.clean(locator(m))})
	}
}
