package report

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"linkcheck/store"
)

// onePage is the page of one link.
type onePage struct {
	*page
	Row    topRow
	Facts  []fact
	Past   []pastRow
	Places []placeRow
	N      int
	Hidden int
}

type pastRow struct{ Day, Group, Icon, StateWord, Outcome, Reason, Reply string }

type placeRow struct{ Record, RecordURL, Title, Locator, URL string }

func (s *Server) one(w http.ResponseWriter, r *http.Request, ed *edition, number string) {
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
	p := &onePage{page: s.head(ed, "../", "../")}
	if err == nil {
		p.fill(ed, &e)
	}
	s.show(w, ed, "one", p, err)
}

func (p *onePage) fill(ed *edition, entry *store.Entry) {
	row := ed.row(entry)
	p.Row, p.N, p.Hidden = ed.topRow(&row, entry.Past), row.N, row.N-len(row.Places)
	for i := len(entry.Past) - 1; i >= 0; i-- {
		e := &entry.Past[i]
		state := e.State.String()
		p.Past = append(p.Past, pastRow{ed.words.day(e.Result.At), groupOf(e.State).String(), stateIcon(state), ed.words.get("state." + state),
			e.Result.Outcome.String(), string(e.Result.Reason), ed.clean(e.Result.Reply)})
	}
	for i := range row.Places {
		m := &row.Places[i]
		where := ed.clean(m.Collection + " · " + File(m) + " · " + locator(m))
		p.Places = append(p.Places, placeRow{ed.clean(recordOf(m)), ed.recordURL(m.Record), ed.clean(m.Title), where, ed.address(m.URL)})
	}
	p.facts(ed, &row)
}

func (p *onePage) facts(ed *edition, r *Row) {
	w := ed.words
	add := func(key, value string) {
		if value != "" {
			p.Facts = append(p.Facts, fact{w.get(key), value})
		}
	}
	add("known.normal", r.Key)
	add("ends.at", r.Last.FinalURL)
	add("archived", r.Archived)
	add("server", r.said())
	add("codes", r.Last.Outcome.String()+" "+string(r.Last.Reason))
	add("chain", strings.ReplaceAll(chain(ed.scope, r), "\n", " → "))
	add("flags", strings.Join(r.Last.Flags, ", "))
	if r.Strikes > 0 {
		add("strikes", w.number(r.Strikes))
	}
	add("firstseen", w.day(r.FirstSeen))
	add("lastcheck", w.day(r.Last.At))
	add("lastok", w.day(r.LastOK))
	if !r.NextCheck.IsZero() {
		add("nextcheck", w.day(r.NextCheck))
	}
	add("checks", w.number(r.Checks))
	if r.Pin != nil {
		add("pinned", ed.clean(r.Pin.By)+": "+ed.clean(r.Pin.Why))
	}
}
