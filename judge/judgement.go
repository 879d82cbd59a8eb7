package judge

import (
	"slices"
	"time"

	"linkcheck/check"
)

// Judgement is what the rules remember of a link between probes. The zero value is a
// link that was never probed. Its fields are stored, and exported as JSON.
type Judgement struct {
	State        State
	Next         time.Time // when to look again, by Policy.NextCheck; zero: not by date
	HostLives    bool      // the host gave some answer at its last telling check
	Changes      Changes   // in ChangedRun
	ChangedRun   uint64
	Checks       int
	FirstChecked time.Time
	LastOK       time.Time
	FailingSince time.Time
	Strikes      []Strike      // since the last reset, oldest first, the middle of very long lists left out
	Streak       int           // how many there were
	Interval     time.Duration // between looks at a living link
	Step         int           // how far along the schedule of its state
	Doubt        State         // the doubtful state that the last doubtful result spoke for; New: none
	DoubtAt      time.Time
	LastAnswer   Answer      `json:"Verdict"`
	Reversals    []time.Time // when good turned to bad or back, within flapWindow
}

// Answer is what the last telling result said. It is stored: append only.
type Answer uint8

const (
	NoAnswer Answer = iota
	Good
	Bad
)

const (
	day         = 24 * time.Hour
	strikeEvery = 20 * time.Hour // one strike a link and night

	weakGap   = 10 * day // two strikes further apart: nobody looked, the count starts anew
	strongGap = 30 * day // the same between two strong ones

	flapWindow = 60 * day
	flapCount  = 3  // reversals within flapWindow
	maxStrikes = 32 // in a list
)

// After is what result r, of the given run, makes of the link. It shares nothing with
// j. Next stays as it was: that is for Policy.NextCheck.
func (j Judgement) After(r *check.Result, run uint64) Judgement {
	was := j
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
		j.doubt(Suspect, r.At)
	case check.Auth, check.Blocked:
		j.dropWeak()
		j.doubt(Restricted, r.At)
	case check.Undetermined:
		j.dropWeak()
		j.doubt(Undetermined, r.At)
	case check.Temporary, check.Unreachable, check.Gone:
		j.fail(r)
	case check.Invalid:
		j.conclude(Invalid)
	case check.NotDereferenceable, check.Unsupported:
		j.conclude(NotCheckable)
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
	j.noteChanges(&was, run)
	return j
}

// succeed: the link is there; all strikes are forgotten.
func (j *Judgement) succeed(r *check.Result) {
	j.noteAnswer(Good, r.At)
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
	if r.Outcome == check.Moved && !slices.Contains(r.Flags, string(check.FlagPersistentID)) {
		j.State = Moved
	}
}

// fail counts a strike, if the night has none yet, and compares with the thresholds.
func (j *Judgement) fail(r *check.Result) {
	j.noteAnswer(Bad, r.At)
	j.takeBack(func(s Strike) bool { return s.At.After(r.At.Add(strikeEvery)) }) // the clock went back
	kind := kindOf(r)
	if n := len(j.Strikes); n > 0 {
		last := j.Strikes[n-1]
		gap := r.At.Sub(last.At)
		if gap < strikeEvery {
			j.updateFailing()
			return
		}
		limit := weakGap
		if last.Kind != Weak && kind != Weak {
			limit = strongGap
		}
		if gap > limit && j.State != Dead {
			j.reset()
		}
	}
	j.Strikes = append(j.Strikes, Strike{r.At, kind})
	if len(j.Strikes) > maxStrikes {
		j.Strikes = slices.Delete(j.Strikes, 1, 2) // the first one holds the span
	}
	j.Streak++
	j.Step++
	j.updateFailing()
}

// updateFailing gives a link with strikes its state: failing or dead.
func (j *Judgement) updateFailing() {
	switch {
	case j.State == Dead:
	case deadByStrong(j.Strikes) || deadByAny(j.Strikes):
		j.State, j.Step = Dead, 1
	default:
		j.State = Failing
	}
}

// doubt: a link without better history takes a doubtful state at once, another
// one when a second such result comes on another day (OUTCOMES section 5.1.8).
func (j *Judgement) doubt(s State, at time.Time) {
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
func (j *Judgement) hasHistory() bool {
	return j.State == Alive || j.State == Moved || j.State == Dead || j.State == Failing && len(j.Strikes) > 0
}

// conclude ends what depends on probing.
func (j *Judgement) conclude(s State) {
	j.reset()
	j.State, j.Step, j.Doubt, j.DoubtAt, j.LastAnswer = s, 0, New, time.Time{}, NoAnswer
}

// reset forgets all strikes.
func (j *Judgement) reset() {
	j.Strikes, j.Streak, j.FailingSince = nil, 0, time.Time{}
}

// dropWeak: the host lives, so its silences no longer count; its plain words do.
func (j *Judgement) dropWeak() { j.takeBack(func(s Strike) bool { return s.Kind == Weak }) }

// takeBack removes strikes.
func (j *Judgement) takeBack(which func(Strike) bool) {
	before := len(j.Strikes)
	j.Strikes = slices.DeleteFunc(j.Strikes, which)
	if len(j.Strikes) == 0 {
		j.reset()
	} else if len(j.Strikes) < before {
		j.Streak -= before - len(j.Strikes)
	}
}

// noteAnswer notes when good turned to bad or back.
func (j *Judgement) noteAnswer(a Answer, at time.Time) {
	if j.LastAnswer != NoAnswer && j.LastAnswer != a {
		j.Reversals = append(j.Reversals, at)
	}
	j.LastAnswer = a
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

// noteChanges notes what became of the link in this run (OUTCOMES section 5.1.2).
func (j *Judgement) noteChanges(was *Judgement, run uint64) {
	var c Changes
	if j.State != was.State {
		switch j.State {
		case Dead:
			c.add(NewlyDead)
		case Moved:
			c.add(NewlyMoved)
		case Suspect:
			c.add(NewlySuspect)
		}
		if was.State == Dead && (j.State == Alive || j.State == Moved) {
			c.add(Recovered)
		}
	}
	if len(j.Reversals) >= flapCount && len(was.Reversals) < flapCount {
		c.add(Flapping)
	}
	if c != 0 {
		j.Changes, j.ChangedRun = j.Changes|c, run
	}
}
