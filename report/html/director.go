package html

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

var (
	//go:embed assets/director.html
	directorTemplate string
	//go:embed assets/director.css
	directorStyle string
)

const (
	mendedDays   = 30
	directorHost = 8   // hosts in the table of half-lives
	leastDeaths  = 3   // by which a half-life may be told
	maxFact      = 150 // runes of a fact of coverage
)

// WriteDirector writes one printed page for who answers for the collection: how it stands,
// how that went over the runs, what was mended in 30 days, how long links live, and what the
// report does not know. It has no script and loads nothing.
func WriteDirector(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	r, err := report.Build(ctx, src, o)
	if err != nil {
		return err
	}
	t, err := Template(r.Scope)
	if err == nil {
		t, err = t.Parse(directorTemplate)
	}
	if err != nil {
		return fmt.Errorf("report: director's page: %w", err)
	}
	d := &director{Page: Page{Report: r, Bar: bar(r), Cards: cards(r, nil)}, runs: lastRuns(r), lives: map[string]*Life{}}
	if err := d.read(ctx, src); err != nil {
		return err
	}
	d.finish()
	out := bufio.NewWriter(w)
	if err := t.ExecuteTemplate(out, "director", d); err != nil {
		return fmt.Errorf("report: write director's page: %w", err)
	}
	return out.Flush()
}

// director is what the page shows.
type director struct {
	Page
	Mended, Recovered, Marked int
	Lives                     []*Life // of all links, then of the hosts with most deaths
	Facts                     Facts

	runs  []runSums
	all   Life
	lives map[string]*Life
}

// Life is how links of a host live.
type Life struct {
	Host  string // "": all
	Links int
	Died  int     // that lived when they were first asked
	years float64 // for which they were watched alive
}

// HalfLife is after how many years half of the links are dead, if they go on dying as they
// did: the mean of an exponential law by its maximum likelihood, deaths over link-years. NaN:
// too few died to say.
func (l *Life) HalfLife() float64 {
	if l.Died < leastDeaths || l.years <= 0 {
		return math.NaN()
	}
	return math.Ln2 * l.years / float64(l.Died)
}

// read makes one pass over the links, with the places that are gone.
func (d *director) read(ctx context.Context, src report.Source) error {
	pins := map[store.Pin]bool{}
	for e, err := range src.Scan(store.Pick{Mentions: true, Retired: true, History: true, Collections: d.Collections}) {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		d.countMended(&e)
		row := d.Row(&e)
		if len(row.LiveMentions) == 0 {
			continue
		}
		d.countLife(&row)
		if p := e.Pin; p != nil {
			if d.recent(p.At) {
				pins[store.Pin{Link: p.Link, Host: p.Host}] = true
			}
			honour(d.runs, &e)
		}
	}
	d.Marked = len(pins)
	return nil
}

// recent reports whether a time is one of the days in which mending is counted.
func (d *director) recent(t time.Time) bool {
	return t.After(d.Now.AddDate(0, 0, -mendedDays)) && !t.After(d.Now)
}

// countMended counts records and documents from which a link that needed a person is gone.
func (d *director) countMended(e *store.Entry) {
	if !report.GroupOf(e.State).NeedsYou() {
		return
	}
	live := map[string]bool{}
	for i := range e.LiveMentions {
		if m := &e.LiveMentions[i]; m.Retired.IsZero() {
			live[report.RecordOf(m)] = true
		}
	}
	for i := range e.LiveMentions {
		if m := &e.LiveMentions[i]; d.recent(m.Retired) && !live[report.RecordOf(m)] {
			live[report.RecordOf(m)] = true
			d.Mended++
		}
	}
}

// countLife adds a link to what is known of its host: from when it was first asked until it
// was last seen alive.
func (d *director) countLife(r *report.Row) {
	if r.LastOK.IsZero() || r.FirstChecked.IsZero() || r.Host == "" {
		return
	}
	died := r.State == judge.Dead || r.State == judge.PinnedDead
	until := r.Last.At
	if died || until.Before(r.LastOK) {
		until = r.LastOK
	}
	host := d.lives[r.Host]
	if host == nil {
		host = &Life{Host: strings.Clone(r.Host)}
		d.lives[host.Host] = host
	}
	for _, l := range []*Life{&d.all, host} {
		l.Links++
		l.years += max(0, until.Sub(r.FirstChecked).Hours()/24/365.25)
		if died {
			l.Died++
		}
	}
}

// finish makes what is shown of what was counted.
func (d *director) finish() {
	for i := range d.Nights {
		if n := &d.Nights[i]; d.recent(n.Started) && !d.Partial {
			d.Recovered += n.Changes[string(judge.Recovered)]
		}
	}
	if n := len(d.runs); n > 0 {
		d.runs[n-1].N = d.ByGroup // the last point is what the figures say
	}
	d.Trend = newTrend(d.Words, d.runs)
	hosts := make([]*Life, 0, len(d.lives))
	for _, l := range d.lives {
		if l.Died > 0 {
			hosts = append(hosts, l)
		}
	}
	slices.SortFunc(hosts, func(a, b *Life) int {
		return cmp.Or(cmp.Compare(b.Died, a.Died), cmp.Compare(b.Links, a.Links), cmp.Compare(a.Host, b.Host))
	})
	d.Lives = append([]*Life{&d.all}, hosts[:min(directorHost, len(hosts))]...)
	d.setFacts()
}

// setFacts takes the coverage of the page, a line for each kind of fact.
func (d *director) setFacts() {
	for _, f := range coverage(d.Report) {
		switch n := len(d.Facts); {
		case f.Key == "coverage.settings" || f.Key == "links" || f.Key == "coverage.version":
		case n > 0 && d.Facts[n-1].Key == f.Key:
			d.Facts[n-1].Value += " · " + f.Value
		default:
			d.Facts.Add(f.Key, f.Value)
		}
	}
	for i := range d.Facts {
		d.Facts[i].Value = cut(d.Facts[i].Value, maxFact)
	}
}

// cut is text of at most n runes.
func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// Years is a half-life in words.
func (d *director) Years(l *Life) string {
	years := l.HalfLife()
	if math.IsNaN(years) {
		return d.Words.Get("director.few")
	}
	number := fmt.Sprintf("%.1f", years)
	if years >= 100 {
		number = "> 100"
	}
	return d.Words.Get("director.years", "years", strings.Replace(number, ".", d.Words.Get("decimal"), 1))
}

// PageStyle is the style of the page, with its source for the policy.
func (d *director) PageStyle() template.HTML {
	style, source := element("style", Stylesheet+"\n"+directorStyle)
	return `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ` + template.HTML(source) + `; img-src data:; base-uri 'none'; form-action 'none'">` + "\n" + style
}
