package ingest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// sweptSite has four pages that are asked for first, and 60 more. What the four answer is its caller's.
type sweptSite struct {
	answer map[string]string // of the four: "", a status, or where it moved
	now    time.Time         // two seconds go by with each request
}

func (s *sweptSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.now = s.now.Add(2 * time.Second)
	switch answer := s.answer[r.URL.Path]; {
	case strings.HasPrefix(answer, "/"):
		http.Redirect(w, r, answer, http.StatusMovedPermanently)
	case answer != "":
		var status int
		fmt.Sscan(answer, &status)
		w.WriteHeader(status)
	case r.URL.Path == "/robots.txt":
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><body><p>%s <a href=\"http://cited.example%s\">x</a>", r.URL.Path, r.URL.Path)
		if r.URL.Path == "/" {
			for _, path := range []string{"/gone", "/back", "/moved", "/missed"} {
				fmt.Fprintf(w, "<a href=%q>x</a>", path)
			}
			for n := range 60 {
				fmt.Fprintf(w, "<a href=\"/%d\">x</a>", n)
			}
		}
	}
}

// TestGoneEarlyInALongSweep: a sweep takes some nights, and what was gone or elsewhere in its first one is
// asked for again in its last one: what is back stays, and what is not goes. Nothing is asked for twice in
// a night, and nothing else twice in the sweep.
func TestGoneEarlyInALongSweep(t *testing.T) {
	for _, tt := range []struct {
		name         string
		first, later map[string]string // answers in the first night of the long sweep, and behind it
		stand        string            // of the four
	}{
		{"back", map[string]string{"/gone": "410", "/back": "410", "/moved": "/7", "/missed": "404"}, map[string]string{"/gone": "410"}, "/back /missed /moved"},
		{"gone", map[string]string{"/gone": "410", "/back": "410", "/moved": "/7", "/missed": "404"},
			map[string]string{"/gone": "410", "/back": "404", "/moved": "/7", "/missed": "404"}, ""},
		{"in outage", map[string]string{"/gone": "410", "/back": "410", "/moved": "/7", "/missed": "404"},
			map[string]string{"/gone": "410", "/back": "503", "/moved": "/8", "/missed": "500"}, "/back /missed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, site := newArchive(t), &sweptSite{}
			root, err := harvest.ParseRoot("http://guides.wells.example/")
			if err != nil {
				t.Fatal(err)
			}
			a.root = root
			a.o.Now = func() time.Time { return site.now }
			asked := map[string]int{}
			night := func(answer map[string]string) RootSummary {
				site.answer, site.now = answer, a.now
				web := harvesttest.NewWeb(site)
				h, err := harvest.New(root, web, harvest.Options{Now: a.o.Now})
				if err != nil {
					t.Fatal(err)
				}
				sum, _ := a.read(h)
				for address, times := range web.Asked {
					if times > 1 {
						t.Errorf("%s was asked for %d times in a night", address, times)
					}
					asked[strings.TrimPrefix(address, "http://guides.wells.example")] += times
				}
				return sum
			}
			night(nil)
			night(map[string]string{"/missed": "404"})
			clear(asked)
			a.root.Time = 40 * time.Second
			nights := 1
			for sum := night(tt.first); sum.Root.Sweep != 0; nights++ {
				if nights > 10 {
					t.Fatal("the sweep does not end")
				}
				sum = night(tt.later)
			}
			var stand []string
			for name := range a.stands() {
				if path := strings.TrimPrefix(name, "http://guides.wells.example"); strings.Trim(path, "/0123456789") != "" {
					stand = append(stand, path)
				}
			}
			slices.Sort(stand)
			if got := strings.Join(stand, " "); got != tt.stand {
				t.Errorf("behind %d nights %q stand, want %q", nights, got, tt.stand)
			}
			for path, times := range asked {
				if of := strings.Trim(path, "/0123456789"); of != "" && of != "robots.txt" && times != 2 || of == "" && path != "/" && times > 1 {
					t.Errorf("%s was asked for %d times", path, times)
				}
			}
			if nights < 3 || len(asked) != 66 {
				t.Errorf("%d nights, %d addresses", nights, len(asked))
			}
		})
	}
}
