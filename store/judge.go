package store

import (
	"slices"
	"time"

	"linkcheck/check"
)

// The rules of OUTCOMES sections 1.2, 5 and 5.1 as one pure function from what
// was known, and one result, to what is known now.

const (
	day         = 24 * time.Hour
	strikeEvery = 20 * time.Hour // one strike a link and night

	strongStrikes, strongSpan = 3, 6 * day
	weakStrikes, weakSpan     = 5, 14 * day
	goneStrikes, goneSpan     = 2, 3 * day // HTTP 410

	weakGap   = 10 * day // two strikes further apart: nobody looked, the count starts anew
	strongGap = 30 * day

	flapWindow   = 60 * day
	flapCount    = 3
	keptStrikes  = 32
	reasonGone   = check.Reason("http-410")
	reasonBusy   = check.Reason("http-429")
	reasonNoName = check.Reason("dns-nxdomain")
	flagForever  = "persistent-id" // its resolver moves it about on purpose
)

// Policy is what the user may turn about the schedule. The zero value works.
type Policy struct {
	MaxAge time.Duration // a living link is looked at this often at least; 0: 30 days
	Splay  float64       // spreads due dates by this fraction either way, seeded by the link; 0: exact days
}

// judged is what the rules remember of a link.
type judged struct {
	State        State
	Next         time.Time // zero: not by date
	HostLives    bool
	Changes      changes // in ChangedRun
	ChangedRun   uint64
	Checks       int
	FirstChecked time.Time
	LastOK       time.Time
	FailingSince time.Time
	Strikes      []strike      // since the last reset, oldest first, the middle of very long lists left out
	Streak       int           // how many there were
	Interval     time.Duration // between looks at a living link
	Step         int           // how far along the schedule of its state
	Doubt        State         // the doubtful state that the last doubtful result spoke for; New: none
	DoubtAt      time.Time
	Verdict      verdict // of the last telling result
	Reversals    []time.Time
}

// strike is one night's evidence against a link.
type strike struct {
	At   time.Time
	Kind strikeKind
}

// strikeKind is stored: append only.
type strikeKind uint8

const (
	weak strikeKind = iota
	strong
	strong410
)

// verdict is stored: append only.
type verdict uint8

const (
	untold verdict = iota
	good
	bad
)

// judge says what result r of the given run makes of a link.
func judge(was judged, r *check.Result, run uint64) judged {
	j := was
	j.Strikes, j.Reversals = slices.Clone(was.Strikes), slices.Clone(was.Reversals)
	if j.ChangedRun != run {
		j.Changes = 0
	}
	j.Checks++
	if j.FirstChecked.IsZero() {
		j.FirstChecked = r.At
	}
	switch r.Outcome {
	case check.OK, check.Reachable, check.Moved:
		j.succeed(r)
	case check.Suspect:
		j.reset()
		j.doubt(SuspectState, r.At)
	case check.Auth, check.Blocked:
		j.dropWeak()
		j.doubt(Restricted, r.At)
	case check.Undetermined:
		j.dropWeak()
		j.doubt(Undetermined, r.At)
	case check.Temporary, check.Unreachable, check.Gone:
		j.fail(r)
	case check.Invalid:
		j.settle(InvalidState)
	case check.NotDereferenceable, check.Unsupported:
		j.settle(NotCheckable)
	case check.Skipped:
		if j.State == New {
			j.State = NotCheckable
		}
	}
	switch {
	case was.State == Dead && j.State == Dead:
		j.FailingSince = was.FailingSince // a doubt takes strikes, not their first day
	case len(j.Strikes) > 0:
		j.FailingSince = j.Strikes[0].At
	}
	j.HostLives = hostLives(was.HostLives, r)
	j.mark(&was, run)
	return j
}

// succeed: the link is there; all strikes are forgotten.
func (j *judged) succeed(r *check.Result) {
	j.reverse(good, r.At)
	since := j.FailingSince
	j.reset()
	if j.State == Dead {
		j.FailingSince = since // how long it was gone is a part of the news
	}
	j.Doubt, j.DoubtAt = New, time.Time{}
	if j.State != Alive {
		j.Step, j.Interval = 0, 0
	}
	if j.Interval == 0 || r.At.Sub(j.LastOK) >= strikeEvery {
		j.Interval = nextInterval(j.Interval)
	}
	j.LastOK = r.At
	j.State = Alive
	if r.Outcome == check.Moved && !slices.Contains(r.Flags, flagForever) {
		j.State = Moved
	}
}

// fail counts a strike, if the night has none yet, and compares with the thresholds.
func (j *judged) fail(r *check.Result) {
	j.reverse(bad, r.At)
	j.forget(func(s strike) bool { return s.At.After(r.At.Add(strikeEvery)) }) // the clock went back
	kind := kindOf(r)
	if n := len(j.Strikes); n > 0 {
		last := j.Strikes[n-1]
		gap := r.At.Sub(last.At)
		if gap < strikeEvery {
			j.stumble()
			return
		}
		limit := weakGap
		if last.Kind != weak && kind != weak {
			limit = strongGap
		}
		if gap > limit && j.State != Dead {
			j.reset()
		}
	}
	j.Strikes = append(j.Strikes, strike{r.At, kind})
	if len(j.Strikes) > keptStrikes {
		j.Strikes = slices.Delete(j.Strikes, 1, 2) // the first one holds the span
	}
	j.Streak++
	j.Step++
	j.stumble()
}

