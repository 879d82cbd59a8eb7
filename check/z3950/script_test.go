package z3950

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// recorded reads the answers of testdata/recorded.txt by name.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/recorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, name := map[string][]byte{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "  "):
			all[name] = append(all[name], octets(t, line)...)
		default:
			name = line
		}
	}
	if len(all) == 0 {
		t.Fatal("testdata/recorded.txt holds no answers")
	}
	return all
}

// octets reads hexadecimal with blanks.
func octets(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// says and hears are turns of a labtest script, all octets escaped.
func says(b []byte) string  { return "S: " + escaped(b) + "\n" }
func hears(b []byte) string { return "C: " + escaped(b) + "\n" }

func escaped(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteString(`\x` + hex.EncodeToString([]byte{c}))
	}
	return s.String()
}
