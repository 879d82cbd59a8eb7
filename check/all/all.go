// Package all is the one table from scheme to prober. It knows no protocol: each
// has its room beside it.
package all

import (
	"context"
	"errors"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// Options is what the operator decided about probing, beyond what concerns
// every protocol.
type Options struct {
	check.Options

	NewsServers     []string       // HOST[:PORT], asked about news: without a server
	CNRPServices    []string       // HOST[:PORT], asked about go: without a server
	FileRoot        string         // directory that file: of this machine is looked up below; "": not probed
	FileHost        string         // "ftp": file://host is read as anonymous FTP; else not probed
	MailtoMX        bool           // ask whether the domain of a mail address exists
	Resolver        check.Resolver // for MailtoMX; nil: that of the system
	NoSoft404       bool           // do not ask for pages that cannot exist
	IgnoreRobots    bool           // do not ask for robots.txt
	Fragments       bool           // look for the fragment of a page in it
	ParkedHosts     []string       // more hosts that parked domains redirect to
	ParkedMarkers   []string       // more texts that only parked pages hold, in either case
	PersistentHosts []string       // more hosts whose redirects are meant to stay
}

// Row tells what becomes of the URIs of a scheme.
type Row struct {
	Scheme   string
	Protocol string // room below check; "" if none
	Port     int    // default; 0: none
	Does     string // what the probe does; "" if the scheme is not probed
	Off      string // why the scheme is not probed; "" if it is
}

type entry struct {
	Row
	prober check.Prober
}

// Probers is the table made ready. It is a check.Prober itself, that of every scheme.
type Probers struct {
	rows []entry // sorted by scheme
	by   map[string]*entry
}

// Table makes the probers of all schemes.
func Table(o Options) *Probers {
	o.Options = o.Options.WithDefaults()
	p := &Probers{by: map[string]*entry{}}
	p.rows = rows(o, p)
	for i := range p.rows {
		p.by[p.rows[i].Scheme] = &p.rows[i]
	}
	return p
}

// Lookup gives the prober of a scheme in lower case, and its row. It never
// returns a nil prober: that of an unknown scheme says so.
func (p *Probers) Lookup(scheme string) (check.Prober, Row) {
	if e, ok := p.by[scheme]; ok {
		return e.prober, e.Row
	}
	return fixed(check.Unsupported, "scheme-unknown"), Row{Scheme: scheme, Off: "the scheme is not known"}
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
	prober, _ := p.Lookup(t.URI.Scheme())
	return prober.Probe(ctx, t)
}

// Walk implements check.Walker by the scheme of the target.
func (p *Probers) Walk(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	prober, _ := p.Lookup(t.URI.Scheme())
	return check.Walk(ctx, prober, t)
}

// Close drops the idle sessions of all probers.
func (p *Probers) Close() error {
	var errs []error
	for _, q := range p.distinct() {
		errs = append(errs, q.Close())
	}
	return errors.Join(errs...)
}

// Leave implements check.Leaver for all probers that are one.
func (p *Probers) Leave(host string) {
	for _, q := range p.distinct() {
		if l, ok := q.(check.Leaver); ok {
			l.Leave(host)
		}
	}
}

// Finish implements check.Finisher for all probers that are one.
func (p *Probers) Finish() []check.Amendment {
	var out []check.Amendment
	for _, q := range p.distinct() {
		if f, ok := q.(check.Finisher); ok {
			out = append(out, f.Finish()...)
		}
	}
	return out
}

// Learn implements check.Learner for all probers that are one.
func (p *Probers) Learn(m check.Cache) {
	for _, q := range p.distinct() {
		if l, ok := q.(check.Learner); ok {
			l.Learn(m)
		}
	}
}

// Pace implements check.Pacer by the scheme of u.
func (p *Probers) Pace(u uri.URI, usual time.Duration) time.Duration {
	prober, _ := p.Lookup(u.Scheme())
	if pacer, ok := prober.(check.Pacer); ok {
		return pacer.Pace(u, usual)
	}
	return usual
}

// distinct lists the probers with sessions, each once: schemes share them.
// Probers of functions hold none, and cannot be compared.
func (p *Probers) distinct() []check.Prober {
	seen := map[check.Prober]bool{}
	var out []check.Prober
	for _, e := range p.rows {
		if _, ok := e.prober.(check.ProbeFunc); ok || seen[e.prober] {
			continue
		}
		seen[e.prober] = true
		out = append(out, e.prober)
	}
	return out
}
