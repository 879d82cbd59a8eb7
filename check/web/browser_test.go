package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// lentBrowser is a Browser that answers as it is told, one request after another.
type lentBrowser struct {
	answers []any // an error, or "STATUS|header: value|body"
	asked   []string
	turns   int // under way
}

func (s *lentBrowser) Turn(ctx context.Context) (context.Context, func(), error) {
	s.turns++
	return ctx, func() { s.turns-- }, ctx.Err()
}

func (s *lentBrowser) RoundTrip(req *http.Request) (*http.Response, error) {
	if s.turns != 1 {
		return nil, errors.New("out of turn")
	}
	s.asked = append(s.asked, req.URL.String()+" "+req.Header.Get("Cookie"))
	next := s.answers[0]
	s.answers = s.answers[1:]
	if err, bad := next.(error); bad {
		return nil, err
	}
	parts := strings.Split(next.(string), "|")
	resp := &http.Response{Status: parts[0], Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(parts[2]))}
	fmt.Sscan(parts[0], &resp.StatusCode)
	if name, value, ok := strings.Cut(parts[1], ": "); ok {
		resp.Header.Set(name, value)
	}
	if resp.StatusCode == 307 {
		resp.Header.Set("Set-Cookie", "n=1")
	}
	return resp, nil
}

// A browser is asked last, and has the say of one more visitor. OUTCOMES section 5.1.18.
func TestBrowserIsAsked(t *testing.T) {
	const both = "HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 404 Not Found"
	ours := func(why string) error {
		return check.ResultError(check.Internal, check.ReasonLocalResources, why)
	}
	page := "<title>Grist</title><p>" + strings.Repeat("The prices of grist at the mill. ", 40)
	for _, row := range []struct {
		name            string
		human           http.HandlerFunc // our own GET in the manner of browsers
		answers         []any
		outcome, reason string
		evidence        check.Evidence
		reply           string
		asked           string // of the browser
	}{
		{"the same", lab.NotFound, []any{"404 Not Found||"}, "gone", "http-404", check.Strong, both + "; asked also by a browser: 404 Not Found", "http://site.org/a/b?c=%7e "},
		{"a page", lab.NotFound, []any{"200 OK||" + page}, "blocked", "answers-differ", check.None, both + "; asked also by a browser: 200 OK", "http://site.org/a/b?c=%7e "},
		{"forbidden", lab.NotFound, []any{"403 Forbidden||"}, "blocked", "answers-differ", check.None, both + "; asked also by a browser: 403 Forbidden", "http://site.org/a/b?c=%7e "},
		{"weaker", lab.NotFound, []any{"503 Service Unavailable||"}, "temporary", "http-503", check.Weak, both + "; asked also by a browser: 503 Service Unavailable", "http://site.org/a/b?c=%7e "},
		{"no weaker than weak", lab.Status(503), []any{"410 Gone||"}, "temporary", "http-503", check.Weak, "; asked also by a browser: 410 Gone", "http://site.org/a/b?c=%7e "},
		{"a page that says no", lab.NotFound, []any{"200 OK||<title>Page not found</title><p>Sorry."}, "gone", "http-404", check.Strong, `; asked also by a browser: 200 OK, "Page not found"`, "http://site.org/a/b?c=%7e "},
		{"sent to a page that says no", lab.NotFound, []any{"302 Found|Location: /error.html|", "200 OK||" + page}, "gone", "http-404", check.Strong, "; asked also by a browser: 200 OK", "http://site.org/a/b?c=%7e  http://site.org/error.html "},
		{"sent on with a cookie", lab.NotFound, []any{"307 Temporary Redirect|Location: b?c=%7e|", "200 OK||" + page}, "blocked", "answers-differ", check.None, "; asked also by a browser: 200 OK", "http://site.org/a/b?c=%7e  http://site.org/a/b?c=%7e n=1"},
		{"old TLS", lab.NotFound, []any{check.ResultError(check.Undetermined, check.ReasonTLSHandshake, "ERR_SSL_VERSION_OR_CIPHER_MISMATCH")}, "gone", "http-404", check.Strong, "; asked also by a browser: ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "http://site.org/a/b?c=%7e "},
		{"cut off", lab.NotFound, []any{io.ErrUnexpectedEOF}, "temporary", "eof", check.Weak, both + "; asked also by a browser: connection closed too early", "http://site.org/a/b?c=%7e "},
		{"refused", lab.NotFound, []any{syscall.ECONNREFUSED}, "unreachable", "tcp-refused", check.Weak, "; asked also by a browser: connection refused", "http://site.org/a/b?c=%7e "},
		{"it fails", lab.NotFound, []any{ours("the browser ended")}, "gone", "http-404", check.Strong, both + "; a browser could not be asked: the browser ended", "http://site.org/a/b?c=%7e "},
		{"the run ends", lab.NotFound, []any{context.Canceled}, "internal", "cancelled", check.None, "", "http://site.org/a/b?c=%7e "},
		{"not needed", fine, nil, "blocked", "answers-differ", check.None, "asked as browsers ask: HTTP/1.1 200 OK", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			page := func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.UserAgent(), "Mozilla/5.0 ") {
					row.human(w, r)
				} else {
					lab.NotFound(w, r)
				}
			}
			b := &lentBrowser{answers: row.answers}
			w := serve(t, lab.Web{"site.org": {"/a/b": page}}, Options{Browser: b})
			u, err := uri.Parse("http://site.org/a/b?c=%7e#d")
			if err != nil {
				t.Fatal(err)
			}
			got := w.p.Probe(t.Context(), check.Target{URI: u, Settles: func(r *check.Result) bool { return r.Outcome != check.Blocked }})
			if fmt.Sprint(got.Outcome) != row.outcome || string(got.Reason) != row.reason || got.Evidence != row.evidence || !strings.Contains(got.Reply, row.reply) {
				t.Errorf("%s(%s) %s %q, want %s(%s) %s %q", got.Outcome, got.Reason, got.Evidence, got.Reply, row.outcome, row.reason, row.evidence, row.reply)
			}
			if asked := strings.Join(b.asked, " "); asked != row.asked || b.turns != 0 || len(b.answers) > 0 {
				t.Errorf("asked %q, want %q; %d turns under way, left %v", asked, row.asked, b.turns, b.answers)
			}
			if n := strings.Count(strings.Join(got.Flags, " "), "second-opinion"); n != 1 && row.outcome != "internal" || got.SuggestedURL != "" {
				t.Errorf("flags %q, %q", got.Flags, got.SuggestedURL)
			}
		})
	}
}

// A redirect of a browser goes through the chain as ours does: cookies, robots.txt, and
// the turn of another host.
func TestBrowserIsRedirected(t *testing.T) {
	b := &lentBrowser{answers: []any{"302 Found|Location: http://other.org/x|", "302 Found|Location: /private|"}}
	w := serve(t, lab.Web{"site.org": {}, "other.org": {"/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /private\n")}}, Options{Browser: b})
	u, err := uri.Parse("http://site.org/a")
	if err != nil {
		t.Fatal(err)
	}
	got, next := w.p.Start(t.Context(), check.Target{URI: u, Settles: func(r *check.Result) bool { return true }})
	var hosts []string
	for next != nil {
		at, _ := next.URI.Endpoint()
		hosts = append(hosts, at.Host)
		got, next = next.Run(t.Context())
	}
	if fmt.Sprint(hosts) != "[site.org site.org other.org]" {
		t.Errorf("turns of %q", hosts)
	}
	if len(b.asked) != 2 || got.Reason != check.ReasonAnswersDiffer || !strings.Contains(got.Reply, "by a browser: robots.txt disallows /private") {
		t.Errorf("%s(%s) %q, asked %q", got.Outcome, got.Reason, got.Reply, b.asked)
	}
}
