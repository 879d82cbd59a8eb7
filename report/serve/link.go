package serve

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/store"
)

// linkPage is the page of one link.
type linkPage struct {
	*html.Page
	Row    html.LinkRow
	Facts  []html.Fact
	Past   []checkRow
	Places []mentionRow
	N      int
	Hidden int
}

type checkRow struct{ Day, Group, Icon, StateWord, Outcome, Reason, Reply string }

type mentionRow struct{ Record, RecordURL, Title, Locator, URL string }

func (s *Server) serveLink(w http.ResponseWriter, r *http.Request, snap *snapshot, number string) {
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	e, err := s.src.Entry(id, maxShown)
	if errors.Is(err, store.ErrNotFound) || err == nil && e.Mentions == 0 {
		http.NotFound(w, r)
		return
	}
	p := &linkPage{Page: s.newPage(snap, "../", "../")}
	if err == nil {
		p.fill(snap, &e)
	}
	s.writePage(w, snap, "one", p, err)
}

func (p *linkPage) fill(snap *snapshot, entry *store.Entry) {
	row := snap.Row(entry)
	p.Row, p.N, p.Hidden = html.NewLinkRow(snap.Scope, &row, entry.History), row.Count, row.Count-len(row.LiveMentions)
	for i := len(entry.History) - 1; i >= 0; i-- {
		e := &entry.History[i]
		state := e.State.String()
		p.Past = append(p.Past, checkRow{snap.Words.Day(e.Result.At), report.GroupOf(e.State).String(), html.StateIcon(state), snap.Words.Get("state." + state),
			e.Result.Outcome.String(), string(e.Result.Reason), snap.Sanitize(e.Result.Reply)})
	}
	for i := range row.LiveMentions {
		m := &row.LiveMentions[i]
		where := snap.Sanitize(m.Collection + " · " + report.File(m) + " · " + report.Locator(m))
		p.Places = append(p.Places, mentionRow{snap.Sanitize(report.RecordOf(m)), snap.RecordAddress(m.Record), snap.Sanitize(m.Title), where, snap.SanitizeURL(m.URL)})
	}
	p.setFacts(snap, &row)
}

func (p *linkPage) setFacts(snap *snapshot, r *report.Row) {
	w := snap.Words
	add := func(key, value string) {
		if value != "" {
			p.Facts = append(p.Facts, html.Fact{Name: w.Get(key), Value: value})
		}
	}
	add("known.normal", r.Key)
	add("ends.at", r.Last.FinalURL)
	add("archived", r.Archived)
	add("server", r.ServerReply())
	add("codes", r.Last.Outcome.String()+" "+string(r.Last.Reason))
	add("chain", strings.ReplaceAll(html.Chain(snap.Scope, r), "\n", " → "))
	add("flags", strings.Join(r.Last.Flags, ", "))
	if r.Strikes > 0 {
		add("strikes", w.Number(r.Strikes))
	}
	add("firstseen", w.Day(r.FirstSeen))
	add("lastcheck", w.Day(r.Last.At))
	add("lastok", w.Day(r.LastOK))
	if !r.NextCheck.IsZero() {
		add("nextcheck", w.Day(r.NextCheck))
	}
	add("checks", w.Number(r.Checks))
	if r.Pin != nil {
		add("pinned", snap.Sanitize(r.Pin.By)+": "+snap.Sanitize(r.Pin.Why))
	}
}
