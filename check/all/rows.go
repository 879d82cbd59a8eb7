package all

import (
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/check/cnrp"
	"linkcheck/check/cso"
	"linkcheck/check/dict"
	"linkcheck/check/finger"
	"linkcheck/check/ftp"
	"linkcheck/check/gopher"
	"linkcheck/check/nntp"
	"linkcheck/check/prospero"
	"linkcheck/check/telnet"
	"linkcheck/check/wais"
	"linkcheck/check/web"
	"linkcheck/check/whois"
	"linkcheck/check/z3950"
)

// makeRows is the table. Every protocol is made once and serves its schemes.
func (p *Probers) makeRows(o Options) []entry {
	on := func(q check.Prober, does string) treatment {
		p.protocols = append(p.protocols, q)
		return treatment{does: does, prober: q}
	}
	file := on(ftp.New(o.Options), "logs in as anonymous, one CWD a component, then SIZE, MDTM, MLST, CWD, and NLST at last; fetches nothing")
	article := on(nntp.New(o.NNTP),
		"asks by STAT for articles and GROUP for groups, many over one session; never logs in")
	door := on(whois.New(o.Options), "connects")
	phonebook := on(cso.New(o.Options), "says quit and reads the answer; looks nobody up")
	login := on(telnet.New(telnet.Options{Options: o.Options}), "connects, refuses every option, reads the first words; never logs in")
	catalogue := on(z3950.New(o.Options),
		"opens a session and searches the document id: exactly one record counts; fetches it only where its form is given")
	page := on(web.New(o.Web),
		"reads robots.txt, then GET of the first 64 KiB, HEAD first for large files; follows redirects; doubts a page that its site gives for anything")

	list := []entry{
		row("http", "web", 80, page),
		row("https", "web", 443, page),

		row("ftp", "ftp", 21, file),
		row("gopher", "gopher", 70, on(gopher.New(gopher.Options{Options: o.Options, Elsewhere: p}),
			"sends the selector, or asks for the attributes of Gopher+, and reads the beginning of the answer; submits no form")),
		row("news", "nntp", 119, article),
		row("snews", "nntp", 563, article),
		row("nntp", "nntp", 119, article),
		row("nntps", "nntp", 563, article),
		row("telnet", "telnet", 23, login),
		row("tn3270", "telnet", 23, login),
		row("rlogin", "telnet", 513, treatment{does: "connects", prober: login.prober}),
		row("finger", "finger", 79, on(finger.New(o.Options), "asks as the link does and reads the first words")),
		row("dict", "dict", 2628, on(dict.New(o.Options), "asks for the definition or the matches and reads how many there are")),
		row("whois", "whois", 43, door),
		row("whois++", "whois", 63, door),
		row("rwhois", "whois", 4321, door),
		row("cso", "cso", 105, phonebook),
		row("ph", "cso", 105, phonebook),

		row("z39.50r", "z3950", 210, catalogue),
		row("z39.50s", "z3950", 210, catalogue),
		row("wais", "wais", 210, on(wais.New(o.Options),
			"asks for the description of the database, makes the search, or fetches 64 octets of the document")),
		row("prospero", "prospero", 1525, on(prospero.New(o.Options),
			"asks in one datagram for the attributes of the object, or for the names in the directory")),
		row("go", "cnrp", 1096, on(cnrp.New(o.CNRP),
			"asks the resolution service for itself, a name or an identifier; follows no referral")),

		row("file", "", 0, fileHow(o, file)),
		row("mailto", "", 0, mailtoHow(o)),
	}
	list = append(list, unprobed(o.Options)...)
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Scheme, b.Scheme) })
	return list
}

// treatment is one way to treat a scheme.
type treatment struct {
	does   string // how it is probed, in words for people; "" if it is not
	off    string // why it is not
	prober check.Prober
}

// off does not probe.
func off(o check.Options, outcome check.Outcome, r check.Reason, why string) treatment {
	return treatment{off: why, prober: fixed(o, outcome, r)}
}

func row(scheme, protocol string, port int, h treatment) entry {
	return entry{Row{Scheme: scheme, Protocol: protocol, Port: port, Does: h.does, Off: h.off}, h.prober}
}
