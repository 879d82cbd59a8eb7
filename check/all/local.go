package all

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path"
	"strings"
	"syscall"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// fixed gives the same result for every URI, and touches no network.
func fixed(o check.Options, outcome check.Outcome, r check.Reason) check.ProbeFunc {
	return func(ctx context.Context, _ check.Target) check.Result {
		return o.Run(ctx, func(context.Context) check.Result { return check.New(outcome, r, "") })
	}
}

// ftpPort is the port of FTP.
const ftpPort = 21

// fileRow is the row of file: a file of this machine is looked up below the root that
// the operator gave; one of another host is read as anonymous FTP if he wants
// that reading of 1991 (UDI). OUTCOMES sections 1.3 and 1.4.
func fileRow(o Options, ftp check.Prober) entry {
	does := ""
	if o.FileRoot != "" {
		does = "look for the file below the given root"
	}
	if o.FileHost == "ftp" {
		does = strings.TrimPrefix(does+"; read file://host as anonymous FTP", "; ")
	}
	e := entry{Row: Row{Does: does}, prober: check.ProberOf(o.Options, func(ctx context.Context, u *uri.File) check.Result {
		if strings.Contains(u.Host, ".") && o.FileHost == "ftp" { // never for a bare name, PROTOCOLS 9
			return ftp.Probe(netguard.WithOwnPorts(ctx, ftpPort), check.Target{URI: u})
		}
		return stat(o.FileRoot, u)
	})}
	if does == "" {
		e.Off = "names a file of one machine; --file-root and --file-host say where to look"
	}
	return e
}

// stat looks for u below root, out of which no link leads.
func stat(root string, u *uri.File) check.Result {
	switch {
	case u.Host != "" && u.Host != "localhost":
		return check.New(check.Skipped, check.ReasonFileOtherHost, u.Host)
	case root == "":
		return check.New(check.Skipped, check.ReasonLocalFile, "")
	case !wire.LineSafe(u.Segments...):
		return check.New(check.Skipped, check.ReasonControlCharacter, "")
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return check.New(check.Internal, check.ReasonLocalResources, err.Error())
	}
	defer dir.Close()
	name := path.Clean("./" + strings.Join(u.Segments, "/"))
	_, err = dir.Stat(name)
	switch {
	case err == nil:
		return check.New(check.OK, check.ReasonFileExists, "")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return check.New(check.Gone, check.ReasonFileMissing, "")
	case errors.Is(err, fs.ErrPermission):
		return check.New(check.Auth, check.ReasonFileDenied, "")
	}
	return check.New(check.Skipped, check.ReasonFileOutside, err.Error())
}

// mailtoRow is the row of mailto: no mail server is ever asked. With MailtoMX the DNS
// is asked whether the domain exists; one that has only mail exchangers does.
func mailtoRow(o Options) entry {
	if !o.MailtoMX {
		return off(o.Options, check.NotDereferenceable, check.ReasonMailAddress, "mail servers are not asked; --mailto-mx looks up the domain")
	}
	r := o.Resolver
	if r == nil {
		r = netguard.SystemResolver{}
	}
	return entry{Row: Row{Does: "look up the domain, never ask a mail server"}, prober: check.ProberOf(o.Options,
		func(ctx context.Context, m *uri.Mailto) check.Result { return mailDomain(ctx, r, m) })}
}

func mailDomain(ctx context.Context, r netguard.Resolver, m *uri.Mailto) check.Result {
	for _, to := range m.To {
		_, domain, found := strings.Cut(to, "@")
		if !found || net.ParseIP(strings.Trim(domain, "[]")) != nil {
			continue
		}
		if netguard.ReservedName(domain) {
			return check.New(check.Skipped, check.ReasonReservedName, domain)
		}
		if _, err := r.Resolve(ctx, strings.TrimSuffix(domain, ".")); err != nil {
			if res := check.Classify(err); res.Reason != check.ReasonDNSNoAddress {
				return res
			}
		}
	}
	return check.New(check.NotDereferenceable, check.ReasonMailAddress, "")
}
