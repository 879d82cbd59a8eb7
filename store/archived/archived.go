// Package archived keeps in a store what archives answered about its links: which copy of a
// page is nearest to a day, that there is none, or that one is there no more. A page has an
// answer for each day of which documents name it. The store is all that it reads and writes.
package archived

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// Keep is how long an answer holds before its question is asked again.
const Keep = 180 * 24 * time.Hour

// MaxPage is the length of an address, in octets, up to which answers about it are kept.
const MaxPage = 4000

// Answer is what archives said about a page and a day.
type Answer struct {
	Copy    string    `json:"copy,omitempty"`    // its address; "": there is none
	Made    time.Time `json:"made,omitzero"`     // when the copy was made; zero: not known
	Archive string    `json:"archive,omitempty"` // that has it, or had it
	At      time.Time `json:"at"`                // when it was asked
	Lost    string    `json:"lost,omitempty"`    // the address of a copy that was there before, and is no more
	Local   bool      `json:"local,omitempty"`   // Copy names a place on a disk and no address: it is shown and never written
}

// State is the word for an answer: "copy", "no copy", or "lost again".
func (a *Answer) State() string {
	switch {
	case a.Copy != "":
		return "copy"
	case a.Lost != "":
		return "lost again"
	}
	return "no copy"
}

// Holds says whether the answer is too young to ask again.
func (a *Answer) Holds(now time.Time) bool {
	return now.Sub(a.At) < Keep && !a.At.After(now.Add(time.Hour))
}

// Day is a day to which a copy is to be near, as a place of a link has it.
type Day struct {
	Name string    // by which answers are kept: 2006-01-02; "": no document says one
	At   time.Time // the same, or else when the link was last seen well or first seen
}

// DayOf gives the day for a place of a link: the date of its document, in the middle of the
// month or year where it says no more, else when its file was last changed.
func DayOf(l *store.Link, m *store.Mention) Day {
	if page, made, _ := Held(cmp.Or(l.Target, l.URL)); page != "" { // the day that was chosen before
		return Day{made.Format(time.DateOnly), made}
	}
	layouts := map[int]string{4: "2006", 7: "2006-01", 10: time.DateOnly}
	at, err := time.Parse(cmp.Or(layouts[len(m.Date)], time.DateOnly), m.Date)
	switch {
	case err == nil && len(m.Date) == 4:
		at = at.AddDate(0, 6, 0)
	case err == nil && len(m.Date) == 7:
		at = at.AddDate(0, 0, 14)
	case err != nil && m.Modified.Year() >= 1970:
		at = m.Modified.UTC().Truncate(24 * time.Hour)
	case err != nil:
		if at = l.LastOK; at.IsZero() {
			at = l.FirstSeen
		}
		return Day{At: at}
	}
	return Day{at.Format(time.DateOnly), at.Add(12 * time.Hour)}
}

// MadeOf is when the copy was made to which a link leads, where its place says so (CopyOf); zero:
// it does not.
func MadeOf(m *store.Mention) time.Time {
	made, _ := time.Parse(time.DateOnly, m.Date)
	return made
}

// Days gives the days for the places of a link, each once, in their order.
func Days(l *store.Link, places []store.Mention) []Day {
	days := make([]Day, len(places))
	for i := range places {
		days[i] = DayOf(l, &places[i])
	}
	slices.SortFunc(days, func(a, b Day) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Name, b.Name)) })
	return slices.CompactFunc(days, func(a, b Day) bool { return a.Name == b.Name })
}

// Page is the address about which archives are asked for a link: they do not come through a
// library's proxy, and their copies are of whole pages. Of a link that leads to an archive it
// is the page that is held there.
func Page(l *store.Link) string {
	page, _, _ := strings.Cut(cmp.Or(l.Target, l.URL), "#")
	if held, _, _ := Held(page); held != "" {
		return held
	}
	return page
}

// Askable says whether archives may be asked about a page: http, https or ftp, well formed,
// without a password.
func Askable(page string) bool {
	return len(page) <= MaxPage && uri.Clickable(page) && secret.Mask(page) == page
}

func key(page, day string) string { return "archived\x00" + page + "\x00" + day }

// Get gives the answer about a page and the name of a day, if there is one.
func Get(st *store.Store, page, day string) (a Answer, ok bool) {
	v, ok := st.Cache().CacheGet(key(page, day))
	if !ok || json.Unmarshal(v, &a) != nil {
		return Answer{}, false
	}
	return a, true
}

// Put keeps an answer about a page for the days of these names: when it returns nil, it survives a
// crash.
func Put(st *store.Store, page string, a Answer, days ...string) error {
	v, err := json.Marshal(a)
	if err != nil {
		return err
	}
	rows := map[string][]byte{}
	for _, day := range days {
		rows[key(page, day)] = v
	}
	if err := st.Tell(0, rows); err != nil {
		return fmt.Errorf("keep what an archive answered: %w", err)
	}
	return nil
}

// Rest gives until when an archive asked not to be asked, if that is not over.
func Rest(st *store.Store, archive string, now time.Time) (until time.Time, ok bool) {
	v, known := st.Cache().CacheGet("archive rest\x00" + archive)
	if !known || until.UnmarshalText(v) != nil {
		return until, false
	}
	return until, now.Before(until)
}

// SetRest keeps until when an archive asked not to be asked.
func SetRest(st *store.Store, archive string, until time.Time) error {
	v, err := until.UTC().MarshalText()
	if err != nil {
		return err
	}
	return st.Tell(0, map[string][]byte{"archive rest\x00" + archive: v})
}

// Known looks up the answers in a store. It is a report.Archive.
type Known struct {
	Store *store.Store
	Old   func(page string) (copied string, at time.Time, ok bool) // answers of a file that was not taken over; nil: none
}

// Answer gives what is known for a place of a link: for its day, else for none.
func (k Known) Answer(l *store.Link, m *store.Mention) (a Answer, ok bool) {
	page := Page(l)
	for _, day := range []string{DayOf(l, m).Name, ""} {
		if a, ok = Get(k.Store, page, day); ok {
			return a, true
		}
	}
	if k.Old == nil {
		return a, false
	}
	a.Copy, a.At, ok = k.Old(page)
	return a, ok
}

// Words says what is known for a place of a link; "": nothing.
func (k Known) Words(l *store.Link, m *store.Mention) string {
	a, ok := k.Answer(l, m)
	if !ok {
		return ""
	}
	asked := ", asked " + a.At.UTC().Format(time.DateOnly)
	switch {
	case a.Copy == "" && a.Lost != "":
		return "lost again: " + a.Lost + asked
	case a.Copy == "":
		return "no archived copy" + asked
	case a.Made.IsZero():
		return "archived copy of an unknown day: " + a.Copy + asked
	}
	return "archived copy of " + a.Made.UTC().Format(time.DateOnly) + ": " + a.Copy + asked
}

// Copy gives the address of the archived copy for a place of a link, and of which day it
// is; "" if none is known, or if it has no address.
func (k Known) Copy(l *store.Link, m *store.Mention) (url string, made time.Time) {
	if a, ok := k.Answer(l, m); ok && !a.Local {
		return a.Copy, a.Made
	}
	return "", time.Time{}
}
