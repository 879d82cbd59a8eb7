package netguard

import (
	"net/netip"
	"slices"
	"testing"
)

// DESIGN law 5; OUTCOMES section 1.4, "others".
func TestPublic(t *testing.T) {
	tests := []struct {
		addr   string
		public bool
	}{
		{"8.8.8.8", true},
		{"198.17.255.255", true},
		{"172.15.0.1", true},
		{"172.32.0.1", true},
		{"0.0.0.0", false},
		{"0.1.2.3", false},
		{"10.1.2.3", false},
		{"100.64.0.1", false},
		{"100.128.0.1", true},
		{"127.0.0.1", false},
		{"127.255.255.254", false},
		{"169.254.169.254", false},
		{"172.16.0.1", false},
		{"192.0.0.8", false},
		{"192.0.2.1", false},
		{"192.168.1.1", false},
		{"198.18.0.1", false},
		{"198.19.255.255", false},
		{"203.0.113.9", false},
		{"224.0.0.1", false},
		{"255.255.255.255", false},
		{"::", false},
		{"::1", false},
		{"::127.0.0.1", false}, // v4-compatible
		{"::8.8.8.8", true},
		{"::ffff:127.0.0.1", false}, // mapped
		{"::ffff:8.8.8.8", true},
		{"::ffff:0:10.0.0.1", false},        // translated
		{"64:ff9b::10.0.0.1", false},        // NAT64
		{"64:ff9b::8.8.8.8", true},          //
		{"64:ff9b:1::8.8.8.8", false},       // NAT64, local use
		{"2002:7f00:1::1", false},           // 6to4 of 127.0.0.1
		{"2002:808:808::1", true},           // 6to4 of 8.8.8.8
		{"2001:0:808:808::f7f7:f7f7", true}, // Teredo: server 8.8.8.8, client 8.8.8.8 inverted
		{"2001:0:7f00:1::f7f7:f7f7", false},
		{"2001:0:808:808::5efe:8.8.8.8", false}, // Teredo: its client is 247.247.247.247
		{"2002:808:808::5efe:10.0.0.1", false},  // 6to4 and ISATAP
		{"2002:a00:1::5efe:8.8.8.8", false},
		{"2002:808:808::5efe:8.8.8.8", true},
		{"2001:0:808:808::f5ff:fffe", false}, // client 10.0.0.1
		{"2001:4860::5efe:10.0.0.1", false},  // ISATAP
		{"2001:4860::200:5efe:10.0.0.1", false},
		{"2001:4860::1200:5efe:10.0.0.1", true}, // not quite ISATAP
		{"2001:4860::1:5efe:10.0.0.1", true},
		{"2001:4860::5eff:10.0.0.1", true},
		{"2001:4860::5dfe:10.0.0.1", true},
		{"fe80::1", false},
		{"fe80::1%eth0", false},
		{"2001:4860:4860::8888%eth0", false},
		{"2001:4860::5efe:8.8.8.8%eth0", false},
		{"2001:4860::5efe:8.8.8.8", true},
		{"2001:4860::100:5efe:10.0.0.1", false},
		{"fd00::5efe:8.8.8.8", false}, // ISATAP in blocks that are not public
		{"fd00::200:5efe:8.8.8.8", false},
		{"fe80::5efe:8.8.8.8", false},
		{"fec0::5efe:8.8.8.8", false},
		{"100::5efe:8.8.8.8", false},
		{"64:ff9b:1::5efe:8.8.8.8", false},
		{"2001:db8::5efe:8.8.8.8", false},
		{"3fff::5efe:8.8.8.8", false},
		{"5f00::5efe:8.8.8.8", false},
		{"4000::5efe:8.8.8.8", false},
		{"ff0e::5efe:8.8.8.8", false},
		{"168.63.129.16", false}, // metadata and the like of providers
		{"168.63.129.17", true},
		{"::ffff:168.63.129.16", false},
		{"64:ff9b::168.63.129.16", false},
		{"2002:a83f:8110::", false},
		{"2001:4860::5efe:168.63.129.16", false},
		{"100.100.100.200", false},
		{"192.0.0.192", false},
		{"169.254.170.2", false},
		{"fd00:ec2::254", false},
		{"fd20:ce::254", false},
		{"fd00:42::42", false},
		{"5f00::1", false},
		{"3fff::1", false},
		{"2001:1::1", false},
		{"2001:2::1", false},
		{"2001:5::1", false},
		{"2001:10::1", false},
		{"2001:1ff::1", false},
		{"2001:200::1", true},
		{"2001:30::1", false},
		{"2620:4f:8000::1", false},
		{"192.175.48.1", false},
		{"fec0::1", false},
		{"fc00::1", false},
		{"fd12::1", false},
		{"ff02::1", false},
		{"100::1", false},
		{"2001:db8::1", false},
		{"2001:4860:4860::8888", true},
		{"2606:4700::1111", true},
	}
	for _, tt := range tests {
		if got := allowed(netip.MustParseAddr(tt.addr), nil); got != tt.public {
			t.Errorf("Public(%s) = %v, want %v", tt.addr, got, tt.public)
		}
	}
	if allowed(netip.Addr{}, nil) {
		t.Error("no address at all is public")
	}
	loop := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for addr, want := range map[string]bool{"127.0.0.1": true, "::ffff:127.0.0.1": true, "2002:7f00:1::": true, "10.0.0.1": false, "::1": false} {
		if got := allowed(netip.MustParseAddr(addr), loop); got != want {
			t.Errorf("with 127/8 allowed, %s = %v, want %v", addr, got, want)
		}
	}
}

// The bad ports of the Fetch standard, "port blocking".
var badPorts = []int{1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
	109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
	532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
	6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}

// PROTOCOLS section 0.2. The list is searched by halves.
func TestPortDenied(t *testing.T) {
	if !slices.IsSorted(deniedPorts) {
		t.Fatal("the list is not sorted")
	}
	for _, port := range badPorts {
		if !PortDenied(port) {
			t.Errorf("port %d is one of browsers, and not denied", port)
		}
	}
	for _, port := range append([]int{-1, 0, 65536}, deniedPorts...) {
		if !PortDenied(port) {
			t.Errorf("port %d is not denied", port)
		}
	}
	for _, port := range []int{70, 80, 8080, 65535} {
		if PortDenied(port) {
			t.Errorf("port %d is denied", port)
		}
	}
}
