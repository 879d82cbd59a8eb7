package repair

import (
	"strings"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/internal/vectors"
)

func TestWrapperVectors(t *testing.T) {
	vectors.Each(t, "wrapper", func(t *testing.T, rows [][]string) {
		for _, r := range rows {
			text := strings.ReplaceAll(r[1], `\n`, "\n")
			if r[3] == "ocr-repair" {
				if got, ok := OCR(text); !ok || got != r[2] {
					t.Errorf("%s: guessed %q %v; want %q", r[0], got, ok, r[2])
				}
				continue
			}
			got, codes := Unwrap(text)
			if got != r[2] || strings.Join(codes, ",") != r[3] {
				t.Errorf("%s: %q %q; want %q %q", r[0], got, codes, r[2], r[3])
			}
		}
	})
}

// FuzzUnwrap: nothing is invented, and what is clean stays so.
func FuzzUnwrap(f *testing.F) {
	vectors.Seeds(f, func(row []string) { f.Add(row[1]) })
	f.Fuzz(func(t *testing.T, s string) {
		got, codes := Unwrap(s)
		if len(got) > len(s) || len(got) != len(s) && len(codes) == 0 && strings.Trim(s, blanks) == s && !strings.ContainsAny(s, blanks) {
			t.Fatalf("%q: %q %q", s, got, codes)
		}
		if guess, ok := OCR(s); ok {
			if _, err := uri.Parse(guess); err != nil {
				t.Fatalf("%q is guessed to be %q: %v", s, guess, err)
			}
		}
	})
}
