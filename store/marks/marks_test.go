package marks

import (
	"testing"

	"linkcheck/judge"
)

// What is decided is listed by the same word and with the same reason.
func TestDecide(t *testing.T) {
	states := map[string]judge.State{"alive": judge.PinnedAlive, "dead": judge.PinnedDead, "ignore": judge.Ignored, "licence-walled": judge.PinnedAlive}
	for _, word := range Decisions {
		p, ok := Decide(word, "why")
		if got, why := Decision(&p); !ok || p.State != states[word] || got != word || why != "why" {
			t.Errorf("%s: %v, %+v, listed as %q, %q", word, ok, p, got, why)
		}
	}
	if p, ok := Decide("broken", "why"); ok {
		t.Errorf("broken: %+v", p)
	}
}
