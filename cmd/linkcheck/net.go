package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/check/all"
	"linkcheck/check/browser"
	"linkcheck/check/netguard"
	"linkcheck/check/web"
	"linkcheck/crawl"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/walls"
	"linkcheck/uri/proxied"
)

// netFlags are the flags of every verb that probes. A flag that is an option of a package
// is read into that option.
type netFlags struct {
	probe all.Options
	crawl crawl.Options
	guardFlags
	way     wayFlags
	browser *browser.Browser    // nil: none is asked
	hosts   *hostsettings.Table // nil: none

	exclude, proxyPrefixes, proxyRules          []string
	now, robots                                 string
	still                                       bool   // the clock stands
	persistentHosts, parkedHosts, parkedMarkers string // names of files, as are the next two
	wallRules, accessRules                      string
}

// The words of --robots and --file-host.
var robotsWords, fileHostWords = []string{"on", "off"}, []string{"ftp", "skip"}

func (n *netFlags) register(cmd *cobra.Command) {
	n.crawl = crawl.NewOptions(nil)
	f, probe, crawl := cmd.Flags(), &n.probe, &n.crawl
	f.IntVar(&crawl.Workers, "workers", crawl.Workers, "`N` probes under way at once")
	f.IntVar(&crawl.PerHost, "per-host", crawl.PerHost, "`N` connections to one host at once")
	f.DurationVar(&crawl.HostDelay, "host-delay", crawl.HostDelay, "gap between two probes of one host")
	f.DurationVar(&probe.Timeout, "timeout", crawl.Timeout, "time for one probe as a whole")
	f.DurationVar(&crawl.RetryDelay, "retry-delay", crawl.RetryDelay, "wait before the one retry of a weak failure")
	f.Int64Var(&probe.MaxBytes, "max-bytes", 64<<10, "read at most `N` bytes of one answer")
	f.Float64Var(&crawl.Policy.Splay, "splay", 0.2, "vary the days between checks by this `FRACTION`; 0 gives exact days")
	crawl.Policy.MaxAge = 30 * oneDay
	f.Var((*durationFlag)(&crawl.Policy.MaxAge), "max-age", "look at a living link at least this often")
	n.guardFlags.register(cmd)
	n.way.register(cmd)
	nowFlag(cmd, &n.now)
	f.StringVar(&probe.UserAgent, "user-agent", "linkcheck/"+version, "`NAME` that servers are told")
	f.StringVar(&probe.Contact, "contact", "", "mail `ADDRESS` that server owners can write to: please give one")
	wordFlag(cmd, &n.robots, "robots", "on", "heed robots.txt: `on|off`", robotsWords)
	f.BoolVar(&probe.Web.NoSoft404, "no-soft404", false, "do not ask for pages that cannot exist to unmask servers that say yes to everything")
	f.BoolVar(&probe.Web.Fragments, "fragments", false, "look for the #fragment in the page")
	f.StringSliceVar(&probe.NNTP.Servers, "news-server", nil, "`HOST[:PORT]` to ask about news: links (repeatable)")
	f.StringSliceVar(&probe.CNRP.Services, "cnrp-service", nil, "`HOST[:PORT]` to ask about go: links (repeatable)")
	f.StringVar(&probe.FileRoot, "file-root", "", "`DIR` below which file: links of this machine are looked up")
	wordFlag(cmd, &probe.FileHost, "file-host", "skip", "file://host links: `ftp|skip` (ftp as in 1991)", fileHostWords)
	f.BoolVar(&probe.ResolveInfo, "resolve-info", false, "ask resolvers whether the identifiers of info:doi, info:hdl and info:lccn are registered")
	f.BoolVar(&probe.MailtoMX, "mailto-mx", false, "ask whether the domain of a mail address exists; never mail")
	f.StringArrayVar(&n.exclude, "exclude", nil, "do not probe links that match this regular `EXPRESSION` (repeatable)")
	f.StringArrayVar(&n.proxyPrefixes, "proxy-prefix", nil, "links with this `PREFIX` (such as https://proxy.lib.edu/login?url=) lead through the library's proxy: ask what stands behind it (repeatable)")
	f.StringArrayVar(&n.proxyRules, "proxy-rule", nil, "`RULE` of links through the library's proxy, such as {host}.ezproxy.lib.edu (repeatable)")
	f.StringVar(&n.persistentHosts, "persistent-hosts", "", "`FILE` with hosts whose redirects are meant to stay, one a line")
	f.StringVar(&n.parkedHosts, "parked-hosts", "", "`FILE` with more hosts of parked domains, one a line")
	f.StringVar(&n.parkedMarkers, "parked-markers", "", "`FILE` with more texts of parked pages, one a line")
	f.StringVar(&n.wallRules, "wall-rules", "", "TOML `FILE` with more marks of login pages, walls, parked pages and error pages")
	f.StringVar(&n.accessRules, "access-rules", "", "TOML `FILE` with more rules by which the text behind a page is not open")
}

