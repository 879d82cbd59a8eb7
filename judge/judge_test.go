package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
)

var epoch = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// Results as probers make them.
var (
	rOK     = check.Result{Outcome: check.OK, Evidence: check.Strong, Reason: "http-200"}
	rMoved  = check.Result{Outcome: check.Moved, Evidence: check.Strong, Reason: "http-301", SuggestedURL: "http://new.example.net/"}
	rDOI    = check.Result{Outcome: check.Moved, Evidence: check.Strong, Reason: "http-301", Flags: []string{"persistent-id"}}
	rReach  = check.Result{Outcome: check.Reachable, Evidence: check.Strong, Reason: "telnet-answer"}
	r404    = check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-404"}
	r410    = check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-410"}
	rGoneW  = check.Result{Outcome: check.Gone, Evidence: check.Weak, Reason: "gopher-error-text"}
	r503    = check.Result{Outcome: check.Temporary, Evidence: check.Weak, Reason: "http-503"}
	rNX     = check.Result{Outcome: check.Unreachable, Evidence: check.Strong, Reason: "dns-nxdomain"}
	rRef    = check.Result{Outcome: check.Unreachable, Evidence: check.Weak, Reason: "tcp-refused"}
	rSusp   = check.Result{Outcome: check.Suspect, Evidence: check.Weak, Reason: "soft-404"}
	r401    = check.Result{Outcome: check.Auth, Reason: "http-401"}
	r403    = check.Result{Outcome: check.Blocked, Reason: "http-403"}
	r429    = check.Result{Outcome: check.Blocked, Reason: "http-429"}
	r429At  = check.Result{Outcome: check.Blocked, Reason: "http-429", RetryAfter: 3 * day}
	r400    = check.Result{Outcome: check.Undetermined, Reason: "http-400"}
	rBad    = check.Result{Outcome: check.Invalid, Reason: "uri-bad-host"}
	rNames  = check.Result{Outcome: check.NotDereferenceable, Reason: "names-only"}
	rOff    = check.Result{Outcome: check.Unsupported, Reason: "no-client"}
	rSkip   = check.Result{Outcome: check.Skipped, Reason: "excluded"}
	rLocal  = check.Result{Outcome: check.Skipped, Reason: "local-name"}
	rInside = check.Result{Outcome: check.Skipped, Reason: "private-address"}
	rIntern = check.Result{Outcome: check.Internal, Reason: "own-network"}
)

// probeStep is a probe on a day (a fraction is hours) and what must stand after it.
type probeStep struct {
	day    float64
	r      check.Result
	state  State
	streak int
	next   float64 // days after the probeStep; -1: none; -2: not looked at
	change Change
}

const unseen = -2

