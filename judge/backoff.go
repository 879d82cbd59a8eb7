package judge

import (
	"time"

	"linkcheck/check"
)

// BackOff says until when a host is left alone, and on how many nights in a row it
// answered 429 without naming a time. The zero value is a host that never asked.
// It is stored as JSON.
type BackOff struct {
	Until  time.Time `json:"until"`
	Nights int       `json:"nights,omitempty"`
}

const (
	longestBackOff = 30 * day
	reasonBusy     = check.Reason("http-429")
)

// Holds says whether the host is to be left alone now. A time beyond every back-off
// was computed by a clock that was wrong, and does not hold.
func (b BackOff) Holds(now time.Time) bool {
	return now.Before(b.Until) && b.Until.Sub(now) <= longestBackOff+day
}

// After is the back-off of a host after one more result from it. Several refusals of
// one night count once.
func (b BackOff) After(r *check.Result) BackOff {
	if EndsBackOff(r) {
		return BackOff{}
	}
	if r.RetryAfter > 0 {
		wait := min(r.RetryAfter, longestBackOff) + time.Second // not a moment too early: At is cut to the second
		return BackOff{Until: r.At.Add(wait), Nights: b.Nights}
	}
	if r.At.Before(b.Until) {
		return b
	}
	nights := day << max(0, min(b.Nights, 3)) // 1, 2, 4, 8 nights
	return BackOff{Until: r.At.Add(nights - DueSlack), Nights: b.Nights + 1}
}

// NextCheck is when a link may be probed again whose result r begins a back-off of its
// host: after whole nights, or at the time that the server named. Zero if r ends a
// back-off.
func (b BackOff) NextCheck(r *check.Result) time.Time {
	until := b.After(r).Until
	if r.RetryAfter > 0 || until.IsZero() {
		return until
	}
	return until.Add(DueSlack)
}

// AsksBackOff says whether a result asks that its host be left alone: Retry-After, or
// 429 without it (OUTCOMES section 5.1.9). Only refusals and transient failures speak
// for the whole host.
func AsksBackOff(r *check.Result) bool {
	waits := r.Outcome == check.Blocked || r.Outcome == check.Temporary || r.Outcome == check.Reachable // a registered name whose publisher asks so
	return waits && (r.RetryAfter > 0 || r.Reason == reasonBusy)
}

// EndsBackOff says whether a result shows that its host serves us again.
func EndsBackOff(r *check.Result) bool {
	return r.Outcome == check.OK || r.Outcome == check.Moved || r.Outcome == check.Reachable || r.Outcome == check.Gone
}
