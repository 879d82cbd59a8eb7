package ftp

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/uri"
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

// A list proves a name by naming it or, asked about a directory, by naming
// anything; a complaint of ls's is no name (REAL-SERVERS E).
func TestListed(t *testing.T) {
	for _, c := range []struct {
		list string
		kind byte
		want bool
	}{
		{"memo.txt", 0, true},
		{" memo.txt \r", 0, true},
		{"./memo.txt", 0, true},
		{"pub/memo.txt/a", 0, true},
		{"other.txt", 0, false},
		{"other.txt\nmemo.txt", 0, true},
		{"", 0, false},
		{"other.txt", 'd', true},
		{" \r", 'd', false},
		{"ls: memo.txt: No such file or directory", 0, false},
		{"ls: memo.txt: No such file or directory", 'd', false},
		{"ls: x: No such file or directory\nmemo.txt", 0, true},
		{"file not found", 'd', true}, // a name, if an odd one
	} {
		s := &session{u: &uri.FTP{Name: "memo.txt", Type: c.kind}}
		if got := s.listed(strings.Split(c.list, "\n")); got != c.want {
			t.Errorf("%q, type %q: %v", c.list, c.kind, got)
		}
	}
}

// RFC 4217 sections 11 and 12, and servers that use other codes for it, in words.
func TestWantsTLS(t *testing.T) {
	for code := 200; code <= 599; code++ {
		for text, words := range map[string]bool{"no": false, "Please use SSL": true, "must be encrypted": true, "use a secure connection": true, "unsecured": false} {
			want := false
			switch code {
			case 522, 534:
				want = true
			case 421, 503, 530, 533, 536, 550:
				want = words
			}
			if got := wantsTLS(reply{code: code, text: text}); got != want {
				t.Errorf("%d %s: %v", code, text, got)
			}
		}
	}
}

// The refusal of a CWD on the way: OUTCOMES 1.4, ftp.
func TestJudgeEntry(t *testing.T) {
	for _, c := range []struct {
		code     int
		text     string
		outcome  check.Outcome
		evidence check.Evidence
	}{
		{550, "pub: Not a directory", check.Gone, check.Strong},
		{501, "pub: Not a directory", check.Undetermined, check.None},
		{550, "No such file", check.Gone, check.Strong},
		{550, "Permission denied", check.Auth, check.None},
		{550, "Failed to change directory.", check.Gone, check.Weak},
		{450, "No such file", check.Gone, check.Weak},
		{450, "File busy", check.Temporary, check.Weak},
		{450, "No such file: too many open files", check.Temporary, check.Weak},
		{450, "File not available", check.Temporary, check.Weak}, // goftp says so of a missing file, others of a busy one
		{451, "Error: Unable to locate file.", check.Gone, check.Weak},
		{451, "Error: Permission denied.", check.Temporary, check.Weak},
		{530, "Please log in", check.Auth, check.None},
		{502, "what?", check.Undetermined, check.None},
	} {
		if r := judgeEntry(reply{c.code, c.text}); r.Outcome != c.outcome || r.Evidence != c.evidence {
			t.Errorf("%d %s: %s %s, want %s %s", c.code, c.text, r.Outcome, r.Evidence, c.outcome, c.evidence)
		}
	}
}
