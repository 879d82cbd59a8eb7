package cnrp

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
		return lab.CNRP(l, []lab.CNRPItem{{ID: "5432345", Name: "Wells Library", URI: "http://library.wells.test/?a&b"}})
	})
	checktest.Agree(t, New(Options{Options: check.Options{Dialer: checktest.Loopback()}, Services: []string{at}}), at, map[string]check.Reason{
		"go://{at}":                            "cnrp-service",
		"go://{at}?Wells%20Library":            "cnrp-found",
		"go://{at}?Wells;language=en":          "search-no-hit",
		"go://{at}?id=5432345":                 "cnrp-found",
		"go://{at}?id=1":                       "cnrp-no-item",
		"go:Wells%20Library":                   "cnrp-found",
		"go:Wells%20Library;geography=UK-bath": "cnrp-found",
	})
}
