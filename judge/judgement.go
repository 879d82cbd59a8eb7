package judge

import (
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
)

// Judgement is what the rules remember of a link between probes. The zero value is a
// link that was never probed. Its fields are stored, and exported as JSON.
type Judgement struct {
	State        State
	Next         time.Time // when to look again, by Policy.NextCheck; zero: not by date
	HostLives    bool      // the host answered when it was last asked
	Changes      Changes   // in ChangedRun
	ChangedRun   uint64
	Checks       int
	FirstChecked time.Time
	LastOK       time.Time
	FailingSince time.Time
	Strikes      []Strike        // since the last reset, oldest first; of more than 32, the first and the last 31
	Streak       int             // their number, with those left out
	Interval     time.Duration   // between two probes of a living link
	Step         int             // in the schedule of the state: the number of nights that confirmed it
	Doubt        State           // for which the last doubtful result spoke; New: none
	DoubtAt      time.Time       // of that result
	LastAnswer   Answer          `json:"Verdict"`
	Reversals    []time.Time     // when good turned to bad or back, within flapWindow
	Text         likeness.Memory `json:"text,omitzero"`       // what it led to while it answered well
	Elsewhere    bool            `json:"elsewhere,omitempty"` // the last good answer led to another site, and to no page known to be the same
}

// Answer says whether a result was good or bad, where it was either. It is stored:
// append only.
type Answer uint8

const (
	NoAnswer Answer = iota
	Good
	Bad
)

const (
	day         = 24 * time.Hour
	strikeEvery = 20 * time.Hour // one strike a link and night

	weakGap   = 10 * day // after a longer gap between two strikes the count starts anew
	strongGap = 30 * day // the same between two strong ones

	flapWindow = 60 * day
	flapCount  = 3  // reversals within flapWindow
	maxStrikes = 32 // in a list
)

// After is the judgement that follows j when the given run had result r. It shares no
// memory with j. Next is not changed: set it by Policy.NextCheck.
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
		if r.Reason == check.ReasonPrivateAddress || r.Reason == check.ReasonLocalName { // it may be good for readers in that network, and for no others
			j.doubt(Restricted, r.At)
		} else if j.State == New {
			j.State = NotCheckable
		}
	}
	switch {
	case was.State == Dead && j.State == Dead:
		j.FailingSince = was.FailingSince // also where a doubtful result has removed the strikes
	case len(j.Strikes) > 0:
		j.FailingSince = j.Strikes[0].At
	}
	j.HostLives = hostLives(was.HostLives, r)
	j.noteChanges(&was, run)
	return j
}

// DiesBy says whether result r would make a link dead that is not.
func (j *Judgement) DiesBy(r *check.Result) bool {
	return j.State != Dead && j.After(r, j.ChangedRun).State == Dead
}

// succeed removes all strikes: the link is there.
func (j *Judgement) succeed(r *check.Result) {
	j.noteAnswer(Good, r.At)
	since := j.FailingSince
	j.reset()
	if j.State == Dead {
		j.FailingSince = since // reports say how long it was dead
	}
	j.Doubt, j.DoubtAt = New, time.Time{}
	if j.State != Alive {
		j.Step, j.Interval = 0, 0
	}
	if j.Interval == 0 || r.At.Sub(j.LastOK) >= strikeEvery {
		j.Interval = nextInterval(j.Interval)
	}
	j.LastOK = r.At
	j.Text = j.Text.After(r.Look, r.Title, r.At)
	j.Elsewhere = slices.Contains(r.Flags, string(check.FlagOtherSite))
	j.State = Alive
	if r.Outcome == check.Moved && !slices.Contains(r.Flags, string(check.FlagPersistentID)) {
		j.State = Moved
	}
}

