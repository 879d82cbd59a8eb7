package serve

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/store"
	"linkcheck/store/marks"
)

// linkPage is the page of one link.
type linkPage struct {
	*html.Page
	Row      html.LinkRow
	Facts    html.Facts
	Mentions []mentionRow
	Hidden   int // mentions that are not shown
	Edit     bool
	Said     said
}

// mentionRow is a place: DocumentURL is "" where browsers do not open the document, or
// RecordURL leads there.
type mentionRow struct{ Record, RecordURL, Title, Collection, Document, DocumentURL, Locator, URL string }

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
	if p.Edit = s.csrf != ""; p.Edit && err == nil {
		p.Said = saidOf(snap, &p.Row.Row)
	}
	s.writePage(w, snap, "one", p, err)
}

func (p *linkPage) fill(snap *snapshot, e *store.Entry) {
	r := snap.Row(e)
	p.Row, p.Hidden = html.NewLinkRow(snap.Scope, &r, e.History), r.Count-len(r.LiveMentions)
	for i := range r.LiveMentions {
		m := &r.LiveMentions[i]
		row := mentionRow{Record: snap.Sanitize(report.RecordOf(m)), RecordURL: html.PlaceAddress(snap.Scope, m), Title: snap.Sanitize(m.Title),
			Collection: snap.Sanitize(m.Collection), Document: snap.Sanitize(report.File(m)), Locator: snap.Sanitize(report.Locator(m)), URL: snap.SanitizeURL(m.URL)}
		if m.Record != "" {
			row.DocumentURL = html.DocumentAddress(snap.Scope, m)
		}
		p.Mentions = append(p.Mentions, row)
	}
	p.Row.History = slices.Clone(e.History)
	slices.Reverse(p.Row.History) // newest first
	p.setFacts(snap, &p.Row.Row)
}

func (p *linkPage) setFacts(snap *snapshot, r *report.Row) {
	w, f := snap.Words, &p.Facts
	f.Add("known.normal", r.Key)
	f.Add("ends.at", r.Last.FinalURL)
	f.Add("archived", r.Archived)
	f.Add("server", r.ServerReply())
	f.Add("codes", r.Last.Outcome.String()+" "+string(r.Last.Reason))
	f.Add("chain", strings.ReplaceAll(html.Chain(snap.Scope, r), "\n", " → "))
	f.Add("move.proof", r.Proof.Line(w))
	f.Add("flags", strings.Join(r.Last.Flags, ", "))
	if r.Strikes > 0 {
		f.Add("strikes", w.Number(r.Strikes))
	}
	f.Add("firstseen", w.Day(r.FirstSeen))
	f.Add("lastcheck", w.Day(r.Last.At))
	f.Add("lastok", w.Day(r.LastOK))
	if !r.NextCheck.IsZero() {
		f.Add("nextcheck", w.Day(r.NextCheck))
	}
	f.Add("checks", w.Number(r.Checks))
	if r.Pin != nil {
		f.Add("pinned", snap.Sanitize(r.Pin.By)+": "+snap.Sanitize(r.Pin.Why))
	}
	if r.Note != nil {
		f.Add("note", snap.Sanitize(r.Note.By)+": "+snap.Sanitize(r.Note.Text))
	}
	if r.Owner != nil {
		f.Add("owner", snap.Sanitize(r.Owner.Text))
	}
	if r.Fix != nil && r.Fix.Refused {
		f.Add("fix.refused", snap.SanitizeURL(r.Fix.Text))
	} else if r.Fix != nil {
		f.Add("fix.accepted", snap.SanitizeURL(r.Fix.Text))
	}
	if r.Again != nil {
		f.Add("again", w.Day(r.Again.At))
	}
}

// ownerOf is who mends a link at its first place.
func ownerOf(s *report.Scope, r *report.Row) string {
	if r.Owner != nil { // by a person's word, also where the link has no place
		return s.Sanitize(r.Owner.Text)
	}
	return s.Sanitize(r.First().Owner)
}

// said is what people said of a link, to be shown.
type said struct{ Decision, By, Why, Until, Note, NoteBy, Owner, Fix, Again string }

func saidOf(snap *snapshot, r *report.Row) (s said) {
	if p := r.Pin; p != nil {
		s.Decision, s.Why = marks.Decision(p)
		s.Why, s.By = snap.Sanitize(s.Why), snap.Sanitize(p.By)
		if !p.Until.IsZero() {
			s.Until = snap.Words.Day(p.Until)
		}
	}
	if r.Note != nil {
		s.Note, s.NoteBy = snap.Sanitize(r.Note.Text), snap.Sanitize(r.Note.By)
	}
	if r.Fix != nil {
		s.Fix = "accepted " + snap.SanitizeURL(r.Fix.Text)
		if r.Fix.Refused {
			s.Fix = "refused " + snap.SanitizeURL(r.Fix.Text)
		}
	}
	if r.Again != nil {
		s.Again = snap.Words.Get("edit.due")
	}
	s.Owner = ownerOf(snap.Scope, r)
	return s
}
