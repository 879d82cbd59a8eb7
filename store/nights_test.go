package store

import (
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// storedVisit is a visit to link 1 of a store, and what the link is after it.
type storedVisit struct {
	day    float64
	r      check.Result
	state  judge.State
	strike int
	since  float64 // day of the first strike; < 0: none
	next   float64 // days from the visit
	rule   string  // a part of the ruling
}

// TestNightsInTheStore plays visits to a link through the store, whose rows keep
// whole seconds while probes end between them.
func TestNightsInTheStore(t *testing.T) {
	tests := []struct {
		name   string
		visits []storedVisit
	}{
		{"the ruling on a living link names its interval (5)", []storedVisit{
			{0, rOK, judge.Alive, 0, -1, 7, "looked at again after 7 days"}, {7, rOK, judge.Alive, 0, -1, 10.5, ""}, {17.5, rOK, judge.Alive, 0, -1, 15.75, "after 16 days"},
			{33.25, rOK, judge.Alive, 0, -1, 23.625, "after 24 days"}, {56.875, rOK, judge.Alive, 0, -1, 30, "after 30 days"}}},
		{"a gap of exactly 10 days is not over 10 (5.1.3)", []storedVisit{
			{0, r503, judge.Failing, 1, 0, 1, "1 strike; dead needs 5 strikes over 14 days"},
			{10, r503, judge.Failing, 2, 0, 3, "2 strikes over 10.0 days"},
			{20.001, r503, judge.Failing, 1, 20.001, 1, "1 strike;"}}},
		{"a gap of exactly 30 days between strong ones is not over 30 (5.1.3)", []storedVisit{
			{0, r404, judge.Failing, 1, 0, 1, "3 strong strikes on 3 days over 6 days"},
			{30, r404, judge.Failing, 2, 0, 3, ""},
			{60, r404, judge.Dead, 3, 0, 30, "dead by 3 strong strikes"}}},
		{"a doubt takes strikes from the dead, not their first day (5.1.3, 5.1.8)", []storedVisit{
			{0, r410, judge.Failing, 1, 0, 1, "2 answers of 410 over 3 days"},
			{4, r410, judge.Dead, 2, 0, 30, "dead by 2 answers of 410"},
			{34, rSusp, judge.Dead, 0, 0, 3, "a single doubtful answer does not undo it"},
			{37, r404, judge.Dead, 1, 0, 60, ""},
			{97, rOK, judge.Alive, 0, 0, 7, ""},
			{104, rOK, judge.Alive, 0, -1, 10.5, ""}}},
		{"a second doubt ends the death and its date (5.1.8)", []storedVisit{
			{0, r503, judge.Failing, 1, 0, 1, ""}, {4, r503, judge.Failing, 2, 0, 3, ""}, {7, r503, judge.Failing, 3, 0, 3, ""}, {10, r503, judge.Failing, 4, 0, 3, ""},
			{14, r404, judge.Dead, 5, 0, 30, "dead by 5 strikes over 14 days"},
			{44, r401, judge.Dead, 1, 0, 14, ""},
			{58, r401, judge.Restricted, 1, 14, 14, ""}}},
		{"mixed strikes name both ways to die (5.1.4)", []storedVisit{
			{0, r404, judge.Failing, 1, 0, 1, ""}, {1, r503, judge.Failing, 2, 0, 3, "dead needs 5 strikes over 14 days"},
			{4, r404, judge.Failing, 3, 0, 3, "without a weak one between"}}},
		{"the next check shows how long the host is left alone (5.1.9)", []storedVisit{
			{0, rOK, judge.Alive, 0, -1, 7, ""}, {7, r429, judge.Alive, 0, -1, 1, ""}, {8, r429, judge.Restricted, 0, -1, 2, ""}, {10, r429, judge.Restricted, 0, -1, 4, ""},
			{14, r429, judge.Restricted, 0, -1, 8, ""}, {22, r429, judge.Restricted, 0, -1, 8, ""}}},
		{"refusals of another kind do not lengthen it (5.1.9)", []storedVisit{
			{0, r403, judge.Restricted, 0, -1, 14, ""}, {14, r403, judge.Restricted, 0, -1, 60, ""}, {74, r429, judge.Restricted, 0, -1, 1, ""}, {75, r429, judge.Restricted, 0, -1, 2, ""}}},
		{"Retry-After of a failing server holds its link back too (5)", []storedVisit{
			{0, check.Result{Outcome: check.Temporary, Evidence: check.Weak, Reason: "http-503", RetryAfter: 3*day - time.Second}, judge.Failing, 1, 0, 3, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openTest(t)
			read(t, s, "a.txt", epoch, "http://a.example.net/")
			for i, v := range tt.visits {
				check1(t, s, uint64(i+1), v)
			}
			mustVerify(t, s)
		})
	}
}

func check1(t *testing.T, s *Store, run uint64, v storedVisit) {
	t.Helper()
	onDay := func(d float64) time.Time { return epoch.Add(time.Duration(d * float64(day))).Truncate(time.Second) }
	r := v.r
	r.At = onDay(v.day).Add(time.Duration(run) * 7 * time.Millisecond)
	if err := s.Record(run, judge.Policy{}, []Checked{{1, r}}); err != nil {
		t.Fatal(err)
	}
	l, err := s.link(1)
	if err != nil {
		t.Fatal(err)
	}
	var since time.Time
	if v.since >= 0 {
		since = onDay(v.since)
	}
	next := onDay(v.day).Add(time.Duration(v.next * float64(day)))
	if l.State != v.state || l.Strikes != v.strike || !l.FailingSince.Equal(since) || !l.NextCheck.Equal(next) {
		t.Fatalf("day %g: %s, %d strikes since %s, next %s\nwant %s, %d strikes since %s, next %s", v.day,
			l.State, l.Strikes, l.FailingSince, l.NextCheck, v.state, v.strike, since, next)
	}
	if ruling, err := s.Explain(1); err != nil || !strings.Contains(ruling.Rule, v.rule) {
		t.Fatalf("day %g: ruling %q, %v, want %q", v.day, ruling.Rule, err, v.rule)
	}
}

// TestPinnedIsNoNews: what a person has decided about is not told as a change of
// the night (OUTCOMES sections 1.2 and 5.1.13).
func TestPinnedIsNoNews(t *testing.T) {
	s := openTest(t)
	s.now = func() time.Time { return epoch }
	read(t, s, "a.txt", epoch, "http://a.example.net/1", "http://a.example.net/2")
	if err := s.SetPin(Pin{Link: 1, State: judge.PinnedAlive, Why: "seen by hand"}); err != nil {
		t.Fatal(err)
	}
	for i, d := range []int{0, 4} {
		r := r410
		r.At = epoch.Add(time.Duration(d) * day)
		if err := s.Record(uint64(i+1), judge.Policy{}, []Checked{{1, r}, {2, r}}); err != nil {
			t.Fatal(err)
		}
	}
	tally, err := s.Tally(2)
	if err != nil || len(tally.Changes) != 1 || tally.Changes[string(judge.NewlyDead)] != 1 || tally.States["dead"] != 2 {
		t.Errorf("%+v, %v", tally, err)
	}
	if list := news(t, s, 2); len(list) != 1 || list[0].ID != 2 {
		t.Errorf("changed: %+v", list)
	}
}
