package z3950

import (
	"net"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
)

// The lab's server and this client agree; every URL is read by uri.Parse.
func TestLab(t *testing.T) {
	at := labtest.Start(t, func(l net.Listener) error {
		return lab.Z3950(l, map[string][]string{"books": {"wells-0042", "wells-twin", "wells-twin"}, "maps": {"m1"}})
	})
	checktest.Agree(t, New(check.Options{Dialer: checktest.Loopback()}), at, map[string]check.Reason{
		"z39.50s://{at}/books":                            "z3950-init",
		"z39.50r://{at}/books?wells-0042":                 "z3950-hit",
		"z39.50r://{at}/books?wells-0042;esn=f;rs=marc":   "z3950-hit",
		"z39.50r://{at}/books+maps?m1":                    "z3950-hit",
		"z39.50r://{at}/books?wells-9999":                 "z3950-no-hit",
		"z39.50r://{at}/books?wells-twin":                 "not-unique",
		"z39.50s://{at}/nosuch?wells-0042":                "z3950-235",
		"z39.50r://{at}/books?wells-0042;rs=nonsense+xml": "z3950-hit",
	})
}
