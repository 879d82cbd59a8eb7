package harvest_test

import (
	"fmt"
	"net/http"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// TestTruePagesAmongTraps: what a reader reads of sites whose own faults, or whose traps, make
// their pages look like what has no end.
func TestTruePagesAmongTraps(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    string
		pages int
		page  func(r *http.Request) string
	}{
		{"each page of a list calls itself the first one", "record", 200, func(r *http.Request) (text string) {
			switch part(r.URL.Path) {
			case "":
				return anchor("/list?page=1")
			case "record":
				return sentence(r.URL.Path)
			}
			page := value(r.URL.Query(), "page")
			for i := range 10 {
				text += anchor(fmt.Sprintf("/record/b%d", 10*page+i))
			}
			return `<link rel="canonical" href="/list?page=1">` + text + anchor(fmt.Sprintf("/list?page=%d", min(page+1, 20)))
		}},
		{"articles that lead to each other, and lists of them all", "article", 1100, func(r *http.Request) (text string) {
			q := r.URL.Query()
			if part(r.URL.Path) == "article" {
				return sentence(q.Get("id")) + anchor(fmt.Sprintf("/article?id=%d", sum(q.Get("id"), "", 0)%1100))
			}
			page := value(q, "page")
			for i := range 25 {
				text += anchor(fmt.Sprintf("/article?id=%d", 25*page+i))
			}
			return anchor("/article?id=0") + text + anchor(fmt.Sprintf("/articles?page=%d", min(page+1, 43)))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &harvesttest.Store{Lead: leads}
			_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), harvesttest.NewWeb(endless(c.page)), harvest.Options{}))
			read := 0
			for _, name := range s.Standing() {
				if part(name[len("http://w.example"):]) == c.of {
					read++
				}
			}
			if err != nil || read != c.pages {
				t.Errorf("%d pages are read, want %d: %q, %v", read, c.pages, notes, err)
			}
		})
	}
}
