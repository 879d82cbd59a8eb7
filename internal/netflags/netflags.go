package netflags

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
	"linkcheck/crawl"
	"linkcheck/extract/pdf"
	"linkcheck/internal/flags"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/plain"
)

// Flags are the flags of every verb that probes. A flag that is an option of a package
// is read into that option.
type Flags struct {
	Probe all.Options
	Crawl crawl.Options
	Guard
	Way     Way
	Browser *browser.Browser    // nil: none is asked
	Hosts   *hostsettings.Table // nil: none

	Now   string // "" for the present
	Still bool   // the clock stands

	exclude, proxyPrefixes, proxyRules          []string
	robots                                      string
	persistentHosts, parkedHosts, parkedMarkers string // names of files, as are the next two
	wallRules, accessRules                      string

	own []*pflag.Flag // those of Register
}

// The words of --robots and --file-host.
var robotsWords, fileHostWords = []string{"on", "off"}, []string{"ftp", "skip"}

// Register adds the flags to a command of the program of this version.
func (n *Flags) Register(cmd *cobra.Command, version string) {
	others := map[*pflag.Flag]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { others[f] = true })
	n.register(cmd, version)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !others[f] {
			n.own = append(n.own, f)
		}
	})
}

func (n *Flags) register(cmd *cobra.Command, version string) {
	n.Crawl = crawl.NewOptions(nil)
	n.Crawl.Version = version
	f, probe, crawl := cmd.Flags(), &n.Probe, &n.Crawl
	f.IntVar(&crawl.Workers, "workers", crawl.Workers, "`N` probes under way at once")
	f.IntVar(&crawl.PerHost, "per-host", crawl.PerHost, "`N` connections to one host at once")
	f.DurationVar(&crawl.HostDelay, "host-delay", crawl.HostDelay, "gap between two probes of one host")
	f.DurationVar(&probe.Timeout, "timeout", crawl.Timeout, "time for one probe as a whole")
	f.DurationVar(&crawl.RetryDelay, "retry-delay", crawl.RetryDelay, "wait before the one retry of a weak failure")
	f.Int64Var(&probe.MaxBytes, "max-bytes", 64<<10, "read at most `N` bytes of one answer")
	f.Float64Var(&crawl.Policy.Splay, "splay", 0.2, "vary the days between checks by this `FRACTION`; 0 gives exact days")
	crawl.Policy.MaxAge = 30 * flags.Day
	f.Var((*flags.Duration)(&crawl.Policy.MaxAge), "max-age", "look at a living link at least this often")
	n.Guard.Register(cmd)
	n.Way.Register(cmd)
	flags.Now(cmd, &n.Now)
	f.StringVar(&probe.UserAgent, "user-agent", "linkcheck/"+version, "`NAME` that servers are told")
	f.StringVar(&probe.Contact, "contact", "", "mail `ADDRESS` that server owners can write to: please give one")
	flags.Word(cmd, &n.robots, "robots", "on", "heed robots.txt: `on|off`", robotsWords)
	f.BoolVar(&probe.Web.NoSoft404, "no-soft404", false, "do not ask for pages that cannot exist to unmask servers that say yes to everything")
	f.BoolVar(&probe.Web.Fragments, "fragments", false, "look for the #fragment in the page, and the #page= in the PDF: one fetch for all of a page")
	f.StringSliceVar(&probe.NNTP.Servers, "news-server", nil, "`HOST[:PORT]` to ask about news: links (repeatable)")
	f.StringSliceVar(&probe.CNRP.Services, "cnrp-service", nil, "`HOST[:PORT]` to ask about go: links (repeatable)")
	f.StringVar(&probe.FileRoot, "file-root", "", "`DIR` below which file: links of this machine are looked up")
	flags.Word(cmd, &probe.FileHost, "file-host", "skip", "file://host links: `ftp|skip` (ftp as in 1991)", fileHostWords)
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

// RegisterPlan is Register for verbs that describe probes and make none: their help
// shows only the flags that change the description.
func (n *Flags) RegisterPlan(cmd *cobra.Command, version string) {
	n.Register(cmd, version)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = !slices.Contains([]string{"news-server", "cnrp-service", "file-root", "file-host", "mailto-mx", "resolve-info", "now", "proxy-prefix", "proxy-rule"}, f.Name)
	})
}

// Network is what the flags ask for: the probers, and the options of a run.
type Network struct {
	Probers *all.Probers
	Options crawl.Options
	Guard   *netguard.Guard // through which they dial
}

