package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/internal/config"
	"linkcheck/internal/hostsettings"
)

// guardFlags are the flags of every verb that dials: where it may.
type guardFlags struct{ connectTo, allowPrivate []string }

func (n *guardFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&n.connectTo, "connect-to", nil, "`HOST:PORT:ADDR:PORT`: connect there instead, as curl does; an empty HOST or PORT matches all (repeatable)")
	f.StringSliceVar(&n.allowPrivate, "allow-private", nil, "`CIDR` of private addresses that may be dialled")
}

// guard makes what judges every address before it is dialled.
func (n *guardFlags) guard(resolver netguard.Resolver) (*netguard.Guard, error) {
	if resolver == nil {
		resolver = netguard.NewCachingResolver(netguard.NewHonestResolver(netguard.SystemResolver{}), nil)
	}
	guard := &netguard.Guard{Resolver: resolver}
	for _, s := range n.connectTo {
		rule, err := netguard.ParseConnectTo(s)
		if err != nil {
			return nil, usage("--connect-to: %w", err)
		}
		guard.ConnectTo = append(guard.ConnectTo, rule)
	}
	for _, s := range n.allowPrivate {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, usage("--allow-private: %q is no CIDR such as 127.0.0.0/8", s)
		}
		guard.AllowPrivate = append(guard.AllowPrivate, p)
	}
	return guard, nil
}

// wayFlags are the flags of run and check: by which way servers are reached.
type wayFlags struct {
	resolver, caFile, source, minTLS string
	four, six                        bool
	maxRedirects                     int
	proxy                            string
	proxyFromEnvironment             bool
	getenv                           func(string) string
}

// tlsVersions are the words of --min-tls.
var tlsVersions = map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}

func (w *wayFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.proxy, "proxy", "", "reach all servers through the proxy at this `URL`: http://, https:// or socks5://[user:password@]host:port")
	f.BoolVar(&w.proxyFromEnvironment, "proxy-from-environment", false, "heed HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY")
	f.StringVar(&w.resolver, "resolver", "", "`ADDRESS[:PORT]` of the name server to ask in place of the system's")
	f.StringVar(&w.caFile, "ca-file", "", "`FILE` with certificates to be believed beside those of the system (PEM)")
	f.StringVar(&w.source, "source-address", "", "connect from this `ADDRESS` of the machine")
	f.BoolVar(&w.four, "ipv4-only", false, "connect by IPv4 alone")
	f.BoolVar(&w.six, "ipv6-only", false, "connect by IPv6 alone")
	f.IntVar(&w.maxRedirects, "max-redirects", 10, "follow at most `N` redirects of a link")
	wordFlag(cmd, &w.minTLS, "min-tls", "1.2", "flag servers that speak only TLS older than `VERSION`: 1.2 or 1.3; they are asked all the same", sortedKeys(tlsVersions))
}

// maxMaxRedirects is how many redirects may be asked for.
const maxMaxRedirects = 50

// set checks the flags, and sets what they say.
func (w *wayFlags) set(ctx context.Context, guard *netguard.Guard, o *all.Options) (err error) {
	if w.four && w.six {
		return usage("--ipv4-only and --ipv6-only exclude each other")
	}
	if w.four {
		guard.Family = 4
	} else if w.six {
		guard.Family = 6
	}
	if w.source != "" {
		if guard.Source, err = netip.ParseAddr(w.source); err != nil {
			return usage("--source-address: %.200q is no address", w.source)
		}
		if guard.Family != 0 && guard.Source.Unmap().Is4() != (guard.Family == 4) {
			return usage("--source-address: %s is not of the family that is left", guard.Source)
		}
	}
	if err := oneOf("min-tls", w.minTLS, sortedKeys(tlsVersions)); err != nil {
		return err
	}
	if w.maxRedirects < 0 || w.maxRedirects > maxMaxRedirects {
		return usage("--max-redirects is from 0 to %d", maxMaxRedirects)
	}
	o.Web.MinTLS, o.Web.MaxRedirects = tlsVersions[w.minTLS], w.maxRedirects
	if w.maxRedirects == 0 {
		o.Web.MaxRedirects = -1
	}
	if guard.Relays, err = w.relays(o.Hosts); err != nil || w.caFile == "" {
		return err
	}
	text, err := readFile(ctx, w.caFile)
	if err == nil {
		o.Roots, err = hostsettings.Roots(w.caFile, text)
	}
	if err != nil {
		return usage("--ca-file: %w", err)
	}
	return nil
}

