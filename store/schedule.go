package store

import (
	"time"

	"linkcheck/check"
)

const (
	firstInterval  = 7 * day
	defaultMaxAge  = 30 * day
	dueSlack       = 4 * time.Hour // so that nightly runs do not slip a night (section 5.1.7)
	skippedAgain   = 7 * day
	longestBackOff = 30 * day
	// longestWait is beyond every due date with its splay: a later one was made by
	// a clock that has jumped since.
	longestWait = 120 * day
)

func nextInterval(d time.Duration) time.Duration {
	if d == 0 {
		return firstInterval
	}
	return min(d*3/2, defaultMaxAge)
}

// schedule gives the next check of link id, whose state j was judged by r.
// The table of OUTCOMES section 5 and 5.1.7-9.
func schedule(j judged, r *check.Result, id uint64, p Policy) time.Time {
	if p.MaxAge <= 0 {
		p.MaxAge = defaultMaxAge
	}
	spread := func(d time.Duration) time.Time { return r.At.Add(splay(d, id, p.Splay)) }
	switch r.Outcome {
	case check.Internal, check.Unknown:
		return j.Next
	case check.Skipped:
		return spread(skippedAgain)
	case check.Auth, check.Blocked, check.Suspect, check.Undetermined:
		return doubtful(j, r, spread)
	}
	switch j.State {
	case Alive:
		return spread(min(j.Interval, p.MaxAge))
	case Moved:
		return spread(min(defaultMaxAge, p.MaxAge))
	case Failing:
		last := j.Strikes[len(j.Strikes)-1].At
		if j.Streak == 1 {
			return last.Add(day)
		}
		return last.Add(splay(3*day, id, p.Splay))
	case Dead:
		last := j.Strikes[len(j.Strikes)-1].At
		return last.Add(splay(min(time.Duration(j.Step)*30*day, 90*day), id, p.Splay))
	}
	return time.Time{} // invalid, not checkable: when the program changes
}

// doubtful: a first doubt is looked at again soon, later ones seldom; a server
// that asks to be left alone is.
func doubtful(j judged, r *check.Result, spread func(time.Duration) time.Time) time.Time {
	step := j.Step
	if j.State != j.Doubt {
		step = 1
	}
	switch {
	case r.RetryAfter > 0:
		return r.At.Add(min(r.RetryAfter, longestBackOff))
	case r.Reason == reasonBusy:
		return r.At.Add(day) // at least: its host may rest longer, see hostRow
	case r.Outcome == check.Auth || r.Outcome == check.Blocked:
		if step <= 1 {
			return spread(14 * day)
		}
		return spread(60 * day)
	case step <= 1:
		return spread(3 * day)
	}
	return spread(14 * day)
}

// nights is the back-off of a host that said "too many": 1, 2, 4, 8 nights.
func nights(n int) time.Duration {
	return day << max(0, min(n, 3))
}

// splay spreads d by up to the fraction f either way; a link is always on the same side.
func splay(d time.Duration, id uint64, f float64) time.Duration {
	if f <= 0 {
		return d
	}
	x := id * 0x9E3779B97F4A7C15 // Fibonacci hashing: neighbours fall far apart
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	unit := float64(x>>11) / (1 << 53)
	return d + time.Duration(float64(d)*min(f, 1)*(2*unit-1))
}

// isDue says whether a link with this head is to be probed now. Links that no
// live mention names, and those without a date, are not.
func (h *head) isDue(now time.Time) bool {
	switch {
	case h.live == 0:
		return false
	case h.state == New:
		return true
	case h.next.IsZero():
		return false
	}
	return !now.Before(h.next.Add(-dueSlack)) || h.next.Sub(now) > longestWait
}
