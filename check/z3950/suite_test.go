package z3950

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"linkcheck/check/checktest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	var lies []string
	for _, lie := range []string{
		"b5847fffffff 8c0101",                      // 2 GiB
		"b5ffffffff",                               // a length of 127 octets
		"b503 8c7f01",                              // an element longer than what holds it
		strings.Repeat("b580", 4000),               // nested without end
		"b580" + strings.Repeat("8c0101", 3000),    // elements without end
		"b5820fff" + strings.Repeat("b580", 2000),  // the same within a length
		"bf30ffffff",                               // Close
		"b515 8302 00e0" + strings.Repeat("00", 9), // no fields
	} {
		lies = append(lies, string(octets(t, lie)))
	}
	checktest.Run(t, checktest.Case{
		New:   New,
		URL:   "z39.50r://{at}/db?doc",
		Reply: string(recorded(t)["zebra-init"]),
		Lying: lies,
		Control: []uri.URI{
			&uri.Z3950{Databases: []string{"a", "b\r\nQUIT"}}, &uri.Z3950{Databases: []string{"a"}, DocID: new("a\x00")},
			&uri.Z3950{Databases: []string{"a"}, DocID: new("a"), ElementSet: new("F\n")},
		},
	})
}
