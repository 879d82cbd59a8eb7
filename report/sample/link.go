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

// table is the invented internet with the sum of its weights.
type table struct {
	hosts []host
	sum   int
}

var world = func() table {
	t := table{hosts: hosts()}
	for _, h := range t.hosts {
		t.sum += h.weight
	}
	return t
}()

// small is the weight of small sites beside the table.
const small = 420

func link(i int) store.Link {
	r := seed(i, 1)
	h := chooseHost(r)
	f := h.fate
	if r.IntN(100) >= f.share {
		f = fine
		if r.IntN(60) == 0 {
			f = noPage
		}
	}
	path := h.paths(r)
	l := store.Link{ID: uint64(i + 1), Scheme: h.scheme, Mentions: mentionCount(i), State: f.state,
		FirstSeen: day0.AddDate(0, 0, -200-r.IntN(60))}
	l.Host, _, _ = strings.Cut(h.name, ":")
	l.URL = h.scheme + "://" + h.name + path
	if h.name == "" {
		l.URL = h.scheme + ":" + path
	}
	l.Key = l.URL
	if r.IntN(250) == 0 && h.name != "" {
		l.URL = strings.ToUpper(h.scheme) + "://" + h.name + path // spelled differently
	}
	applyFate(&l, f, path, r)
	if r.IntN(130) == 0 {
		spoil(&l, path)
	}
	if r.IntN(400) == 0 {
		l.State, l.Checks, l.Last = judge.New, 0, check.Result{}
		l.LastOK, l.FirstChecked, l.FailingSince, l.Strikes, l.Changes = time.Time{}, time.Time{}, time.Time{}, 0, nil
	}
	return l
}

func chooseHost(r *rand.Rand) host {
	n := r.IntN(world.sum + small)
	for _, h := range world.hosts {
		if n -= h.weight; n < 0 {
			return h
		}
	}
	name := fmt.Sprintf("www.%s-%s%d.example", pick(r, subjects), pick(r, kinds), r.IntN(40))
	fates := []fate{fine, fine, fine, fine, fine, fine, fine, noPage, fine, noName, busy, moved("https://" + name[4:])}
	return host{1, "http", name, pages, fates[int(name[4]+name[len(name)-9]+name[8])%len(fates)]}
}

// applyFate gives a link the result and the dates that go with a fate.
func applyFate(l *store.Link, f fate, path string, r *rand.Rand) {
	l.Last = check.Result{Outcome: f.outcome, Reason: f.reason, Evidence: f.evidence, Reply: f.reply, Attempts: 1,
		At: day0.Add(time.Duration(r.IntN(40))*time.Minute).AddDate(0, 0, -r.IntN(7)), Took: 120 * time.Millisecond}
	l.FirstChecked = l.FirstSeen
	l.Checks = 8 + r.IntN(20)
	l.LastOK = l.Last.At
	l.NextCheck = l.Last.At.AddDate(0, 0, 7+r.IntN(20))
	if f.outcome == check.OK {
		l.Last.Reason, l.Last.Reply = good(l.Scheme)
	}
	if f.move != "" {
		l.Last.SuggestedURL = f.move + path
		l.Last.FinalURL = l.Last.SuggestedURL
		l.Last.Hops = []check.Hop{{Code: 301, URL: l.Last.SuggestedURL}}
	}
	switch f.state {
	case judge.Dead, judge.Failing:
		l.Strikes, l.Needed = 3+r.IntN(3), 3
		if f.state == judge.Failing {
			l.Strikes, l.Needed = 1+r.IntN(3), 5
			l.NextCheck = day0.AddDate(0, 0, 1+r.IntN(3))
		}
		l.FailingSince = l.Last.At.AddDate(0, 0, -7-r.IntN(90))
		l.LastOK = l.FailingSince.AddDate(0, 0, -7)
	case judge.NotCheckable:
		l.Checks, l.LastOK = 1, time.Time{}
	case judge.Restricted, judge.Undetermined, judge.Suspect:
		l.LastOK = time.Time{}
	}
	if change, ok := news[f.state]; ok && r.IntN(40) == 0 {
		l.Changes, l.ChangedRun = []judge.Change{change}, lastRun-uint64(r.IntN(3))
	}
}

var news = map[judge.State]judge.Change{judge.Dead: judge.NewlyDead, judge.Moved: judge.NewlyMoved,
	judge.Suspect: judge.NewlySuspect, judge.Alive: judge.Recovered}

// spoil turns a link into a string that is no address.
func spoil(l *store.Link, path string) {
	l.URL = strings.Replace(l.URL, "://", ":/ /", 1)
	l.Key, l.State, l.Host = l.URL, judge.Invalid, ""
	l.Last = check.Result{Outcome: check.Invalid, Reason: "uri-host-char", At: l.Last.At}
	if len(path)%2 == 0 {
		l.Last.SuggestedURL = strings.Replace(l.URL, ":/ /", "://", 1)
	}
	l.LastOK, l.FailingSince, l.Strikes, l.Checks, l.Changes = time.Time{}, time.Time{}, 0, 1, nil
}

// good gives the reason and the reply of a link that is well.
func good(scheme string) (check.Reason, string) {
	switch scheme {
	case "http", "https":
		return "http-200", "200 OK"
	case "ftp":
		return "ftp-213", "213 40811"
	case "gopher":
		return "gopher-item", ""
	case "nntp":
		return "nntp-223", "223 40222 article exists"
	}
	return "z3950-hit", ""
}
