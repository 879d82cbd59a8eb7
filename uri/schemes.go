package uri

import (
	"maps"
	"slices"

	"linkcheck/uri/internal/chars"
)

// Descriptor is all that the program knows of a scheme beside its grammar, which
// is that of its parser. Every scheme has one; schemes lists them.
type Descriptor struct {
	Name        string   // lower case
	DefaultPort int      // 0: none
	Spec        string   // the document that defines it
	Text        Spelling // how a reference is spelled in running text

	aliases     []alias // other schemes of the same grammar
	syntax      syntax
	relative    bool            // has relative references
	dots        dots            // of the path at level Syntax
	repair      bool            // characters that no URI may hold are escaped, as browsers do
	unres       chars.Class     // what an escape need not hide at level Syntax
	parse       func(Parts) URI // nil: a scheme of running text that Parse does not know
	ownFragment bool            // parse checks the fragment, if it is checked at all
}

// alias is a scheme that differs from another in its name, port and document only.
type alias struct {
	name string
	port int
	spec string
}

// Spelling says what must follow a scheme's colon for a word of running text to be
// a reference: "news: none" is prose, "news:comp.os" a link.
type Spelling uint8

const (
	SpelledUnknown Spelling = iota // nothing is known: only scheme://host
	SpelledSlashes                 // must have "//"
	SpelledMail                    // must have an address
	SpelledNews                    // "//", a dotted group, a message-id or "*"
	SpelledURN                     // urn:nid:nss
	SpelledInfo                    // info:namespace/identifier
	SpelledFile                    // slashes, or an absolute path
	SpelledUser                    // "//", user@host or a dotted host
	SpelledGo                      // "//" or a name
	SpelledService                 // service:type:...://
	SpelledID                      // an identifier with an @ (RFC 2392)
	SpelledARK                     // the number of who assigns names, a slash, a name
	SpelledNever                   // a link in attributes only
)

// syntax says how far a scheme follows the generic syntax of RFC 3986 section 3.
type syntax uint8

const (
	syntaxFlat  syntax = iota // no authority, no relative references
	syntaxPath                // authority and path; '?' is data
	syntaxQuery               // authority, path and query
)

// dots says whether dot segments are removed at level Syntax, RFC 3986 section 6.2.2.3.
type dots uint8

const (
	dotsKept  dots = iota // the path is opaque
	dotsGone              // hierarchical
	dotsPlain             // ftp: only where no CWD argument is empty or absolute
)

