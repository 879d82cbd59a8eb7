package netguard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
)

// names resolves some names, and has no server for others.
type names map[string]string

func (n names) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	if a, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, &net.DNSError{Err: "no server", Name: host, IsTemporary: true}
}

// greeter is a server that speaks first.
func greeter(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Write([]byte("220 ready\r\n"))
			c.Close()
		}
	}()
	return l.Addr().String()
}

// relayed starts a relay of each kind, and gives their addresses.
func relayed(t *testing.T, r *lab.Relay) map[string]string {
	all := map[string]string{}
	for scheme, serve := range map[string]func(net.Listener) error{"http": r.HTTP, "socks5": r.SOCKS} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go serve(l)
		all[scheme] = l.Addr().String()
	}
	return all
}

func through(t *testing.T, url string, resolver netguard.Resolver) *netguard.Guard {
	relay, err := netguard.ParseRelay(url)
	if err != nil {
		t.Fatal(err)
	}
	return &netguard.Guard{Resolver: resolver, Relays: func(string, string, int) *netguard.Relay { return relay }}
}

// TestRelay: servers are reached, with the address that was judged where there is one; what
// may not be dialled directly is not asked of a proxy; and whose a failure is.
func TestRelay(t *testing.T) {
	hello := greeter(t)
	relay := &lab.Relay{User: "ann", Password: "hiddenword", Reach: func(target string) (net.Conn, error) {
		switch {
		case strings.HasPrefix(target, "down."):
			return nil, errors.New("no")
		case strings.HasPrefix(target, "denied."):
			return nil, lab.ErrDenied
		}
		return net.Dial("tcp", hello)
	}}
	resolver := names{"known.org": "8.8.8.8", "inside.org": "10.0.0.1"}
	for scheme, address := range relayed(t, relay) {
		for _, tt := range []struct{ host, asked, fault string }{
			{"known.org:70", "8.8.8.8:70", ""}, {"unknown.org:70", "unknown.org:70", ""}, {"8.8.4.4:70", "8.8.4.4:70", ""}, {"[2001:4860:4860::8888]:70", "[2001:4860:4860::8888]:70", ""},
			{"down.org:70", "down.org:70", "unreached"}, {"denied.org:70", "denied.org:70", "relay"},
			{"inside.org:70", "", "refused"}, {"10.0.0.1:70", "", "refused"}, {"0x7f.1:70", "", "refused"}, {"localhost:70", "", "refused"}, {"metadata.google.internal:70", "", "refused"},
			{"www.example.com:70", "", "refused"}, {"a.test:70", "", "refused"}, {"known.org:22", "", "refused"}, {"unknown.org:25", "", "refused"}, {"256.1.1.1:70", "", "dns"}, {"[::1]:70", "", "refused"},
		} {
			before := len(relay.Targets())
			g := through(t, scheme+"://ann:hiddenword@"+address, resolver)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			c, err := g.DialContext(ctx, "tcp", tt.host)
			fault, said := "", make([]byte, 9)
			var refusal *netguard.Refusal
			var ours *netguard.RelayError
			var unreached *netguard.UnreachedError
			var dns *net.DNSError
			switch {
			case err == nil:
				if _, err := c.Read(said); err != nil || string(said) != "220 ready" {
					t.Errorf("%s %s: %q %v", scheme, tt.host, said, err)
				}
				c.Close()
			case errors.As(err, &refusal):
				fault = "refused"
			case errors.As(err, &ours):
				fault = "relay"
			case errors.As(err, &unreached):
				fault = "unreached"
			case errors.As(err, &dns):
				fault = "dns"
			}
			cancel()
			asked := strings.Join(relay.Targets()[before:], " ")
			if fault != tt.fault || asked != tt.asked {
				t.Errorf("%s %s: %q %v, asked for %q", scheme, tt.host, fault, err, asked)
			}
			if err != nil && strings.Contains(err.Error(), "hidden") {
				t.Errorf("%v", err)
			}
		}
		for what, url := range map[string]string{"another password": scheme + "://ann:hiddenother@" + address, "none": scheme + "://" + address, "nobody": scheme + "://ann:hiddenword@127.0.0.1:1"} {
			_, err := through(t, url, resolver).DialContext(t.Context(), "tcp", "known.org:70")
			if _, ours := errors.AsType[*netguard.RelayError](err); !ours || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%s, %s: %v", scheme, what, err)
			}
		}
	}
}

// TestRelaySilent: a proxy that says nothing to CONNECT may wait for the server.
func TestRelaySilent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, scheme := range []string{"http", "socks5"} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err = through(t, scheme+"://"+l.Addr().String(), names{}).DialContext(ctx, "tcp", "known.org:70")
		if _, weak := errors.AsType[*netguard.UnreachedError](err); !weak {
			t.Errorf("%s: %v", scheme, err)
		}
		cancel()
	}
}

func TestParseRelay(t *testing.T) {
	for text, want := range map[string]string{"http://p.org": "http://p.org:80", "https://u:hidden@p.org/": "https://p.org:443", "socks5://[::1]:9": "socks5://[::1]:9", "socks5h://p.org": "socks5://p.org:1080"} {
		if r, err := netguard.ParseRelay(text); err != nil || r.String() != want {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "p.org:3128", "ftp://hidden@p.org", "http://", "http://u:hidden@p.org/x", "http://p.org?hidden", "http://u:hid den@p.org:x", "socks4://p.org"} {
		if r, err := netguard.ParseRelay(text); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
}

func TestRelaysOf(t *testing.T) {
	env := map[string]string{"http_proxy": "h.org:1", "HTTPS_PROXY": "http://s.org:2", "ALL_PROXY": "socks5://a.org:3", "NO_PROXY": "direct.org"}
	of, err := netguard.RelaysOf(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ scheme, host, want string }{{"http", "x.org", "http://h.org:1"}, {"https", "x.org", "http://s.org:2"}, {"", "x.org", "socks5://a.org:3"}, {"http", "direct.org", ""}, {"", "www.direct.org", ""}} {
		got := ""
		if r := of(c.scheme, c.host, 80); r != nil {
			got = r.String()
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if _, err := netguard.RelaysOf(func(string) string { return "gopher://hidden@x" }); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}
