package netguard_test

import (
	"context"
	"fmt"
	"net/netip"

	"linkcheck/check/netguard"
)

// Every address is judged before it is dialled, also one that a URI names itself.
func ExampleGuard_Lookup() {
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	for _, address := range []string{"8.8.8.8:80", "10.1.2.3:70", "192.168.1.1:80", "[::ffff:127.0.0.1]:80", "8.8.8.8:25"} {
		route, err := guard.Lookup(context.Background(), address)
		fmt.Println(route.Addrs, err)
	}
	// Output:
	// [8.8.8.8:80] <nil>
	// [10.1.2.3:70] <nil>
	// [] private-address: 192.168.1.1
	// [] private-address: ::ffff:127.0.0.1
	// [] port-denied: 8.8.8.8:25
}

// A rule leads a host elsewhere, as curl's --connect-to does.
func ExampleParseConnectTo() {
	rule, err := netguard.ParseConnectTo("gopher.wells.test:70:127.0.0.1:7070")
	if err != nil {
		panic(err)
	}
	guard := &netguard.Guard{ConnectTo: []netguard.ConnectRule{rule}}
	route, err := guard.Lookup(context.Background(), "gopher.wells.test:70")
	fmt.Println(route.Addrs, route.ByRule, err)
	// Output: [127.0.0.1:7070] true <nil>
}
