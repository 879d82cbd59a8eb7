package z3950

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// answersOf reads the octets that the server said in a recorded session, or
// skips by the name of what is missing.
func answersOf(t *testing.T, pattern string) map[string][]byte {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "transcripts")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is missing", dir)
	}
	files, _ := filepath.Glob(filepath.Join(dir, pattern))
	dump := regexp.MustCompile(`^  [0-9a-f]{4}  ((?:[0-9a-f]{2} ){1,16})`)
	all := map[string][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		server := false
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "S:") || strings.HasPrefix(line, "C:") {
				server = line[0] == 'S'
			} else if m := dump.FindStringSubmatch(line); m != nil && server {
				all[filepath.Base(f)] = append(all[filepath.Base(f)], octets(t, m[1])...)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("no sessions %s", pattern)
	}
	return all
}

// Every APDU of every recorded session is read to its last octet.
func TestTranscripts(t *testing.T) {
	apdus := 0
	for name, b := range answersOf(t, "z3950-*.txt") {
		if strings.HasSuffix(name, ".apdu.txt") {
			continue
		}
		for in := bufio.NewReader(bytes.NewReader(b)); ; apdus++ {
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
