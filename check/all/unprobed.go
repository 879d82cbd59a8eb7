package all

import "linkcheck/check"

// unprobed lists the schemes that no server is asked about, and why.
var unprobed = []struct {
	schemes string
	outcome check.Outcome
	reason  check.Reason
	why     string
}{
	{"tag", check.NotDereferenceable, check.ReasonNamesOnly, "a name by date and owner"},
	{"oid", check.NotDereferenceable, check.ReasonNamesOnly, "an object identifier"},
	{"uuid opaquelocktoken", check.NotDereferenceable, check.ReasonNamesOnly, "a unique number"},
	{"cid", check.NotDereferenceable, check.ReasonNamesOnly, "names a part of its own message"},
	{"mid", check.NotDereferenceable, check.ReasonNamesOnly, "names a message"},
	{"urc", check.NotDereferenceable, check.ReasonNamesOnly, "a proposal for descriptions of resources"},
	{"lifn", check.NotDereferenceable, check.ReasonNamesOnly, "a proposal for names of copies"},
	{"afs", check.NotDereferenceable, check.ReasonNamesOnly, "names a file of a file system, not a server"},
	{"mailserver", check.NotDereferenceable, check.ReasonNamesOnly, "names a request to be sent by mail"},
	{"tel sms fax modem", check.NotDereferenceable, check.ReasonNamesOnly, "a telephone number"},

	{"data", check.NotDereferenceable, check.ReasonNotALink, "holds its content itself"},
	{"about javascript livescript mocha vbscript x-exec lynxexec lynxprog lynxcgi view-source wysiwyg chrome jar res mk hcp ms-help",
		check.NotDereferenceable, check.ReasonNotALink, "is handled by the reader's own program"},

	{"shttp", check.Unsupported, check.ReasonNoClient, "Secure HTTP (RFC 2660) is spoken no more"},
	{"pop", check.Unsupported, check.ReasonNoClient, "needs an account"},
	{"service", check.Unsupported, check.ReasonNoClient, "names a service of the local network"},
	{"archie vemmi videotex", check.Unsupported, check.ReasonNoClient, "spoken no more"},
	{"sip", check.Unsupported, check.ReasonNoClient, "would make a telephone ring"},
}
