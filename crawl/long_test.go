package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/web"
	"linkcheck/crawl"
	"linkcheck/store"
)

// A server that redirects nine times to addresses of 44 kB costs less than 100 kB of
// store a link, and 150 MB of memory, with the one that plays the server.
func TestLongRedirects(t *testing.T) {
	if testing.Short() {
		t.Skip("a figure of memory, which the race detector changes")
	}
	const links, hops, long = 300, 9, 44_000
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case n < hops:
			w.Header().Set("Set-Cookie", fmt.Sprintf("a%d=%s", n, strings.Repeat("c", 4000)))
			w.Header().Set("Location", fmt.Sprintf("%s?n=%d&x=%s", r.URL.Path, n+1, strings.Repeat("y", long)))
			w.WriteHeader(http.StatusMovedPermanently)
		default:
			fmt.Fprint(w, "The positions of two hundred comets, with notes.")
		}
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "s.db")
	st, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	in, err := st.BeginIngest(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Mention
	for i := range links {
		url := fmt.Sprintf("%s/d/%d", server.URL, i)
		list = append(list, store.Mention{Raw: url, URL: url, Line: i + 1})
	}
	if err := in.Add(store.Step{Whole: []store.Source{{Path: "list"}}, Batches: []*store.Batch{store.Prepare("list", list, nil)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	prober := web.New(web.Options{Options: check.Options{Dialer: guard}, NoSoft404: true})
	defer prober.Close()
	o := crawl.NewOptions(prober)
	o.HostDelay, o.PerHost = 0, 16
	most, moved, flagged := uint64(0), 0, 0
	o.Kept = func(_ string, r check.Result) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
		if r.Outcome == check.Moved && len(r.Hops) == hops {
			moved++
		}
		if strings.Contains(strings.Join(r.Flags, " "), "url-cut") && r.SuggestedURL == "" {
			flagged++
		}
	}
	if _, err := crawl.Check(context.Background(), st, o); err != nil {
		t.Fatal(err)
	}
	if moved != links || flagged != links {
		t.Errorf("%d links moved, %d with cut addresses, of %d", moved, flagged, links)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kB of store a link, %d MB of memory", info.Size()/links>>10, most>>20)
	if info.Size()/links > 100_000 {
		t.Errorf("%d octets of store a link", info.Size()/links)
	}
	if most > 150<<20 {
		t.Errorf("%d MB of memory", most>>20)
	}
}
