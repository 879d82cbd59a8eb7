// Package all is the one table from scheme to prober. It speaks no protocol: each
// has a package beside this one.
//
// The files: all.go (Probers), rows.go (the table), unprobed.go (schemes that are
// not asked about), local.go (file: and mailto:, which need no protocol).
package all

import (
	"context"
	"crypto/x509"
	"errors"
	"time"

	"linkcheck/check"
	"linkcheck/check/cnrp"
	"linkcheck/check/netguard"
	"linkcheck/check/nntp"
	"linkcheck/check/web"
	"linkcheck/check/wire"
	"linkcheck/internal/hostsettings"
	"linkcheck/uri"
)

// Options is what the operator decided about probing. The zero value of a field is
// its default; Dialer is required.
type Options struct {
	check.Options // of every protocol: those of Web, NNTP and CNRP are set from it

	Hosts *hostsettings.Table // what the person decided about single hosts; nil: nothing

	Web  web.Options
	NNTP nntp.Options
	CNRP cnrp.Options

	ResolveInfo bool // ask resolvers about the identifiers of info: URIs

	FileRoot string            // directory that file: of this machine is looked up below; "": not probed
	FileHost string            // "ftp": file://host is read as anonymous FTP; else not probed
	MailtoMX bool              // ask whether the domain of a mail address exists
	Resolver netguard.Resolver // for MailtoMX; nil: that of the system
}

// Row says what is done with the URIs of a scheme.
type Row struct {
	Scheme   string
	Protocol string // package below check; "" if none
	Port     int    // default; 0: none
	Does     string // what the probe does; "" if the scheme is not probed
	Off      string // why the scheme is not probed; "" if it is
	Root     bool   // what its URIs name can be read whole, as archives are
}

type entry struct {
	Row
	prober check.Prober
	reader check.Reader // nil unless Root
}

// Probers is the table made ready. It is a check.Prober and a check.Reader itself, those
// of every scheme.
type Probers struct {
	rows      []entry          // sorted by scheme
	ports     map[string][]int // of each protocol: the default ports of its schemes
	byScheme  map[string]*entry
	protocols []check.Prober // each once: schemes share them
	hooks     check.Hooks
	hosts     *hostsettings.Table
	roots     *x509.CertPool
	now       func() time.Time
	unknown   check.Prober // of schemes that have no row
	noReader  check.Prober // of schemes whose URIs name nothing that can be read
}

// Table makes the probers of all schemes.
func Table(o Options) *Probers {
	o.Options = o.Options.WithDefaults()
	o.Web.Options, o.NNTP.Options, o.CNRP.Options = o.Options, o.Options, o.Options
	p := &Probers{byScheme: map[string]*entry{}, hosts: o.Hosts, roots: o.Roots, now: o.Now}
	o.Web.Hosts = o.Hosts
	o.Web.Elsewhere, o.Web.Follows = p, p.asked
	p.hooks = check.Hooks{Start: p.start, CloseIdle: p.closeIdle, Gap: p.gap, Amendments: p.amendments, UseCache: p.useCache}
	p.unknown = fixed(o.Options, check.Unsupported, check.ReasonSchemeUnknown)
	p.noReader = fixed(o.Options, check.Unsupported, check.ReasonNoClient)
	p.rows = p.makeRows(o)
	p.ports = map[string][]int{}
	for i, row := range p.rows {
		p.byScheme[row.Scheme] = &p.rows[i]
		if row.Protocol != "" {
			p.ports[row.Protocol] = append(p.ports[row.Protocol], row.Port)
		}
	}
	return p
}

// Lookup returns the prober of a scheme in lower case, and its row. It never
// returns a nil prober: that of an unknown scheme says so.
func (p *Probers) Lookup(scheme string) (check.Prober, Row) {
	if e, ok := p.byScheme[scheme]; ok {
		return e.prober, e.Row
	}
	return p.unknown, Row{Scheme: scheme, Off: "the scheme is not known"}
}

