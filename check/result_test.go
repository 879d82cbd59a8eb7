package check

import (
	"slices"
	"strings"
	"testing"
)

// A page answers for all its fragments; the flags of one are not those of another.
func TestAtFragment(t *testing.T) {
	page := New(OK, ReasonHTTP(200), "").WithFlags(FlagSlow)
	page.Anchors = map[string]bool{"one": true, "dünn": true}
	for fragment, want := range map[string]string{
		"": "slow", "one": "slow", "d%C3%BCnn": "slow", "dünn": "slow", "TOP": "slow", ":~:text=x": "slow", "one:~:text=x": "slow",
		"three": "fragment-missing slow", "three:~:text=x": "fragment-missing slow", "%zz": "fragment-missing slow",
	} {
		lead := page.AtFragment("three")
		if got := lead.AtFragment(fragment); strings.Join(got.Flags, " ") != want {
			t.Errorf("%q: %v, want %s", fragment, got.Flags, want)
		}
		if !slices.Equal(lead.Flags, []string{"fragment-missing", "slow"}) {
			t.Fatalf("%q changed what another link has: %v", fragment, lead.Flags)
		}
	}
	paper := New(OK, ReasonHTTP(200), "")
	paper.Pages = 7
	for fragment, missing := range map[string]bool{ // RFC 8118 section 3
		"page=7": false, "page=1&zoom=150": false, "nameddest=chapter9": false, "page=x": false, "page=": false, "": false, "homepage=9": false,
		"page=8": true, "zoom=50&page=12": true,
	} {
		if got := paper.AtFragment(fragment); (len(got.Flags) == 1) != missing {
			t.Errorf("%q of a paper of 7 pages: %v", fragment, got.Flags)
		}
	}
	if page.Anchors = nil; len(page.AtFragment("three").Flags) != 1 {
		t.Error("a page that is not known lacks nothing")
	}
}
