package web

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// A redirect to another host ends the visit of the first: what follows, the page
// that cannot exist included, is asked of the second alone. DESIGN law 6.
func TestProbeInParts(t *testing.T) {
	w := serve(t, lab.Web{
		"a.org": {"/x/1": lab.Redirect(301, "/x/2"), "/x/2": lab.Redirect(302, "http://b.org/y/3")},
		"b.org": {"/y/3": fine},
	}, Options{})
	u := parse(t, "http://a.org/x/1")
	r, rest := w.p.Start(t.Context(), check.Target{URI: u})
	if rest == nil || rest.URI.(*uri.HTTP).At.Host != "b.org" || len(r.Hops) != 2 {
		t.Fatalf("%+v, %v", r, rest)
	}
	if got := w.requests(); !slices.Equal(got, []string{"GET a.org/x/1", "GET a.org/x/2"}) {
		t.Errorf("first visit: %q", got)
	}
	first := r.At
	r, rest = rest.Run(t.Context())
	if rest != nil || r.Outcome != check.OK || r.SuggestedURL != "" || r.FinalURL != "http://b.org/y/3" || !r.At.Equal(first) {
		t.Errorf("%+v, %v", r, rest)
	}
	for _, asked := range w.requests()[2:] {
		if !strings.HasPrefix(asked, "GET b.org/y/") {
			t.Errorf("second visit: %q", asked)
		}
	}
	if n := len(w.requests()); n != 4 {
		t.Errorf("%d requests, want the page and one beside it", n-2)
	}
}

// What the second host forbids is not asked.
func TestProbeInPartsHeedsRobots(t *testing.T) {
	w := serve(t, lab.Web{
		"a.org": {"/1": lab.Redirect(302, "http://b.org/1")},
		"b.org": {"/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /\n"), "/1": fine},
	}, Options{})
	if r := w.probe("http://a.org/1"); r.Outcome != check.Blocked || r.Reason != "robots" || len(r.Hops) != 1 {
		t.Errorf("%+v", r)
	}
	if got := w.requests(); !slices.Equal(got, []string{"GET a.org/1"}) {
		t.Errorf("%q", got)
	}
}

// How long hosts are left alone between two visits. OUTCOMES section 5, politeness.
func TestPace(t *testing.T) {
	w := serve(t, lab.Web{
		"slow.org": {"/robots.txt": lab.Text("text/plain", "User-agent: *\nCrawl-delay: 9\n"), "/a": fine},
		"dois.org": {"/robots.txt": lab.Text("text/plain", "User-agent: *\nCrawl-delay: 3\n"), "/a": fine},
	}, Options{PersistentHosts: []string{"dois.org", "ids.library.org"}})
	w.probe("http://slow.org/a")
	w.probe("http://dois.org/a")
	const s = time.Second
	for _, tc := range []struct {
		uri         string
		usual, want time.Duration
	}{
		{"http://other.org/a", 2 * s, 2 * s},
		{"http://slow.org/a", 2 * s, 9 * s},
		{"http://slow.org/a", 20 * s, 20 * s},
		{"https://doi.org/10.1000/1", 2 * s, s},
		{"http://dx.doi.org/10.1000/1", 2 * s, s},
		{"http://hdl.handle.net/1/2", 2 * s, s},
		{"http://purl.org/x", 2 * s, s},
		{"https://n2t.net/ark:/1/2", 2 * s, s},
		{"http://ids.library.org/1", 2 * s, s},
		{"http://doi.org/1", s / 10, s},    // never faster
		{"http://doi.org/1", 5 * s, 5 * s}, // the operator wants it slower
		{"http://doi.org/1", 0, 0},         // or wants no gap
		{"http://dois.org/1", 2 * s, 3 * s},
		{"http://other.org/ark:/1/2", 2 * s, 2 * s}, // a library's own server, not a resolver for all
		{"ftp://doi.org/1", 2 * s, 2 * s},
	} {
		if got := w.p.Gap(parse(t, tc.uri), tc.usual); got != tc.want {
			t.Errorf("%s: %v where %v is usual, want %v", tc.uri, got, tc.usual, tc.want)
		}
	}
}
