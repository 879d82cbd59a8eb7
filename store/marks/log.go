package marks

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"linkcheck/store"
	"linkcheck/uri/secret"
)

// Verbs are what people do, as the log calls it.
const (
	Mark   = "mark"
	Note   = "note"
	Assign = "assign"
	Fix    = "fix"
	Check  = "check"
)

// Now is the text of a wish to have a link asked again.
const Now = "now"

// ErrOvertaken is of a word that cannot be taken back: another one has its place.
var ErrOvertaken = errors.New("something else was said since")

// MaxText bounds a note, a reason, an owner or an address, in octets.
const MaxText = 4000

// Line is a line of the log.
type Line struct {
	ID     uint64    `json:"id"`
	At     time.Time `json:"time"`
	Who    string    `json:"who"`
	From   string    `json:"from"` // cli, browser, api
	Verb   string    `json:"verb"`
	Target string    `json:"target"` // the address of a link, or a host
	Before string    `json:"before"`
	After  string    `json:"after"` // "": what was said is taken back
	Why    string    `json:"reason"`
	Undoes uint64    `json:"undoes,omitempty"`
}

// Source is what has a log: a store, open for reading or writing.
type Source interface {
	Log() ([]store.Pin, error)
	Each(ids []uint64, take func(*store.Link, error)) error
}

// Log gives the log of a store, the oldest line first. Nothing in it is masked.
func Log(st Source) ([]Line, error) {
	said, err := st.Log()
	if err != nil {
		return nil, err
	}
	urls, err := addresses(st, said)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(said))
	for i := range said {
		p := &said[i]
		lines[i] = Line{ID: p.ID, At: p.At.UTC().Truncate(time.Second), Who: p.By, From: p.From, Verb: verbOf(p), Target: p.Host, Before: inWords(p.Before), After: inWords(p), Undoes: p.Undoes}
		if p.Link != 0 {
			lines[i].Target = urls[p.Link]
		}
		if p.Who != "" {
			lines[i].Who = p.Who
		}
		if _, lines[i].Why = Decision(p); p.Verb != "" {
			lines[i].Why = p.Why
		}
		if p.Undoes != 0 {
			lines[i].Why = fmt.Sprintf("undoes %d", p.Undoes)
		}
	}
	return lines, nil
}

// addresses are those of the links of pins, by number.
func addresses(st Source, pins []store.Pin) (map[uint64]string, error) {
	var ids []uint64
	for _, p := range pins {
		if p.Link != 0 {
			ids = append(ids, p.Link)
		}
	}
	urls := make(map[uint64]string, len(ids))
	err := st.Each(ids, func(l *store.Link, err error) {
		if err == nil {
			urls[l.ID] = l.URL
		}
	})
	return urls, err
}

func verbOf(p *store.Pin) string {
	if p.Verb == "" {
		return Mark
	}
	return p.Verb
}

// inWords is what a pin says, in a few words; "" for none.
func inWords(p *store.Pin) string {
	switch {
	case p == nil || p.Empty():
		return ""
	case p.Verb == "":
		word, _ := Decision(p)
		if !p.Until.IsZero() {
			word += " until " + p.Until.UTC().Format(time.DateOnly)
		}
		return word
	case p.Verb == Fix && p.Refused:
		return "refused " + p.Text
	case p.Verb == Fix:
		return "accepted " + p.Text
	case p.Verb == Check:
		return "due now"
	}
	return p.Text
}

// One gives the link that has an address, as it was written somewhere.
func One(st *store.Store, url string) (store.Link, error) {
	l, found, err := st.Find(url)
	if err == nil && (!found || l.Mentions == 0) {
		err = fmt.Errorf("%.300s: %w", secret.Mask(url), store.ErrNotFound)
	}
	return l, err
}

// Say keeps a word, and gives its number in the log.
func Say(st *store.Store, p store.Pin) (id uint64, err error) {
	for _, text := range []string{p.Text, p.Why, p.By} {
		if len(text) > MaxText {
			return 0, fmt.Errorf("a text of %d octets: the most is %d", len(text), MaxText)
		}
	}
	if err := st.SetPin(p); err != nil {
		return 0, err
	}
	return last(st)
}

// last is the number of the last line of the log.
func last(st *store.Store) (uint64, error) {
	said, err := st.Log()
	if err != nil || len(said) == 0 {
		return 0, err
	}
	return said[len(said)-1].ID, nil
}

// Undo takes a word back: what held before it holds again. who, from and at are of the one
// who does. A number that the log does not have is store.ErrNotFound; where another word was
// said since of the same, the error is ErrOvertaken.
func Undo(st *store.Store, id uint64, who, from string, at time.Time) (Line, error) {
	said, err := st.Log()
	if err != nil {
		return Line{}, err
	}
	var found *store.Pin
	for i := range said {
		p := &said[i]
		switch {
		case p.ID == id:
			found = p
		case found != nil && p.Link == found.Link && p.Host == found.Host && p.Verb == found.Verb:
			return Line{}, fmt.Errorf("%d: %w: undo %d first", id, ErrOvertaken, p.ID)
		}
	}
	if found == nil {
		return Line{}, fmt.Errorf("line %d of the log: %w", id, store.ErrNotFound)
	}
	p := store.Pin{Verb: found.Verb, By: who}
	if found.Before != nil {
		p = *found.Before
	}
	p.Link, p.Host, p.Before = found.Link, found.Host, nil
	p.At, p.From, p.Undoes, p.Who = at, from, id, who
	if _, err := Say(st, p); err != nil {
		return Line{}, err
	}
	lines, err := Log(st)
	if err != nil {
		return Line{}, err
	}
	return lines[len(lines)-1], nil
}

// Clean makes a text of a person fit to be kept: one line, without what acts on a terminal.
func Clean(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' || r == 0x85 || r == 0x2028 || r == 0x2029 }), " ")
}
