package main

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/crawl"
	"linkcheck/judge"
	"linkcheck/uri"
)

// netFlags are the flags of every verb that dials.
type netFlags struct {
	connectTo    []string
	allowPrivate []string
	now          string
	workers      int
	perHost      int
	hostDelay    time.Duration
	timeout      time.Duration
	retryDelay   time.Duration
	maxBytes     int64
	splay        float64
	maxAge       durationFlag

	userAgent, contact string
	robots             string
	noSoft404          bool
	fragments          bool
	newsServers        []string
	cnrpServices       []string
	fileRoot, fileHost string
	mailtoMX           bool
	exclude            []string
	proxyPrefix        string
	persistentHosts    string
	parkedHosts        string
	parkedMarkers      string
}

func (n *netFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&n.workers, "workers", 16, "`N` probes under way at once")
	f.IntVar(&n.perHost, "per-host", 1, "`N` connections to one host at once")
	f.DurationVar(&n.hostDelay, "host-delay", 2*time.Second, "gap between two probes of one host")
	f.DurationVar(&n.timeout, "timeout", 20*time.Second, "time for one probe as a whole")
	f.DurationVar(&n.retryDelay, "retry-delay", 60*time.Second, "wait before the one retry of a weak failure")
	f.Int64Var(&n.maxBytes, "max-bytes", 64<<10, "read at most `N` bytes of one answer")
	f.Float64Var(&n.splay, "splay", 0.2, "vary the days between checks by this `FRACTION`; 0 gives exact days")
	n.maxAge = durationFlag(30 * oneDay)
	f.Var(&n.maxAge, "max-age", "look at a living link at least this often")
	f.StringArrayVar(&n.connectTo, "connect-to", nil, "`HOST:PORT:ADDR:PORT`: connect there instead, as curl does; an empty HOST or PORT matches all (repeatable)")
	f.StringSliceVar(&n.allowPrivate, "allow-private", nil, "`CIDR` of private addresses that may be dialled")
	f.StringVar(&n.now, "now", "", "take this `TIME` for the present (for tests)")
	f.StringVar(&n.userAgent, "user-agent", "linkcheck/"+version, "`NAME` that servers are told")
	f.StringVar(&n.contact, "contact", "", "mail `ADDRESS` that server owners can write to: please give one")
	f.StringVar(&n.robots, "robots", "on", "heed robots.txt: `on|off`")
	completes(cmd, "robots", []string{"on", "off"})
	f.BoolVar(&n.noSoft404, "no-soft404", false, "do not ask for pages that cannot exist to unmask servers that say yes to everything")
	f.BoolVar(&n.fragments, "fragments", false, "look for the #fragment in the page")
	f.StringSliceVar(&n.newsServers, "news-server", nil, "`HOST[:PORT]` to ask about news: links (repeatable)")
	f.StringSliceVar(&n.cnrpServices, "cnrp-service", nil, "`HOST[:PORT]` to ask about go: links (repeatable)")
	f.StringVar(&n.fileRoot, "file-root", "", "`DIR` below which file: links of this machine are looked up")
	f.StringVar(&n.fileHost, "file-host", "skip", "file://host links: `ftp|skip` (ftp as in 1991)")
	completes(cmd, "file-host", []string{"ftp", "skip"})
	f.BoolVar(&n.mailtoMX, "mailto-mx", false, "ask whether the domain of a mail address exists; never mail")
	f.StringArrayVar(&n.exclude, "exclude", nil, "do not probe links that match this regular `EXPRESSION` (repeatable)")
	f.StringVar(&n.proxyPrefix, "proxy-prefix", "", "strip this `PREFIX` (such as EZproxy's login?url=) before probing")
	f.StringVar(&n.persistentHosts, "persistent-hosts", "", "`FILE` with hosts whose redirects are meant to stay, one a line")
	f.StringVar(&n.parkedHosts, "parked-hosts", "", "`FILE` with more hosts of parked domains, one a line")
	f.StringVar(&n.parkedMarkers, "parked-markers", "", "`FILE` with more texts of parked pages, one a line")
}

// registerPlan is register for verbs that tell of probes and make none: their help
// shows only the flags that change what is told.
func (n *netFlags) registerPlan(cmd *cobra.Command) {
	n.register(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = !slices.Contains([]string{"news-server", "cnrp-service", "file-root", "file-host", "mailto-mx", "now"}, f.Name)
	})
}

// net is a netFlags made ready: the guard and the probers behind it.
type network struct {
	guard   *check.Guard
	probers *all.Probers
	now     func() time.Time
	exclude []*regexp.Regexp
	prefix  string
}

