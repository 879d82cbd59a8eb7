package labtest

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// Transcripts returns the folder of recorded sessions beside the project, or skips
// by the name of what is missing.
func Transcripts(t testing.TB) string {
	t.Helper()
	return testdoc.Shared(t, "transcripts")
}

var dump = regexp.MustCompile(`^  [0-9a-f]{4}  ((?:[0-9a-f]{2} ){1,16})`)

// Dumped reads a line of a dump of octets: "  0000  0d 0a  ..".
func Dumped(line string) (octets []byte, ok bool) {
	m := dump.FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	octets, err := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
	return octets, err == nil
}

// ServerTurns returns the octets that servers said in the recorded sessions whose names
// match a pattern, turn by turn, by the name of the file. It skips where there
// are no transcripts.
func ServerTurns(t testing.TB, pattern string) map[string][][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Transcripts(t), pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions %s, %v", pattern, err)
	}
	all := map[string][][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var turns [][]byte
		server, begun := false, false
		for line := range strings.Lines(string(text)) {
			octets, isDump := Dumped(line)
			switch {
			case strings.HasPrefix(line, "S:"), strings.HasPrefix(line, "C:"):
				server, begun = line[0] == 'S', false
			case isDump && server:
				if !begun {
					turns = append(turns, nil)
				}
				begun = true
				turns[len(turns)-1] = append(turns[len(turns)-1], octets...)
			}
		}
		all[filepath.Base(f)] = turns
	}
	return all
}