// TestJudge holds a row for every Rule of OUTCOMES 1.2, 5 and 5.1.
func TestJudge(t *testing.T) {
	tests := []struct {
		name   string
		visits []probeStep
	}{
		{"alive: 7 d, then x1.5 to 30 d (5)", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {7, rOK, Alive, 0, 10.5, ""}, {17.5, rReach, Alive, 0, 15.75, ""},
			{33.25, rOK, Alive, 0, 23.625, ""}, {60, rOK, Alive, 0, 30, ""}, {90, rOK, Alive, 0, 30, ""}}},
		{"many looks in one day do not lengthen the interval", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {0.1, rOK, Alive, 0, 7, ""}, {0.2, rOK, Alive, 0, 7, ""}}},
		{"moved: 30 d (5)", []probeStep{{0, rMoved, Moved, 0, 30, NewlyMoved}, {30, rMoved, Moved, 0, 30, ""}}},
		{"a persistent identifier moves on purpose (1.2)", []probeStep{{0, rDOI, Alive, 0, 7, ""}}},
		{"strong: 3 strikes on 3 days over 6 days (5)", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {1, r404, Failing, 2, 3, ""}, {4, r404, Failing, 3, 3, ""}, {7, r404, Dead, 4, 30, NewlyDead},
			{37, r404, Dead, 5, 60, ""}, {97, r404, Dead, 6, 90, ""}, {187, r404, Dead, 7, 90, ""}}},
		{"NXDOMAIN is strong", []probeStep{{0, rNX, Failing, 1, 1, ""}, {3, rNX, Failing, 2, 3, ""}, {6, rNX, Dead, 3, 30, NewlyDead}}},
		{"six days less an hour are not six", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {3, r404, Failing, 2, 3, ""}, {6 - 1./24, r404, Failing, 3, 3, ""}}},
		{"an answer comes earlier in one night than in another", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {3, r404, Failing, 2, 3, ""}, {6 - 1./48, r404, Dead, 3, 30, NewlyDead}}},
		{"410 the same", []probeStep{{0, r410, Failing, 1, 1, ""}, {3 - 1./48, r410, Dead, 2, 30, NewlyDead}}},
		{"weak ones the same", []probeStep{
			{0, r503, Failing, 1, 1, ""}, {3, r503, Failing, 2, 3, ""}, {6, r503, Failing, 3, 3, ""}, {9, r503, Failing, 4, 3, ""}, {14 - 1./48, r503, Dead, 5, 30, NewlyDead}}},
		{"weak: 5 strikes over 14 days", []probeStep{
			{0, r503, Failing, 1, 1, ""}, {1, r503, Failing, 2, 3, ""}, {4, rRef, Failing, 3, 3, ""}, {7, r503, Failing, 4, 3, ""},
			{10, r503, Failing, 5, 3, ""}, {13, r503, Failing, 6, 3, ""}, {16, r503, Dead, 7, 30, NewlyDead}}},
		{"gone by weak evidence is weak", []probeStep{
			{0, rGoneW, Failing, 1, 1, ""}, {4, rGoneW, Failing, 2, 3, ""}, {8, rGoneW, Failing, 3, 3, ""}}},
		{"410: 2 strikes over 3 days", []probeStep{{0, r410, Failing, 1, 1, ""}, {1, r410, Failing, 2, 3, ""}, {4, r410, Dead, 3, 30, NewlyDead}}},
		{"three strikes on two days are not on three", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {0.875, r404, Failing, 2, 3, ""}, {6.1, r404, Failing, 3, 3, ""}, {9.1, r404, Dead, 4, 30, NewlyDead}}},
		{"three days less an hour are not three", []probeStep{{0, r410, Failing, 1, 1, ""}, {3 - 1./24, r410, Failing, 2, 3, ""}}},
		{"fourteen days less an hour are not fourteen", []probeStep{
			{0, r503, Failing, 1, 1, ""}, {3, r503, Failing, 2, 3, ""}, {6, r503, Failing, 3, 3, ""}, {9, r503, Failing, 4, 3, ""}, {14 - 1./24, r503, Failing, 5, 3, ""}}},
		{"410 with a 404 among them: the 404 rule (5.1.4)", []probeStep{
			{0, r410, Failing, 1, 1, ""}, {1, r404, Failing, 2, 3, ""}, {4, r410, Failing, 3, 3, ""}, {7, r410, Dead, 4, 30, NewlyDead}}},
		{"the trailing strong run is judged by itself (5.1.4)", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {1, r503, Failing, 2, 3, ""}, {4, r404, Failing, 3, 3, ""}, {7, r404, Failing, 4, 3, ""}, {10, r404, Dead, 5, 30, NewlyDead}}},
		{"mixed counts as weak", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {4, r503, Failing, 2, 3, ""}, {8, r404, Failing, 3, 3, ""}, {12, r503, Failing, 4, 3, ""}, {16, r404, Dead, 5, 30, NewlyDead}}},
		{"one strike per 20 h (5)", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {0.5, r404, Failing, 1, 0.5, ""}, {19. / 24, r404, Failing, 1, unseen, ""}, {20. / 24, r404, Failing, 2, unseen, ""}}},
		{"ok, reachable, moved and suspect reset (5.1.3)", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {1, rOK, Alive, 0, 7, ""}, {8, r404, Failing, 1, 1, ""}, {9, rReach, Alive, 0, 7, Flapping},
			{16, r404, Failing, 1, 1, ""}, {17, rSusp, Suspect, 0, 3, NewlySuspect}}},
		{"auth, blocked and undetermined reset the weak ones alone (5.1.3)", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {1, r503, Failing, 2, 3, ""}, {4, r400, Failing, 1, 3, ""}, {7, r404, Failing, 2, 3, ""}, {10, r404, Dead, 3, 30, NewlyDead}}},
		{"a gap of over 10 days between weak ones starts anew (5.1.3)", []probeStep{
			{0, r503, Failing, 1, 1, ""}, {10, r503, Failing, 2, 3, ""}, {20.1, r503, Failing, 1, 1, ""}}},
		{"a gap of over 30 days between strong ones starts anew", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {30, r404, Failing, 2, 3, ""}, {60.1, r404, Failing, 1, 1, ""}}},
		{"the dead stay dead however long nobody looked", []probeStep{
			{0, r410, Failing, 1, 1, ""}, {4, r410, Dead, 2, 30, NewlyDead}, {400, r404, Dead, 3, 60, ""}}},
		{"recovered, from dead only (5.1.2)", []probeStep{
			{0, r410, Failing, 1, 1, ""}, {4, r410, Dead, 2, 30, NewlyDead}, {34, rOK, Alive, 0, 7, Recovered}, {41, r404, Failing, 1, 1, ""}, {42, rOK, Alive, 0, 7, Flapping}}},
		{"the first doubt of a new link counts at once (5.1.8)", []probeStep{{0, r401, Restricted, 0, 14, ""}, {14, r401, Restricted, 0, 60, ""}, {74, r403, Restricted, 0, 60, ""}}},
		{"one with history keeps its state until the second on another day (5.1.8)", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {7, r403, Alive, 0, 14, ""}, {7.1, r403, Alive, 0, 14, ""}, {21, r403, Restricted, 0, 14, ""}}},
		{"suspect: +3 d, then 14 d", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {7, rSusp, Alive, 0, 3, ""}, {10, rSusp, Suspect, 0, 3, NewlySuspect}, {13, rSusp, Suspect, 0, 14, ""}, {27, rOK, Alive, 0, 7, ""}}},
		{"doubts of different kinds do not add up", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {7, rSusp, Alive, 0, 3, ""}, {10, r400, Alive, 0, 3, ""}, {13, rSusp, Alive, 0, 3, ""}}},
		{"the dead need two doubts too", []probeStep{
			{0, r410, Failing, 1, 1, ""}, {4, r410, Dead, 2, 30, NewlyDead}, {34, r401, Dead, 2, 14, ""}, {48, r401, Restricted, 2, 14, ""}}},
		{"a failing host that answers 'not you' lives: restricted", []probeStep{{0, r503, Failing, 1, 1, ""}, {1, r403, Restricted, 0, 14, ""}}},
		{"Retry-After rules (5.1.9)", []probeStep{{0, r429At, Restricted, 0, 3, ""}, {3, r429At, Restricted, 0, 3, ""}}},
		{"429 without it: the next night, if its host is asked again then (5.1.9)", []probeStep{
			{0, r429, Restricted, 0, 1, ""}, {1, r429, Restricted, 0, 1, ""}, {3, r403, Restricted, 0, 60, ""}, {7, r429, Restricted, 0, 1, ""}}},
		{"invalid and not checkable have no date", []probeStep{{0, rBad, Invalid, 0, -1, ""}, {1, rNames, NotCheckable, 0, -1, ""}, {2, rOff, NotCheckable, 0, -1, ""}}},
		{"skipped and internal change nothing", []probeStep{
			{0, r404, Failing, 1, 1, ""}, {1, rSkip, Failing, 1, 7, ""}, {8, rIntern, Failing, 1, unseen, ""}, {9, rOK, Alive, 0, 7, ""}, {16, rIntern, Alive, 0, 0, ""}}},
		{"readable in one network alone: to be looked at by hand (1.2)", []probeStep{{0, rInside, Restricted, 0, 7, ""}, {7, rInside, Restricted, 0, 7, ""}}},
		{"a name of one label that nobody knows is doubted at once, and no more", []probeStep{{0, rLocal, Restricted, 0, 7, ""}, {7, rLocal, Restricted, 0, 7, ""}}},
		{"a name that leads into a private network once is doubted, no more", []probeStep{{0, rOK, Alive, 0, 7, ""}, {7, rInside, Alive, 0, 7, ""}, {14, rOK, Alive, 0, 10.5, ""}}},
		{"skipped at first: nothing to wait for", []probeStep{{0, rSkip, NotCheckable, 0, 7, ""}}},
		{"flapping: 3 reversals in 60 d (1.2)", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {10, r404, Failing, 1, 1, ""}, {20, rOK, Alive, 0, 7, ""}, {30, r404, Failing, 1, 1, Flapping}, {31, r404, Failing, 2, 3, ""}}},
		{"reversals 61 d apart do not flap", []probeStep{
			{0, rOK, Alive, 0, 7, ""}, {10, r404, Failing, 1, 1, ""}, {20, rOK, Alive, 0, 7, ""}, {71, r404, Failing, 1, 1, ""}}},
		{"a clock that went back: the future's strikes are void", []probeStep{
			{1000, r404, Failing, 1, 1, ""}, {1004, r404, Failing, 2, 3, ""}, {0, r404, Failing, 1, 1, ""}, {3, r404, Failing, 2, 3, ""}, {6, r404, Dead, 3, 30, NewlyDead}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var j Judgement
			for i, v := range tt.visits {
				r := v.r
				r.At = epoch.Add(time.Duration(v.day * float64(day)))
				j = j.After(&r, uint64(i+1))
				j.Next = Policy{}.NextCheck(&j, &r, 1)
				if got := describe(j, r.At, uint64(i+1), v.next); got != wanted(v) {
					t.Fatalf("visit %d, day %g, %s:\n got %s\nwant %s", i, v.day, r.Reason, got, wanted(v))
				}
			}
		})
	}
}

