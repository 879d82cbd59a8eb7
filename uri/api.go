package uri

// EndpointOf gives the server that u names, for schemes where a server is optional too.
func EndpointOf(u URI) (Endpoint, bool) {
	switch u := u.(type) {
	case *News:
		if u.At != nil {
			return *u.At, true
		}
	case *Go:
		if u.At != nil {
			return *u.At, true
		}
	case *Opaque:
		if u.At != nil {
			return *u.At, true
		}
	case Hosted:
		return u.Endpoint(), true
	}
	return Endpoint{}, false
}

// Level is a rung of the ladder of equality.
type Level uint8

const (
	Identical Level = iota
	Syntax
	Scheme
	Registry
	Protocol
	Resolver
	Heuristic
	Observed
)

func (l Level) String() string {
	return [...]string{"identical", "syntax", "scheme", "registry", "protocol", "resolver", "heuristic", "observed"}[l]
}

// Keys holds one key a level; each is a function of the one before, so groups nest.
type Keys struct {
	Syntax    string `json:"syntax"`
	Scheme    string `json:"scheme"`
	Registry  string `json:"registry"`
	Protocol  string `json:"protocol"`
	Resolver  string `json:"resolver"`
	Heuristic string `json:"heuristic"`
}

// KeysOf computes the keys of u.
func KeysOf(u URI) Keys { return Rules{}.Keys(u) }

// Keys computes the keys of u.
func (r Rules) Keys(u URI) Keys {
	k, _ := r.climb(u)
	return k
}

// parted is what every URI of this package is.
type parted interface{ parts() *split }

// syntaxKey is the key of level Syntax alone.
func syntaxKey(u URI) string { return syntaxOf(u.(parted).parts(), nil) }

// SchemeKey is the key of level Scheme alone: the identity of a link in the store.
func SchemeKey(u URI) string { return schemeOf(u, syntaxKey(u)) }

// schemeOf needs the key of level Syntax; where that is the URI itself nothing is cut again.
func schemeOf(u URI, syn string) string {
	sp := u.(parted).parts()
	if syn == sp.raw {
		return schemeKeyOf(sp, nil)
	}
	next, err := cut(syn)
	if err != nil {
		return syn
	}
	return schemeKeyOf(&next, nil)
}

// keyRoom is the length of most keys, in bytes.
const keyRoom = 96

func syntaxOf(sp *split, codes *[]string) string {
	if sp.plain() {
		return sp.raw
	}
	var room [keyRoom]byte
	p := pen{buf: room[:0], codes: codes}
	writeSyntax(&p, sp)
	return p.share(sp.raw)
}

func schemeKeyOf(sp *split, codes *[]string) string {
	var room [keyRoom]byte
	p := pen{buf: room[:0], codes: codes}
	writeScheme(&p, sp)
	return p.share(sp.raw)
}

// share gives what was written; a key equal to its input shares the string.
func (p *pen) share(raw string) string {
	if string(p.buf) == raw {
		return raw
	}
	return string(p.buf)
}
