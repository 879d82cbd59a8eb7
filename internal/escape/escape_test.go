package escape_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"linkcheck/internal/escape"
)

// honest is text that is left as it is.
var honest = []string{"", "plain", "\u0645\u0631\u062d\u0628\u0627", "\u05e9\u05dc\u05d5\u05dd", "e\u0301", "\U0001f469\u200d\U0001f4bb", "\u0e01\u0e33", "a\u00a0b", "\ufffd", `C:\new`, "\u200c", "\ufeff"}

func TestLine(t *testing.T) {
	for _, s := range honest {
		if got := escape.Line(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	for s, want := range map[string]string{
		"a\nb\tc\rd": `a\nb\tc\rd`, "\x1b[31m\x00\x7f": `\u001b[31m\u0000\u007f`, "\u009b1m": `\u009b1m`, "\x9b1m\xff": `\x9b1m\xff`,
		"\u061c\u200e\u200f\u202a\u202e\u2066\u2069": `\u061c\u200e\u200f\u202a\u202e\u2066\u2069`, "\u2028\u2029": `\u2028\u2029`,
		"\u2027\u2065": "\u2027\u2065", "\xe2\x80": `\xe2\x80`,
	} {
		if got := escape.Line(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestPrintf(t *testing.T) {
	var b bytes.Buffer
	type word string
	escape.Printf(&b, "%-4s|%q|%d|%v|%s|%.2f\n", "a\n", "q\n\u202e", 7, word("w\x1b"), errors.New("e\ne"), 1.5)
	if want := `a\n  |"q\n\u202e"|7|w\u001b|e\ne|1.50` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", &b, want)
	}
}

// Whatever is written, and however it is cut, the same comes out, and nothing in it acts.
func FuzzWriter(f *testing.F) {
	f.Add("\u202e\x9b\r\n\ta\rb\xe2\x80", 2)
	f.Add("caf\u00e9 \U0001f469\u200d\U0001f4bb", 1)
	f.Fuzz(func(t *testing.T, s string, size int) {
		var whole, parts bytes.Buffer
		one, many := escape.NewWriter(&whole), escape.NewWriter(&parts)
		io.WriteString(one, s)
		one.Flush()
		size = max(1, min(size, 100))
		for rest := s; rest != ""; {
			n := min(size, len(rest))
			if k, err := io.WriteString(many, rest[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		many.Flush()
		got := whole.String()
		if got != parts.String() {
			t.Fatalf("cut: %q, whole: %q", &parts, got)
		}
		if !utf8.ValidString(got) || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Fatalf("%q became %q", s, got)
		}
		got = strings.NewReplacer("\r\n", "", "\n", "", "\t", "").Replace(got)
		if got != escape.Line(got) {
			t.Fatalf("%q is let through in %q", got, s)
		}
		if line := escape.Line(s); line != escape.Line(line) || strings.ContainsAny(line, "\r\n\t") {
			t.Fatalf("%q became %q", s, line)
		}
	})
}

// TestWriterOctets: each octet is seen wherever it stands among others.
func TestWriterOctets(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			for _, around := range []string{" ", "~"} {
				s := strings.Repeat(around, at) + string([]byte{byte(c)}) + strings.Repeat(around, 20-at)
				want := escape.Line(s)
				if c == '\n' || c == '\t' {
					want = s
				} else if c == '\r' {
					want = strings.Replace(s, "\r", `\u000d`, 1)
				}
				var b strings.Builder
				w := escape.NewWriter(&b)
				io.WriteString(w, s)
				w.Flush()
				if b.String() != want {
					t.Fatalf("%q became %q, want %q", s, &b, want)
				}
			}
		}
	}
}

// JSON means the same after a Writer.
func TestWriterKeepsJSON(t *testing.T) {
	for _, s := range append(honest, "\x1b\u009b\x7f\u202e\u061c\r\n\t") {
		var b bytes.Buffer
		w := escape.NewWriter(&b)
		enc := json.NewEncoder(w)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != s {
			t.Errorf("%q became %q, %v", s, back, err)
		}
	}
}

func ExamplePrintf() {
	var b strings.Builder
	escape.Printf(&b, "read %s\n", "report\nlinkcheck: error: \x1b[2J.txt")
	fmt.Print(b.String())
	// Output: read report\nlinkcheck: error: \u001b[2J.txt
}

// BenchmarkLine escapes addresses, of which nearly none holds anything to escape.
func BenchmarkLine(b *testing.B) {
	s := strings.Repeat("http://www.example.org/some/path/", 3)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		escape.Line(s)
	}
}
