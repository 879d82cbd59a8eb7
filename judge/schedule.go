package judge

import (
	"cmp"
	"time"

	"linkcheck/check"
)

// Policy is what the user may set about the schedule. The zero value works.
type Policy struct {
	MaxAge time.Duration // the longest time between two probes of a living link; 0 or less: 30 days
	Splay  float64       // moves due dates by up to this fraction either way, 0 to 1, by a seed of the link; 0: exact days
}

const (
	// DueSlack is how long before its date a link is due, so that nightly runs that
	// begin at slightly different times do not miss a night (OUTCOMES section 5.1.7).
	DueSlack = 4 * time.Hour

	firstInterval = 7 * day
	defaultMaxAge = 30 * day
	skippedAgain  = 7 * day

	// longestWait is longer than every wait for a due date: a later date was computed
	// by a clock that was wrong.
	longestWait = 120 * day
)

// Due says whether a link of this state, with this next check, is to be probed now.
// Except for new ones, a link without a date is not.
func Due(state State, next, now time.Time) bool {
	if state == New || next.IsZero() {
		return state == New
	}
	return !now.Before(next.Add(-DueSlack)) || next.Sub(now) > longestWait
}

// NextCheck is when to probe a link again whose judgement after result r is j; zero:
// not by date. The seed of the splay is a hash of the link's key. It is the table of
// OUTCOMES section 5 with 5.1.7 to 5.1.9.
func (p Policy) NextCheck(j *Judgement, r *check.Result, seed uint64) time.Time {
	maxAge := cmp.Or(max(p.MaxAge, 0), defaultMaxAge)
	spread := func(d time.Duration) time.Time { return r.At.Add(splay(d, seed, p.Splay)) }
	switch r.Outcome {
	case check.Internal, check.Unknown:
		return j.nextNight(r)
	case check.Skipped:
		return spread(skippedAgain)
	case check.Auth, check.Blocked, check.Suspect, check.Undetermined:
		return j.afterDoubt(r, spread)
	}
	switch j.State {
	case Alive:
		if j.Text.Watched() && !j.Text.Drifted() {
			return spread(min(3*day, maxAge)) // as after a first doubt
		}
		return spread(min(j.Interval, maxAge))
	case Moved:
		return spread(min(defaultMaxAge, maxAge))
	case Failing:
		last := j.Strikes[len(j.Strikes)-1].At
		if j.Streak == 1 {
			return last.Add(day)
		}
		return last.Add(splay(3*day, seed, p.Splay))
	case Dead:
		last := j.Strikes[len(j.Strikes)-1].At
		return last.Add(splay(min(time.Duration(j.Step)*30*day, 90*day), seed, p.Splay))
	}
	return time.Time{} // invalid, not checkable: when the program changes
}

// nextNight is when to probe again what could not be probed by our own fault: the next
// night, or earlier where it is due.
func (j *Judgement) nextNight(r *check.Result) time.Time {
	if next := r.At.Add(day); j.Next.IsZero() || next.Before(j.Next) {
		return next
	}
	return j.Next
}

// afterDoubt is when to probe again after a doubtful result: soon after the first,
// seldom after later ones, and at the time that the server asked for, if it did.
func (j *Judgement) afterDoubt(r *check.Result, spread func(time.Duration) time.Time) time.Time {
	step := j.Step
	if j.State != j.Doubt {
		step = 1
	}
	switch {
	case r.RetryAfter > 0:
		return r.At.Add(min(r.RetryAfter, longestBackOff))
	case r.Reason == reasonBusy:
		return r.At.Add(day) // at least: its host may be left alone longer, see BackOff
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

// nextInterval is the time between two probes of a living link that follows d.
func nextInterval(d time.Duration) time.Duration {
	if d == 0 {
		return firstInterval
	}
	return min(d*3/2, defaultMaxAge)
}

// splay moves d by up to the fraction f either way, by the same fraction always for one seed.
func splay(d time.Duration, seed uint64, f float64) time.Duration {
	if f <= 0 {
		return d
	}
	x := seed * 0x9E3779B97F4A7C15 // Fibonacci hashing: neighbours fall far apart
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	unit := float64(x>>11) / (1 << 53)
	return d + time.Duration(float64(d)*min(f, 1)*(2*unit-1))
}
