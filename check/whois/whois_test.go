package whois

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
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

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:      New,
		URL:      "whois://{at}/example",
		Connects: true,
	})
}