// Rows lists the table, sorted by scheme.
func (p *Probers) Rows() []Row {
	out := make([]Row, len(p.rows))
	for i, e := range p.rows {
		out[i] = e.Row
	}
	return out
}

// Probe implements check.Prober by the scheme of the target.
func (p *Probers) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.start(ctx, t)
	return check.Complete(ctx, r, next)
}

// Hooks implements check.Prober: those of all protocols together.
func (p *Probers) Hooks() check.Hooks { return p.hooks }

// Close ends the idle sessions of all protocols.
func (p *Probers) Close() error {
	var errs []error
	for _, q := range p.protocols {
		errs = append(errs, q.Close())
	}
	return errors.Join(errs...)
}

func (p *Probers) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	prober, row := p.Lookup(t.URI.Scheme())
	ctx, skipped := p.prepare(ctx, t.URI, row)
	if skipped != nil {
		return *skipped, nil
	}
	return check.Start(ctx, prober, t)
}

// Read implements check.Reader by the scheme of the target. What cannot be read has a
// Result that says so.
func (p *Probers) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	prober, row := p.Lookup(t.URI.Scheme())
	if !row.Root {
		if row.Off == "" {
			prober = p.noReader
		}
		return prober.Probe(ctx, t), nil
	}
	row.Off = "" // of links
	ctx, skipped := p.prepare(ctx, t.URI, row)
	if skipped != nil {
		return *skipped, nil
	}
	return p.byScheme[row.Scheme].reader.Read(ctx, t, w, take)
}

// prepare gives the context in which a server is asked, and the result where the person does
// not want it to be; else nil.
func (p *Probers) prepare(ctx context.Context, u uri.URI, row Row) (context.Context, *check.Result) {
	ctx = check.WithRoots(ctx, p.roots)
	if s := p.settings(u); s != nil && row.Off == "" {
		if r, skipped := web.SkippedBy(s); skipped {
			r.At, r.Attempts = p.now(), 1
			return ctx, &r
		}
		if s.Timeout > 0 && row.Protocol != "web" { // which has a time for each host of a redirect
			ctx = wire.WithPatience(check.WithTimeout(ctx, s.Timeout), s.Timeout)
		}
		if s.Roots != nil {
			ctx = check.WithRoots(ctx, s.Roots)
		}
	}
	return netguard.WithOwnPorts(ctx, p.ports[row.Protocol]...), nil
}

// settings are those of the server of a URI; nil if there are none.
func (p *Probers) settings(u uri.URI) *hostsettings.Settings {
	if p.hosts.Empty() {
		return nil
	}
	at, ok := u.Endpoint()
	if !ok {
		return nil
	}
	return p.hosts.For(u.Scheme(), at.Host, at.Port)
}

// asked reports whether a scheme has a protocol of its own in which servers are asked:
// where redirects out of the web may lead. No server can have a file of this machine
// looked up; resolvers of names lead back into the web.
func (p *Probers) asked(scheme string) bool {
	_, row := p.Lookup(scheme)
	return row.Does != "" && row.Protocol != "" && row.Protocol != "resolver"
}

func (p *Probers) closeIdle(host string) {
	for _, q := range p.protocols {
		if closeIdle := q.Hooks().CloseIdle; closeIdle != nil {
			closeIdle(host)
		}
	}
}

func (p *Probers) gap(u uri.URI, usual time.Duration) time.Duration {
	prober, _ := p.Lookup(u.Scheme())
	if s := p.settings(u); s != nil && s.Gap != nil {
		usual = *s.Gap
	}
	if gap := prober.Hooks().Gap; gap != nil {
		return gap(u, usual)
	}
	return usual
}

func (p *Probers) amendments() (all []check.Amendment) {
	for _, q := range p.protocols {
		if amendments := q.Hooks().Amendments; amendments != nil {
			all = append(all, amendments()...)
		}
	}
	return all
}

func (p *Probers) useCache(c check.Cache) {
	for _, q := range p.protocols {
		if useCache := q.Hooks().UseCache; useCache != nil {
			useCache(c)
		}
	}
}
