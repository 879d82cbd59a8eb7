package text_test

import (
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/moved"
	"linkcheck/report/text"
	"linkcheck/store"
)

// TestChain: what is known of a moved link names each redirect with its status, without
// passwords.
func TestChain(t *testing.T) {
	e := store.Explanation{Link: store.Link{URL: "http://a.test/", State: judge.Moved, Last: check.Result{Outcome: check.Moved,
		Hops: []check.Hop{{Code: 301, URL: "https://a.test/"}, {Code: 302, URL: "https://ann:pw@b.test/x"}}}}}
	var b strings.Builder
	if err := text.WriteLink(&b, &e, false, moved.Proof{Why: moved.Unseen}, nil); err != nil {
		t.Fatal(err)
	}
	if want := "  chain     301 to https://a.test/\n            302 to https://ann:***@b.test/x\n  proof     none: the page was never seen at its old address\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%s\nwant %q", b.String(), want)
	}
}
