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

// textAbout is a text of which hardly a word stands in one about another thing.
func textAbout(thing string) string {
	stem := strings.ReplaceAll(thing, " ", "")
	var b strings.Builder
	for _, part := range strings.Fields("head hand tail stone wood field ship house") {
		for _, end := range strings.Fields("s er ing ward like hood ly") {
			b.WriteString(stem + part + end + " ")
		}
		b.WriteString("and no more. ")
	}
	return b.String()
}

// changing answers by what holds on the night at hand.
func changing(night *atomic.Int32, page func(night int) http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { page(int(night.Load()))(w, r) }
}

const hijackNight = 6 // of the worlds below: from here on all is another

// world is a set of sites that are seen every night, and what must stand in the end.
type world struct {
	*library
	night atomic.Int32
	sites lab.Web
}

func newWorld(t *testing.T) *world {
	return &world{library: newLibrary(t, nil), sites: lab.Web{}}
}

// add puts a link into the library, and a page that is before until hijackNight, then after.
func (w *world) add(host, path string, before, after http.HandlerFunc) string {
	url := "http://" + host + path
	if w.sites[host] == nil {
		w.sites[host] = lab.Site{}
	}
	w.sites[host][path] = changing(&w.night, func(n int) http.HandlerFunc {
		if n < hijackNight {
			return before
		}
		return after
	})
	w.write(strings.NewReplacer(":", "", "/", "_").Replace(url)+".txt", url)
	return url
}

// look makes the run of a night, on which all links are due.
func (w *world) look(night int) {
	w.t.Helper()
	w.night.Store(int32(night))
	w.runWell(float64(night), "--max-age", "24h")
	for url, got := range w.links() {
		if got.State == "dead" || got.State == "failing" {
			w.t.Errorf("night %d: a false death: %s: %+v", night, url, got)
		}
	}
}

// proposals is all that the reports propose to write.
func (w *world) proposals() string {
	text := w.ok("report", "--fixes", "-") + w.ok("report", "--summary")
	for url, got := range w.links() {
		text += url + " -> " + got.SuggestedURL + "\n"
	}
	return text
}

// A domain is taken over, in every way that a server has to send its readers
// elsewhere: nothing is dead, nothing of the new owner is proposed (OUTCOMES section 1.5).
func TestWorldHijack(t *testing.T) {
	w := newWorld(t)
	casino := "http://casino.test/"
	w.sites["casino.test"] = lab.Site{"/": lab.Page("Spin and win", textAbout("the jackpot"))}
	refresh := func(to string) http.HandlerFunc {
		return lab.Text("text/html", `<title>Moved</title><meta http-equiv=refresh content="0; url=`+to+`">`)
	}
	var taken, moved []string
	for i := range 4 {
		own := func(n int) http.HandlerFunc {
			return lab.Page(fmt.Sprintf("Whales, part %d of %d", i, n), textAbout(fmt.Sprintf("whale number %c%c", 'a'+i, 'a'+n)))
		}
		win := fmt.Sprintf("%swin%d", casino, i)
		w.sites["casino.test"][fmt.Sprintf("/win%d", i)] = lab.Page("Spin and win", textAbout("the jackpot"))
		name := func(kind string) string { return fmt.Sprintf("%s%d.test", kind, i) }
		for k, code := range []int{301, 302, 303, 307, 308} {
			taken = append(taken, w.add(name(fmt.Sprint("http", code)), "/", own(k), lab.Redirect(code, casino)),
				w.add(name(fmt.Sprint("http", code)), "/a/b.html", own(k), lab.Redirect(code, win)))
		}
		taken = append(taken,
			w.add(name("meta"), "/", own(5), refresh(casino)),
			w.add(name("header"), "/", own(6), lab.Status(200, "Refresh", "3; url="+win)),
			w.add(name("chain"), "/x.html", own(7), lab.Redirect(301, "/y.html")),
			w.add(name("back"), "/x.html", own(9), lab.Redirect(301, "http://www."+name("back")+"/x.html")),
			w.add(name("place"), "/", own(8), lab.Page("Spin and win", textAbout("the jackpot"))))
		w.sites[name("chain")]["/y.html"] = lab.Redirect(302, win)
		w.sites["www."+name("back")] = lab.Site{"/x.html": lab.Redirect(307, win)}

		// Two owners who moved, one of whom gave the pages new names.
		path := fmt.Sprintf("/papers/p%d.html", i)
		page, renamed := own(10), own(11)
		moved = append(moved, w.add("old.test", path, page, lab.Redirect(301, "http://new.test"+path)),
			w.add("once.test", path, renamed, refresh(fmt.Sprintf("http://later.test/archive/%d", i))))
		w.site("new.test")[path] = page
		w.site("later.test")[fmt.Sprintf("/archive/%d", i)] = renamed
	}
	w.site("old.test")["/"] = lab.Redirect(301, "http://new.test/")
	w.site("new.test")["/"] = lab.Page("Papers", textAbout("papers"))
	w.serveWeb(w.sites)
	for night := range hijackNight + 3 {
		w.look(night)
		if text := w.proposals(); strings.Contains(text, "-> http://casino") || strings.Contains(w.ok("report", "--fixes", "-"), "casino") {
			t.Fatalf("night %d: the casino is proposed: %s", night, text)
		}
		for url, got := range w.links() {
			if slices.Contains(taken, url) && got.State == "moved" {
				t.Errorf("night %d: %s is moved", night, url)
			}
		}
	}
	now, caught := w.links(), 0
	for _, url := range taken {
		if got := now[url]; got.Action == "look-by-hand" {
			caught++
		} else {
			t.Logf("missed: %s: %+v", url, got)
		}
	}
	t.Logf("%d of %d links that were taken over stand under Check by hand, %d that moved under Update", caught, len(taken), len(moved))
	if len(taken) < 50 || caught*100 < 95*len(taken) {
		t.Errorf("%d of %d are caught", caught, len(taken))
	}
	fixes := w.ok("report", "--fixes", "-")
	for _, url := range moved {
		if got := now[url]; got.State != "moved" || !strings.Contains(fixes, "\t"+url+"\thttp://") {
			t.Errorf("%s: %+v", url, got)
		}
	}
	if html := w.ok("report", "--html", "-"); strings.Count(html, "http://new.test/papers") == 0 || strings.Contains(html, "Replace http://http301") {
		t.Error("the rewrites of prefixes")
	}

	// The front page of the first of them, which is linked since yesterday only.
	w.write("front.txt", "http://old.test/")
	w.look(hijackNight + 3)
	if got := w.links()["http://old.test/"]; got.Action != "update-url" || got.SuggestedURL != "http://new.test/" {
		t.Errorf("the front page: %+v", got)
	}
	html := w.ok("report", "--html", "-")
	fixes = w.ok("report", "--fixes", "-")
	if strings.Count(html, `<p class="small">1 of them is known by the rule alone`) != 1 || strings.Contains(fixes, "casino") ||
		!strings.Contains(fixes, "\thttp://old.test/\thttp://new.test/\tsite-moved\t") {
		t.Error("the front page does not stand with the rewrite")
	}
}

