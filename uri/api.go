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

// SyntaxKey is the key of level Syntax alone.
func SyntaxKey(u URI) string {
	sp := u.(interface{ parts() *split }).parts()
	return write(sp, writeSyntax, nil)
}

// SchemeKey is the key of level Scheme alone: the identity of a link in the store.
func SchemeKey(u URI) string { return schemeOf(u, SyntaxKey(u)) }

func schemeOf(u URI, syn string) string {
	sp := u.(interface{ parts() *split }).parts()
	if syn == sp.raw {
		return write(sp, writeScheme, nil)
	}
	next, err := cut(syn)
	if err != nil {
		return syn
	}
	return write(&next, writeScheme, nil)
}

// write runs a level over sp; a key equal to its input shares the string.
func write(sp *split, level func(*pen, *split), codes *[]string) string {
	var room [256]byte
	p := pen{buf: room[:0], codes: codes}
	level(&p, sp)
	if string(p.buf) == sp.raw {
		return sp.raw
	}
	return string(p.buf)
}