// Open checks the flags and makes the probers. A nil resolver is the system's; the demo
// has its own.
func (n *Flags) Open(ctx context.Context, resolver netguard.Resolver) (*Network, error) {
	now, err := flags.Clock(n.Now)
	if err != nil {
		return nil, err
	}
	if at := now().Truncate(time.Second); n.Still {
		now = func() time.Time { return at }
	}
	if err := n.validate(); err != nil {
		return nil, err
	}
	if resolver == nil {
		if resolver, err = n.Way.nameServer(); err != nil {
			return nil, err
		}
	}
	guard, err := n.Guard.Open(resolver)
	if err != nil {
		return nil, err
	}
	var exclude []*regexp.Regexp
	for _, s := range n.exclude {
		re, err := regexp.Compile(s)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		exclude = append(exclude, re)
	}
	n.Crawl.Workers = crawl.WithinLimit(netguard.OpenFiles(), n.Crawl.Workers)
	probers, err := n.probers(ctx, guard, now)
	if err != nil {
		return nil, err
	}
	o := n.Crawl
	if o.Proxies, err = n.proxies(); err != nil {
		return nil, err
	}
	o.Prober, o.Route, o.Now = probers, guard.Lookup, now
	o.Exclude = func(url string) bool {
		return slices.ContainsFunc(exclude, func(re *regexp.Regexp) bool { return re.MatchString(url) })
	}
	if !n.Hosts.Empty() {
		o.PerHostOf = n.Hosts.Connections
	}
	o.Timeout, o.Fragments = n.Probe.Timeout, n.Probe.Web.Fragments
	return &Network{probers, o, guard}, nil
}

// validate refuses values out of range.
func (n *Flags) validate() error {
	o, c := &n.Probe, &n.Crawl
	if err := cmp.Or(flags.OneOf("robots", n.robots, robotsWords), flags.OneOf("file-host", o.FileHost, fileHostWords)); err != nil {
		return err
	}
	switch {
	case c.Workers < 1 || c.PerHost < 1:
		return fmt.Errorf("--workers and --per-host are at least 1")
	case o.Timeout <= 0 || o.MaxBytes <= 0:
		return fmt.Errorf("--timeout and --max-bytes are more than 0")
	case c.HostDelay < 0 || c.RetryDelay < 0 || c.Policy.MaxAge < 0:
		return fmt.Errorf("--host-delay, --retry-delay and --max-age are not negative")
	case c.Policy.Splay < 0 || c.Policy.Splay >= 1:
		return fmt.Errorf("--splay is at least 0 and less than 1")
	case strings.ContainsFunc(o.UserAgent+o.Contact, unicode.IsControl):
		return fmt.Errorf("--user-agent and --contact are one line without control characters: servers are told them")
	}
	if info, err := os.Stat(o.FileRoot); o.FileRoot != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--file-root: %s is no folder that can be read", o.FileRoot)
	}
	for _, s := range slices.Concat(o.NNTP.Servers, o.CNRP.Services) {
		if s == "" || strings.ContainsAny(s, " \t\r\n/@") {
			return fmt.Errorf("a server is HOST or HOST:PORT, not %.200q", s)
		}
	}
	return nil
}

// probers makes the probers of all schemes.
func (n *Flags) probers(ctx context.Context, guard *netguard.Guard, now func() time.Time) (*all.Probers, error) {
	o := n.Probe
	o.Dialer, o.Now, o.Resolver, o.Web.IgnoreRobots = guard, now, guard.Resolver, n.robots == "off"
	o.Hosts, o.Web.Pages = n.Hosts, pdf.Pages
	if err := n.Way.set(ctx, guard, &o); err != nil {
		return nil, err
	}
	if o.Contact != "" {
		o.UserAgent += " (+mailto:" + o.Contact + ")"
	}
	if n.Browser != nil {
		o.Web.Browser = n.Browser.Through(guard)
	}
	if err := n.readLists(ctx, &o.Web); err != nil {
		return nil, err
	}
	return all.Table(o), nil
}

// Settings are the limits of a run, as the report names them.
func (n *Flags) Settings() []string {
	s := []string{
		fmt.Sprintf("%s, %s a host, %s between two probes of a host, %s a probe",
			plain.Plural(n.Crawl.Workers, "worker", "workers"), plain.Plural(n.Crawl.PerHost, "connection", "connections"), n.Crawl.HostDelay, n.Probe.Timeout),
		fmt.Sprintf("robots.txt %s, at most %s bytes of an answer", n.robots, plain.Thousands(int(n.Probe.MaxBytes))),
	}
	s = append(s, n.Hosts.Unheeded()...)
	if len(n.exclude) > 0 {
		s = append(s, "not probed: links that match "+strings.Join(n.exclude, " or "))
	}
	return s
}
