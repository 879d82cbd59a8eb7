package main

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"strings"
	"testing"

	"linkcheck/internal/lab"
)

// Four hundred links that are asked as they are due over a year of nights, of which some fail
// at times, take less than 1 MB.
func TestYearOfRuns(t *testing.T) {
	const links, hosts = 400, 40
	nights, most := 365, int64(1_000_000) // with free pages, of which there are more where runs take longer and write more often
	if testing.Short() {
		nights = 40
	}
	l, night := newLibrary(t, nil), 0
	site := lab.Site{"/robots.txt": lab.NotFound, "*": func(w http.ResponseWriter, r *http.Request) {
		fate := fnv.New32a()
		fmt.Fprint(fate, night, r.Host, r.URL.Path)
		if fate.Sum32()%50 == 0 {
			lab.Status(http.StatusServiceUnavailable)(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf("%q", r.URL.Path))
		w.Header().Set("Last-Modified", "Tue, 14 Mar 1995 08:12:31 GMT")
		lab.Page("Request for Comments "+r.URL.Path, "An old protocol of the Internet, "+r.URL.Path)(w, r)
	}}
	sites := lab.Web{}
	var text strings.Builder
	for i := range links {
		host := fmt.Sprintf("www.host%02d.test", i%hosts)
		sites[host] = site
		fmt.Fprintf(&text, "http://%s/archive/rfc/%d/item-%07d.html\n", host, i%40, i)
	}
	l.write("a.txt", text.String())
	web, asked := l.serveWeb(sites), 0
	for ; night < nights; night++ {
		l.runWell(float64(night), "--splay", "0.2")
		asked += len(web.pages())
	}
	l.ok("store verify")
	info, err := os.Stat(l.store())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d links over %d nights: %d requests, %d octets", links, nights, asked, info.Size())
	if asked < 2*links || info.Size() >= most {
		t.Errorf("%d requests, %d octets, the limit is %d", asked, info.Size(), most)
	}
}
