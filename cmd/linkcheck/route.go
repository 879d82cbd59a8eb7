package main

import (
	"context"
	"errors"
	"net/netip"

	"github.com/spf13/cobra"

	"linkcheck/check/netguard"
	"linkcheck/internal/config"
	"linkcheck/internal/escape"
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

// readHosts reads the tables [[host]] of the files, the strongest of which comes first:
// of several that match a host, the last one counts. What they name is read for verbs that
// probe alone, before the sandbox.
func (a *app) readHosts(ctx context.Context, cmd *cobra.Command, files []*config.File) error {
	var list []hostsettings.Source
	for i := len(files) - 1; i >= 0; i-- {
		for number, values := range files[i].Hosts() {
			list = append(list, hostsettings.Source{Values: values, Where: func(key string) string { return files[i].AtHost(number, key) }})
		}
	}
	table, err := hostsettings.Parse(list)
	if unknown, ok := errors.AsType[*hostsettings.UnknownKey](err); ok {
		return fail(exitUsage, didYouMean(nearest(unknown.Key, hostsettings.Keys()))+"'linkcheck init' writes a file with every key", "%w", err)
	}
	if err == nil && probes[verbPath(cmd)] {
		err = table.Load(ctx, a.getenv, func(warning string) { escape.Printf(a.stderr, "linkcheck: warning: %s\n", warning) })
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
# Whose certificates are believed, beside those of the system (PEM).
# | ca-file = "/etc/linkcheck/ca.pem"
#
# What a status means here: alive, blocked, gone or temporary.
# | verdict = { 403 = "alive" }
#
# Links to it are not asked; the report shows why.
# | skip = "asked not to be checked"
`
