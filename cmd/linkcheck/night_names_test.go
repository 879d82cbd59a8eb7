package main

import (
	"slices"
	"testing"

	"linkcheck/internal/lab"
)

// TestNamesOverNights: what the resolver does not know is dead after the strong strikes; a
// registered name whose publisher turns programs away is fine, and no redirect of a name is
// ever proposed. A resolver that is silent for weeks kills no name.
func TestNamesOverNights(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://doi.org/10.1000/wall http://dx.doi.org/10.1000/none http://doi.org/10.1000/moved http://hdl.handle.net/1/down"})
	doi := lab.Handles(map[string]string{"10.1000/wall": "http://press.test/wall", "10.1000/moved": "http://press.test/old"})
	web := l.serveWeb(lab.Web{"doi.org": {"*": doi}, "hdl.handle.net": {"*": lab.Status(503)},
		"press.test": {"/wall": lab.Status(403), "/old": lab.Redirect(301, "http://press.test/new"), "/new": lab.Page("New", "the paper")}})
	l.route(web.Addr, "dx.doi.org:80")
	for _, night := range []float64{0, 1, 4, 7, 12} {
		l.runWell(night)
	}
	got := l.links()
	for url, want := range map[string]struct{ state, reason, action string }{
		"http://doi.org/10.1000/wall":    {"alive", "registered", "none"},
		"http://dx.doi.org/10.1000/none": {"dead", "not-registered", "fix-or-archive"},
		"http://doi.org/10.1000/moved":   {"alive", "http-200", "none"},
		"http://hdl.handle.net/1/down":   {"failing", "http-503", "wait"},
	} {
		if row := got[url]; row.State != want.state || row.Reason != want.reason || row.Action != want.action || row.SuggestedURL != "" {
			t.Errorf("%s: %+v, want %v", url, row, want)
		}
	}
	if asked := web.pages(); slices.Contains(asked, "GET doi.org/10.1000/wall") {
		t.Errorf("the resolver was asked twice for a name: %q", asked)
	}
}
