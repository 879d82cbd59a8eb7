package wais

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/lab/labtest"
)

// Every message of every recorded session is read to its last octet, and the
// answer to a search or a retrieval as one.
func TestTranscripts(t *testing.T) {
	messages := 0
	for name, turns := range labtest.ServerTurns(t, "wais-*.txt") {
		for in := bufio.NewReader(bytes.NewReader(slices.Concat(turns...))); ; messages++ {
			if _, err := in.Peek(1); err != nil {
				break
			}
			body, err := readMessage(in)
			if strings.HasPrefix(name, "wais-type-n-") { // freeWAIS-sf gives a request's type back
				if err != errNAK {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(body) > 2 && body[2] == pduSearchResponse {
				if _, err := parseAnswer(body); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if messages < 100 {
		t.Errorf("only %d messages", messages)
	}
}
