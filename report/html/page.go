package html

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/url"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/words"
)

const (
	pageCauses = 12  // causes shown at once
	pageMore   = 200 // further causes behind a summary
	pageMoves  = 8
)

// Page is what the templates show of a report.
type Page struct {
	*report.Report
	Back          string       // address of the page above; "": this is the first
	Base          template.URL // what stands before a query for links: "#" or the address of the list
	CSP           string
	Style, Script template.HTML
	Early         template.HTML // script of the head: hides at once the rows that Script replaces
	Bar           template.HTML
	Cards         []card
	Trend         *trend
	FirstCauses   []causeRow
	MoreCauses    []causeRow
	FirstMoves    []report.Rewrite
	MoreMoves     []report.Rewrite
	Top           []LinkRow
	Dupes         []duplicateCard
	MoreDupes     string
	OddCount      []report.Count
	Repairs       []LinkRow // invalid addresses
	FaultGroups   []faultGroup
	Coverage      Facts
	SourceRows    []sourceRow
	LeftOut       string
	Made          string
}

type causeRow struct {
	report.Cause
	Name  string
	Href  string
	Meter template.HTML
}

// sourceRow is a root with the addresses of the lists of its links and of those that are
// dead.
type sourceRow struct {
	report.RootRow
	Href, DeadHref string
	Group          report.Group // in whose colour its state is shown
	LastReading    string       // when it was, and what it changed; "": there was none
}

// newPage makes the page that is complete in one file.
func newPage(ctx context.Context, r *report.Report) (*Page, error) {
	p := &Page{Report: r, Base: "#", LeftOut: leftOut(r)}
	var styles, scripts, earlyScripts string
	p.Style, styles = element("style", Stylesheet)
	p.Script, scripts = element("script", script)
	p.Early, earlyScripts = element("script", earlyScript)
	p.CSP = "default-src 'none'; style-src " + styles + "; script-src " + scripts + " " + earlyScripts + "; img-src data:; base-uri 'none'; form-action 'none'"
	p.Made = r.Words.Get("made", "version", r.Options.Version, "date", r.Words.Day(r.Now))
	if err := p.setTop(); err != nil {
		return nil, err
	}
	return p, p.SetSums(ctx)
}

// element gives an element with a text of ours and its source for the Content Security
// Policy: the browser accepts exactly these bytes and nothing else.
func element(name, text string) (element template.HTML, source string) {
	text = "\n" + strings.TrimSpace(text) + "\n"
	sum := sha256.Sum256([]byte(text))
	return template.HTML("<" + name + ">" + text + "</" + name + ">"), "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HeadlineHTML is the report's headline with its figures in bold.
func (p *Page) HeadlineHTML() template.HTML {
	return template.HTML(p.MarkedHeadline(func(s string) string { return "<strong>" + template.HTMLEscapeString(s) + "</strong>" }))
}

// SetSums fills in all parts of the first page but its list of links.
func (p *Page) SetSums(ctx context.Context) error {
	runs, err := courseOf(ctx, p.Report)
	if err != nil {
		return err
	}
	p.Bar, p.Cards, p.Trend, p.Coverage = bar(p.Report), cards(p.Report, runs), newTrend(p.Words, runs), coverage(p.Report)
	p.setCauses()
	p.setOdd()
	p.setSources()
	p.setFaults()
	return p.setDuplicates(ctx)
}

func (p *Page) setTop() error {
	var ids []uint64
	for _, r := range p.Report.Top {
		ids = append(ids, r.ID)
	}
	past, err := p.Histories(ids)
	if err != nil {
		return err
	}
	for _, r := range p.Report.Top {
		p.Top = append(p.Top, NewLinkRow(p.Scope, r, past[r.ID]))
	}
	return nil
}

func (p *Page) setCauses() {
	var rows []causeRow
	for _, c := range p.Causes[:min(pageCauses+pageMore, len(p.Causes))] {
		row := causeRow{Cause: c, Name: c.Name(), Meter: meter(c.Group, c.Links, p.Causes[0].Links)}
		if c.Move != nil {
			row.Name = c.Move.Old
			row.Href = url.Values{"group": {"update"}, "q": {c.Move.Old}}.Encode()
		} else {
			row.Href = url.Values{"group": {c.Group.String()}, "host": {c.Host}, "reason": {c.Reason}}.Encode()
			if c.State >= report.Drift { // the reasons of its links are those of a good answer
				row.Href = url.Values{"state": {c.State.String()}, "host": {c.Host}}.Encode()
			}
		}
		row.Href = string(p.Base) + strings.ReplaceAll(row.Href, "+", "%20")
		rows = append(rows, row)
	}
	shown := min(pageCauses, len(rows))
	p.FirstCauses, p.MoreCauses = rows[:shown], rows[shown:]
	moves := p.Rewrites[:min(pageMoves+pageMore, len(p.Rewrites))]
	shown = min(pageMoves, len(moves))
	p.FirstMoves, p.MoreMoves = moves[:shown], moves[shown:]
}

// rootGroups are the groups in whose colours the states of roots are shown.
var rootGroups = map[string]report.Group{"failing": report.Fix, "doubted": report.Check, "underway": report.Wait, "never": report.Wait, "whole": report.Fine}

func (p *Page) setSources() {
	for _, r := range p.RootRows {
		list := string(p.Base) + strings.ReplaceAll(url.Values{"collection": {r.Name}}.Encode(), "+", "%20")
		w, last := p.Words, []string(nil)
		if !r.Whole.IsZero() {
			last = append(last, w.Get("root.last", "day", w.Day(r.Whole)))
		}
		if r.New+r.Changed+r.Gone > 0 {
			last = append(last, w.Get("root.news", "new", w.Number(r.New), "changed", w.Number(r.Changed), "gone", w.Number(r.Gone)))
		}
		p.SourceRows = append(p.SourceRows, sourceRow{r, list, list + "&state=" + judge.Dead.String(), rootGroups[r.State], strings.Join(last, " · ")})
	}
}

func (p *Page) setOdd() {
	for _, c := range p.Report.OddCount {
		state, reason, _ := strings.Cut(c.Word, " ")
		word := p.Words.Get("state." + state)
		if key, ok := p.Words.Find("what.", reason); ok && (state != judge.Invalid.String() || !strings.Contains(p.Words.Get(key), "{")) {
			word = words.Fill(p.Words.Get(key), "scheme", reason)
		}
		p.OddCount = append(p.OddCount, report.Count{Word: word + " (" + reason + ")", N: c.N})
	}
	for _, r := range p.Odd {
		if r.State == judge.Invalid {
			p.Repairs = append(p.Repairs, NewLinkRow(p.Scope, r, nil))
		}
	}
}
