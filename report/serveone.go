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
	l, err := s.src.Link(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && l.Mentions == 0 {
		http.NotFound(w, r)
		return
	}
	p := &onePage{page: s.head(ed, "../")}
	if err == nil {
		err = p.fill(s.src, ed, l)
	}
	s.show(w, ed, "one", p, err)
}

func (p *onePage) fill(src Source, ed *edition, l store.Link) error {
	row := ed.row(l)
	var err error
	if p.Row, err = ed.topRow(src, &row); err != nil {
		return err
	}
	events, err := src.History(l.ID)
	if err != nil {
		return err
	}
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		state := e.State.String()
		p.Past = append(p.Past, pastRow{ed.words.day(e.Result.At), GroupOf(e.State).String(), stateIcon(state), ed.words.get("state." + state),
			e.Result.Outcome.String(), string(e.Result.Reason), ed.clean(e.Result.Reply)})
	}
	err = ed.eachMention(src, l.ID, func(m *store.Mention) (bool, error) {
		if p.N++; p.N > maxShown {
			p.Hidden++
			return true, nil
		}
		where := ed.clean(m.Collection + " · " + sourceOf(m) + " · " + Locator(m))
		p.Places = append(p.Places, placeRow{ed.clean(recordOf(m)), ed.recordURL(m.Record), ed.clean(m.Title), where, ed.address(m.URL)})
		return true, nil
	})
	p.facts(ed, &row)
	return err
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
	add("server", r.Last.Reply)
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
