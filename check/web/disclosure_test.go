package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/internal/lab"
)

// sentFields lists the requests that carried one of the fields, with its value.
func (w *world) sentFields(names ...string) (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, asked := range w.lines {
		for _, n := range names {
			if v := w.headers[i].Values(n); len(v) > 0 {
				list = append(list, asked+" "+strings.Join(v, " / "))
			}
		}
	}
	return list
}

// giving makes a page or redirect that sets cookies.
func giving(h http.HandlerFunc, cookies ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, c := range cookies {
			w.Header().Add("Set-Cookie", c)
		}
		h(w, r)
	}
}

// Which host is sent what cookies. RFC 6265 sections 5.1.3, 5.1.4, 5.3 and 5.4.
func TestCookiesStayAtHome(t *testing.T) {
	for _, tc := range []struct {
		name    string
		from    string // host of /d/1
		cookies []string
		to      string // where /d/1 leads
		want    string // what that is sent, by whatever way
	}{
		{"its own", "a.org", []string{"k=v"}, "http://a.org/d/2", "k=v"},
		{"two", "a.org", []string{"k=v", "l=w"}, "http://a.org/d/2", "k=v; l=w"},
		{"of another host", "a.org", []string{"k=v"}, "http://b.org/d/2", ""},
		{"of a host above", "www.a.org", []string{"k=v"}, "http://a.org/d/2", ""},
		{"of a host below", "a.org", []string{"k=v"}, "http://www.a.org/d/2", ""},
		{"of the same name at another port", "a.org", []string{"k=v"}, "http://a.org:8080/d/2", "k=v"}, // cookies know no ports, section 8.5
		{"of the domain", "www.a.org", []string{"k=v; Domain=a.org"}, "http://id.a.org/d/2", "k=v"},
		{"of the domain, with a dot", "www.a.org", []string{"k=v; Domain=.A.org"}, "http://a.org/d/2", "k=v"},
		{"of a foreign domain", "a.org", []string{"k=v; Domain=b.org"}, "http://b.org/d/2", ""},
		{"of a domain that only ends alike", "xa.org", []string{"k=v; Domain=a.org"}, "http://a.org/d/2", ""},
		{"of a top-level domain", "a.org", []string{"k=v; Domain=org"}, "http://b.org/d/2", ""},
		{"of a country's second level", "a.co.uk", []string{"k=v; Domain=co.uk"}, "http://b.co.uk/d/2", ""},
		{"of a host for many", "a.github.io", []string{"k=v; Domain=github.io"}, "http://b.github.io/d/2", ""},
		{"of another path", "a.org", []string{"k=v; Path=/e"}, "http://a.org/d/2", ""},
		{"secure", "a.org", []string{"k=v; Secure"}, "http://a.org/d/2", ""},
		{"taken back", "a.org", []string{"k=v", "k=; Max-Age=0"}, "http://a.org/d/2", ""},
		{"as written", "a.org", []string{"k=\"v, w\"", "l=x y,z", "m=\u00fc", "n="}, "http://a.org/d/2", "k=\"v, w\"; l=x y,z; n="},
		{"no cookie", "a.org", []string{"", "=", ";", "=v", "Domain=org"}, "http://a.org/d/2", "Domain=org"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			site := lab.Site{"/d/1": giving(lab.Redirect(302, tc.to), tc.cookies...), "/d/2": fine, "/robots.txt": lab.NotFound}
			web := lab.Web{}
			for _, host := range []string{tc.from, hostOf(t, tc.to)} {
				web[host] = site
			}
			w := serve(t, web, Options{})
			if r := w.probe("http://" + tc.from + "/d/1"); r.Outcome != check.OK {
				t.Fatalf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
			}
			w.probe("http://" + tc.from + "/d/2") // another probe has none
			want := []string{"GET " + strings.TrimPrefix(tc.to, "http://") + " " + tc.want}
			if tc.want == "" {
				want = nil
			}
			if got := w.sentFields("Cookie"); !slices.Equal(got, want) {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}

func hostOf(t *testing.T, raw string) string {
	t.Helper()
	at, ok := askingFor(raw)
	if !ok {
		t.Fatal(raw)
	}
	return at.hostname()
}

// Validators of an earlier answer go to the page that gave it and nowhere else:
// RFC 9110 section 13.1.
func TestValidatorsStayAtHome(t *testing.T) {
	good := check.Result{Outcome: check.OK, Reason: "http-200", ETag: `"1"`, LastModified: "Sat, 21 Nov 2020 01:00:00 GMT"}
	elsewhere, suspect := good, good
	elsewhere.FinalURL, suspect.Outcome = "http://b.org/d/2", check.Suspect
	sent := func(asked string) []string { return []string{asked + ` "1"`, asked + " " + good.LastModified} }
	for _, tc := range []struct {
		name, uri string
		prior     check.Result
		want      []string
	}{
		{"the page, not robots.txt nor a page beside it", "http://a.org/d/1", good, sent("GET a.org/d/1")},
		{"not behind a redirect", "http://a.org/d/2", good, sent("GET a.org/d/2")},
		{"nor at another host", "http://a.org/d/3", good, sent("GET a.org/d/3")},
		{"the answer was another page's", "http://a.org/d/3", elsewhere, nil},
		{"the answer was none", "http://a.org/d/1", suspect, nil},
		{"HEAD and GET", "http://a.org/d/4.zip", good, append(sent("HEAD a.org/d/4.zip"), sent("GET a.org/d/4.zip")...)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := serve(t, lab.Web{
				"a.org": {"/d/1": fine, "/d/2": lab.Redirect(302, "/d/1"), "/d/3": lab.Redirect(302, "http://b.org/d/1"), "/d/4.zip": lab.HeadRefuser(405, fine)},
				"b.org": {"/d/1": fine},
			}, Options{})
			if r := w.probeAfter(tc.uri, &tc.prior); r.Outcome != check.OK {
				t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
			}
			if got := w.sentFields("If-None-Match", "If-Modified-Since"); !slices.Equal(got, tc.want) {
				t.Errorf("sent %q, want %q", got, tc.want)
			}
		})
	}
}

// No password is sent, nor kept, be it of the link or of a redirect.
func TestPasswordsStayAtHome(t *testing.T) {
	w := serve(t, lab.Web{
		"a.org": {"/1": lab.Redirect(301, "http://eve:sesame@a.org/2"), "/2": lab.Redirect(301, "//eve:sesame@b.org/3"), "/robots.txt": lab.Redirect(302, "http://eve:sesame@a.org/r")},
		"b.org": {"/3": lab.Page("A page", "No name is needed to read it.")},
	}, Options{})
	r := w.probe("http://bob:sesame@a.org/1")
	if r.Outcome != check.OK || len(r.Hops) != 2 {
		t.Errorf("%+v", r)
	}
	if got := w.sentFields("Authorization", "Proxy-Authorization", "Referer", "Cookie"); got != nil {
		t.Errorf("sent %q", got)
	}
	kept := []string{r.FinalURL, r.SuggestedURL, r.Reply, r.Hops[0].URL, r.Hops[1].URL}
	for _, s := range append(w.requests(), kept...) {
		if strings.Contains(s, "sesame") || strings.Contains(s, "@") {
			t.Errorf("%q", s)
		}
	}
}
