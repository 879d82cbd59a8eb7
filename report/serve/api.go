package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"linkcheck/mend"
	"linkcheck/store"
	"linkcheck/store/marks"
	"linkcheck/uri/secret"
)

const (
	apiPath = "/api/v1/"
	maxBody = 16 << 10 // octets of what is sent
)

// route is one way to change something. Each stands in the description of the API.
type route struct {
	method, path, what string
	fields             []string // of the body, or of the query of DELETE
	change             func(e *Editor, st *store.Store, q *asked) ([]store.Pin, error)
}

var routes = []route{
	{http.MethodPost, "marks", "Decide about a link, or about all links of a host", []string{"url", "link", "decision", "why", "until", "by"}, (*Editor).mark},
	{http.MethodDelete, "marks", "Take a decision back", []string{"url", "link", "by"}, (*Editor).unmark},
	{http.MethodPost, "notes", "Keep a note about a link; an empty text takes it back", []string{"url", "link", "text", "by"}, (*Editor).note},
	{http.MethodPost, "owners", "Give a link to who mends it; an empty owner takes it back", []string{"url", "link", "owner", "by"}, (*Editor).assign},
	{http.MethodPost, "rechecks", "Have the next run ask a link first", []string{"url", "link", "by"}, (*Editor).recheck},
	{http.MethodPost, "fixes", "Accept or refuse the new address of a link", []string{"url", "link", "decision", "new", "why", "by"}, (*Editor).fix},
	{http.MethodPost, "undo", "Take a line of the log back", []string{"id", "by"}, nil},
}

// asked is what a request asks for: a link by its address or by its number, and what is said
// of it.
type asked struct {
	URL      string `json:"url"`
	Link     uint64 `json:"link"`
	Decision string `json:"decision"`
	Why      string `json:"why"`
	Until    string `json:"until"`
	By       string `json:"by"`
	Text     string `json:"text"`
	Owner    string `json:"owner"`
	New      string `json:"new"`
	ID       uint64 `json:"id"`
}

// fault is an error with its status.
type fault struct {
	code int
	text string
}

func (f fault) Error() string { return f.text }

func bad(format string, args ...any) error {
	return fault{http.StatusUnprocessableEntity, fmt.Sprintf(format, args...)}
}

// change makes the change that a request asks for, and answers with its line of the log.
func (e *Editor) change(w http.ResponseWriter, r *http.Request, from string) {
	line, err := e.changed(r, from)
	if f, ok := errors.AsType[fault](err); ok {
		if f.code == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", strings.Join(methods(r.URL.Path), ", "))
		}
		refuse(w, f.code, f.text)
		return
	}
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, line)
	case errors.Is(err, store.ErrInUse):
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusLocked, "a run holds the store; try again when it has ended")
	case errors.Is(err, store.ErrNotFound):
		refuse(w, http.StatusNotFound, err.Error())
	case errors.Is(err, marks.ErrOvertaken):
		refuse(w, http.StatusConflict, err.Error())
	default:
		refuse(w, http.StatusInternalServerError, "the store could not be changed")
	}
}

func (e *Editor) changed(r *http.Request, from string) (line marks.Line, err error) {
	at := slices.IndexFunc(routes, func(way route) bool { return way.method == r.Method && apiPath+way.path == r.URL.Path })
	if at < 0 {
		if len(methods(r.URL.Path)) > 0 {
			return line, fault{http.StatusMethodNotAllowed, "that is not done here"}
		}
		return line, fault{http.StatusNotFound, "there is no such thing"}
	}
	way := &routes[at]
	q, err := read(r, way)
	if err != nil {
		return line, err
	}
	for _, s := range []*string{&q.Why, &q.By, &q.Text, &q.Owner} {
		if *s = marks.Clean(*s); len(*s) > marks.MaxText {
			return line, bad("a text of %d octets: the most is %d", len(*s), marks.MaxText)
		}
	}
	q.By = cmp.Or(q.By, e.By)
	now := e.Now().UTC()
	err = e.Write(r.Context(), func(st *store.Store) (err error) {
		if way.change == nil {
			line, err = marks.Undo(st, q.ID, q.By, from, now)
			return err
		}
		pins, err := way.change(e, st, q)
		if err != nil {
			return err
		}
		for _, p := range pins {
			p.By, p.From, p.At = q.By, from, now
			if _, err := marks.Say(st, p); err != nil {
				return err
			}
		}
		lines, err := marks.Log(st)
		if err == nil {
			line = lines[len(lines)-1]
		}
		return err
	})
	line.Target, line.Before, line.After, line.Why = secret.Mask(line.Target), secret.MaskText(line.Before), secret.MaskText(line.After), secret.MaskText(line.Why)
	return line, err
}