// registerPlan is register for verbs that describe probes and make none: their help
// shows only the flags that change the description.
func (n *netFlags) registerPlan(cmd *cobra.Command) {
	n.register(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = !slices.Contains([]string{"news-server", "cnrp-service", "file-root", "file-host", "mailto-mx", "resolve-info", "now", "proxy-prefix", "proxy-rule"}, f.Name)
	})
}

// network is what the flags ask for: the probers, and the options of a run.
type network struct {
	probers *all.Probers
	now     func() time.Time
	options crawl.Options
}

// open checks the flags and makes the probers. A nil resolver is the system's; the demo
// has its own.
func (n *netFlags) open(ctx context.Context, resolver netguard.Resolver) (*network, error) {
	now, err := clock(n.now)
	if err != nil {
		return nil, err
	}
	if at := now().Truncate(time.Second); n.still {
		now = func() time.Time { return at }
	}
	if err := n.validate(); err != nil {
		return nil, err
	}
	if resolver == nil {
		if resolver, err = n.way.nameServer(); err != nil {
			return nil, err
		}
	}
	guard, err := n.guard(resolver)
	if err != nil {
		return nil, err
	}
	var exclude []*regexp.Regexp
	for _, s := range n.exclude {
		re, err := regexp.Compile(s)
		if err != nil {
			return nil, usage("--exclude: %w", err)
		}
		exclude = append(exclude, re)
	}
	n.crawl.Workers = crawl.WithinLimit(netguard.OpenFiles(), n.crawl.Workers)
	probers, err := n.probers(ctx, guard, now)
	if err != nil {
		return nil, err
	}
	o := n.crawl
	if o.Proxies, err = n.proxies(); err != nil {
		return nil, err
	}
	o.Prober, o.Route, o.Version, o.Now = probers, guard.Lookup, version, now
	o.Exclude = func(url string) bool {
		return slices.ContainsFunc(exclude, func(re *regexp.Regexp) bool { return re.MatchString(url) })
	}
	if !n.hosts.Empty() {
		o.PerHostOf = n.hosts.Connections
	}
	o.Timeout, o.Fragments = n.probe.Timeout, n.probe.Web.Fragments
	return &network{probers, now, o}, nil
}

// validate refuses values out of range.
func (n *netFlags) validate() error {
	o, c := &n.probe, &n.crawl
	if err := cmp.Or(oneOf("robots", n.robots, robotsWords), oneOf("file-host", o.FileHost, fileHostWords)); err != nil {
		return err
	}
	switch {
	case c.Workers < 1 || c.PerHost < 1:
		return usage("--workers and --per-host are at least 1")
	case o.Timeout <= 0 || o.MaxBytes <= 0:
		return usage("--timeout and --max-bytes are more than 0")
	case c.HostDelay < 0 || c.RetryDelay < 0 || c.Policy.MaxAge < 0:
		return usage("--host-delay, --retry-delay and --max-age are not negative")
	case c.Policy.Splay < 0 || c.Policy.Splay >= 1:
		return usage("--splay is at least 0 and less than 1")
	case strings.ContainsFunc(o.UserAgent+o.Contact, unicode.IsControl):
		return usage("--user-agent and --contact are one line without control characters: servers are told them")
	}
	if info, err := os.Stat(o.FileRoot); o.FileRoot != "" && (err != nil || !info.IsDir()) {
		return usage("--file-root: %s is no folder that can be read", o.FileRoot)
	}
	for _, s := range slices.Concat(o.NNTP.Servers, o.CNRP.Services) {
		if s == "" || strings.ContainsAny(s, " \t\r\n/@") {
			return usage("a server is HOST or HOST:PORT, not %.200q", s)
		}
	}
	return nil
}

