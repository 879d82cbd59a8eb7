package cso

import (
	"testing"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// PROTOCOLS section 10.
func TestRows(t *testing.T) {
	checktest.Rows(t, New, []checktest.Row{
		{Name: "a phone book", URL: "cso://{at}/", Script: "C: quit\\r\\n\nS: 200:Bye!\\r\\n\nS: <closes>", Outcome: check.Reachable, Reason: "cso-answer"},
		{Name: "ph", URL: "ph://{at}/", Script: "C: quit\\r\\n\nS: -598:Command not recognized.\\r\\n\nS: <closes>", Outcome: check.Reachable, Reason: "cso-answer"},
		{Name: "an FTP server", URL: "cso://{at}/", Script: "S: 220 FTP ready\\r\\n\nC: quit\\r\\n\nS: 221 bye\\r\\n\nS: <closes>", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
		{Name: "closes", URL: "cso://{at}/", Script: "C: quit\\r\\n\nS: <closes>", Outcome: check.Temporary, Reason: "closed"},
	})
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:   New,
		URL:   "cso://{at}/someone",
		Reply: "200:Bye!\r\n",
	})
}
