package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A page that moves within its site in a night in which what stands at its new address is cut: it
// is not gone before that was read whole, be the new address asked for first or last.
func TestNightsOfMovesThatAreCut(t *testing.T) {
	for _, first := range []string{"/new", "/old", "/none"} {
		l := newLibrary(t, nil)
		var log asked
		night := 0
		page := "<title>The page</title><p>Its text</p>"
		web := lab.Site{}
		for i := range 40 {
			page += fmt.Sprintf("<a href='http://www.mill-library.org/%d'>x</a>\n", i)
			web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
		}
		l.serveWeb(lab.Web{"www.mill-library.org": web, "guides.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				links := "<a href=/old>o</a>"
				switch {
				case first == "/new" && night > 0:
					links = "<a href=/new>n</a>" + links
				case first == "/old" && night > 0:
					links += "<a href=/new>n</a>"
				}
				lab.Text("text/html", "<title>Guides</title>"+links)(w, r)
			case "/old":
				if night > 0 {
					lab.Redirect(http.StatusMovedPermanently, "/new")(w, r)
					return
				}
				lab.Text("text/html", page)(w, r)
			case "/new":
				if night < 1 {
					lab.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Length", fmt.Sprint(len(page)))
				if night < 3 {
					fmt.Fprint(w, page[:len(page)/2])
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}
				fmt.Fprint(w, page)
			default:
				lab.NotFound(w, r)
			}
		})})
		for ; night < 5; night++ {
			s := l.readRoot(float64(night), "http://guides.mill-library.org/")
			stands := map[string]bool{}
			from := map[string]bool{}
			for _, row := range l.table() {
				if strings.HasPrefix(row["url"], "http://www.") {
					stands[row["url"]], from[row["source"]] = true, true
				}
			}
			if _, more := log.twice(); len(stands) != 40 || len(more) > 0 || s.code != exit.OK {
				t.Errorf("%s first, night %d: exit %d, %d links of 40 stand, twice %q\n%s", first, night, s.code, len(stands), more, s.err)
			}
			if old := from["http://guides.mill-library.org/old"]; night == 4 && old {
				t.Errorf("%s first: the old address stands still", first)
			}
		}
	}
}
