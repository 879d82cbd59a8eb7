package equal

import "linkcheck/uri"

// maxPasses bounds how often the rules of a level are tried again after one of
// them changed something.
const maxPasses = 8

// keyStep is a key between the string and the key of the last level, with the codes of
// the steps that led to it.
type keyStep struct {
	level Level
	codes []string
	maybe bool // the step makes two URIs related, not the same
	key   string
}

// normalizer makes the keys of one URI.
type normalizer struct {
	Rules
	steps []keyStep
	u     uri.URI // of the last key

	parts   uri.Parts // of u, which a rule may change
	drafted bool      // parts are filled
}

// normalize gives the keys of u and every step that changed something, after a
// first one that is the string itself.
func (r Rules) normalize(u uri.URI) (Keys, []keyStep) {
	n := normalizer{Rules: r, steps: make([]keyStep, 1, 2), u: u} // most URIs are written well
	n.steps[0].key = u.String()
	var k Keys
	k.Syntax, k.Scheme = n.spell(Syntax, Scheme)
	k.Registry = n.canon(Registry)
	if n.parse(); n.u.String() != k.Registry {
		k.Protocol, k.Resolver, k.Heuristic = k.Registry, k.Registry, k.Registry
		return k, n.steps
	}
	k.Protocol = n.apply(Protocol)
	k.Resolver = n.apply(Resolver)
	k.Heuristic = n.apply(Heuristic)
	return k, n.steps
}

// spell takes the steps of package uri; the levels are those of the rule before them.
func (n *normalizer) spell(syntax, scheme Level) (string, string) {
	n.parse()
	first, second := uri.Normalize(n.u)
	return n.push(syntax, first.Codes, false, first.Text), n.push(scheme, second.Codes, false, second.Text)
}

// canon takes the steps of the registry.
func (n *normalizer) canon(level Level) string {
	key, codes := n.registry().Canon(n.last())
	return n.push(level, codes, false, key)
}

// apply tries the rules of one level and, once one of them changed something,
// those of the levels below it again, until nothing changes.
func (n *normalizer) apply(level Level) string {
	for pass, from := 0, level; pass < maxPasses; pass, from = pass+1, Protocol {
		before := len(n.steps)
		n.pass(level, from)
		if len(n.steps) == before {
			break
		}
	}
	return n.last()
}

// pass tries every rule of the levels from the one to the other once.
func (n *normalizer) pass(level, from Level) {
	for l := from; l <= level; l++ {
		if l == Heuristic {
			n.unwrap() // before the habits of servers, which are not those of proxies
		}
		steps := rules[l]
		for i := range steps {
			r := &steps[i]
			if r.apply(n.u, n.draft()) {
				n.accept(level, r.code, (r.maybe || l > Protocol) && !(n.UDI && r.udi))
			}
		}
		if l != Resolver {
			continue
		}
		resolvers := n.registry().Resolvers()
		for i := range resolvers {
			if s := &resolvers[i]; resolve(s, n.u, n.draft()) {
				n.accept(level, s.Code, true)
			}
		}
	}
}

// unwrap goes from a link through a library's proxy to its target.
func (n *normalizer) unwrap() {
	if _, ok := n.u.(*uri.HTTP); !ok {
		return
	}
	link, ok := n.Proxies.Guess(n.u.String())
	if !ok {
		return
	}
	if target, err := uri.Parse(link.Target); err == nil {
		n.parts, n.drafted = target.Parts(), true
		n.accept(Heuristic, link.Code, true)
	}
}

// draft gives the parts of u for a rule to change.
func (n *normalizer) draft() *uri.Parts {
	if !n.drafted {
		n.parts, n.drafted = n.u.Parts(), true
	}
	return &n.parts
}

// accept makes a key of the parts that a rule changed. The steps up to level Registry
// follow, so that every later rule sees a URI in normal form.
func (n *normalizer) accept(level Level, code string, maybe bool) {
	s := n.parts.String()
	n.drafted = false
	v, err := uri.Parse(s)
	if err != nil {
		return
	}
	n.push(level, []string{code}, maybe, s)
	n.u = v
	n.spell(level, level)
	n.canon(level)
	n.parse()
}

// parse makes u the URI of the last key, if that parses.
func (n *normalizer) parse() {
	if n.u.String() == n.last() {
		return
	}
	if v, err := uri.Parse(n.last()); err == nil {
		n.u, n.drafted = v, false
	}
}

// push adds a step that changed the key, and gives the key.
func (n *normalizer) push(level Level, codes []string, maybe bool, key string) string {
	if key != n.last() {
		n.steps = append(n.steps, keyStep{level, codes, maybe, key})
	}
	return n.last()
}

func (n *normalizer) last() string { return n.steps[len(n.steps)-1].key }
