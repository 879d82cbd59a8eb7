package cso

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
		{"a phone book", "cso://{at}/", "C: quit\\r\\n\nS: 200:Bye!\\r\\n\nS: <closes>", check.Reachable, "cso-answer"},
		{"ph", "ph://{at}/", "C: quit\\r\\n\nS: -598:Command not recognized.\\r\\n\nS: <closes>", check.Reachable, "cso-answer"},
		{"an FTP server", "cso://{at}/", "S: 220 FTP ready\\r\\n\nC: quit\\r\\n\nS: 221 bye\\r\\n\nS: <closes>", check.Undetermined, "protocol-mismatch"},
		{"closes", "cso://{at}/", "C: quit\\r\\n\nS: <closes>", check.Temporary, "closed"},
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
		URL:   "cso://{at}/someone",
		Reply: "200:Bye!\r\n",
	})
}