// open checks the flags and makes the probers. resolver is nil but in the demo.
func (n *netFlags) open(resolver check.Resolver) (*network, error) {
	now, err := clock(n.now)
	if err != nil {
		return nil, err
	}
	if resolver == nil {
		resolver = check.NewCachingResolver(check.SystemResolver{}, nil)
	}
	guard := &check.Guard{Resolver: resolver}
	for _, s := range n.connectTo {
		rule, err := check.ParseConnectTo(s)
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
	o, err := n.probeOptions(guard, now)
	if err != nil {
		return nil, err
	}
	net := &network{guard: guard, now: now, prefix: n.proxyPrefix}
	for _, s := range n.exclude {
		re, err := regexp.Compile(s)
		if err != nil {
			return nil, usage("--exclude: %w", err)
		}
		net.exclude = append(net.exclude, re)
	}
	net.probers = all.Table(o)
	return net, nil
}

func (n *netFlags) probeOptions(guard *check.Guard, now func() time.Time) (o all.Options, err error) {
	switch {
	case n.robots != "on" && n.robots != "off":
		return o, usage("--robots is on or off, not %q", n.robots)
	case n.fileHost != "ftp" && n.fileHost != "skip":
		return o, usage("--file-host is ftp or skip, not %q", n.fileHost)
	case n.workers < 1 || n.perHost < 1:
		return o, usage("--workers and --per-host are at least 1")
	case n.timeout <= 0 || n.maxBytes <= 0:
		return o, usage("--timeout and --max-bytes are more than 0")
	case n.hostDelay < 0 || n.retryDelay < 0 || n.maxAge < 0:
		return o, usage("--host-delay, --retry-delay and --max-age are not negative")
	case n.splay < 0 || n.splay >= 1:
		return o, usage("--splay is at least 0 and less than 1")
	}
	if info, err := os.Stat(n.fileRoot); n.fileRoot != "" && (err != nil || !info.IsDir()) {
		return o, usage("--file-root: %s is no folder that can be read", n.fileRoot)
	}
	for _, servers := range [][]string{n.newsServers, n.cnrpServices} {
		for _, s := range servers {
			if s == "" || strings.ContainsAny(s, " \t\r\n/@") {
				return o, usage("a server is HOST or HOST:PORT, not %.200q", s)
			}
		}
	}
	o = all.Options{
		Options: check.Options{
			Dialer: guard, Now: now, Timeout: n.timeout, MaxBytes: n.maxBytes,
			UserAgent: n.agent(), Contact: n.contact,
		},
		NewsServers: n.newsServers, CNRPServices: n.cnrpServices,
		FileRoot: n.fileRoot, FileHost: n.fileHost, MailtoMX: n.mailtoMX, Resolver: guard.Resolver,
		NoSoft404: n.noSoft404, IgnoreRobots: n.robots == "off", Fragments: n.fragments,
	}
	for _, list := range []struct {
		flag, file string
		to         *[]string
	}{{"persistent-hosts", n.persistentHosts, &o.PersistentHosts}, {"parked-hosts", n.parkedHosts, &o.ParkedHosts}, {"parked-markers", n.parkedMarkers, &o.ParkedMarkers}} {
		if *list.to, err = readList(list.file); err != nil {
			return o, usage("--%s: %w", list.flag, err)
		}
	}
	return o, nil
}

// agent names us and whom to write to.
func (n *netFlags) agent() string {
	if n.contact == "" {
		return n.userAgent
	}
	return fmt.Sprintf("%s (+mailto:%s)", n.userAgent, n.contact)
}

// prober is the prober of all schemes, with what the operator asked for put before it.
func (n *network) prober() check.Prober {
	if n.prefix == "" {
		return n.probers
	}
	return unproxied{n.probers, n.prefix}
}

// excluded says whether --exclude leaves a link out.
func (n *network) excluded(url string) bool {
	return slices.ContainsFunc(n.exclude, func(re *regexp.Regexp) bool { return re.MatchString(url) })
}

// unproxied asks about the page behind the prefix of a library's proxy.
type unproxied struct {
	*all.Probers
	prefix string
}

// Probe implements check.Prober.
func (p unproxied) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.start(ctx, t)
	return check.Complete(ctx, r, next)
}

// Hooks implements check.Prober.
func (p unproxied) Hooks() check.Hooks {
	hooks := p.Probers.Hooks()
	hooks.Start = p.start
	return hooks
}

// start leaves the host behind the prefix to its own turns.
func (p unproxied) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	behind, ok := strings.CutPrefix(t.URI.String(), p.prefix)
	if !ok {
		return check.Start(ctx, p.Probers, t)
	}
	if strings.Contains(behind, "%3A%2F%2F") || strings.Contains(behind, "%3a%2f%2f") {
		if plain, err := url.QueryUnescape(behind); err == nil {
			behind = plain
		}
	}
	u, err := uri.Parse(behind)
	if err != nil {
		return check.InvalidResult(err).WithFlags(check.FlagProxied), nil
	}
	return check.Delegate(p.Probers, check.Target{URI: u, Prior: t.Prior}, func(r check.Result) check.Result { return r.WithFlags(check.FlagProxied) })
}

// checkOptions are the flags as the crawl wants them.
func (n *netFlags) checkOptions(net *network) crawl.CheckOptions {
	return crawl.CheckOptions{
		Prober: net.prober(), Route: net.guard.Lookup, Exclude: net.excluded,
		Workers: n.workers, PerHost: n.perHost, HostDelay: orNone(n.hostDelay), Timeout: n.timeout,
		RetryDelay: orNone(n.retryDelay), Fragments: n.fragments,
		Policy:  judge.Policy{Splay: n.splay, MaxAge: time.Duration(n.maxAge)},
		Version: version, Now: net.now,
	}
}

// orNone says "none" as the crawl does, where zero means the default.
func orNone(d time.Duration) time.Duration {
	if d == 0 {
		return -1
	}
	return d
}

// settings are the limits of a run, for the honest part of the report.
func (n *netFlags) settings() []string {
	s := []string{
		fmt.Sprintf("%s, %s a host, %s between two probes of a host, %s a probe",
			plural(n.workers, "worker", "workers"), plural(n.perHost, "connection", "connections"), n.hostDelay, n.timeout),
		fmt.Sprintf("robots.txt %s, at most %s bytes of an answer", n.robots, thousands(int(n.maxBytes))),
	}
	if len(n.exclude) > 0 {
		s = append(s, "not probed: links that match "+strings.Join(n.exclude, " or "))
	}
	return s
}
