package store

import (
	"slices"
	"testing"
)

// Parts of a store that were looked at from one machine have the same canaries.
func TestRunsAddCanaries(t *testing.T) {
	var sum Run
	for _, part := range []Run{{Canaries: 2, FailedCanaries: []string{"b: gone"}}, {Canaries: 2, FailedCanaries: []string{"b: gone"}}, {Canaries: 1, FailedCanaries: []string{"a: timeout"}}, {}} {
		sum.add(&part)
	}
	if want := []string{"a: timeout", "b: gone"}; sum.Canaries != 2 || !slices.Equal(sum.FailedCanaries, want) {
		t.Errorf("%d canaries, failed %q, want 2 and %q", sum.Canaries, sum.FailedCanaries, want)
	}
}
