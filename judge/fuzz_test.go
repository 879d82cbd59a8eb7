package judge

import (
	"slices"
	"testing"
	"time"

	"linkcheck/check"
)

// FuzzJudge: whatever answers come, and however the clock runs, the rules hold
// their laws.
func FuzzJudge(f *testing.F) {
	f.Add([]byte{9, 9, 9, 9, 9, 9, 9})
	f.Add([]byte{0x10, 0xA1, 0x92, 0x33, 0xF4})
	answers := []check.Result{rOK, rMoved, rReach, r404, r410, rGoneW, r503, rNX, rRef, rSusp, r401, r403, r429, r429At, r400, rBad, rNames, rSkip, rIntern, {}}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 500 {
			return
		}
		var j Judgement
		at := epoch
		deadly := 0
		for i, c := range b {
			at = at.Add(time.Duration(int(c)-40) * 3 * time.Hour) // it goes back at times
			r := answers[int(c)%len(answers)]
			r.At = at
			was := j
			j = j.After(&r, uint64(i+1))
			j.Next = Policy{Splay: 0.2}.NextCheck(&j, &r, 9)
			if k := r.Outcome; k == check.Gone || k == check.Temporary || k == check.Unreachable {
				deadly++
			}
			if j.State == Dead && deadly < goneStrikes {
				t.Fatalf("dead after %d failures", deadly)
			}
			if j.State == Dead && was.State != Dead && !slices.Contains(j.Changes.List(), NewlyDead) {
				t.Fatal("dead, and not told")
			}
			if j.State == Failing && len(j.Strikes) == 0 || j.Streak < len(j.Strikes) || len(j.Strikes) > maxStrikes {
				t.Fatalf("%s with %d strikes, %d kept", j.State, j.Streak, len(j.Strikes))
			}
			if d := j.Next.Sub(at); !j.Next.IsZero() && d > longestWait && r.Outcome != check.Internal && r.Outcome != check.Unknown {
				t.Fatalf("%s: next check after %v", j.State, d)
			}
			if !slices.IsSortedFunc(j.Strikes, func(a, b Strike) int { return a.At.Compare(b.At) }) {
				t.Fatalf("strikes out of order: %v", j.Strikes)
			}
			_ = j.Rule()
		}
	})
}
