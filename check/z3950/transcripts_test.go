package z3950

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/lab/labtest"
)

// Every APDU of every recorded session is read to its last octet.
func TestTranscripts(t *testing.T) {
	apdus := 0
	for name, turns := range labtest.ServerTurns(t, "z3950-*.txt") {
		if strings.HasSuffix(name, ".apdu.txt") {
			continue
		}
		for in := bufio.NewReader(bytes.NewReader(slices.Concat(turns...))); ; apdus++ {
			if _, err := in.Peek(1); err != nil {
				break
			}
			if _, err := readAPDU(in); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if apdus < 40 {
		t.Errorf("only %d APDUs", apdus)
	}
}