func (w *world) site(host string) lab.Site {
	if w.sites[host] == nil {
		w.sites[host] = lab.Site{}
	}
	return w.sites[host]
}

// Pages become others under their own addresses, and others change as pages do.
func TestWorldDrift(t *testing.T) {
	w := newWorld(t)
	var drifted, ordinary []string
	for i := range 10 {
		host := fmt.Sprintf("site%d.test", i)
		old := textAbout(fmt.Sprintf("comet %c", 'a'+i))
		page := lab.Page(fmt.Sprintf("Comets of the year %d", 1700+i), old)
		drifted = append(drifted,
			w.add(host, "/gone.html", page, lab.Page("Withdrawn", "This text was withdrawn by its author.")),
			w.add(host, "/other.html", page, lab.Page(fmt.Sprintf("Comets of the year %d", 1700+i), textAbout("a shoe for the summer"))))
		ordinary = append(ordinary,
			w.add(host, "/more.html", page, lab.Page("Comets", old+" "+textAbout(fmt.Sprintf("asteroid %c", 'a'+i)))),
			w.add(host, "/notice.html", page, lab.Page("Comets", "We use cookies. Accept all of them or refuse. "+old)))
		news := fmt.Sprintf("/news%d.html", i)
		ordinary = append(ordinary, w.add(host, news, page, page))
		w.sites[host][news] = changing(&w.night, func(n int) http.HandlerFunc {
			return lab.Page("News", textAbout(fmt.Sprintf("event %c%c", 'a'+n, 'a'+i)))
		})
		away := fmt.Sprintf("/away%d.html", i)
		ordinary = append(ordinary, w.add(host, away, page, page))
		w.sites[host][away] = changing(&w.night, func(n int) http.HandlerFunc {
			if n == hijackNight || n == hijackNight+2 {
				return lab.Page("Maintenance", "We are back soon.")
			}
			return page
		})
	}
	w.serveWeb(w.sites)
	told := func() (n, wrong int) {
		now := w.links()
		for _, url := range drifted {
			if got := now[url]; got.Action == "look-by-hand" && got.State == "alive" {
				n++
			}
		}
		for _, url := range ordinary {
			if got := now[url]; got.Action != "none" {
				wrong++
				t.Errorf("%s: %+v", url, got)
			}
		}
		return n, wrong
	}
	for night := range hijackNight + 3 {
		w.look(night)
		if n, _ := told(); night < hijackNight+2 && n > 0 {
			t.Errorf("night %d: %d are told", night, n)
		}
	}
	n, wrong := told()
	t.Logf("%d of %d pages that became others are told on the third look, %d of %d ordinary ones", n, len(drifted), wrong, len(ordinary))
	if n*100 < 95*len(drifted) || len(drifted) < 20 {
		t.Errorf("%d of %d are told", n, len(drifted))
	}
	one := drifted[1]
	got := w.links()[one]
	if !strings.Contains(got.Message, "“Comets of the year 1700”") || !strings.Contains(got.Message, "6 November 2026") || !slices.Contains(got.Changes, "newly-drifted") {
		t.Errorf("%+v", got)
	}
	only := w.ok("report", "--jsonl", "-", "--unique", "--only", "drift")
	if strings.Count(only, "\n") != n || !strings.Contains(only, `"flags":["drift"]`) {
		t.Errorf("--only drift: %s", only)
	}
	if said := w.ok("explain", one); !strings.Contains(said, "Comets of the year 1700") || !strings.Contains(said, "another than the one that was linked") {
		t.Errorf("explain: %s", said)
	}
	for _, url := range ordinary {
		if strings.Contains(url, "/news") && !strings.Contains(w.ok("report", "--jsonl", "-", "--unique"), `"changing"`) {
			t.Errorf("%s is not marked as changing", url)
		}
	}
	// A person marks one; another has its old text back.
	w.ok("mark", one, "alive", "--why", "the new text is as good")
	if got := w.links()[one]; got.Action != "none" {
		t.Errorf("marked: %+v", got)
	}
	w.look(0 + hijackNight + 3)
	w.night.Store(0)
	w.runWell(float64(hijackNight+4), "--max-age", "24h")
	for _, url := range drifted {
		if got := w.links()[url]; got.Action != "none" {
			t.Errorf("the text is back: %+v", got)
		}
	}
}