// read reads what a request asks for: fields that its route does not have are refused.
func read(r *http.Request, way *route) (*asked, error) {
	q, given := &asked{}, map[string]json.RawMessage{}
	if r.Method == http.MethodDelete {
		for name, values := range r.URL.Query() {
			text, err := json.Marshal(values[0])
			if name == "link" {
				text = []byte(values[0])
			}
			if given[name] = text; err != nil || len(values) > 1 || !json.Valid(text) {
				return nil, bad("%.40q is no value", name)
			}
		}
	} else {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			return nil, fault{http.StatusUnsupportedMediaType, "send JSON, as application/json"}
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		switch {
		case err != nil:
			return nil, fault{http.StatusBadRequest, "the body could not be read"}
		case len(body) > maxBody:
			return nil, fault{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d octets", maxBody)}
		case json.Unmarshal(body, &given) != nil:
			return nil, fault{http.StatusBadRequest, "the body is no JSON object"}
		}
	}
	for name := range given {
		if !slices.Contains(way.fields, name) {
			return nil, bad("there is no field %.40q here, but %s", name, strings.Join(way.fields, ", "))
		}
	}
	whole, err := json.Marshal(given)
	if err != nil || json.Unmarshal(whole, q) != nil {
		return nil, bad("a field has a value of another kind")
	}
	return q, nil
}

// about finds the link that is meant.
func (q *asked) about(st *store.Store) (id uint64, err error) {
	if q.Link != 0 && q.URL != "" || q.Link == 0 && q.URL == "" {
		return 0, bad("give the url of a link, or its number as link")
	}
	if q.URL != "" {
		l, err := marks.One(st, q.URL)
		return l.ID, err
	}
	err = st.Each([]uint64{q.Link}, func(l *store.Link, lerr error) {
		if err = lerr; err == nil && l.Mentions == 0 {
			err = store.ErrNotFound
		}
	})
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("link %d: %w", q.Link, store.ErrNotFound)
	}
	return q.Link, err
}

// targets are what a decision is about: a link, or a host.
func (q *asked) targets(r *Editor, st *store.Store, marked bool) ([]store.Pin, error) {
	id, err := q.about(st)
	if err == nil {
		return []store.Pin{{Link: id}}, nil
	}
	if !errors.Is(err, store.ErrNotFound) || q.URL == "" || strings.ContainsAny(q.URL, "/:@") {
		return nil, err
	}
	if host := marks.HostOf(q.URL); marked {
		return []store.Pin{{Host: host}}, nil
	} else if on, herr := marks.OnHost(st, host); herr != nil || on {
		return []store.Pin{{Host: host}}, herr
	}
	return nil, err
}

func (e *Editor) mark(st *store.Store, q *asked) ([]store.Pin, error) {
	p, ok := marks.Decide(q.Decision, q.Why)
	switch {
	case !ok:
		return nil, bad("%.40q is no decision: %s", q.Decision, strings.Join(marks.Decisions, ", "))
	case q.Why == "":
		return nil, bad("say why: the next reader will want to know")
	}
	if q.Until != "" {
		var err error
		if p.Until, err = time.Parse(time.DateOnly, q.Until); err != nil {
			return nil, bad("until: %.40q is no date such as 2027-06-30", q.Until)
		}
		if !p.Until.After(e.Now()) {
			return nil, bad("until: %s is over; the decision would lapse at once", q.Until)
		}
	}
	pins, err := q.targets(e, st, false)
	for i := range pins {
		p.Link, p.Host = pins[i].Link, pins[i].Host
		pins[i] = p
	}
	return pins, err
}

func (e *Editor) unmark(st *store.Store, q *asked) ([]store.Pin, error) {
	return q.targets(e, st, true)
}

func (e *Editor) note(st *store.Store, q *asked) ([]store.Pin, error) {
	id, err := q.about(st)
	return []store.Pin{{Link: id, Verb: marks.Note, Text: q.Text}}, err
}

func (e *Editor) assign(st *store.Store, q *asked) ([]store.Pin, error) {
	id, err := q.about(st)
	return []store.Pin{{Link: id, Verb: marks.Assign, Text: q.Owner}}, err
}

func (e *Editor) recheck(st *store.Store, q *asked) ([]store.Pin, error) {
	id, err := q.about(st)
	return []store.Pin{{Link: id, Verb: marks.Check, Text: marks.Now}}, err
}

func (e *Editor) fix(st *store.Store, q *asked) ([]store.Pin, error) {
	p := store.Pin{Verb: marks.Fix, Text: q.New, Refused: q.Decision == "refuse", Why: q.Why}
	switch {
	case q.Decision != "accept" && q.Decision != "refuse":
		return nil, bad("%.40q is no decision: accept, refuse", q.Decision)
	case !mend.Address(q.New) || len(q.New) > marks.MaxText:
		return nil, bad("new: %.200q is no address", secret.Mask(q.New))
	case strings.Contains(q.New, "***"):
		return nil, bad("new: a part of the address is hidden: decide by 'linkcheck fix'")
	}
	var err error
	p.Link, err = q.about(st)
	return []store.Pin{p}, err
}
