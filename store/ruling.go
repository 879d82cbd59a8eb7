package store

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Ruling says which rule holds a link in its state.
type Ruling struct {
	State   State
	Rule    string // a sentence; OUTCOMES sections 1.2 and 5 hold them all
	Strikes []Strike
	Doubt   State // the doubtful state that the last doubtful answer spoke for; New: none
	DoubtAt time.Time
	Pin     *Pin
}

// Strike is one night's evidence against a link.
type Strike struct {
	At   time.Time
	Kind string // weak, strong, or 410
}

func (k strikeKind) String() string { return [...]string{"weak", "strong", "410"}[min(k, strong410)] }

// Ruling explains the state of a link.
func (s *Store) Ruling(id uint64) (r Ruling, err error) {
	l, err := s.Link(id)
	if err != nil {
		return r, err
	}
	err = s.view(func(tx *bolt.Tx) error {
		row, err := decodeState(tx.Bucket(bucketState).Get(idKey(id)))
		if err != nil {
			return err
		}
		r = Ruling{State: l.State, Rule: row.rule(), Doubt: row.Doubt, DoubtAt: row.DoubtAt, Pin: l.Pin}
		for _, s := range row.Strikes {
			r.Strikes = append(r.Strikes, Strike{s.At, s.Kind.String()})
		}
		return nil
	})
	if l.Pin != nil {
		r.Rule = fmt.Sprintf("%s by a decision of %q: %q; judged by itself: %s", l.State, l.Pin.By, l.Pin.Why, r.Rule)
	}
	return r, err
}

// rule says in a sentence why the state is what it is.
func (j *judged) rule() string {
	held := strikes(j.Streak)
	if j.Streak > 1 {
		held += fmt.Sprintf(" over %.1f days", span(j.Strikes).Hours()/24)
	}
	switch j.State {
	case New:
		return "never probed: due in the next run"
	case Alive:
		return fmt.Sprintf("the last telling answer was good: looked at again after %.0f days", j.Interval.Hours()/24)
	case Moved:
		return "the server names a new address for good"
	case Failing:
		return fmt.Sprintf("%s; dead needs %s", held, j.threshold())
	case Dead:
		return j.dead(held)
	case Restricted, SuspectState, Undetermined:
		return "such an answer from a link without better history, or twice on different days"
	case InvalidState:
		return "no URI of its scheme: looked at again when the program changes"
	}
	return "names and does not locate, has no client, or is left out by policy"
}

// threshold says what would make a failing link dead.
func (j *judged) threshold() string {
	switch needed(j.Strikes) {
	case goneStrikes:
		return rule410
	case strongStrikes:
		return ruleStrong
	}
	if len(trailing(j.Strikes)) > 0 {
		return ruleAny + ", or " + ruleStrong + " without a weak one between"
	}
	return ruleAny
}

// needed is how many strikes make a link dead that has these.
func needed(list []strike) int {
	if len(list) == 0 {
		return 0
	}
	n := goneStrikes
	for _, s := range list {
		switch s.Kind {
		case weak:
			return weakStrikes
		case strong:
			n = strongStrikes
		}
	}
	return n
}

// dead says which threshold the strikes meet.
func (j *judged) dead(held string) string {
	switch {
	case deadBy410(trailing(j.Strikes)):
		held += "; dead by " + rule410
	case deadByStrong(j.Strikes):
		held += "; dead by " + ruleStrong
	case deadByAny(j.Strikes):
		held += "; dead by " + ruleAny
	default:
		held = "dead by earlier strikes; a single doubtful answer does not undo it"
	}
	return held + ", until it answers"
}

const (
	rule410    = "2 answers of 410 over 3 days"
	ruleStrong = "3 strong strikes on 3 days over 6 days"
	ruleAny    = "5 strikes over 14 days"
)

func strikes(n int) string {
	if n == 1 {
		return "1 strike"
	}
	return fmt.Sprintf("%d strikes", n)
}
