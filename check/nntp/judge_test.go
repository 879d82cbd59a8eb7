package nntp

import (
	"io"
	"testing"

	"linkcheck/check"
)

// What is cut off where a greeting belongs is foreign unless a reply may have begun.
func TestForeign(t *testing.T) {
	for line, want := range map[string]check.Reason{
		"": "closed", "0": "eof", "200 rea": "eof", "9": "eof", "/": "protocol-mismatch", ":": "protocol-mismatch", "login: ": "protocol-mismatch",
	} {
		if r := foreign(line, io.EOF); r.Reason != want {
			t.Errorf("%q: %s(%s), want %s", line, r.Outcome, r.Reason, want)
		}
	}
}
