package proxied

import (
	"slices"
	"strings"
)

// maxNested is how many proxies may stand before one target.
const maxNested = 4

// Link is a link taken apart.
type Link struct {
	Target string // what the proxy leads to
	// Via is how the target is written, as rules with blanks between them, the outermost
	// first; [Wrap] writes another target so.
	Via string
	// Code names the form of the outermost proxy.
	Code string
}

// Rules are the rules of an operator, beside the forms that are known. Nil are none.
type Rules []Rule

// ParseRules reads rules, one a line.
func ParseRules(text string) (rules Rules, err error) {
	for line := range strings.Lines(text) {
		r, err := ParseRule(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// String gives the rules as ParseRules reads them.
func (r Rules) String() string {
	var b strings.Builder
	for _, rule := range r {
		b.WriteString(rule.String() + "\n")
	}
	return b.String()
}

// Target takes a link apart. Found are the operator's rules and the known forms that
// spell the target out; a form that only looks like a host behind a proxy is [Rules.Guess]'s.
func (r Rules) Target(url string) (l Link, ok bool) {
	l.Target = url
	for range maxNested {
		inner, found := r.unwrap(l.Target)
		if !found {
			break
		}
		if l.Target, l.Via = inner.Target, strings.TrimSpace(l.Via+" "+inner.Via); l.Code == "" {
			l.Code = inner.Code
		}
	}
	return l, l.Via != ""
}

// Guess takes one proxy from a link, by the rules and by all known forms: enough to say
// that two links may be the same, not to ask another server.
func (r Rules) Guess(url string) (l Link, ok bool) {
	if l, ok = r.byRule(url); ok || !mayBeKnown(url) {
		return l, ok
	}
	if l, ok = knownForm(url); !ok {
		l, ok = hostForm(url)
	}
	return l, ok
}

// unwrap takes one proxy from a link.
func (r Rules) unwrap(url string) (l Link, ok bool) {
	if l, ok = r.byRule(url); ok || !mayBeKnown(url) {
		return l, ok
	}
	return knownForm(url)
}

// byRule takes one proxy from a link that a rule of the operator knows.
func (r Rules) byRule(url string) (l Link, ok bool) {
	for _, rule := range r {
		if l, ok = rule.unwrap(url); ok {
			break
		}
	}
	return l, ok
}

// Wrap writes a target as a link was written; false where that form cannot express it.
func Wrap(via, target string) (link string, ok bool) {
	rules := strings.Split(via, " ")
	slices.Reverse(rules)
	for _, s := range rules {
		rule, err := ParseRule(s)
		if err != nil {
			return "", false
		}
		if target, ok = rule.wrap(target); !ok {
			return "", false
		}
	}
	return target, len(rules) > 0
}
