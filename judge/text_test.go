package judge

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
)

// lookAbout is the look at a text about a thing.
func lookAbout(thing string) likeness.Look {
	var m likeness.Maker
	for _, where := range strings.Fields("mill weir lock quay barn well ford lane") {
		for _, end := range strings.Fields("s er ing ward like hood ship") {
			m.AddText(thing+where+end, false)
		}
		m.EndBlock()
	}
	return m.Look()
}

// Another page stands beside the good state as a doubt: it makes no link moved, failing
// or suspect, it is news once, and it ends (OUTCOMES section 1.5).
func TestPageDoubt(t *testing.T) {
	whales, casino := rOK, rOK
	whales.Look, casino.Look = lookAbout("whale"), lookAbout("jackpot")
	away, elsewhere := casino, casino
	away.Flags = []string{"other-site"}
	elsewhere.Look = lookAbout("jackpot").At("win.example")
	tests := []struct {
		name   string
		looks  []check.Result
		doubts []check.Flag // after each look
	}{
		{"drift", []check.Result{whales, whales, whales, whales, whales, casino, casino, casino, casino, whales},
			[]check.Flag{"", "", "", "", "", "", "", "drift", "drift", ""}},
		{"a permanent redirect to another site", []check.Result{whales, away, away, whales}, []check.Flag{"", "other-site", "other-site", ""}},
		{"on the first look", []check.Result{away}, []check.Flag{"other-site"}},
		{"a temporary one", []check.Result{whales, elsewhere, elsewhere, elsewhere, whales}, []check.Flag{"", "", "", "other-site", ""}},
		{"failures between", []check.Result{whales, whales, whales, whales, whales, casino, r503, casino, casino, r404}, []check.Flag{"", "", "", "", "", "", "", "", "drift", ""}},
	}
	for _, tt := range tests {
		var j Judgement
		at := epoch
		for i, r := range tt.looks {
			r.At = at
			was := j.PageDoubt()
			j = j.After(&r, uint64(i+1))
			if got := j.PageDoubt(); got != tt.doubts[i] {
				t.Errorf("%s, look %d: %q, want %q: %+v", tt.name, i+1, got, tt.doubts[i], j.Text)
			}
			if r.Outcome == check.OK && j.State != Alive {
				t.Errorf("%s, look %d: %s", tt.name, i+1, j.State)
			}
			if news := slices.Contains(j.Changes.List(), NewlyDrifted); news != (was == "" && tt.doubts[i] != "") {
				t.Errorf("%s, look %d: news %v", tt.name, i+1, news)
			}
			if j.PageDoubt() != "" && !strings.Contains(j.Rule(), "good, but") {
				t.Errorf("%s, look %d: %s", tt.name, i+1, j.Rule())
			}
			next := Policy{}.NextCheck(&j, &r, 1)
			if j.Text.Watched() && j.PageDoubt() == "" && j.State == Alive && next.Sub(at) > 3*day {
				t.Errorf("%s, look %d: looked at again after %v", tt.name, i+1, next.Sub(at))
			}
			at = at.Add(2 * 24 * time.Hour)
		}
	}
}
