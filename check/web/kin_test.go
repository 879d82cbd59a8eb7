package web

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/internal/lab"
)

// TestDirectoriesOfOneDepth: three directories of one depth that say no to names that cannot
// exist speak for all; where one says yes each is asked. OUTCOMES section 1.3, soft-404.
func TestDirectoriesOfOneDepth(t *testing.T) {
	for name, want := range map[string]int{"no": 3, "yes": 10} {
		t.Run(name, func(t *testing.T) {
			pages := lab.Site{"/robots.txt": lab.NotFound, "*": lab.NotFound}
			if name == "yes" {
				pages["*"] = lab.Text("text/html", "<p>Nothing is here, look elsewhere please.")
			}
			for day := range 10 {
				pages[fmt.Sprintf("/a/%d/x", day)] = lab.Text("text/html", fmt.Sprintf("<p>what was on day %c", 'a'+day))
			}
			w := serve(t, lab.Web{"site.org": pages}, Options{})
			for day := range 10 {
				if got := w.probe(fmt.Sprintf("http://site.org/a/%d/x", day)); got.Reason != "http-200" {
					t.Errorf("day %d: %s", day, got.Reason)
				}
			}
			asked := 0
			for _, line := range w.requests() {
				if strings.HasPrefix(line, "GET site.org/a/") && !strings.HasSuffix(line, "/x") {
					asked++
				}
			}
			if asked != want {
				t.Errorf("asked for %d names that cannot exist, want %d", asked, want)
			}
		})
	}
}
