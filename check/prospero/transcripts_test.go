package prospero

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/check"
)

// Every datagram of every recorded session is read, and none is taken for
// something that a Prospero server does not say.
func TestTranscripts(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "transcripts")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is missing", dir)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "prospero-*.txt"))
	dump := regexp.MustCompile(`^  [0-9a-f]{4}  ((?:[0-9a-f]{2} ){1,16})`)
	datagrams := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range regexp.MustCompile(`(?m)^[CS]: `).Split(string(text), -1) {
			if !strings.Contains(turn, "from udp port") {
				continue
			}
			var b []byte
			for line := range strings.Lines(turn) {
				if m := dump.FindStringSubmatch(line); m != nil {
					octets, _ := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
					b = append(b, octets...)
				}
			}
			datagrams++
			p, ok := parsePacket(b)
			if !ok {
				t.Errorf("%s: %q cannot be read", filepath.Base(f), b)
			} else if r := judge(p).result; p.number == 1 && (r.Reason == "garbled" || r.Outcome == check.Unknown) {
				t.Errorf("%s: %v(%s) %q", filepath.Base(f), r.Outcome, r.Reason, p.text)
			}
		}
	}
	if datagrams < 60 {
		t.Errorf("only %d datagrams", datagrams)
	}
}
