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

// OUTCOMES 1.3, nntp: what every reply says of an article or a group.
func TestEveryCode(t *testing.T) {
	table := map[int]check.Outcome{
		211: check.OK, 220: check.OK, 221: check.OK, 223: check.OK, 411: check.Gone, 423: check.Gone, 430: check.Gone,
		381: check.Auth, 480: check.Auth, 481: check.Auth, 482: check.Auth, 483: check.Auth, 502: check.Blocked,
		400: check.Temporary, 403: check.Temporary, 503: check.Temporary,
	}
	for code := 100; code <= 599; code++ {
		want, listed := table[code]
		if !listed {
			want = check.Undetermined
		}
		if r := judge(reply{code: code, line: "later"}); r.Outcome != want {
			t.Errorf("%d: %s, want %s", code, r.Outcome, want)
		}
		foreign := code < 400
		if r := judgeGreeting(reply{code: code, line: "later"}); foreign != (r.Reason == "protocol-mismatch") || !foreign && r.Outcome != want {
			t.Errorf("%d for a greeting: %s(%s)", code, r.Outcome, r.Reason)
		}
	}
	for line, want := range map[string]check.Outcome{
		"You have no permission to talk": check.Blocked, "Access from your address is denied": check.Blocked, "not authorised": check.Blocked,
		"Server is throttled": check.Temporary, "inaccessible until noon": check.Temporary,
	} {
		if r := judge(reply{code: 400, line: line}); r.Outcome != want {
			t.Errorf("400 %s: %s, want %s", line, r.Outcome, want)
		}
	}
}
