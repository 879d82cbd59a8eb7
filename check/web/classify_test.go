package web

import (
	"testing"

	"linkcheck/check"
)

// TestEveryStatus holds the table of OUTCOMES section 1.3 for every status there can be.
func TestEveryStatus(t *testing.T) {
	table := map[int]check.Outcome{
		204: check.Suspect, 205: check.Suspect, 300: check.OK, 304: check.OK, 401: check.Auth, 402: check.Auth, 407: check.Auth,
		403: check.Blocked, 429: check.Blocked, 451: check.Blocked, 999: check.Blocked, 404: check.Gone, 410: check.Gone,
		495: check.Auth, 496: check.Auth,
		408: check.Temporary, 421: check.Temporary, 425: check.Temporary, 501: check.Undetermined, 505: check.Undetermined,
	}
	for status := 100; status <= 999; status++ {
		want, named := table[status]
		switch {
		case named:
		case status/100 == 2:
			want = check.OK
		case status/100 == 5:
			want = check.Temporary
		default:
			want = check.Undetermined
		}
		if got := outcomeOf(status); got != want {
			t.Errorf("%d: %s, want %s", status, got, want)
		}
	}
}
