package finger

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
		{"a user", "finger://{at}/ann", "C: ann\\r\\n\nS: Login: ann\\r\\n\nS: <closes>", check.Reachable, "finger-answer"},
		{"the list of users", "finger://{at}", "C: \\r\\n\nS: No one logged on.\\r\\n\nS: <closes>", check.Reachable, "finger-answer"},
		{"forwarding is not asked for", "finger://{at}/ann%40other.host", "C: ann\\r\\n\nS: x\nS: <closes>", check.Reachable, "finger-answer"},
		{"closes", "finger://{at}/ann", "C: ann\\r\\n\nS: <closes>", check.Temporary, "closed"},
		{"an HTTP server", "finger://{at}/ann", "C: ann\\r\\n\nS: HTTP/1.1 400 Bad Request\\r\\n\nS: <closes>", check.Undetermined, "protocol-mismatch"},
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
		New:   New,
		URL:   "finger://{at}/someone",
		Reply: "Login: someone\r\n",
	})
}