func describe(j Judgement, at time.Time, run uint64, next float64) string {
	days := j.Next.Sub(at).Hours() / 24
	if j.Next.IsZero() {
		days = -1
	}
	if next == unseen {
		days = unseen
	}
	changes := j.Changes.List()
	if j.ChangedRun != run {
		changes = nil
	}
	return fmt.Sprintf("%s, %d strikes, next %.3f, %v", j.State, j.Streak, days, changes)
}

func wanted(v probeStep) string {
	var changes []Change
	if v.change != "" {
		changes = []Change{v.change}
	}
	return fmt.Sprintf("%s, %d strikes, next %.3f, %v", v.state, v.streak, v.next, changes)
}

// nightly plays nights 0 to last and gives the days on which the link was probed
// and its state after each.
func nightly(last int, answer func(day int) check.Result) (days []int, states []State) {
	var j Judgement
	for d := 0; d <= last; d++ {
		now := epoch.Add(time.Duration(d) * day)
		if !Due(j.State, j.Next, now) {
			continue
		}
		r := answer(d)
		r.At = now
		j = j.After(&r, uint64(d+1))
		j.Next = Policy{}.NextCheck(&j, &r, 7)
		days, states = append(days, d), append(states, j.State)
	}
	return days, states
}

// TestNights holds user story 3: the exact days, splay off.
func TestNights(t *testing.T) {
	const f, d, a = Failing, Dead, Alive
	tests := []struct {
		name   string
		answer func(day int) check.Result
		days   []int
		states []State
	}{
		{"503 through day 5, then 200", func(d int) check.Result {
			if d <= 5 {
				return r503
			}
			return rOK
		}, []int{0, 1, 4, 7, 14}, []State{f, f, f, a, a}},
		{"404 always", func(int) check.Result { return r404 }, []int{0, 1, 4, 7}, []State{f, f, f, d}},
		{"410 always", func(int) check.Result { return r410 }, []int{0, 1, 4}, []State{f, f, d}},
		{"503 always", func(int) check.Result { return r503 }, []int{0, 1, 4, 7, 10, 13, 16}, []State{f, f, f, f, f, f, d}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			days, states := nightly(20, tt.answer)
			if !slices.Equal(days, tt.days) || !slices.Equal(states, tt.states) {
				t.Errorf("probed on days %v: %v\nwant %v: %v", days, states, tt.days, tt.states)
			}
		})
	}
}

