package report_test

import (
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

// A page that lacks the place of the fragment is looked at by hand, as a cause of its own
// (OUTCOMES section 1.2); what a person marked alive is not.
func TestFragmentMissing(t *testing.T) {
	f := &fixture{}
	ok := check.Result{Outcome: check.OK, Reason: "http-200", Flags: []string{string(check.FlagFragmentMissing)}}
	f.add("http://a.test/p#x", judge.Alive, ok, judge.NoChange, inRecord("http://a.test/p#x", "b1"))
	f.add("http://a.test/p#y", judge.PinnedAlive, ok, judge.NoChange, inRecord("http://a.test/p#y", "b2")).Pin = &store.Pin{State: judge.PinnedAlive}
	r, err := report.Build(t.Context(), f, options())
	if err != nil {
		t.Fatal(err)
	}
	if n := r.ByGroup[report.Check]; n != 1 || len(r.Causes) != 1 || r.Causes[0].State != report.FragmentMissing || r.Causes[0].Step == "" {
		t.Errorf("%d to look at, causes %+v", n, r.Causes)
	}
}