// probers makes the probers of all schemes.
func (n *netFlags) probers(ctx context.Context, guard *netguard.Guard, now func() time.Time) (*all.Probers, error) {
	o := n.probe
	o.Dialer, o.Now, o.Resolver, o.Web.IgnoreRobots = guard, now, guard.Resolver, n.robots == "off"
	o.Hosts = n.hosts
	if err := n.way.set(ctx, guard, &o); err != nil {
		return nil, err
	}
	if o.Contact != "" {
		o.UserAgent += " (+mailto:" + o.Contact + ")"
	}
	if n.browser != nil {
		n.browser.Use(guard)
		o.Web.Browser = n.browser
	}
	if err := n.readLists(ctx, &o.Web); err != nil {
		return nil, err
	}
	return all.Table(o), nil
}

// readLists reads the files that add to what is known of pages.
func (n *netFlags) readLists(ctx context.Context, o *web.Options) (err error) {
	if n.wallRules != "" {
		if o.Walls, err = readTOML(ctx, n.wallRules, walls.ReadLists); err != nil {
			return usage("--wall-rules: %w", err)
		}
	}
	if n.accessRules != "" {
		if o.Access, err = readTOML(ctx, n.accessRules, walls.ReadAccess); err != nil {
			return usage("--access-rules: %w", err)
		}
	}
	for _, list := range []struct {
		flag, file string
		to         *[]string
	}{{"persistent-hosts", n.persistentHosts, &o.PersistentHosts}, {"parked-hosts", n.parkedHosts, &o.Walls.Parked.Hosts}, {"parked-markers", n.parkedMarkers, &o.Walls.Parked.Texts}} {
		if list.file == "" {
			continue
		}
		lines, err := readLines(ctx, list.file, func(line string) string {
			line, _, _ = strings.Cut(line, "#") // a comment
			return strings.ToLower(strings.TrimSpace(line))
		})
		if err != nil {
			return usage("--%s: %w", list.flag, err)
		}
		*list.to = append(*list.to, lines...)
	}
	return nil
}

// readTOML reads a file of rules.
func readTOML[T any](ctx context.Context, file string, read func(text string) (T, error)) (rules T, err error) {
	text, err := readFile(ctx, file)
	if err != nil {
		return rules, err
	}
	if rules, err = read(string(text)); err != nil {
		return rules, fmt.Errorf("%s: %w", file, err)
	}
	return rules, nil
}

// proxies are the rules of the library's proxies: nil if no flag was given, so that a store
// keeps its own. An empty prefix or rule says that there are none.
func (n *netFlags) proxies() (rules proxied.Rules, err error) {
	for _, list := range []struct {
		flag  string
		texts []string
		parse func(string) (proxied.Rule, error)
	}{{"proxy-prefix", n.proxyPrefixes, proxied.Prefix}, {"proxy-rule", n.proxyRules, proxied.ParseRule}} {
		for _, text := range list.texts {
			if rules = slices.Grow(rules, 1); text == "" {
				continue
			}
			rule, err := list.parse(text)
			if err != nil {
				return nil, usage("--%s: %w", list.flag, err)
			}
			rules = append(rules, rule)
		}
	}
	return rules, nil
}

// unusedProxy is the name of a variable that tells programs to go through a proxy; "":
// none is set. A proxy would hide which address was asked, and what the server said.
func (a *app) unusedProxy() string {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		if a.getenv(name) != "" {
			return name
		}
	}
	return ""
}

// settings are the limits of a run, as the report names them.
func (n *netFlags) settings() []string {
	s := []string{
		fmt.Sprintf("%s, %s a host, %s between two probes of a host, %s a probe",
			plural(n.crawl.Workers, "worker", "workers"), plural(n.crawl.PerHost, "connection", "connections"), n.crawl.HostDelay, n.probe.Timeout),
		fmt.Sprintf("robots.txt %s, at most %s bytes of an answer", n.robots, thousands(int(n.probe.MaxBytes))),
	}
	s = append(s, n.hosts.Unheeded()...)
	if len(n.exclude) > 0 {
		s = append(s, "not probed: links that match "+strings.Join(n.exclude, " or "))
	}
	return s
}
