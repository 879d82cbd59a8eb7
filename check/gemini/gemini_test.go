package gemini

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The rows of PROTOCOLS section 10 for gemini, one reply each.
func TestRows(t *testing.T) {
	const asks = "S: <tls>\nC: gemini://h.example/maps?old%20ones\\r\\n\n"
	row := func(name, status string, o check.Outcome, r check.Reason) checktest.Row {
		return checktest.Row{Name: name, URL: "gemini://H.example:1965/maps?old%20ones#top", Script: asks + "S: " + status + "\\r\\n", Outcome: o, Reason: r, Reply: status}
	}
	checktest.Rows(t, New, []checktest.Row{
		row("a page", "20 text/gemini", check.OK, "gemini-20"),
		row("wants input", "10 What do you look for?", check.OK, "gemini-10"),
		row("elsewhere", "31 /new", check.Reachable, "gemini-31"),
		row("later", "44 60", check.Temporary, "gemini-44"),
		row("not found", "51 Not found", check.Gone, "gemini-51"),
		row("gone", "52 Gone", check.Gone, "gemini-52"),
		row("not its host", "53 No proxy", check.Undetermined, "gemini-53"),
		row("a certificate", "60 For members", check.Auth, "gemini-60"),
		row("nothing but a status", "20", check.OK, "gemini-20"),
		row("another protocol", "HTTP/1.1 400 Bad Request", check.Undetermined, "protocol-mismatch"),
		{Name: "the root", URL: "gemini://h.example:1966", Script: "S: <tls>\nC: gemini://h.example:1966/\\r\\n\nS: 20 text/gemini\\r\\n# hello\\n", Outcome: check.OK, Reason: "gemini-20"},
	})
}

// Section 3.3: where a redirect leads is told.
func TestRedirect(t *testing.T) {
	for to, want := range map[string]string{"/new": "gemini://h.example/new", "b": "gemini://h.example/a/b", "gemini://other.example/": "gemini://other.example/", "https://h.example/": "https://h.example/"} {
		s := labtest.Serve(t, "S: <tls>\nC: gemini://h.example/a/x\\r\\n\nS: 30 "+to+"\\r\\n")
		r := New(check.Options{Dialer: s.Dialer("h.example:1965"), Timeout: 2 * time.Second}).Probe(t.Context(), check.Target{URI: s.URI("gemini://h.example/a/x")})
		if r.FinalURL != want || len(r.Hops) != 1 || r.Hops[0].Code != 30 {
			t.Errorf("%s: %q, %v; want %s", to, r.FinalURL, r.Hops, want)
		}
	}
}

// Section 2: a server need not take more than 1,024 octets.
func TestTooLong(t *testing.T) {
	s := labtest.Serve(t)
	r := New(check.Options{Dialer: s.Dialer()}).Probe(t.Context(), check.Target{URI: s.URI("gemini://h.example/" + strings.Repeat("a", maxRequest))})
	if r.Outcome != check.Undetermined || r.Reason != check.ReasonTooLong {
		t.Errorf("%s(%s)", r.Outcome, r.Reason)
	}
}

// Whatever a server says behind TLS, a probe ends with a reason of the list.
func FuzzHeader(f *testing.F) {
	f.Add("20 text/gemini")
	f.Add("31 //\x00")
	u, err := uri.Parse("gemini://h.example/a")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r := judge(u.(*uri.Generic), line)
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
}
