package all

import (
	"strconv"
	"strings"

	"linkcheck/check"
)

// unprobed lists the schemes that no server is asked about, and why.
func unprobed(o check.Options) (rows []entry) {
	for _, group := range []struct {
		schemes string
		outcome check.Outcome
		reason  check.Reason
		why     string
	}{
		{"info", check.NotDereferenceable, check.ReasonNamesOnly, "names a thing by a registered namespace (RFC 4452 section 4: not to be dereferenced)"},
		{"urn", check.NotDereferenceable, check.ReasonNamesOnly, "names a thing wherever it is"},
		{"doi hdl", check.NotDereferenceable, check.ReasonNamesOnly, "an identifier without an address of its own"},
		{"tag", check.NotDereferenceable, check.ReasonNamesOnly, "a name by date and owner"},
		{"oid", check.NotDereferenceable, check.ReasonNamesOnly, "an object identifier"},
		{"uuid opaquelocktoken", check.NotDereferenceable, check.ReasonNamesOnly, "a unique number"},
		{"cid", check.NotDereferenceable, check.ReasonNamesOnly, "names a part of its own message"},
		{"mid", check.NotDereferenceable, check.ReasonNamesOnly, "names a message"},
		{"urc", check.NotDereferenceable, check.ReasonNamesOnly, "a proposal for descriptions of resources"},
		{"lifn", check.NotDereferenceable, check.ReasonNamesOnly, "a proposal for names of copies"},
		{"afs", check.NotDereferenceable, check.ReasonNamesOnly, "names a file of a file system, not a server"},
		{"mailserver", check.NotDereferenceable, check.ReasonNamesOnly, "names a request to be sent by mail"},
		{"tel fax modem", check.NotDereferenceable, check.ReasonNamesOnly, "a telephone number"},

		{"data", check.NotDereferenceable, check.ReasonNotALink, "holds its content itself"},
		{"about javascript livescript mocha vbscript x-exec lynxexec lynxprog lynxcgi view-source wysiwyg chrome jar res mk hcp ms-help",
			check.NotDereferenceable, check.ReasonNotALink, "is handled by the reader's own program"},

		{"shttp:80", check.Unsupported, check.ReasonNoClient, "Secure HTTP (RFC 2660) is spoken no more"},
		{"ftps:990", check.Unsupported, check.ReasonNoClient, "never registered; servers differ in what it means"},
		{"sftp:22 imap:143 pop:110", check.Unsupported, check.ReasonNoClient, "needs an account"},
		{"ldap:389 ldaps:636", check.Unsupported, check.ReasonNoClient, "directory servers are not to be searched by strangers"},
		{"nfs:2049", check.Unsupported, check.ReasonNoClient, "a file system to mount, not to visit"},
		{"irc:6667", check.Unsupported, check.ReasonNoClient, "chat is not to be entered by a program"},
		{"rsync:873", check.Unsupported, check.ReasonNoClient, "a program to mirror, not to visit"},
		{"service", check.Unsupported, check.ReasonNoClient, "names a service of the local network"},
		{"archie:1525 vemmi:575 videotex:516", check.Unsupported, check.ReasonNoClient, "spoken no more"},
		{"sip:5060", check.Unsupported, check.ReasonNoClient, "would make a telephone ring"},
	} {
		for _, scheme := range strings.Fields(group.schemes) {
			scheme, port, _ := strings.Cut(scheme, ":")
			n, _ := strconv.Atoi(port) // 0: none
			rows = append(rows, row(scheme, "", n, off(o, group.outcome, group.reason, group.why)))
		}
	}
	return rows
}
