package all

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/check/alive"
	"linkcheck/check/cnrp"
	"linkcheck/check/cso"
	"linkcheck/check/dict"
	"linkcheck/check/finger"
	"linkcheck/check/ftp"
	"linkcheck/check/gemini"
	"linkcheck/check/gopher"
	"linkcheck/check/imap"
	"linkcheck/check/netguard"
	"linkcheck/check/nntp"
	"linkcheck/check/prospero"
	"linkcheck/check/resolver"
	"linkcheck/check/statusline"
	"linkcheck/check/telnet"
	"linkcheck/check/wais"
	"linkcheck/check/web"
	"linkcheck/check/whois"
	"linkcheck/check/z3950"
	"linkcheck/uri"
)

// makeRows is the table. Every protocol is made once and serves its schemes.
func (p *Probers) makeRows(o Options) []entry {
	var list []entry
	row := func(schemes string, e entry) {
		for scheme := range strings.FieldsSeq(schemes) {
			known, _ := uri.Lookup(scheme)
			e.Scheme, e.Port = scheme, cmp.Or(known.DefaultPort, unwritten[scheme])
			list = append(list, e)
		}
	}
	probed := func(schemes, protocol string, prober check.Prober, does string) check.Prober {
		p.protocols = append(p.protocols, prober)
		reader, root := prober.(check.Reader)
		row(schemes, entry{Row{Protocol: protocol, Does: does, Root: root}, prober, reader})
		return prober
	}
	file := probed("ftp", "ftp", ftp.New(o.Options),
		"logs in as anonymous, one CWD a component, then SIZE, MDTM, MLST, CWD, and NLST at last; fetches nothing")
	probed("news snews nntp nntps", "nntp", nntp.New(o.NNTP),
		"asks by STAT for articles and GROUP for groups, many over one session; never logs in")
	probed("whois whois++ rwhois irc ircs", "whois", whois.New(o.Options), "connects")
	probed("cso ph", "cso", cso.New(o.Options), "says quit and reads the answer; looks nobody up")
	login := probed("telnet tn3270", "telnet", telnet.New(telnet.Options{Options: o.Options}),
		"connects, refuses every option, reads the first words; never logs in")
	row("rlogin", entry{Row: Row{Protocol: "telnet", Does: "connects"}, prober: login})
	probed("z39.50r z39.50s", "z3950", z3950.New(o.Options),
		"opens a session and searches the document id: exactly one record counts; fetches it only where its form is given")
	pages := web.New(o.Web)
	names := resolver.New(resolver.Options{Options: o.Options, Web: pages, Info: o.ResolveInfo})
	probed("http https", "web", struct {
		check.Prober
		check.Reader
	}{names, pages},
		"asks the resolver of a persistent identifier first; reads robots.txt, then GET of the first 64 KiB, HEAD first for large files; follows redirects; doubts a page that its site gives for anything")
	probed("gopher", "gopher", gopher.New(gopher.Options{Options: o.Options, Elsewhere: p}),
		"sends the selector, or asks for the attributes of Gopher+, and reads the beginning of the answer; submits no form")
	p.laterProtocols(o, row, probed)
	probed("finger", "finger", finger.New(o.Options), "asks as the link does and reads the first words")
	probed("dict", "dict", dict.New(o.Options), "asks for the definition or the matches and reads how many there are")
	probed("wais", "wais", wais.New(o.Options),
		"asks for the description of the database, makes the search, or fetches 64 octets of the document")
	probed("prospero", "prospero", prospero.New(o.Options),
		"asks in one datagram for the attributes of the object, or for the names in the directory")
	probed("go", "cnrp", cnrp.New(o.CNRP), "asks the resolution service for itself, a name or an identifier; follows no referral")

	row("doi hdl ark", entry{Row: Row{Protocol: "resolver", Does: "asks the resolver whether the name is registered, then what it leads to"}, prober: names})
	row("urn", entry{Row: Row{Protocol: "resolver", Does: "asks the national resolver of a urn:nbn: name, then what it leads to; other names name a thing wherever it is"}, prober: names})
	info := off(o.Options, check.NotDereferenceable, check.ReasonNamesOnly, "names a thing by a registered namespace (RFC 4452 section 4: not to be dereferenced); --resolve-info asks resolvers of doi, hdl and lccn")
	if o.ResolveInfo {
		info = entry{Row: Row{Protocol: "resolver", Does: "asks the resolvers of doi, hdl and lccn whether the identifier is registered"}, prober: names}
	}
	row("info", info)
	row("file", fileRow(o, file))
	row("mailto", mailtoRow(o))
	for _, u := range unprobed {
		row(u.schemes, off(o.Options, u.outcome, u.reason, u.why))
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Scheme, b.Scheme) })
	return list
}

// laterProtocols makes the rows of those that came after the documents of the seeds. Most are asked for no
// more than life.
func (p *Probers) laterProtocols(o Options, row func(schemes string, e entry), probed func(schemes, protocol string, prober check.Prober, does string) check.Prober) {
	probed("gophers", "gopher", struct{ check.Prober }{gopher.New(gopher.Options{Options: o.inTLS(), Elsewhere: p})}, "as gopher, in TLS")
	probed("gemini", "gemini", gemini.New(o.Options), "asks for the page and reads the header of the answer; a redirect is told, not followed")
	probed("rtsp", "rtsp", statusline.RTSP(o.Options), "asks for the description and reads the first line of the answer")
	probed("ws wss", "websocket", statusline.WebSocket(o.Options), "begins the connection, reads the first line of the answer, and goes")
	probed("ssh sftp", "ssh", alive.SSH(o.Options), "reads the greeting; never logs in")
	probed("ftps", "ftps", alive.FTPS(o.Options), "begins TLS and reads the greeting; never logs in")
	probed("rsync", "rsync", alive.Rsync(o.Options), "reads the greeting and asks whether the module is there; lists no files")
	probed("ldap ldaps", "ldap", alive.LDAP(o.Options), "asks for the root entry without any attribute; searches nothing")
	probed("nfs", "nfs", alive.NFS(o.Options), "calls the procedure that does nothing; mounts nothing")
	mail := imap.New(o.Options)
	p.protocols = append(p.protocols, mail)
	row("imap imaps", entry{Row{Protocol: "imap", Off: "needs an account", Root: true}, mail, mail.(check.Reader)})
}

// unwritten are the default ports that the keys of their schemes do not know.
var unwritten = map[string]int{"archie": 1525, "videotex": 516}

// inTLS are the options whose connections begin TLS at once.
func (o Options) inTLS() check.Options {
	secure := o.Options
	secure.Dialer = tlsDialer{o.Dialer, o.Roots}
	return secure
}

// tlsDialer begins TLS upon each connection. Certificates are not doubted: a bad one is no
// broken link, and servers of Gopher make theirs themselves.
type tlsDialer struct {
	netguard.Dialer
	roots *x509.CertPool
}

// DialContext implements netguard.Dialer.
func (d tlsDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(address)
	if err == nil {
		var secure *tls.Conn
		if secure, _, err = check.StartTLS(check.WithRoots(ctx, d.roots), c, host); err == nil {
			return secure, nil
		}
	}
	return nil, errors.Join(err, c.Close())
}

// off is the entry of schemes that are not probed.
func off(o check.Options, outcome check.Outcome, r check.Reason, why string) entry {
	return entry{Row: Row{Off: why}, prober: fixed(o, outcome, r)}
}
