package harvest_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/web"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
)

// TestTrapSite walks over a site with every trap by the reader of the program: it ends,
// asks fewer than 3,000 times, and finds every page that a careful reader would.
func TestTrapSite(t *testing.T) {
	site := lab.NewTrapSite()
	server := httptest.NewServer(site)
	defer server.Close()
	reader := web.New(web.Options{Options: check.Options{Dialer: checktest.Loopback()}})
	defer reader.Close()
	for name, r := range map[string]check.Reader{"in memory": harvesttest.NewWeb(site), "over the network": reader} {
		address := server.URL + "/"
		requests := 0
		counting := check.ReadFunc(func(ctx context.Context, target check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
			requests++
			return r.Read(ctx, target, w, take)
		})
		s := &harvesttest.Store{Lead: leads}
		_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, address), counting, harvest.Options{}))
		if ended, _ := s.Whole(); err != nil || !ended {
			t.Errorf("%s: %v, whole %v", name, err, ended)
		}
		standing := s.Standing()
		for _, page := range site.Pages() {
			if !slices.Contains(standing, server.URL+page) {
				t.Errorf("%s: %s is not read", name, page)
			}
		}
		for _, read := range standing {
			if path := strings.TrimPrefix(read, server.URL); strings.HasPrefix(path, "/private/") || strings.HasPrefix(path, "/hidden/") || strings.Contains(path, "sid=") {
				t.Errorf("%s: %s is read", name, path)
			}
		}
		if requests >= 3000 || len(site.Pages()) < 100 {
			t.Errorf("%s: %d requests for %d pages", name, requests, len(site.Pages()))
		}
		t.Logf("%s: %d requests, %d documents, of them %d pages of a careful reader; %q", name, requests, len(standing), len(site.Pages()), notes)
	}
}
