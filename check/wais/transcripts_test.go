package wais

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
				all[filepath.Base(f)] = append(all[filepath.Base(f)], unhex(t, m[1])...)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("no sessions %s", pattern)
	}
	return all
}

// Every message of every recorded session is read to its last octet, and the
// answer to a search or a retrieval as one.
func TestTranscripts(t *testing.T) {
	messages := 0
	for name, b := range answersOf(t, "wais-*.txt") {
		for in := bufio.NewReader(bytes.NewReader(b)); ; messages++ {
			if _, err := in.Peek(1); err != nil {
				break
			}
			body, err := readMessage(in)
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
