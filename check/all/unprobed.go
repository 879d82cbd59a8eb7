package all

import "linkcheck/check"

// unprobed lists the schemes that no server is asked about, and why.
func unprobed() []entry {
	named := func(why string) how { return off(check.NotDereferenceable, check.ReasonNamesOnly, why) }
	local := off(check.NotDereferenceable, check.ReasonNotALink, "is handled by the reader's own program")
	noClient := func(why string) how { return off(check.Unsupported, check.ReasonNoClient, why) }
	return []entry{
		row("info", "", 0, named("names a thing by a registered namespace (RFC 4452 section 4: not to be dereferenced)")),
		row("urn", "", 0, named("names a thing wherever it is")),
		row("doi", "", 0, named("an identifier without an address of its own")),
		row("hdl", "", 0, named("an identifier without an address of its own")),
		row("tag", "", 0, named("a name by date and owner")),
		row("oid", "", 0, named("an object identifier")),
		row("uuid", "", 0, named("a unique number")),
		row("opaquelocktoken", "", 0, named("a unique number")),
		row("cid", "", 0, named("names a part of its own message")),
		row("mid", "", 0, named("names a message")),
		row("urc", "", 0, named("a proposal for descriptions of resources")),
		row("lifn", "", 0, named("a proposal for names of copies")),
		row("afs", "", 0, named("names a file of a file system, not a server")),
		row("mailserver", "", 0, named("names a request to be sent by mail")),
		row("tel", "", 0, named("a telephone number")),
		row("fax", "", 0, named("a telephone number")),
		row("modem", "", 0, named("a telephone number")),

		row("data", "", 0, off(check.NotDereferenceable, check.ReasonNotALink, "holds its content itself")),
		row("about", "", 0, local),
		row("javascript", "", 0, local),
		row("livescript", "", 0, local),
		row("mocha", "", 0, local),
		row("vbscript", "", 0, local),
		row("x-exec", "", 0, local),
		row("lynxexec", "", 0, local),
		row("lynxprog", "", 0, local),
		row("lynxcgi", "", 0, local),
		row("view-source", "", 0, local),
		row("wysiwyg", "", 0, local),
		row("chrome", "", 0, local),
		row("jar", "", 0, local),
		row("res", "", 0, local),
		row("mk", "", 0, local),
		row("hcp", "", 0, local),
		row("ms-help", "", 0, local),

		row("shttp", "", 80, noClient("Secure HTTP (RFC 2660) is spoken no more")),
		row("ftps", "", 990, noClient("never registered; servers differ in what it means")),
		row("sftp", "", 22, noClient("needs an account")),
		row("ldap", "", 389, noClient("directory servers are not to be searched by strangers")),
		row("ldaps", "", 636, noClient("directory servers are not to be searched by strangers")),
		row("imap", "", 143, noClient("needs an account")),
		row("pop", "", 110, noClient("needs an account")),
		row("nfs", "", 2049, noClient("a file system to mount, not to visit")),
		row("irc", "", 6667, noClient("chat is not to be entered by a program")),
		row("rsync", "", 873, noClient("a program to mirror, not to visit")),
		row("service", "", 0, noClient("names a service of the local network")),
		row("archie", "", 1525, noClient("spoken no more")),
		row("vemmi", "", 575, noClient("spoken no more")),
		row("videotex", "", 516, noClient("spoken no more")),
		row("sip", "", 5060, noClient("would make a telephone ring")),
	}
}