// TestBlockedIsNotBroken holds user story 4: 60 nights, none dead.
func TestBlockedIsNotBroken(t *testing.T) {
	for _, r := range []check.Result{r401, r403, r429, r429At, r400,
		{Outcome: check.Blocked, Reason: "robots"}, {Outcome: check.Blocked, Reason: "http-451"},
		{Outcome: check.Blocked, Reason: "challenge"}, {Outcome: check.Auth, Reason: "ftp-530"}, {Outcome: check.Blocked, Reason: "nntp-502"}} {
		days, states := nightly(60, func(int) check.Result { return r })
		if slices.Contains(states, Dead) || slices.Contains(states, Failing) || len(days) < 2 {
			t.Errorf("%s: %v %v", r.Reason, days, states)
		}
	}
}

func TestFiftyRunsInOneDay(t *testing.T) {
	var j Judgement
	for i := range 50 {
		r := r404
		r.At = epoch.Add(time.Duration(i) * 20 * time.Minute)
		j = j.After(&r, uint64(i+1))
	}
	if j.Streak != 1 || j.State != Failing {
		t.Errorf("%s with %d strikes", j.State, j.Streak)
	}
}

// TestManyStrikes: of a long death the first Strike is kept, which holds the span,
// and the last ones.
func TestManyStrikes(t *testing.T) {
	var j Judgement
	for i := range 3 * maxStrikes {
		r := r404
		r.At = epoch.Add(time.Duration(i) * day)
		j = j.After(&r, uint64(i+1))
		if want := min(i+1, maxStrikes); len(j.Strikes) != want || j.Streak != i+1 || !j.Strikes[0].At.Equal(epoch) || !j.Strikes[want-1].At.Equal(r.At) {
			t.Fatalf("after %d: %d strikes are kept, %d counted, %v to %v", i+1, len(j.Strikes), j.Streak, j.Strikes[0].At, j.Strikes[len(j.Strikes)-1].At)
		}
	}
}

