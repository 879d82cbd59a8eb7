package harvest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// TestThreads: posts of which each leads to the one before alone are all read, more of them than the bound
// of hops, though each leads to a feed too that is not there. Where the row has no end it is left behind
// some more than 1,000, in a folder or beside the root, and no night reads more of it.
func TestThreads(t *testing.T) {
	const endless = 2000
	row := func(top string, ends int) http.Handler {
		place := map[string]int{}
		for n := range endless {
			place[top+word("row", n)] = n
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, ok := place[r.URL.Path]
			switch {
			case r.URL.Path == "/":
				fmt.Fprint(w, anchor(top+word("row", 0)))
			case !ok:
				w.WriteHeader(http.StatusNotFound)
			case n < ends-1:
				fmt.Fprint(w, "<p>"+sentence(r.URL.Path)+anchor(top+word("row", n+1))+anchor(r.URL.Path+"/feed"))
			default:
				fmt.Fprint(w, "<p>"+sentence(r.URL.Path))
			}
		})
	}
	for _, c := range []struct {
		top         string
		ends        int
		least, most int // documents
	}{
		{top: "/blog/", ends: 400, least: 401, most: 401},
		{top: "/", ends: 400, least: 401, most: 401},
		{top: "/blog/", ends: endless, least: 1000, most: 1400},
		{top: "/", ends: endless, least: 1000, most: 1400},
	} {
		t.Run(fmt.Sprintf("%d below %s", c.ends, strings.TrimSuffix(c.top, "/")), func(t *testing.T) {
			t.Parallel()
			s := &harvesttest.Store{Lead: leads}
			for night := range 2 {
				web := harvesttest.NewWeb(row(c.top, c.ends))
				_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
				if n := len(s.Standing()); err != nil || n < c.least || n > c.most || (len(notes) == 0) != (c.ends < endless) {
					t.Errorf("night %d: %d documents, want %d to %d; %q, %v", night, n, c.least, c.most, notes, err)
				}
				t.Logf("night %d: %d documents, %d requests", night, len(s.Standing()), web.Requests())
			}
		})
	}
}