// relays are the proxies by which servers are reached: that of the table of a host, that of
// --proxy, or that of the environment.
func (w *wayFlags) relays(hosts *hostsettings.Table) (netguard.RelayFunc, error) {
	usual := func(string, string, int) *netguard.Relay { return nil }
	switch {
	case w.proxy != "" && w.proxyFromEnvironment:
		return nil, usage("--proxy and --proxy-from-environment exclude each other")
	case w.proxy != "":
		relay, err := netguard.ParseRelay(w.proxy)
		if err != nil {
			return nil, usage("--proxy: %w", err)
		}
		usual = func(string, string, int) *netguard.Relay { return relay }
	case w.proxyFromEnvironment:
		var err error
		if usual, err = netguard.RelaysOf(w.getenv); err != nil {
			return nil, usage("--proxy-from-environment: %w", err)
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
func (w *wayFlags) nameServer() (netguard.Resolver, error) {
	if w.resolver == "" {
		return nil, nil
	}
	at, err := netip.ParseAddrPort(w.resolver)
	if err != nil {
		a, bare := netip.ParseAddr(strings.Trim(w.resolver, "[]"))
		if bare != nil {
			return nil, usage("--resolver: %.200q is no address such as 192.0.2.53 or [2001:db8::53]:5353", w.resolver)
		}
		at = netip.AddrPortFrom(a, 53)
	}
	if at.Port() == 0 {
		return nil, usage("--resolver: port 0 is none")
	}
	return netguard.NewCachingResolver(netguard.NewHonestResolver(netguard.SystemResolver{Server: at.String()}), nil), nil
}

// readHosts reads the tables [[host]] of the files, the strongest of which comes first:
// of several that match a host, the last one counts. What they name is read for verbs that
// probe alone, before the sandbox.
func (a *app) readHosts(ctx context.Context, cmd *cobra.Command, files []*config.File) error {
	var list []hostsettings.Source
	for i := len(files) - 1; i >= 0; i-- {
		for number, values := range files[i].List("host") {
			list = append(list, hostsettings.Source{Values: values, Where: func(key string) string { return files[i].AtTable("host", number, key) }})
		}
	}
	table, err := hostsettings.Parse(list)
	if unknown, ok := errors.AsType[*hostsettings.UnknownKey](err); ok {
		return fail(exitUsage, didYouMean(nearest(unknown.Key, hostsettings.Keys()))+"'linkcheck init' writes a file with every key", "%w", err)
	}
	if err == nil && probes[verbPath(cmd)] {
		err = table.Load(ctx, a.getenv, func(warning string) { a.log.Warn("warning: %s", warning) })
	}
	if err != nil {
		return usage("%w", err)
	}
	a.hosts = table
	return nil
}

// probes are the verbs that ask servers about links.
var probes = map[string]bool{"run": true, "check": true}

// sampleHosts is what init writes of the tables for single hosts.
const sampleHosts = `
## Single hosts, of run and check: one table or more, each for the hosts that match
## names. Where several match, each key has the value of the last one that sets it.
## A file of the current folder may have none. To use it take away the # | of its head
## and of the keys that you want.
# | [[host]]
#
# NAME, *.NAME for all below it (not NAME itself), an address; with :PORT or without.
# A list in brackets is for all of its hosts.
# | match = "www.example.org"
#
# What it is told that asks, and how it is asked: the gap between two probes, connections
# at once (match then has no port), the time for one probe.
# | user-agent = "linkcheck for the library of X"
# | gap = "5s"
# | connections = 1
# | timeout = "60s"
#
# false does not heed robots.txt; the reason is shown in the report.
# | robots = false
# | robots-reason = "the owner allows it, letter of 3 May"
#
# Secrets: over https at port 443, or at the port that match names, to these hosts
# alone, and shown nowhere. A file is to be open to its owner alone (chmod 600).
# headers-file has lines "Name: value", basic-auth-file user:password. There is
# one of basic-auth-file, bearer-env (the name of a variable) and bearer-file.
# | headers-file = "/etc/linkcheck/headers"
# | basic-auth-file = "/etc/linkcheck/password"
# | bearer-env = "NAME"
# | bearer-file = "/etc/linkcheck/token"
# | client-cert = "/etc/linkcheck/client.pem"
# | client-key = "/etc/linkcheck/client.key"
#
# The proxy by which it is reached: http://, https:// or socks5://[user:password@]host:port,
# or "direct".
# | proxy = "http://proxy.example.org:3128"
#
# Whose certificates are believed, beside those of the system (PEM).
# | ca-file = "/etc/linkcheck/ca.pem"
#
# What a status means here: alive, blocked, gone or temporary.
# | verdict = { 403 = "alive" }
#
# Links to it are not asked; the report shows why.
# | skip = "asked not to be checked"
`

// labConfig is a configuration file that sends every name to the lab, without gaps
// between probes.
func labConfig(rules []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "host-delay = \"0s\"\nretry-delay = \"0s\"\nsplay = 0\ntimeout = %q\nnews-server = [\"news.wells.test\"]\nconnect-to = [\n", demoTimeout)
	for _, r := range rules {
		if strings.Contains(r, ":127.0.0.1:") {
			fmt.Fprintf(&b, "  %q,\n", r)
		}
	}
	b.WriteString("]\n")
	return b.String()
}
