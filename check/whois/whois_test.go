package whois

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
		{Name: "whois", URL: "whois://{at}/example", Script: "C: ", Outcome: check.Reachable, Reason: "tcp-accepted"},
		{Name: "rwhois", URL: "rwhois://{at}/", Script: "S: %rwhois V-1.5\\r\\n", Outcome: check.Reachable, Reason: "tcp-accepted"},
		{Name: "whois++", URL: "whois++://{at}/", Script: "C: ", Outcome: check.Reachable, Reason: "tcp-accepted"},
	})
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:      New,
		URL:      "whois://{at}/example",
		Connects: true,
	})
}
