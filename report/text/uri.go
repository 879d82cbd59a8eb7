package text

import (
	"io"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/uri/equal"
)

// WriteURI writes what a string is as a URI: whether it is valid, and its key on each level
// that changes it, with the steps that made the key. Passwords are hidden unless showSecrets is
// set.
func WriteURI(out io.Writer, rules equal.Rules, s string, showSecrets bool) {
	mask := linkText{out, showSecrets}.mask
	d := rules.Describe(s)
	escape.Printf(out, "%s\n  valid     %s", mask(d.Input), d.Valid)
	if d.Code != "" {
		escape.Printf(out, " (%s)", d.Code)
	}
	escape.Printf(out, "\n")
	keys := d.Keys
	if masked := mask(d.Input); masked != d.Input && keys != nil { // a key may spell a password in another way
		keys = rules.Describe(masked).Keys
	}
	if keys == nil {
		return
	}
	was := d.Input
	for _, k := range []struct{ level, key string }{
		{"syntax", keys.Syntax}, {"scheme", keys.Scheme}, {"registry", keys.Registry},
		{"protocol", keys.Protocol}, {"resolver", keys.Resolver}, {"heuristic", keys.Heuristic},
	} {
		if k.key == was {
			continue
		}
		was = k.key
		escape.Printf(out, "  %-9s %s\n", k.level, mask(k.key))
		for _, s := range d.Steps {
			if s.Level == k.level {
				escape.Printf(out, "            - %s, %s\n", s.Code, s.Section)
			}
		}
	}
}

// WritePair writes whether two URIs are the same.
func WritePair(out io.Writer, p equal.ComparedPair) {
	why := ""
	if len(p.Reasons) > 0 {
		why = ": " + strings.Join(p.Reasons, ", ")
	}
	switch p.Equality {
	case equal.Not:
		escape.Printf(out, "not the same%s\n", why)
	case equal.Maybe:
		escape.Printf(out, "perhaps the same, at level %s%s\n", p.Level, why)
	default:
		escape.Printf(out, "the same, at level %s%s\n", p.Level, why)
	}
}
