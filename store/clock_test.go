package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
)

// TestClockThatJumps: a run under a clock ten years ahead, and then the right one:
// every link is due again at once, and its strikes count from now.
func TestClockThatJumps(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/", "http://b.example.net/", "http://c.example.net/")
	future := epoch.Add(3650 * day)
	r1, r2, r3 := rOK, r404, r429At
	r1.At, r2.At, r3.At = future, future, future
	if err := s.Record(1, judge.Policy{}, []Checked{{1, r1}, {2, r2}, {3, r3}}); err != nil {
		t.Fatal(err)
	}
	if due := collect(t, s.Due(future, Filter{})); len(due) != 0 {
		t.Fatalf("due in the future: %v", due)
	}
	if due := collect(t, s.Due(epoch, Filter{})); len(due) != 3 {
		t.Fatalf("due after the clock was set right: %v", due)
	}
	for i := range 3 {
		r := r404
		r.At = epoch.Add(time.Duration(3*i) * day)
		if err := s.Record(uint64(i+2), judge.Policy{}, []Checked{{2, r}}); err != nil {
			t.Fatal(err)
		}
		if l, err := s.link(2); err != nil || l.Strikes != i+1 || i < 2 && l.State != judge.Failing || l.Needed != 3 {
			t.Fatalf("visit %d: %+v, %v", i, l, err)
		}
	}
	ruling, err := s.Explain(2)
	if err != nil || ruling.Link.State != judge.Dead || len(ruling.Strikes) != 3 || !strings.Contains(ruling.Rule, "3 strong strikes") {
		t.Errorf("%+v, %v", ruling, err)
	}
	mustVerify(t, s)
}

// TestClockThatJumpsALittle: one night under a clock some weeks ahead; its links are
// due when the clock is right again, not when it gets there.
func TestClockThatJumpsALittle(t *testing.T) {
	for _, days := range []int{1, 5, 40, 110, 400} {
		s := openTest(t)
		read(t, s, "a.txt", epoch, "http://a.example.net/", "http://b.example.net/", "http://c.example.net/")
		visit := func(run uint64, at time.Time, list ...Checked) {
			t.Helper()
			if _, err := s.StartRun(Run{Started: at}); err != nil {
				t.Fatal(err)
			}
			for i := range list {
				list[i].Result.At = at
			}
			if err := s.Record(run, judge.Policy{}, list); err != nil {
				t.Fatal(err)
			}
		}
		ahead := epoch.Add(time.Duration(days) * day)
		visit(1, epoch, Checked{1, rOK})
		visit(2, ahead, Checked{2, rOK}, Checked{3, r404})
		tomorrow := epoch.Add(day / 2)
		if due := collect(t, s.Due(tomorrow, Filter{})); len(due) != 2 || due[0].ID != 2 || due[1].ID != 3 {
			t.Errorf("%d days ahead: due %v", days, due)
		}
		visit(3, tomorrow, Checked{2, rOK}, Checked{3, r404})
		if due := collect(t, s.Due(tomorrow, Filter{})); len(due) != 0 {
			t.Errorf("%d days ahead: due again %v", days, due)
		}
		if l, err := s.link(3); err != nil || l.Strikes != 1 || !l.NextCheck.Equal(tomorrow.Add(day)) && days > 1 {
			t.Errorf("%d days ahead: %+v, %v", days, l, err)
		}
	}
}

