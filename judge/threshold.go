package judge

import (
	"slices"
	"time"

	"linkcheck/check"
)

// Strike is one night's evidence against a link.
type Strike struct {
	At   time.Time
	Kind StrikeKind
}

// StrikeKind says how much a strike weighs. It is stored: append only.
type StrikeKind uint8

const (
	Weak    StrikeKind = iota // may be due to the network or a passing fault
	Strong                    // the server, or the DNS, says that there is no such thing
	Gone410                   // HTTP 410: the server says that it will not come back
)

func (k StrikeKind) String() string { return [...]string{"weak", "strong", "410"}[min(k, Gone410)] }

const reasonGone = check.Reason("http-410")

// kindOf weighs a failure.
func kindOf(r *check.Result) StrikeKind {
	switch {
	case r.Evidence != check.Strong || r.Outcome == check.Temporary,
		r.Outcome == check.Unreachable && r.Reason != check.ReasonDNSNXDomain:
		return Weak
	case r.Reason == reasonGone:
		return Gone410
	}
	return Strong
}

// The thresholds of OUTCOMES section 5: this number of strikes over this time means dead.
const (
	strongStrikes, strongSpan = 3, 6 * day // strong ones, on three different days
	weakStrikes, weakSpan     = 5, 14 * day
	goneStrikes, goneSpan     = 2, 3 * day // HTTP 410

	// spanSlack may be missing from a span: an answer comes earlier in one night than in another.
	spanSlack = 30 * time.Minute
)

// Needed is the number of strikes that would make the link dead, given the kinds of
// strikes that it has; 0 if it has none.
func (j *Judgement) Needed() int {
	if len(j.Strikes) == 0 {
		return 0
	}
	n := goneStrikes
	for _, s := range j.Strikes {
		switch s.Kind {
		case Weak:
			return weakStrikes
		case Strong:
			n = strongStrikes
		}
	}
	return n
}

// deadByStrong judges the unbroken run of strong strikes at the end: three on three
// days over six days, or two over three days if all of them said 410.
func deadByStrong(list []Strike) bool {
	run := trailingStrong(list)
	return deadBy410(run) || countDays(run) >= strongStrikes && spans(run, strongSpan)
}

// trailingStrong is the unbroken run of strong strikes at the end.
func trailingStrong(list []Strike) []Strike {
	first := len(list)
	for first > 0 && list[first-1].Kind != Weak {
		first--
	}
	return list[first:]
}

func deadBy410(run []Strike) bool {
	other := func(s Strike) bool { return s.Kind != Gone410 }
	return len(run) >= goneStrikes && spans(run, goneSpan) && !slices.ContainsFunc(run, other)
}

func deadByAny(list []Strike) bool { return len(list) >= weakStrikes && spans(list, weakSpan) }

// spans says whether the strikes are over so long a time.
func spans(list []Strike, long time.Duration) bool { return span(list) >= long-spanSlack }

// span is the time from the first strike to the last.
func span(list []Strike) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].At.Sub(list[0].At)
}

// countDays counts the different UTC days; strikes are in order of time.
func countDays(list []Strike) (n int) {
	var last time.Time
	for _, s := range list {
		if d := s.At.UTC().Truncate(day); n == 0 || !d.Equal(last) {
			n, last = n+1, d
		}
	}
	return n
}

// ManyOwnFaults says whether so many of a run's results are our own fault (internal), at
// least five and more than one in a hundred, that the run must say so (OUTCOMES section
// 5.1.6c).
func ManyOwnFaults(internal, checked int) bool { return internal >= 5 && internal*100 > checked }
