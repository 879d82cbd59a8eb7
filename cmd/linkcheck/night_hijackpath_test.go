package main

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/internal/lab"
)

// A taken domain leads, path by path, to a site whose pages are alike to each other and to
// nothing that was linked; a moved one to its texts, its front page included. The first
// proposes nothing, not even for a link that comes later; the second all (OUTCOMES
// section 1.5).
func TestWorldHijackByPath(t *testing.T) {
	w := newWorld(t)
	casino := lab.Page("Spin and win", textAbout("the jackpot"))
	paths := []string{"/", "/a.html", "/b.html", "/c/d.html", "/c/e.html", "/late.html"}
	w.sites["casino.test"], w.sites["new.test"] = lab.Site{}, lab.Site{}
	for i, path := range paths {
		own := lab.Page("Whales, part "+path, textAbout(fmt.Sprintf("whale number %c", 'a'+i)))
		if path != "/late.html" {
			w.add("taken.test", path, own, lab.Redirect(301, "http://casino.test"+path))
		}
		w.sites["casino.test"][path] = casino
		w.sites["new.test"]["/x"+path] = own
		w.site("old.test")[path] = lab.Redirect(301, "http://new.test/x"+path)
		if path != "/" && path != "/late.html" {
			w.add("old.test", path, own, lab.Redirect(301, "http://new.test/x"+path))
		}
	}
	w.serveWeb(w.sites)
	for night := range hijackNight + 3 {
		if night == hijackNight+1 { // nothing is known of their own texts
			w.sites["taken.test"]["/late.html"] = lab.Redirect(301, "http://casino.test/late.html")
			w.write("late.txt", "http://taken.test/late.html http://old.test/")
		}
		w.look(night)
		if text := w.proposals(); strings.Contains(text, "-> http://casino") || strings.Contains(w.ok("report", "--fixes", "-"), "casino") {
			t.Fatalf("night %d: the casino is proposed: %s", night, text)
		}
	}
	fixes := w.ok("report", "--fixes", "-")
	if !strings.Contains(fixes, "http://old.test/\thttp://new.test/x/\tsite-moved\t") || strings.Count(fixes, "http://new.test/x/") != 5 {
		t.Errorf("of what moved: %s", fixes)
	}
	for url, got := range w.links() {
		if strings.Contains(url, "taken.test") != (got.Action == "look-by-hand") {
			t.Errorf("%s: %+v", url, got)
		}
	}
}
