package judge

import "fmt"

// Rule says in a sentence why the state is what it is. OUTCOMES sections 1.2 and 5
// hold all the rules.
func (j *Judgement) Rule() string {
	switch j.State {
	case New:
		return "never probed: due in the next run"
	case Alive:
		if j.Text.Drifted() {
			return "the last answer was good, but the text is another than the one that was linked, on three looks in a row"
		} else if j.Elsewhere {
			return "the last answer was good, but it came from another site, and nothing shows that the page is the same"
		}
		return fmt.Sprintf("the last telling answer was good: looked at again after %.0f days", j.Interval.Hours()/24)
	case Moved:
		return "the server names a new address for good"
	case Failing:
		return fmt.Sprintf("%s; dead needs %s", j.strikesInWords(), j.threshold())
	case Dead:
		return j.whyDead() + ", until it answers"
	case Restricted, Suspect, Undetermined:
		return "such an answer from a link without better history, or twice on different days"
	case Invalid:
		return "no URI of its scheme: looked at again when the program changes"
	}
	return "names and does not locate, has no client, or is left out by policy"
}

const (
	rule410    = "2 answers of 410 over 3 days"
	ruleStrong = "3 strong strikes on 3 days over 6 days"
	ruleAny    = "5 strikes over 14 days"
)

// threshold says in words what would make a failing link dead.
func (j *Judgement) threshold() string {
	switch j.Needed() {
	case goneStrikes:
		return rule410
	case strongStrikes:
		return ruleStrong
	}
	if len(trailingStrong(j.Strikes)) > 0 {
		return ruleAny + ", or " + ruleStrong + " without a weak one between"
	}
	return ruleAny
}

// whyDead says in words which threshold the strikes reached.
func (j *Judgement) whyDead() string {
	switch {
	case deadBy410(trailingStrong(j.Strikes)):
		return j.strikesInWords() + "; dead by " + rule410
	case deadByStrong(j.Strikes):
		return j.strikesInWords() + "; dead by " + ruleStrong
	case deadByAny(j.Strikes):
		return j.strikesInWords() + "; dead by " + ruleAny
	}
	return "dead by earlier strikes; a single doubtful answer does not undo it"
}

func (j *Judgement) strikesInWords() string {
	if j.Streak == 1 {
		return "1 strike"
	}
	text := fmt.Sprintf("%d strikes", j.Streak)
	if j.Streak > 1 {
		text += fmt.Sprintf(" over %.1f days", span(j.Strikes).Hours()/24)
	}
	return text
}
