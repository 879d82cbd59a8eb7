package uri

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

// syntaxKey is the key of level Syntax alone.
func syntaxKey(u URI) string { return syntaxOf(u.parts(), nil) }

// SchemeKey is the key of level Scheme alone: the identity of a link in the store.
func SchemeKey(u URI) string { return schemeOf(u, syntaxKey(u)) }

// schemeOf needs the key of level Syntax; where that is the URI itself nothing is cut again.
func schemeOf(u URI, syn string) string {
	sp := u.parts()
	if syn == sp.raw {
		return schemeKeyOf(u, sp, nil)
	}
	next, err := cut(syn)
	if err != nil {
		return syn
	}
	return schemeKeyOf(u, &next, nil)
}

func syntaxOf(sp *Parts, codes *[]string) string {
	if sp.plain() {
		return sp.raw
	}
	p := newKeyWriter(codes)
	writeSyntax(p, sp)
	return p.share(sp.raw)
}

// schemeKeyOf writes the key of level Scheme of sp, which is u at level Syntax.
func schemeKeyOf(u URI, sp *Parts, codes *[]string) string {
	p := newKeyWriter(codes)
	writeScheme(p, u, sp)
	return p.share(sp.raw)
}

// share gives what was written; a key equal to its input shares the string.
func (p *keyWriter) share(raw string) string {
	if string(p.buf) == raw {
		return raw
	}
	return string(p.buf)
}
