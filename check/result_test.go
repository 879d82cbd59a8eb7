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
	if page.Anchors = nil; len(page.AtFragment("three").Flags) != 1 {
		t.Error("a page that is not known lacks nothing")
	}
}