func TestSplay(t *testing.T) {
	var low, high time.Duration = 1 << 62, 0
	for id := uint64(1); id <= 10000; id++ {
		d := splay(10*day, id, 0.2)
		if d != splay(10*day, id, 0.2) {
			t.Fatal("splay is not a function of the link")
		}
		low, high = min(low, d), max(high, d)
	}
	if low < 8*day || high > 12*day || low > 8*day+day/10 || high < 12*day-day/10 {
		t.Errorf("10 days are spread over %v to %v", low, high)
	}
}

// TestTwoResultsOfOneRun: what is news of a run stays so when it looks again, and
// the next run begins anew (5.1.2).
func TestTwoResultsOfOneRun(t *testing.T) {
	results := []check.Result{rOK, rMoved, rMoved, rMoved}
	runs := []uint64{1, 2, 2, 3}
	want := []string{"[]", "[newly-moved]", "[newly-moved]", "[]"}
	var j Judgement
	for i, r := range results {
		r.At = epoch.Add(time.Duration(i) * day)
		j = j.After(&r, runs[i])
		if got := fmt.Sprint(j.Changes.List()); got != want[i] {
			t.Errorf("result %d, of run %d: %s, want %s", i, runs[i], got, want[i])
		}
	}
}

// TestMaxAge: a user may look at living links more often than the table does,
// never more seldom.
func TestMaxAge(t *testing.T) {
	for _, tt := range []struct {
		state    State
		interval time.Duration
		maxAge   time.Duration
		want     time.Duration
	}{
		{Alive, 7 * day, 0, 7 * day}, {Alive, 7 * day, 5 * day, 5 * day}, {Alive, 7 * day, 9 * day, 7 * day}, {Alive, 30 * day, -1, 30 * day},
		{Moved, 0, 0, 30 * day}, {Moved, 0, 5 * day, 5 * day}, {Moved, 0, 60 * day, 30 * day},
	} {
		r := rOK
		r.At = epoch
		j := Judgement{State: tt.state, Interval: tt.interval}
		if next := (Policy{MaxAge: tt.maxAge}).NextCheck(&j, &r, 1); next.Sub(epoch) != tt.want {
			t.Errorf("%s after %v, at most %v: %v, want %v", tt.state, tt.interval, tt.maxAge, next.Sub(epoch), tt.want)
		}
	}
}

// TestRulesOfStates: every state says why it is what it is.
func TestRulesOfStates(t *testing.T) {
	for state, want := range map[State]string{
		New: "never probed", Alive: "was good", Moved: "names a new address", Restricted: "such an answer", Suspect: "such an answer", Undetermined: "such an answer",
		Invalid: "no URI of its scheme", NotCheckable: "names and does not locate", Failing: "dead needs", Dead: "dead by earlier strikes",
	} {
		j := Judgement{State: state}
		if rule := j.Rule(); !strings.Contains(rule, want) {
			t.Errorf("%s: %q", state, rule)
		}
	}
}

// TestThreshold: a way to die is named only where strikes lead to it.
func TestThreshold(t *testing.T) {
	for kinds, want := range map[string]string{
		"w": ruleAny, "ww": ruleAny, "sw": ruleAny, "s": ruleStrong, "gs": ruleStrong, "g": rule410, "gg": rule410,
		"ws": ruleAny + ", or " + ruleStrong + " without a weak one between", "wg": ruleAny + ", or " + ruleStrong + " without a weak one between",
	} {
		var j Judgement
		for i, k := range kinds {
			j.Strikes = append(j.Strikes, Strike{epoch.Add(time.Duration(i) * day), map[rune]StrikeKind{'w': Weak, 's': Strong, 'g': Gone410}[k]})
		}
		if got := j.threshold(); got != want {
			t.Errorf("%s: %s, want %s", kinds, got, want)
		}
	}
}