// stumble gives a link with strikes its state.
func (j *judged) stumble() {
	switch {
	case j.State == Dead:
	case deadByStrong(j.Strikes) || deadByAny(j.Strikes):
		j.State, j.Step = Dead, 1
	default:
		j.State = Failing
	}
}

// deadByStrong judges the trailing unbroken run of strong strikes: three on three
// days over six days, or two over three days if all of them said 410.
func deadByStrong(list []strike) bool {
	run := trailing(list)
	return deadBy410(run) || days(run) >= strongStrikes && span(run) >= strongSpan
}

// trailing is the unbroken run of strong strikes at the end.
func trailing(list []strike) []strike {
	first := len(list)
	for first > 0 && list[first-1].Kind != weak {
		first--
	}
	return list[first:]
}

func deadBy410(run []strike) bool {
	other := func(s strike) bool { return s.Kind != strong410 }
	return len(run) >= goneStrikes && span(run) >= goneSpan && !slices.ContainsFunc(run, other)
}

func deadByAny(list []strike) bool {
	return len(list) >= weakStrikes && span(list) >= weakSpan
}

func span(list []strike) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].At.Sub(list[0].At)
}

// days counts the different UTC days; strikes are in order of time.
func days(list []strike) (n int) {
	var last time.Time
	for _, s := range list {
		if d := s.At.UTC().Truncate(day); n == 0 || !d.Equal(last) {
			n, last = n+1, d
		}
	}
	return n
}

func kindOf(r *check.Result) strikeKind {
	switch {
	case r.Evidence != check.Strong || r.Outcome == check.Temporary,
		r.Outcome == check.Unreachable && r.Reason != reasonNoName:
		return weak
	case r.Reason == reasonGone:
		return strong410
	}
	return strong
}

// doubt: a link without better history takes a doubtful state at once, another
// one when a second such result comes on another day (section 5.1.8).
func (j *judged) doubt(s State, at time.Time) {
	sameDay := j.DoubtAt.UTC().Truncate(day).Equal(at.UTC().Truncate(day))
	again := j.Doubt == s && !sameDay
	if !j.hasHistory() || again {
		if j.State != s {
			j.Step = 0
		}
		j.State = s
	}
	if j.State == s && !sameDay {
		j.Step++
	}
	j.Doubt, j.DoubtAt = s, at
}

// hasHistory: something is known that a single doubt does not outweigh.
func (j *judged) hasHistory() bool {
	return j.State == Alive || j.State == Moved || j.State == Dead || j.State == Failing && len(j.Strikes) > 0
}

// settle ends what depends on probing.
func (j *judged) settle(s State) {
	j.reset()
	j.State, j.Step, j.Doubt, j.DoubtAt, j.Verdict = s, 0, New, time.Time{}, untold
}

func (j *judged) reset() {
	j.Strikes, j.Streak, j.FailingSince = nil, 0, time.Time{}
}

// dropWeak: the host lives, so its silences no longer count; its plain words do.
func (j *judged) dropWeak() { j.forget(func(s strike) bool { return s.Kind == weak }) }

// forget takes strikes back.
func (j *judged) forget(which func(strike) bool) {
	before := len(j.Strikes)
	j.Strikes = slices.DeleteFunc(j.Strikes, which)
	if len(j.Strikes) == 0 {
		j.reset()
	} else if len(j.Strikes) < before {
		j.Streak -= before - len(j.Strikes)
	}
}

// reverse notes when good turned to bad or back.
func (j *judged) reverse(v verdict, at time.Time) {
	if j.Verdict != untold && j.Verdict != v {
		j.Reversals = append(j.Reversals, at)
	}
	j.Verdict = v
	j.Reversals = slices.DeleteFunc(j.Reversals, func(t time.Time) bool { return at.Sub(t) > flapWindow || t.After(at) })
}

// hostLives says whether the host gave any answer; what did not ask it tells nothing.
func hostLives(was bool, r *check.Result) bool {
	switch r.Outcome {
	case check.Temporary, check.Unreachable:
		return false
	case check.Skipped, check.Internal, check.Invalid, check.NotDereferenceable, check.Unsupported, check.Unknown:
		return was
	}
	return true
}

// changes is a set of Change; the bits are stored: append only.
type changes uint8

const (
	newlyDead changes = 1 << iota
	recovered
	newlyMoved
	newlySuspect
	flapping
)

var changeWords = [...]Change{NewlyDead, Recovered, NewlyMoved, NewlySuspect, Flapping}

func (c changes) list() (list []Change) {
	for i, w := range changeWords {
		if c&(1<<i) != 0 {
			list = append(list, w)
		}
	}
	return list
}

// mark notes what became of the link in this run (section 5.1.2).
func (j *judged) mark(was *judged, run uint64) {
	var c changes
	if j.State != was.State {
		switch {
		case j.State == Dead:
			c |= newlyDead
		case j.State == Moved:
			c |= newlyMoved
		case j.State == SuspectState:
			c |= newlySuspect
		}
		if was.State == Dead && (j.State == Alive || j.State == Moved) {
			c |= recovered
		}
	}
	if len(j.Reversals) >= flapCount && len(was.Reversals) < flapCount {
		c |= flapping
	}
	if c != 0 {
		j.Changes, j.ChangedRun = j.Changes|c, run
	}
}
