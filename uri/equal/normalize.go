package uri

// Rules is what a ladder is climbed with. The zero value is the frozen registry
// and the meaning of today.
type Rules struct {
	Registry *InfoRegistry // nil: DefaultRegistry
	// UDI reads a document of 1991 to 1993, or a reference marked "UDI=":
	// file://host is anonymous FTP and '?' of a gopher item is its search.
	UDI bool
}

func (r Rules) registry() *InfoRegistry {
	if r.Registry != nil {
		return r.Registry
	}
	return DefaultRegistry()
}

// Edition numbers the rules by which keys are made. Who keeps keys makes them anew
// when the edition is another; TestEdition asks for the next one.
const Edition = 1

// maxPasses bounds how often the rules of a level are tried again after one of
// them changed something.
const maxPasses = 8

// rung is one point of the way up: the key reached and the codes that led there.
type keyStep struct {
	level Level
	codes []string
	maybe bool
	key   string
}

// climber walks one URI up the ladder.
type normalizer struct {
	reg   *InfoRegistry
	udi   bool
	rungs []keyStep
	u     URI    // the URI that the last key spells
	kind  kind   // of u
	d     *draft // u taken apart, or nil
}

func (r Rules) climb(u URI) (Keys, []keyStep) {
	c := normalizer{reg: r.registry(), udi: r.UDI, rungs: make([]keyStep, 1, 2)} // most URIs are written well
	c.rungs[0].key = u.String()
	var k Keys
	k.Syntax = c.syntax(u, Syntax)
	k.Scheme = c.scheme(c.at(u), Scheme)
	k.Registry = c.registry(Registry)
	c.at(u)
	if c.u.String() != k.Registry {
		return Keys{k.Syntax, k.Scheme, k.Registry, k.Registry, k.Registry, k.Registry}, c.rungs
	}
	c.kind = kindOf(c.u)
	k.Protocol = c.level(Protocol, 0, c.reg.resolverFrom)
	k.Resolver = c.level(Resolver, c.reg.resolverFrom, c.reg.heuristicsFrom)
	k.Heuristic = c.level(Heuristic, c.reg.heuristicsFrom, len(c.reg.rules))
	return k, c.rungs
}

func (c *normalizer) top() string { return c.rungs[len(c.rungs)-1].key }

// at gives the URI of the topmost key.
func (c *normalizer) at(u URI) URI {
	if c.u == nil {
		c.u = u
	}
	if c.u.String() != c.top() {
		if v, err := Parse(c.top()); err == nil {
			c.u, c.d = v, nil
		}
	}
	return c.u
}

func (c *normalizer) push(level Level, codes []string, maybe bool, key string) {
	if key != c.top() {
		c.rungs = append(c.rungs, keyStep{level, codes, maybe, key})
	}
}

func (c *normalizer) syntax(u URI, level Level) string {
	var codes []string
	key := syntaxOf(u.parts(), &codes)
	c.push(level, codes, false, key)
	return key
}

func (c *normalizer) scheme(u URI, level Level) string {
	var codes []string
	key := schemeKeyOf(u, u.parts(), &codes)
	c.push(level, codes, false, key)
	return key
}

func (c *normalizer) registry(level Level) string {
	var codes []string
	key := c.reg.canon(c.top(), &codes)
	c.push(level, codes, false, key)
	return key
}

// level tries the rules of one level and, once one of them changed something,
// those below it again, until nothing changes.
func (c *normalizer) level(level Level, from, to int) string {
	for range maxPasses {
		before := len(c.rungs)
		for i := from; i < to; i++ {
			c.try(level, &c.reg.rules[i])
		}
		if len(c.rungs) == before {
			break
		}
		from = 0
	}
	return c.top()
}

// try applies one rule and settles what it wrote on the lower levels, so that a
// key is always one of a URI spelled at level registry.
func (c *normalizer) try(level Level, r *rule) {
	if r.kinds&c.kind == 0 {
		return
	}
	if c.d == nil {
		c.d = draftOf(c.u.parts())
	}
	if !r.apply(c.u, c.d) {
		return
	}
	s := c.d.String()
	c.d = nil
	v, err := Parse(s)
	if err != nil {
		return
	}
	maybe := r.maybe && !(c.udi && (r.code == "udi-file-is-ftp" || r.code == "gopher-qmark-search"))
	c.push(level, []string{r.code}, maybe, s)
	c.u = v
	c.syntax(v, level)
	c.scheme(c.at(nil), level)
	c.registry(level)
	c.kind = kindOf(c.at(nil))
}
