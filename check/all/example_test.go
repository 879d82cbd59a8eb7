package all_test

import (
	"context"
	"fmt"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// The table says of each scheme how it is probed, or why it is not.
func ExampleProbers_Lookup() {
	table := all.Table(all.Options{Options: check.Options{Dialer: &netguard.Guard{}}})
	defer table.Close()
	for _, scheme := range []string{"gopher", "tel"} {
		_, row := table.Lookup(scheme)
		fmt.Printf("%s: %q %d %q %q\n", row.Scheme, row.Protocol, row.Port, row.Does, row.Off)
	}
	u, err := uri.Parse("tel:+44-1749-555-0123")
	if err != nil {
		panic(err)
	}
	r := table.Probe(context.Background(), check.Target{URI: u})
	fmt.Println(r.Outcome, r.Reason)
	// Output:
	// gopher: "gopher" 70 "sends the selector, or asks for the attributes of Gopher+, and reads the beginning of the answer; submits no form" ""
	// tel: "" 0 "" "a telephone number"
	// not-dereferenceable names-only
}
