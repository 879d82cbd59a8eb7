package wais

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
		return lab.WAIS(l, map[string]map[string]string{"minutes": {"/1992": "The Budget of the parish"}})
	})
	checktest.Agree(t, New(check.Options{Dialer: checktest.Loopback()}), at, map[string]check.Reason{
		"wais://{at}/minutes":                                             "wais-database",
		"wais://{at}/minutes?budget":                                      "wais-hit",
		"wais://{at}/minutes?the+budget":                                  "wais-hit",
		"wais://{at}/minutes?nothing":                                     "search-no-hit",
		"wais://{at}/parish":                                              "wais-no-database",
		"wais://{at}/minutes/TEXT/24/1=lab;2=minutes;3=0%2024%20/1992;":   "wais-document",
		"wais://{at}/minutes/TEXT/1=lab;2=minutes;3=0%2024%20%2F1992;":    "wais-document",
		"wais://{at}/minutes/TEXT/24/1=lab;2=minutes;3=0%2024%20%2F1993;": "wais-no-document",
		"wais://{at}/minutes/TEXT/doc1":                                   "wais-database",
	})
}
