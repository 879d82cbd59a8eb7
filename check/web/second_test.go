package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// Before a result makes a link dead, the question is asked once more in another manner.
// OUTCOMES section 5.1.18.
func TestSecondOpinion(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	}
	late := lab.Status(503, "Retry-After", "3600")
	for _, row := range []struct {
		name            string
		program, human  http.HandlerFunc
		settles         bool
		outcome, reason string
		evidence        check.Evidence
		reply           string // a part of it
		asked           int
	}{
		{"both say no", lab.NotFound, lab.NotFound, true, "gone", "http-404", check.Strong, "HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 404 Not Found", 2},
		{"browsers get it", lab.NotFound, fine, true, "blocked", "answers-differ", check.None, "HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 200 OK", 2},
		{"browsers are sent to it", lab.NotFound, lab.Redirect(301, "/front"), true, "blocked", "answers-differ", check.None, "asked as browsers ask: HTTP/1.1 200 OK", 3},
		{"browsers have to log in", lab.Status(410), lab.Status(401), true, "blocked", "answers-differ", check.None, "HTTP/1.1 410 Gone; asked as browsers ask: HTTP/1.1 401 Unauthorized", 2},
		{"browsers have to prove themselves", lab.Status(503), lab.Status(403, "cf-mitigated", "challenge"), true, "blocked", "answers-differ", check.None, "403 Forbidden", 2},
		{"programs are cut off", hang, fine, true, "blocked", "answers-differ", check.None, "asked as browsers ask: HTTP/1.1 200 OK", 3}, // twice as a program: the connection had waited
		{"browsers are cut off", lab.NotFound, hang, true, "temporary", "eof", check.Weak, "HTTP/1.1 404 Not Found; asked as browsers ask: connection closed", 2},
		{"the weaker word", lab.Status(503), lab.NotFound, true, "temporary", "http-503", check.Weak, "HTTP/1.1 503 Service Unavailable; asked as browsers ask: HTTP/1.1 404", 2},
		{"nothing to settle", lab.NotFound, fine, false, "gone", "http-404", check.Strong, "HTTP/1.1 404 Not Found", 1},
		{"to be left alone", late, fine, true, "temporary", "http-503", check.Weak, "HTTP/1.1 503 Service Unavailable", 1},
		{"it is there", fine, lab.NotFound, true, "ok", "http-200", check.Strong, "HTTP/1.1 200 OK", 2}, // with the sibling
		{"no question of manners", lab.Status(403), fine, true, "blocked", "http-403", check.None, "HTTP/1.1 403 Forbidden", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			page := func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.UserAgent(), "Mozilla/5.0 ") {
					row.human(w, r)
				} else {
					row.program(w, r)
				}
			}
			w := serve(t, lab.Web{"site.org": {"/a/b": page, "/front": fine}}, Options{Options: check.Options{UserAgent: "linkcheck/9 (+mailto:a@b.org)", Timeout: 5 * time.Second}, NoSoft404: row.name != "it is there"})
			u, err := uri.Parse("http://site.org/a/b")
			if err != nil {
				t.Fatal(err)
			}
			judged := 0
			target := check.Target{URI: u, Prior: &check.Result{Outcome: check.OK, ETag: `"x"`}, Settles: func(r *check.Result) bool {
				judged++
				return row.settles && !r.At.IsZero()
			}}
			got := w.p.Probe(t.Context(), target)
			if fmt.Sprint(got.Outcome) != row.outcome || string(got.Reason) != row.reason || got.Evidence != row.evidence || !strings.Contains(got.Reply, row.reply) {
				t.Errorf("%s(%s) %s %q, want %s(%s) %s %q", got.Outcome, got.Reason, got.Evidence, got.Reply, row.outcome, row.reason, row.evidence, row.reply)
			}
			second := strings.Contains(got.Reply, "asked as browsers ask")
			if flagged := strings.Contains(strings.Join(got.Flags, " "), "second-opinion"); flagged != second || second && got.SuggestedURL != "" || judged > 1 {
				t.Errorf("%v %q, judged %d times", got.Flags, got.SuggestedURL, judged)
			}
			if asked := w.requests(); len(asked) != row.asked {
				t.Errorf("asked %q, want %d", asked, row.asked)
			}
			for _, h := range w.headers {
				agent := h.Get("User-Agent")
				browser := strings.HasPrefix(agent, "Mozilla/5.0")
				if !strings.Contains(agent, "linkcheck/9 (+mailto:a@b.org)") || (h.Get("Accept-Language") != "") != browser || browser && (h.Get("If-None-Match") != "" || h.Get("Cookie") != "") {
					t.Errorf("sent %v", h)
				}
			}
		})
	}
}

// The second question of a file is no HEAD, and comes by another connection.
func TestSecondOpinionIsAnotherManner(t *testing.T) {
	var peers []string
	w := serve(t, lab.Web{"site.org": {"/a.zip": func(w http.ResponseWriter, r *http.Request) {
		peers = append(peers, r.Method+" "+r.RemoteAddr)
		lab.NotFound(w, r)
	}}}, Options{})
	u, _ := uri.Parse("http://site.org/a.zip")
	got := w.p.Probe(t.Context(), check.Target{URI: u, Settles: func(*check.Result) bool { return true }})
	if got.Outcome != check.Gone || len(peers) != 3 {
		t.Fatalf("%s(%s), %q", got.Outcome, got.Reason, peers)
	}
	head, get, again := peers[0], peers[1], peers[2]
	if head[:5] != "HEAD " || get[:4] != "GET " || again[:4] != "GET " || again == get {
		t.Errorf("%q", peers)
	}
}
