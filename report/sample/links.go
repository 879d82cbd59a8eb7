package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// seed gives the random numbers for item i, the same ones each time. The salt keeps
// links (1), mentions (4) and titles (5) apart.
func seed(i int, salt uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), salt)) }

// link makes link i: a URL at a random host, probed in the week before the report. How
// the probe ended is what the row of the host in hosts says.
func link(i int) store.Link {
	r := seed(i, 1)
	h := chooseHost(r)
	path := expand(r, h.path)
	at := lastRunStart.Add(time.Duration(r.IntN(40))*time.Minute).AddDate(0, 0, -r.IntN(7))
	l := store.Link{ID: uint64(i + 1), Scheme: h.scheme, URL: h.scheme + "://" + h.name + path, Mentions: 1, FirstSeen: lastRunStart.AddDate(0, 0, -200-r.IntN(60)),
		Checks: 8 + r.IntN(20), LastOK: at, NextCheck: at.AddDate(0, 0, 7+r.IntN(20)), State: judge.Alive, Last: well(h.scheme)}
	l.FirstChecked = l.FirstSeen
	l.Host, _, _ = strings.Cut(h.name, ":")
	if h.name == "" {
		l.URL = h.scheme + ":" + path
	}
	l.Key = l.URL
	if many := r.IntN(100); many >= 78 { // one in five has 2 to 9 mentions
		l.Mentions = 2 + max(0, many-92)
	}
	if r.IntN(100) < h.share { // else it stays alive
		l.State, l.Last = h.state, check.Result{Outcome: h.outcome, Reason: h.reason, Evidence: h.evidence, Reply: h.reply}
	}
	switch l.State {
	case judge.Moved:
		l.Last.SuggestedURL, l.Last.FinalURL = h.movedTo+path, h.movedTo+path
		l.Last.Hops = []check.Hop{{Code: 301, URL: h.movedTo + path}}
	case judge.Dead, judge.Failing:
		l.Strikes, l.Needed = 1+r.IntN(3), 3
		l.FailingSince = at.AddDate(0, 0, -7-r.IntN(90))
		l.LastOK = l.FailingSince.AddDate(0, 0, -7)
	case judge.NotCheckable, judge.Restricted, judge.Undetermined, judge.Suspect:
		l.LastOK = time.Time{}
	}
	if change, ok := newly[l.State]; ok && r.IntN(40) == 0 {
		l.Changes, l.ChangedRun = []judge.Change{change}, lastRun-uint64(r.IntN(3))
	}
	if r.IntN(130) == 0 {
		spoil(&l, r.IntN(2) == 0)
	}
	if r.IntN(400) == 0 {
		l = store.Link{ID: l.ID, Scheme: l.Scheme, Host: l.Host, URL: l.URL, Key: l.Key, Mentions: l.Mentions, FirstSeen: l.FirstSeen} // never probed
	} else {
		l.Last.At, l.Last.Took, l.Last.Attempts = at, 120*time.Millisecond, 1
	}
	return l
}

// newly gives for a state the change by which a link got into it.
var newly = map[judge.State]judge.Change{judge.Dead: judge.NewlyDead, judge.Moved: judge.NewlyMoved,
	judge.Suspect: judge.NewlySuspect, judge.Alive: judge.Recovered}

// well is the result of a link that is alive.
func well(scheme string) check.Result {
	reason, reply := check.Reason("http-200"), "200 OK"
	if code, ok := map[string]string{"ftp": "ftp-213", "gopher": "gopher-item", "nntp": "nntp-223", "z39.50r": "z3950-hit", "z39.50s": "z3950-hit"}[scheme]; ok {
		reason, reply = check.Reason(code), ""
	}
	return check.Result{Outcome: check.OK, Reason: reason, Evidence: check.Strong, Reply: reply}
}

// spoil turns a link into a string that is no URI; with suggest the result of its probe
// suggests the right one.
func spoil(l *store.Link, suggest bool) {
	whole := l.URL
	l.URL = strings.Replace(whole, "://", ":/ /", 1)
	l.Key, l.State, l.Host, l.Last = l.URL, judge.Invalid, "", check.Result{Outcome: check.Invalid, Reason: "uri-host-char"}
	if suggest {
		l.Last.SuggestedURL = whole
	}
	l.LastOK, l.FailingSince, l.Strikes, l.Checks, l.Changes = time.Time{}, time.Time{}, 0, 1, nil
}

// mention makes mention k of a link, in a store of n links: in a catalogue, a mail archive,
// RFCs or a web site. Three links in a row stand in the same record.
func mention(l *store.Link, k, n int) store.Mention {
	r := seed(int(l.ID)*7+k, 4)
	rec := (int(l.ID)/3 + k*37) % (n/3 + 1)
	m := store.Mention{Link: l.ID, Raw: l.URL, URL: l.URL, FirstSeen: l.FirstSeen, LastSeen: lastRunStart, Title: title(rec)}
	switch rec % 10 {
	case 0, 1:
		m.Collection, m.Source, m.How = "Mail archive", fmt.Sprintf("www-talk.%d-%02d.mbox", 1992+rec%6, 1+rec%12), "bracket"
		m.Record, m.Line, m.Locator = fmt.Sprintf("<9203.AA%05d@nxoc01.example>", rec), 40+r.IntN(4000), "part 1"
	case 2:
		m.Collection, m.Source, m.How = "RFCs", fmt.Sprintf("rfc%d.txt", 1000+rec%2000), "bare"
		m.Line, m.Column, m.Title = 20+r.IntN(3000), 4+r.IntN(40), ""
	case 3:
		page := seed(rec, 6)
		m.Collection, m.Source, m.How = "Guides", expand(page, "https://guides.campus.example/$subject/$kind.html"), "a"
		m.Line, m.Column = 20+r.IntN(400), 1+r.IntN(80)
	default:
		m.Collection, m.Source, m.How = "Catalogue", "catalogue.mrc", "marc"
		m.Record, m.Locator = fmt.Sprintf("b%07d", 1000000+rec), fmt.Sprintf("856[%d]$u", 1+k)
	}
	m.Context = "See also " + l.URL + " (" + m.Title + ")"
	if k > 0 && r.IntN(10) == 0 { // spelled differently
		m.URL = strings.Replace(m.URL, ".example/", ".EXAMPLE/", 1)
		m.Raw = m.URL
	}
	return m
}

// title makes the title of a record; some are in other scripts or hold markup.
func title(rec int) string {
	r := seed(rec, 5)
	switch rec % 61 {
	case 3:
		return "فهرس المخطوطات العربية في مكتبة " + expand(r, "$town")
	case 7:
		return "中国古籍善本书目 · " + expand(r, "$town")
	case 11:
		return "Ärzte & Bäder: ein Führer <1893>"
	}
	return expand(r, "A $kind of $subject and $subject at $town")
}

// history makes up the last probes of a link, a week apart. Those that are strikes, and
// at least the last one, ended as the link is now; the others found it alive. All have
// the number of the last run: no report shows it.
func history(l *store.Link) []store.Event {
	n, bad := min(l.Checks, 12), max(1, l.Strikes)
	if l.State == judge.Alive {
		bad = 0
	}
	events := make([]store.Event, n)
	for k := range events {
		events[k] = store.Event{Run: lastRun, State: judge.Alive, Result: well(l.Scheme)}
		if k >= n-bad {
			events[k].State, events[k].Result = l.State, l.Last
		}
		events[k].Result.At = l.Last.At.AddDate(0, 0, 7*(k-n+1))
	}
	return events
}
