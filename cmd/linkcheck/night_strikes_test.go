package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/lab"
)

// OUTCOMES section 6, story 3: which nights ask, how often, and what becomes of
// the link. A weak failure is tried once more at the end of its night; a living
// link is asked after 7 days and then after 10.5. What would make it dead is asked once
// more, as browsers ask.
func TestStrikesUntilDead(t *testing.T) {
	var today atomic.Int32
	until := func(day int32, code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if today.Load() <= day {
				lab.Status(code)(w, r)
				return
			}
			lab.Text("text/plain", "here")(w, r)
		}
	}
	const ever = 1000
	rows := []struct {
		host   string
		page   http.HandlerFunc
		asked  []int // the nights of probes
		times  int   // requests of a night that failed
		states map[int]string
		dead   int // the night of the death, or -1
	}{
		{"busy.test", until(5, 503), []int{0, 1, 4, 7, 14}, 2, map[int]string{0: "failing", 1: "failing", 4: "failing", 6: "failing", 7: "alive", 14: "alive"}, -1},
		{"gone.test", until(ever, 404), []int{0, 1, 4, 7}, 1, map[int]string{0: "failing", 4: "failing", 6: "failing", 7: "dead", 20: "dead"}, 7},
		{"left.test", until(ever, 410), []int{0, 1, 4}, 1, map[int]string{0: "failing", 1: "failing", 3: "failing", 4: "dead"}, 4},
		{"down.test", until(ever, 503), []int{0, 1, 4, 7, 10, 13, 16}, 2, map[int]string{0: "failing", 13: "failing", 15: "failing", 16: "dead"}, 16},
		{"once.test", until(0, 404), []int{0, 1, 8, 19}, 1, map[int]string{0: "failing", 1: "alive", 8: "alive"}, -1},
		{"well.test", until(-1, 404), []int{0, 7, 18}, 1, map[int]string{0: "alive", 20: "alive"}, -1},
	}
	l := newLibrary(t, nil)
	sites := lab.Web{}
	for _, r := range rows {
		sites[r.host] = lab.Site{"/x": r.page}
		l.write(r.host+".txt", "http://"+r.host+"/x")
	}
	web := l.serveWeb(sites)
	for night := range 21 {
		today.Store(int32(night))
		l.runWell(float64(night))
		asked, now := web.pages(), l.links()
		for _, r := range rows {
			got := now["http://"+r.host+"/x"]
			want := 0
			if slices.Contains(r.asked, night) {
				if want = 1; got.Outcome != "ok" {
					want = r.times
				}
				if night == r.dead {
					want++
				}
			}
			if n := count(asked, "GET "+r.host+"/x"); n != want {
				t.Errorf("%s, day %d: %d requests, want %d", r.host, night, n, want)
			}
			if state, ok := r.states[night]; ok && got.State != state {
				t.Errorf("%s, day %d: %s, want %s", r.host, night, got.State, state)
			}
			if (got.State == "dead") != (r.dead >= 0 && night >= r.dead) {
				t.Errorf("%s, day %d: %s, dead from day %d", r.host, night, got.State, r.dead)
			}
			if isNews := slices.Contains(got.Changes, "newly-dead"); isNews && night < r.dead {
				t.Errorf("%s, day %d: newly dead too early", r.host, night)
			}
		}
	}
}

// Runs of one day are one night: fifty of them are one strike (section 5).
func TestRunsOfOneDayAreOneStrike(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/404 http://www.mill.test/410 http://www.mill.test/503"})
	web := l.serveWeb(lab.Web{"www.mill.test": {"/410": lab.Status(410), "/503": lab.Status(503)}})
	for i := range 50 {
		l.runWell(float64(i)/80, "--all") // the last one 15 hours after the first
	}
	if n := count(web.pages(), "GET www.mill.test/404"); n != 50 {
		t.Errorf("%d requests, want 50", n)
	}
	for url, got := range l.links() {
		if got.FailStreak != 1 || got.State != "failing" || got.ChecksTotal != 50 {
			t.Errorf("%s: %+v", url, got)
		}
	}
}

// No link dies of an answer to HEAD (section 1.3).
func TestRefusedHEADIsNoStrike(t *testing.T) {
	site, text := lab.Site{}, ""
	for _, code := range []int{404, 405, 403, 500, 410, 501} {
		path := fmt.Sprintf("/%d.zip", code)
		site[path] = lab.HeadRefuser(code, lab.Text("application/zip", "PK\x03\x04 and so on"))
		text += "http://www.mill.test" + path + "\n"
	}
	l := newLibrary(t, map[string]string{"a.txt": text})
	web := l.serveWeb(lab.Web{"www.mill.test": site})
	l.runQuietly(0)
	asked := web.pages()
	for url, got := range l.links() {
		name := strings.TrimPrefix(url, "http://")
		if got.Outcome != "ok" || got.Reason != "http-200" || got.State != "alive" || got.FailStreak != 0 {
			t.Errorf("%s: %+v", url, got)
		}
		if count(asked, "HEAD "+name) != 1 || count(asked, "GET "+name) != 1 {
			t.Errorf("%s: asked %q", url, asked)
		}
	}
}
