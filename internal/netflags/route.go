package netflags

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/internal/flags"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/openfile"
)

// Guard are the flags of every verb that dials: where it may.
type Guard struct{ ConnectTo, allowPrivate []string }

// Register adds the flags to a command.
func (n *Guard) Register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&n.ConnectTo, "connect-to", nil, "`HOST:PORT:ADDR:PORT`: connect there instead, as curl does; an empty HOST or PORT matches all (repeatable)")
	f.StringSliceVar(&n.allowPrivate, "allow-private", nil, "`CIDR` of private addresses that may be dialled")
}

// Open makes what judges every address before it is dialled.
func (n *Guard) Open(resolver netguard.Resolver) (*netguard.Guard, error) {
	if resolver == nil {
		resolver = netguard.NewCachingResolver(netguard.NewHonestResolver(netguard.SystemResolver{}), nil)
	}
	guard := &netguard.Guard{Resolver: resolver}
	for _, s := range n.ConnectTo {
		rule, err := netguard.ParseConnectTo(s)
		if err != nil {
			return nil, fmt.Errorf("--connect-to: %w", err)
		}
		guard.ConnectTo = append(guard.ConnectTo, rule)
	}
	for _, s := range n.allowPrivate {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("--allow-private: %q is no CIDR such as 127.0.0.0/8", s)
		}
		guard.AllowPrivate = append(guard.AllowPrivate, p)
	}
	return guard, nil
}

// Way are the flags of run and check: by which way servers are reached.
type Way struct {
	resolver, caFile, source, minTLS string
	four, six                        bool
	maxRedirects                     int
	Proxy                            string
	ProxyFromEnvironment             bool
	Getenv                           func(string) string
}

// tlsVersions are the words of --min-tls.
var tlsVersions = map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}

// Register adds the flags to a command.
func (w *Way) Register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.Proxy, "proxy", "", "reach all servers through the proxy at this `URL`: http://, https:// or socks5://[user:password@]host:port")
	f.BoolVar(&w.ProxyFromEnvironment, "proxy-from-environment", false, "heed HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY")
	f.StringVar(&w.resolver, "resolver", "", "`ADDRESS[:PORT]` of the name server to ask in place of the system's")
	f.StringVar(&w.caFile, "ca-file", "", "`FILE` with certificates to be believed beside those of the system (PEM)")
	f.StringVar(&w.source, "source-address", "", "connect from this `ADDRESS` of the machine")
	f.BoolVar(&w.four, "ipv4-only", false, "connect by IPv4 alone")
	f.BoolVar(&w.six, "ipv6-only", false, "connect by IPv6 alone")
	f.IntVar(&w.maxRedirects, "max-redirects", 10, "follow at most `N` redirects of a link")
	flags.Word(cmd, &w.minTLS, "min-tls", "1.2", "flag servers that speak only TLS older than `VERSION`: 1.2 or 1.3; they are asked all the same", slices.Sorted(maps.Keys(tlsVersions)))
}

// maxMaxRedirects is how many redirects may be asked for.
const maxMaxRedirects = 50

// set checks the flags, and sets what they say.
func (w *Way) set(ctx context.Context, guard *netguard.Guard, o *all.Options) (err error) {
	if w.four && w.six {
		return fmt.Errorf("--ipv4-only and --ipv6-only exclude each other")
	}
	if w.four {
		guard.Family = 4
	} else if w.six {
		guard.Family = 6
	}
	if w.source != "" {
		if guard.Source, err = netip.ParseAddr(w.source); err != nil {
			return fmt.Errorf("--source-address: %.200q is no address", w.source)
		}
		if guard.Family != 0 && guard.Source.Unmap().Is4() != (guard.Family == 4) {
			return fmt.Errorf("--source-address: %s is not of the family that is left", guard.Source)
		}
	}
	if err := flags.OneOf("min-tls", w.minTLS, slices.Sorted(maps.Keys(tlsVersions))); err != nil {
		return err
	}
	if w.maxRedirects < 0 || w.maxRedirects > maxMaxRedirects {
		return fmt.Errorf("--max-redirects is from 0 to %d", maxMaxRedirects)
	}
	o.Web.MinTLS, o.Web.MaxRedirects = tlsVersions[w.minTLS], w.maxRedirects
	if w.maxRedirects == 0 {
		o.Web.MaxRedirects = -1
	}
	if guard.Relays, err = w.relays(o.Hosts); err != nil || w.caFile == "" {
		return err
	}
	text, err := openfile.ReadAll(ctx, w.caFile)
	if err == nil {
		o.Roots, err = hostsettings.Roots(w.caFile, text)
	}
	if err != nil {
		return fmt.Errorf("--ca-file: %w", err)
	}
	return nil
}

// relays are the proxies by which servers are reached: that of the table of a host, that of
// --proxy, or that of the environment.
func (w *Way) relays(hosts *hostsettings.Table) (netguard.RelayFunc, error) {
	usual := func(string, string, int) *netguard.Relay { return nil }
	switch {
	case w.Proxy != "" && w.ProxyFromEnvironment:
		return nil, fmt.Errorf("--proxy and --proxy-from-environment exclude each other")
	case w.Proxy != "":
		relay, err := netguard.ParseRelay(w.Proxy)
		if err != nil {
			return nil, fmt.Errorf("--proxy: %w", err)
		}
		usual = func(string, string, int) *netguard.Relay { return relay }
	case w.ProxyFromEnvironment:
		var err error
		if usual, err = netguard.RelaysOf(w.Getenv); err != nil {
			return nil, fmt.Errorf("--proxy-from-environment: %w", err)
		}
	}
	return func(scheme, host string, port int) *netguard.Relay {
		if s := hosts.For(scheme, host, port); s != nil && s.Proxy != nil {
			return s.Proxy.Relay
		}
		return usual(scheme, host, port)
	}, nil
}

// nameServer is the resolver of --resolver; nil without.
func (w *Way) nameServer() (netguard.Resolver, error) {
	if w.resolver == "" {
		return nil, nil
	}
	at, err := netip.ParseAddrPort(w.resolver)
	if err != nil {
		a, bare := netip.ParseAddr(strings.Trim(w.resolver, "[]"))
		if bare != nil {
			return nil, fmt.Errorf("--resolver: %.200q is no address such as 192.0.2.53 or [2001:db8::53]:5353", w.resolver)
		}
		at = netip.AddrPortFrom(a, 53)
	}
	if at.Port() == 0 {
		return nil, fmt.Errorf("--resolver: port 0 is none")
	}
	return netguard.NewCachingResolver(netguard.NewHonestResolver(netguard.SystemResolver{Server: at.String()}), nil), nil
}

// UnusedProxy is the name of a variable that tells programs to go through a proxy; "":
// none is set. A proxy would hide which address was asked, and what the server said.
func UnusedProxy(getenv func(string) string) string {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		if getenv(name) != "" {
			return name
		}
	}
	return ""
}
