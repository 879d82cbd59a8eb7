package check

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// A cleaned reply is short, valid, on one line, and clean already.
func FuzzCleanReply(f *testing.F) {
	f.Add("550 no\r\nsuch\tfile")
	f.Add(strings.Repeat("ü", 600))
	f.Add("\xff\u202e\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		c := CleanReply(s)
		if len(c) > maxReply || !utf8.ValidString(c) || strings.ContainsAny(c, "\r\n\t\x00\x1b") || CleanReply(c) != c {
			t.Fatalf("%q -> %q -> %q", s, c, CleanReply(c))
		}
	})
}

// A rule that parses can be written again and means the same.
func FuzzParseConnectTo(f *testing.F) {
	f.Add("a:1:b:2")
	f.Add("[::1]:80:[fe80::]:8")
	f.Add(":::")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseConnectTo(s)
		if err != nil {
			return
		}
		if r.Port < 0 || r.Port > 65535 || r.ToPort < 0 || r.ToPort > 65535 {
			t.Fatalf("%q: %+v", s, r)
		}
		reroute([]ConnectRule{r}, "a", 1)
	})
}

// ReadLine gives back what it was given, line by line, and stops at its limit.
func FuzzReadLine(f *testing.F) {
	f.Add("a\r\nb\n\nc")
	f.Add(strings.Repeat("x", MaxLine+1))
	f.Fuzz(func(t *testing.T, s string) {
		r := bufio.NewReaderSize(strings.NewReader(s), MaxLine)
		var back strings.Builder
		for {
			line, err := ReadLine(r)
			if strings.Contains(line, "\n") || len(line) > MaxLine {
				t.Fatalf("line %q", line)
			}
			back.WriteString(line)
			if errors.Is(err, ErrLineTooLong) {
				return
			}
			if err == io.EOF {
				break
			}
			back.WriteByte('\n')
		}
		if want := strings.ReplaceAll(s, "\r\n", "\n"); back.String() != want {
			t.Fatalf("%q became %q", s, back.String())
		}
	})
}