func TestPinsHoldForATime(t *testing.T) {
	now := epoch
	s := openTest(t)
	s.now = func() time.Time { return now }
	read(t, s, "a.txt", epoch, "http://a.example.net/1", "http://a.example.net/2", "http://b.example.net/3")
	for _, p := range []Pin{{Host: "A.example.net", State: judge.Ignored}, {Link: 3, State: judge.PinnedAlive, Why: "seen", Until: epoch.Add(5 * day)}} {
		if err := s.SetPin(p); err != nil {
			t.Fatal(err)
		}
	}
	r := r410
	r.At = epoch
	if err := s.Record(1, judge.Policy{}, []Checked{{3, r}}); err != nil {
		t.Fatal(err)
	}
	if due := collect(t, s.Due(now, Filter{All: true})); len(due) != 1 || due[0].ID != 3 {
		t.Errorf("ignored links are due: %v", due)
	}
	l, err := s.link(3)
	if err != nil || l.State != judge.PinnedAlive || l.Judged != judge.Failing || l.Pin == nil {
		t.Errorf("%+v, %v", l, err)
	}
	if ruling, err := s.Explain(3); err != nil || !strings.Contains(ruling.Rule, "seen") {
		t.Errorf("%+v, %v", ruling, err)
	}
	r.At = epoch.Add(4 * day)
	if err := s.Record(2, judge.Policy{}, []Checked{{3, r}}); err != nil {
		t.Fatal(err)
	}
	if list := news(t, s, 2); len(list) != 0 {
		t.Errorf("a pinned link is news: %+v", list)
	}
	now = epoch.Add(6 * day)
	if l, err := s.link(3); err != nil || l.State != judge.Dead || l.Pin != nil {
		t.Errorf("after the pin's time: %+v, %v", l, err)
	}
	if list := news(t, s, 2); len(list) != 1 || list[0].Changes[0] != judge.NewlyDead {
		t.Errorf("%+v", list)
	}
	if err := s.SetPin(Pin{Host: "b.example.net"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a pin that is not there: %v", err)
	}
	if err := s.SetPin(Pin{Host: "a.example.net"}); err != nil {
		t.Fatal(err)
	}
	if due := collect(t, s.Due(now, Filter{All: true})); len(due) != 3 {
		t.Errorf("after unmark: %v", due)
	}
	if err := s.SetPin(Pin{Link: 99, State: judge.Ignored}); err == nil {
		t.Error("a link that is not there was marked")
	}
}

// TestHistoryKeepsChangesAndVisits: every change, the last 30 visits, and what the
// visits said.
func TestHistoryKeepsChangesAndVisits(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/")
	for i := range 50 {
		r := rOK
		if i == 5 || i == 45 {
			r = r503
		}
		r.At = epoch.Add(time.Duration(i) * day)
		r.Took, r.Bytes, r.Attempts, r.RetryAfter = time.Second, 100, 2, time.Minute
		if err := s.Record(uint64(i+1), judge.Policy{}, []Checked{{1, r}}); err != nil {
			t.Fatal(err)
		}
	}
	list := explain(t, s, 1).History
	var runs []uint64
	for i, e := range list {
		runs = append(runs, e.Run)
		if want := map[bool]string{true: "http-503", false: "http-200"}[e.Run == 6 || e.Run == 46]; string(e.Result.Reason) != want {
			t.Errorf("event %d of run %d: %s", i, e.Run, e.Result.Reason)
		}
		if news := e.Run == 1 || e.Run == 6 || e.Run == 7 || e.Run == 46 || e.Run == 47; e.Same == news {
			t.Errorf("run %d brought nothing new: %v", e.Run, e.Same)
		}
		if e.Same && (e.Result.Took != 0 || e.Result.Bytes != 0 || e.Result.Attempts != 0 || e.Result.RetryAfter != 0) {
			t.Errorf("run %d knows more of its visit than was kept: %+v", e.Run, e.Result)
		}
		if !e.Result.At.Equal(epoch.Add(time.Duration(e.Run-1) * day)) {
			t.Errorf("run %d was at %v", e.Run, e.Result.At)
		}
		if i > 0 && e.Run <= list[i-1].Run {
			t.Errorf("out of order: %v", runs)
		}
	}
	if len(list) != 33 || runs[0] != 1 || runs[1] != 6 || runs[2] != 7 || runs[3] != 21 || runs[32] != 50 {
		t.Errorf("%d events, of runs %v", len(list), runs)
	}
}

// TestTwoVisitsOfOneRun: a run that looked twice and found the same is one visit.
func TestTwoVisitsOfOneRun(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/")
	for i, run := range []uint64{1, 2, 2, 3} {
		r := rOK
		r.At = epoch.Add(time.Duration(i) * day)
		if err := s.Record(run, judge.Policy{}, []Checked{{1, r}}); err != nil {
			t.Fatal(err)
		}
	}
	list := explain(t, s, 1).History
	if len(list) != 3 || list[0].Run != 1 || list[1].Run != 2 || list[2].Run != 3 {
		t.Errorf("%+v", list)
	}
}
