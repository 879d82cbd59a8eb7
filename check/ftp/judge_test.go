package ftp

import (
	"fmt"
	"testing"
)

// Every code votes as its class does (RFC 959 section 4.2), but for those that
// servers use for their refusals: PROTOCOLS 7.4.
func TestVoteOfEveryCode(t *testing.T) {
	for code := 100; code <= 999; code++ {
		want := unsupported
		switch fmt.Sprint(code)[0] {
		case '2':
			want = proves
		case '4':
			want = later
		}
		switch code {
		case 550, 551, 553:
			want = saysNo
		case 430, 530, 532:
			want = saysDenied
		}
		if got := (reply{code: code, text: "hm"}).vote(); got != want {
			t.Errorf("%d: vote %d, want %d", code, got, want)
		}
	}
}
