package whois

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// PROTOCOLS section 10.
func TestRows(t *testing.T) {
	for _, r := range []struct {
		name, url, script string
		outcome           check.Outcome
		reason            check.Reason
	}{
		{"whois", "whois://{at}/example", "C: ", check.Reachable, "tcp-accepted"},
		{"rwhois", "rwhois://{at}/", "S: %rwhois V-1.5\\r\\n", check.Reachable, "tcp-accepted"},
		{"whois++", "whois++://{at}/", "C: ", check.Reachable, "tcp-accepted"},
	} {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, r.script)
			p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second})
			got := p.Probe(t.Context(), check.Target{URI: s.URI(r.url)})
			if got.Outcome != r.outcome || got.Reason != r.reason {
				t.Errorf("%s(%s), want %s(%s); reply %q", got.Outcome, got.Reason, r.outcome, r.reason, got.Reply)
			}
		})
	}
}

// The common suite waits for an answer to break; here none is waited for.
func TestFailures(t *testing.T) {
	s := labtest.Serve(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		dialer check.Dialer
		want   check.Reason
	}{
		{"refused", t.Context(), s.DialerFor(), "tcp-refused"},
		{"cancelled", cancelled, s.Dialer(), "cancelled"},
	} {
		got := New(check.Options{Dialer: c.dialer, Timeout: 2 * time.Second}).
			Probe(c.ctx, check.Target{URI: s.URI("whois://127.0.0.1:1/x")})
		if got.Reason != c.want {
			t.Errorf("%s: %s(%s)", c.name, got.Outcome, got.Reason)
		}
	}
}
