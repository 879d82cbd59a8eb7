package judge_test

import (
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// A link that answers 410 is failing at first, and dead when it still does so three
// days later.
func ExampleJudgement_After() {
	var j judge.Judgement // never probed
	var policy judge.Policy
	night := time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)
	for run := uint64(1); run <= 3; run++ {
		r := check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-410", At: night}
		j = j.After(&r, run)
		j.Next = policy.NextCheck(&j, &r, 1)
		fmt.Printf("%s: %s; next %s\n", night.Format(time.DateOnly), j.State, j.Next.Format(time.DateOnly))
		night = j.Next
	}
	fmt.Println(j.Rule())
	// Output:
	// 2026-11-01: failing; next 2026-11-02
	// 2026-11-02: failing; next 2026-11-05
	// 2026-11-05: dead; next 2026-12-05
	// 3 strikes over 4.0 days; dead by 2 answers of 410 over 3 days, until it answers
}

// A host that said "too many" is left alone until the next night, then for two.
func ExampleBackOff_After() {
	var host judge.BackOff
	night := time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)
	for range 2 {
		r := check.Result{Outcome: check.Blocked, Reason: "http-429", At: night}
		host = host.After(&r)
		fmt.Println(host.Until.Format(time.DateTime), host.Holds(night))
		night = night.Add(24 * time.Hour)
	}
	// Output:
	// 2026-11-01 22:00:00 true
	// 2026-11-03 22:00:00 true
}
