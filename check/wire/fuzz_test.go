package wire

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// ReadLine returns back what it was given, line by line, and stops at its limit.
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
