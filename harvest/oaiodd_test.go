package harvest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"linkcheck/harvest"
	"linkcheck/internal/lab"
)

// change changes what is asked for before a repository sees it, and answers in its place where it
// gives something; the weather is as it was.
func (m *model) change(before func(r *http.Request) http.Handler) {
	weather := m.Before
	m.Before = func(r *http.Request) http.Handler {
		if h := before(r); h != nil || weather == nil {
			return h
		}
		return weather(r)
	}
}

// without leaves a parameter out of what is asked for.
func without(name string) func(*http.Request) http.Handler {
	return func(r *http.Request) http.Handler {
		q := r.URL.Query()
		q.Del(name)
		r.URL.RawQuery = q.Encode()
		return nil
	}
}

// earliest is the datestamp of the oldest record.
func (m *model) earliest() time.Time {
	first := m.OAI.Now()
	for _, r := range m.Records {
		if r.Date.Before(first) {
			first = r.Date
		}
	}
	return first
}

// TestOAIOdd: odd providers over 60 nights, with outages every third: nothing that is there is told
// to be gone, and in the end all is kept as it is. Each of them is as odd in each night.
func TestOAIOdd(t *testing.T) {
	const nights = 60
	ahead := func(d time.Duration) func(*model) {
		return func(m *model) { m.OAI.Now = func() time.Time { return m.Nights.Now().Add(d) } }
	}
	for name, odd := range map[string]func(*model){ // is called each night
		"it ignores until":       func(m *model) { m.change(without("until")) },
		"it ignores from":        func(m *model) { m.change(without("from")) },
		"its clock is ahead":     ahead(5 * time.Hour),
		"its clock is behind":    ahead(-20 * time.Hour),
		"a clock that is mended": func(m *model) { ahead(time.Duration(max(0, 20-m.Nights)) * time.Hour)(m) },
		"it refuses what is before its earliest datestamp": func(m *model) {
			for i := range m.Records { // all are stamped anew
				if m.Nights%7 == 0 {
					m.Records[i].Date = m.OAI.Now()
				}
			}
			first := m.earliest().UTC().Format(time.RFC3339)
			m.change(func(r *http.Request) http.Handler {
				if from := r.URL.Query().Get("from"); from != "" && from < first[:min(len(first), len(from))] {
					return lab.Text("text/xml", fmt.Sprintf(`<OAI-PMH><responseDate>%s</responseDate><error code="badArgument">from is before the earliest datestamp</error></OAI-PMH>`,
						m.OAI.Now().UTC().Format(time.RFC3339)))
				}
				return nil
			})
		},
		"datestamps go back": func(m *model) {
			if i := m.random.IntN(len(m.Records)); !m.Records[i].Deleted {
				m.Records[i].Date = m.Records[i].Date.AddDate(0, 0, -30)
			}
		},
		"what was deleted comes back": func(m *model) {
			for n := range m.truth {
				i := m.index(n)
				if i < 0 || n%5 != 0 {
					continue
				}
				edition := ""
				if m.Nights%4 < 2 {
					edition = fmt.Sprint("back", m.Nights)
				}
				m.Records[i] = record(n, m.OAI.Now(), edition)
				m.Records[i].Deleted, m.truth[n] = edition == "", edition
			}
		},
		"sets share records": func(m *model) {
			for i := range m.Records {
				m.Records[i].Sets = [][]string{{"ebooks", "maps"}, {"maps", "ebooks"}}[m.random.IntN(2)]
			}
		},
		"its sizes are too large": func(m *model) { m.Said = func(size int, _, next string) (int, string) { return size + 3, next } },
		"its sizes are too small": func(m *model) { m.Said = func(size int, _, next string) (int, string) { return size - size/3, next } },
		"tokens do not live long": func(m *model) { m.TokenLife = time.Minute },
	} {
		for _, days := range []bool{false, true} {
			m := &model{repository: wells(t, 0, wellsRoot+"?set=ebooks"), random: rand.New(rand.NewPCG(7, 1)), truth: map[int]string{}}
			m.Page, m.Days = 7, days
			wrong := 0
			m.watch = func(i harvest.Item) {
				if m.wrongly(i) {
					wrong++
				}
			}
			for range 20 {
				m.day()
			}
			asked := 0
			for range nights {
				m.Nights++
				m.day()
				m.Before = m.weather()
				odd(m)
				_ = m.night(t)
				asked += len(m.Asked())
			}
			m.Nights, m.Before = m.Nights+100, nil
			odd(m)
			for range 3 { // what is odd may keep a list from being whole
				_ = m.night(t)
				m.Nights++
			}
			t.Logf("%s, days %v: %d requests in %d nights", name, days, asked, nights)
			if wrong > 0 || asked > 400 {
				t.Errorf("%s, days %v: %d records are told to be gone that are there; %d requests", name, days, wrong, asked)
			}
			if name == "its sizes are too large" { // its lists prove nothing: what vanished without a word stays
				continue
			}
			m.settled(t, 7)
		}
	}
}

// TestOAIClock: a clock that was five days ahead for a night and is mended hides no change: the next
// list begins no later than by our own clock.
func TestOAIClock(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.OAI.Now = func() time.Time { return l.Nights.Now().AddDate(0, 0, 5) }
	l.whole(t)
	l.OAI.Now = l.Nights.Now
	l.Nights++
	l.Records[3] = record(4, l.Nights.Now().Add(-time.Hour), "second")
	l.whole(t)
	if !strings.Contains(l.Report(), "/4/second<") {
		t.Error("a record that was changed is not read")
	}
}