// schemes is the one list of schemes, by name: those with a type of their own, each
// described in its file, then those whose parts are of no interest.
var schemes = byName([]Descriptor{
	dictScheme, fileScheme, ftpScheme, goScheme, gopherScheme, httpScheme, infoScheme, mailtoScheme, newsScheme,
	nntpScheme, prosperoScheme, telnetScheme, waisScheme, z3950Scheme,

	opaque("about", 0, "RFC 6694", SpelledNever),
	opaque("afs", 0, "RFC 1738 section 3.11 (reserved)", SpelledSlashes),
	opaque("ark", 0, "draft-kunze-ark", SpelledARK),
	opaque("cid", 0, "RFC 2392", SpelledID),
	opaque("cso", 105, "practice", SpelledSlashes),
	opaque("data", 0, "RFC 2397", SpelledNever),
	opaque("doi", 0, "practice; ISO 26324", SpelledNever),
	opaque("finger", 79, "draft-ietf-uri-url-finger", SpelledUser),
	opaque("ftps", 990, "practice", SpelledSlashes),
	opaque("hdl", 0, "practice; RFC 3650", SpelledNever),
	opaque("imap", 143, "RFC 5092", SpelledSlashes),
	opaque("imaps", 993, "practice; RFC 8314 section 3.2", SpelledSlashes),
	opaque("irc", 6667, "draft-butcher-irc-url", SpelledSlashes),
	opaque("ircs", 6697, "draft-butcher-irc-url", SpelledSlashes),
	opaque("ldap", 389, "RFC 4516", SpelledSlashes),
	opaque("ldaps", 636, "practice", SpelledSlashes),
	opaque("mailserver", 0, "RFC 1738 section 3.11 (reserved)", SpelledUnknown),
	opaque("mid", 0, "RFC 2392", SpelledID),
	opaque("nfs", 2049, "RFC 2224", SpelledSlashes),
	opaque("oid", 0, "RFC 3061", SpelledUnknown),
	opaque("opaquelocktoken", 0, "RFC 4918", SpelledUnknown),
	opaque("ph", 105, "practice", SpelledUnknown),
	opaque("pop", 110, "RFC 2384", SpelledSlashes),
	opaque("rsync", 873, "RFC 5781", SpelledSlashes),
	opaque("rwhois", 4321, "RFC 2167", SpelledUnknown),
	opaque("service", 0, "RFC 2609", SpelledService),
	opaque("sftp", 22, "draft-ietf-secsh-scp-sftp-ssh-uri", SpelledSlashes),
	opaque("shttp", 80, "RFC 2660", SpelledUnknown),
	opaque("sip", 5060, "RFC 3261", SpelledUser),
	opaque("ssh", 22, "draft-ietf-secsh-scp-sftp-ssh-uri", SpelledSlashes),
	opaque("tag", 0, "RFC 4151", SpelledUnknown),
	opaque("urn", 0, "RFC 8141", SpelledURN),
	opaque("vemmi", 575, "RFC 2122", SpelledSlashes),
	opaque("whois", 43, "RFC 3912", SpelledSlashes),
	opaque("whois++", 63, "RFC 1835", SpelledUnknown),
},
	alike(opaque("", 0, "practice", SpelledUnknown), "archie", "chrome", "hcp", "jar", "lifn", "livescript", "lynxcgi", "lynxexec", "lynxprog", "mk", "mocha", "ms-help", "res", "urc", "uuid", "vbscript", "videotex", "view-source", "wysiwyg", "x-exec"),
	alike(opaque("", 0, "RFC 2806", SpelledUnknown), "fax", "modem"),
	alike(opaque("", 0, "practice", SpelledNever), "javascript"),
	genericSchemes, phoneSchemes,
	// Found in running text, though Parse refuses them.
	alike(Descriptor{Spec: "practice", Text: SpelledSlashes}, "git", "mms", "svn"),
	[]Descriptor{
		{Name: "acap", Spec: "RFC 2244", Text: SpelledSlashes},
		{Name: "sips", Spec: "RFC 3261", Text: SpelledUser},
		{Name: "url", Spec: "RFC 3986 appendix C", Text: SpelledNever}, // a word before a reference
	})

// opaque describes a scheme whose parts are of no interest.
func opaque(name string, port int, spec string, text Spelling) Descriptor {
	d := Descriptor{Name: name, DefaultPort: port, Spec: spec, Text: text, unres: chars.Unreserved, parse: parseOpaque, ownFragment: true}
	if port != 0 {
		d.syntax = syntaxPath
	}
	return d
}

// alike gives each name a descriptor that is otherwise d.
func alike(d Descriptor, names ...string) []Descriptor {
	var list []Descriptor
	for _, d.Name = range names {
		list = append(list, d)
	}
	return list
}

// byName gives every alias a descriptor, too.
func byName(lists ...[]Descriptor) map[string]*Descriptor {
	m := map[string]*Descriptor{}
	for _, d := range slices.Concat(lists...) {
		for _, a := range append(d.aliases, alias{d.Name, d.DefaultPort, d.Spec}) {
			same := d
			same.Name, same.DefaultPort, same.Spec = a.name, a.port, a.spec
			m[a.name] = &same
		}
	}
	return m
}

// Schemes lists the schemes that Parse knows, sorted by name.
func Schemes() []Descriptor {
	var list []Descriptor
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		if d := schemes[name]; d.parse != nil {
			list = append(list, *d)
		}
	}
	return list
}

// Lookup describes a scheme that Parse knows; case does not matter.
func Lookup(name string) (d Descriptor, ok bool) {
	if p := parsed(name); p != nil {
		return *p, true
	}
	return Descriptor{}, false
}

// SpellingOf says how references of a scheme, in any case, are spelled in running
// text; SpelledUnknown for what is no scheme.
func SpellingOf(scheme string) Spelling {
	if d := described(scheme); d != nil {
		return d.Text
	}
	return SpelledUnknown
}

// described finds the descriptor of a scheme in any case, without allocating.
func described(name string) *Descriptor {
	var buf [16]byte // the longest name has 15 letters
	if len(name) > len(buf) {
		return nil
	}
	for i := range len(name) {
		buf[i] = chars.LowerByte(name[i])
	}
	return schemes[string(buf[:len(name)])]
}

// parsed finds the descriptor of a scheme that Parse knows.
func parsed(name string) *Descriptor {
	if d := described(name); d != nil && d.parse != nil {
		return d
	}
	return nil
}
