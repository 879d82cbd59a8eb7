package prospero

import (
	"testing"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

// Every datagram of every recorded session is read, and none is taken for
// something that a Prospero server does not say.
func TestTranscripts(t *testing.T) {
	datagrams := 0
	for name, turns := range labtest.ServerTurns(t, "prospero-*.txt") {
		for _, b := range turns {
			datagrams++
			p, ok := parsePacket(b)
			if !ok {
				t.Errorf("%s: %q cannot be read", name, b)
			} else if r := judge(p).result; p.number == 1 && (r.Reason == "garbled" || r.Outcome == check.Unknown) {
				t.Errorf("%s: %v(%s) %q", name, r.Outcome, r.Reason, p.text)
			}
		}
	}
	if datagrams < 60 {
		t.Errorf("only %d datagrams", datagrams)
	}
}
