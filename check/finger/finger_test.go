package finger

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// PROTOCOLS section 10.
func TestRows(t *testing.T) {
	checktest.Rows(t, New, []checktest.Row{
		{Name: "a user", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: Login: ann\\r\\n\nS: <closes>", Outcome: check.Reachable, Reason: "finger-answer"},
		{Name: "the list of users", URL: "finger://{at}", Script: "C: \\r\\n\nS: No one logged on.\\r\\n\nS: <closes>", Outcome: check.Reachable, Reason: "finger-answer"},
		{Name: "forwarding is not asked for", URL: "finger://{at}/ann%40other.host", Script: "C: ann\\r\\n\nS: x\nS: <closes>", Outcome: check.Reachable, Reason: "finger-answer"},
		{Name: "an answer in pieces", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: f\nS: inger: ann: no such user.\\r\\n\nS: <closes>", Outcome: check.Reachable, Reason: "finger-answer", Reply: "finger: ann: no such user."},
		{Name: "an answer over the limit", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: " + strings.Repeat("x", maxRead+1), Outcome: check.Reachable, Reason: "finger-answer"},
		{Name: "an answer without an end", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: Login: ann\\r\\n\nS: <silent>", Outcome: check.Reachable, Reason: "finger-answer", Reply: "Login: ann"},
		{Name: "closes", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: <closes>", Outcome: check.Temporary, Reason: "closed"},
		{Name: "an HTTP server", URL: "finger://{at}/ann", Script: "C: ann\\r\\n\nS: HTTP/1.1 400 Bad Request\\r\\n\nS: <closes>", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
	})
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:   New,
		URL:   "finger://{at}/someone",
		Reply: "Login: someone\r\n",
	})
}
