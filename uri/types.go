package uri

// HTTP is an http or https URL. Path and Query are raw.
type HTTP struct {
	base
	At    Endpoint
	User  *User
	Path  string
	Query *string
}

// Endpoint implements [Hosted]; so do the methods of the same name below.
func (u *HTTP) Endpoint() Endpoint { return u.At }

// FTP is an ftp URL, rfc1738bis section 2.2: Dirs are CWD arguments in order.
type FTP struct {
	base
	At   Endpoint
	User *User
	Dirs []string
	Name string
	Type byte // 'a', 'i', 'd', or 0 for none
}

func (u *FTP) Endpoint() Endpoint { return u.At }

// Gopher is a gopher URL, rfc1738bis section 2.3.
type Gopher struct {
	base
	At       Endpoint
	Type     byte // '1' if the path is empty
	Selector string
	Search   *string
	Plus     *string // the gopher+ string
}

func (u *Gopher) Endpoint() Endpoint { return u.At }

// NewsKind tells what a news URI names.
type NewsKind uint8

const (
	NewsGroup   NewsKind = iota // a newsgroup, or a wildmat pattern
	NewsArticle                 // a message-id
	NewsAll                     // "*"
	NewsServer                  // news://host/ of RFC 5538
)

// News is a news or snews URI, rfc1738bis section 2.4 and RFC 5538.
type News struct {
	base
	At        *Endpoint // nil without a server
	Kind      NewsKind
	Group     string
	MessageID string // without angle brackets
}

// NNTP is an nntp or nntps URL, rfc1738bis section 2.5.
type NNTP struct {
	base
	At      Endpoint
	Group   string
	Article string // "" in the RFC 5538 form without a number
}

func (u *NNTP) Endpoint() Endpoint { return u.At }

// Telnet is a telnet, tn3270 or rlogin URL, rfc1738bis section 2.6.
type Telnet struct {
	base
	At   Endpoint
	User *User // advisory only
}

func (u *Telnet) Endpoint() Endpoint { return u.At }

// WAISForm tells the forms of a wais URL apart.
type WAISForm uint8

const (
	WAISDatabase WAISForm = iota
	WAISSearch
	WAISDocument
	WAISUDIDocument // UDI (1991): the document's length stands before its id
)

// WAIS is a wais URL, rfc1738bis section 2.7 and the UDI BNF.
type WAIS struct {
	base
	At       Endpoint
	Form     WAISForm
	Database string
	Search   string
	Type     string // wtype
	Path     string // wpath, decoded
	RawPath  string // wpath as written; a docid is decoded field by field
	Length   int64  // of WAISUDIDocument
}

func (u *WAIS) Endpoint() Endpoint { return u.At }

// File is a file URL, rfc1738bis section 2.8. Host "" is this machine.
type File struct {
	base
	Host     string
	Segments []string
}

// Prospero is a prospero URL, rfc1738bis section 2.9.
type Prospero struct {
	base
	At      Endpoint
	HSOName string
	Fields  []Param
}

func (u *Prospero) Endpoint() Endpoint { return u.At }

// Z3950 is a z39.50r or z39.50s URL, RFC 2056.
type Z3950 struct {
	base
	At         Endpoint
	Retrieval  bool // z39.50r
	Databases  []string
	DocID      *string
	ElementSet *string
	Syntaxes   []string // rs, in order of preference
	Ext        []Param
}

func (u *Z3950) Endpoint() Endpoint { return u.At }

// Info is an info URI (draft-vandesompel-info-uri-01). Identifier is unescaped.
type Info struct {
	base
	Namespace  string // lower case
	Identifier string
}

// AVPair is ";attribute=[type,]value" of a go URI.
type AVPair struct {
	Attribute string
	Type      *string
	Value     string
}

// Go is a go URI of the Common Name Resolution Protocol, RFC 3368.
type Go struct {
	base
	Form       int       // 1: a server is meant; 2: the configured services
	At         *Endpoint // nil in form 2
	CommonName *string
	ID         *string
	Pairs      []AVPair
}

// Mailto is a mailto URI, RFC 6068.
type Mailto struct {
	base
	To      []string
	Headers []Param
}

// Opaque is a URI of a known scheme that has no parts of interest (urn, cid,
// mid, data, tel, finger, ldap ...). At is the server where the scheme names one.
type Opaque struct {
	base
	Rest string // what follows the colon, raw, without the fragment
	At   *Endpoint
}
