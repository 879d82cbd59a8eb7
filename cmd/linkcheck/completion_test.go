package main

import (
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/report"
	"linkcheck/report/words"
)

// TestCompletions gives shells the words of the flags that know only some.
func TestCompletions(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"report", "--only", ""}, report.OnlyWords()},
		{[]string{"report", "--lang", ""}, words.Languages()},
		{[]string{"dupes", "--by", ""}, []string{"normal", "final"}},
		{[]string{"serve", "--lang", ""}, words.Languages()},
	} {
		s := call(t.Context(), "", append([]string{"__complete"}, tt.args...)...)
		words, _, _ := strings.Cut(s.out, "\n:")
		if got, want := words, strings.Join(tt.want, "\n"); s.code != exit.OK || got != want {
			t.Errorf("%q: exit %d, %q, want %q", tt.args, s.code, got, want)
		}
	}
}