// PageDoubt says why the page of a living link is perhaps not the one that was linked
// (OUTCOMES section 1.5): [check.FlagDrift], [check.FlagOtherSite], or "".
func (j *Judgement) PageDoubt() check.Flag {
	switch {
	case j.State != Alive:
		return ""
	case j.Elsewhere || j.Text.Drifted() && j.Text.Moved:
		return check.FlagOtherSite
	case j.Text.Drifted():
		return check.FlagDrift
	}
	return ""
}

// fail adds a strike, if the night has none yet, and compares with the thresholds.
func (j *Judgement) fail(r *check.Result) {
	j.noteAnswer(Bad, r.At)
	j.removeStrikes(func(s Strike) bool { return s.At.After(r.At.Add(strikeEvery)) }) // the clock went back
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
		j.Strikes = slices.Delete(j.Strikes, 1, 2) // the first one is needed for the span
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

// doubt takes a doubtful result: a link without better history gets state s at once,
// another one when a second such result comes on another day (OUTCOMES section 5.1.8).
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

// hasHistory says whether the state stands against a single doubtful result.
func (j *Judgement) hasHistory() bool {
	return j.State == Alive || j.State == Moved || j.State == Dead || j.State == Failing && len(j.Strikes) > 0
}

// conclude gives the link a state that no probe confirms or changes.
func (j *Judgement) conclude(s State) {
	j.reset()
	j.State, j.Step, j.Doubt, j.DoubtAt, j.LastAnswer = s, 0, New, time.Time{}, NoAnswer
}

// reset removes all strikes.
func (j *Judgement) reset() {
	j.Strikes, j.Streak, j.FailingSince = nil, 0, time.Time{}
}

// dropWeak removes the weak strikes: the host answers now. Strong ones stay.
func (j *Judgement) dropWeak() { j.removeStrikes(func(s Strike) bool { return s.Kind == Weak }) }

// removeStrikes removes the chosen strikes.
func (j *Judgement) removeStrikes(which func(Strike) bool) {
	before := len(j.Strikes)
	j.Strikes = slices.DeleteFunc(j.Strikes, which)
	if len(j.Strikes) == 0 {
		j.reset()
	} else if len(j.Strikes) < before {
		j.Streak -= before - len(j.Strikes)
	}
}

// noteAnswer notes when good turned to bad or back, and forgets what is too old.
func (j *Judgement) noteAnswer(a Answer, at time.Time) {
	if j.LastAnswer != NoAnswer && j.LastAnswer != a {
		j.Reversals = append(j.Reversals, at)
	}
	j.LastAnswer = a
	j.Reversals = slices.DeleteFunc(j.Reversals, func(t time.Time) bool { return at.Sub(t) > flapWindow || t.After(at) })
}

// hostLives says whether the host answered; as before, where it was not asked.
func hostLives(was bool, r *check.Result) bool {
	if r.Reason == check.ReasonInArchive {
		return was
	}
	switch r.Outcome {
	case check.Temporary, check.Unreachable:
		return false
	case check.Skipped, check.Internal, check.Invalid, check.NotDereferenceable, check.Unsupported, check.Unknown:
		return was
	}
	return true
}

// newly has the change to a state that is worth a report.
var newly = map[State]Change{Dead: NewlyDead, Moved: NewlyMoved, Suspect: NewlySuspect}

// noteChanges notes what became of the link in this run (OUTCOMES section 5.1.2).
func (j *Judgement) noteChanges(was *Judgement, run uint64) {
	var c Changes
	if change, ok := newly[j.State]; ok && j.State != was.State {
		c.add(change)
	}
	if j.PageDoubt() != "" && was.PageDoubt() == "" {
		c.add(NewlyDrifted)
	}
	if was.State == Dead && (j.State == Alive || j.State == Moved) {
		c.add(Recovered)
	}
	if len(j.Reversals) >= flapCount && len(was.Reversals) < flapCount {
		c.add(Flapping)
	}
	if c != 0 {
		j.Changes, j.ChangedRun = j.Changes|c, run
	}
}
