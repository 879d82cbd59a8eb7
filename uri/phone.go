package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// phoneSchemes name what a telephone calls.
var phoneSchemes = []Descriptor{
	{Name: "tel", Spec: "RFC 3966", Text: SpelledNever, unres: chars.Unreserved, parse: parsePhone, ownFragment: true},
	{Name: "sms", Spec: "RFC 5724", Text: SpelledNever, unres: chars.Unreserved, parse: parsePhone, ownFragment: true},
}

// Phone is a tel or sms URI.
//
//	telephone-uri = "tel:" ( "+" digits / digits ";phone-context=" ... )    RFC 3966 section 3
//	sms-uri = "sms:" number *( "," number ) [ "?" name "=" value ... ]      RFC 5724 section 2.2
type Phone struct {
	base
	Numbers []string // as written, with their parameters
}

// Endpoint implements [URI].
func (*Phone) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parsePhone(p Parts) URI {
	u := &Phone{base: newBase(p)}
	to, _, _ := strings.Cut(p.body(), "?")
	if p.Scheme == "tel" {
		u.Numbers = []string{p.body()}
	} else {
		u.Numbers = strings.Split(to, ",")
	}
	for _, n := range u.Numbers {
		u.number(n)
	}
	return u
}

// number wants a digit, and no letters but those of local numbers. What people write between
// digits beside the separators of RFC 3966 is lax, and so is a local number without
// the context in which it holds.
func (u *Phone) number(s string) {
	digits, params, _ := strings.Cut(chars.Decode(s), ";")
	plain := strings.NewReplacer("-", "", ".", "", "(", "", ")", "").Replace(digits)
	loose := strings.NewReplacer(" ", "", "/", "", "\u00a0", "").Replace(plain)
	rest, global := strings.CutPrefix(loose, "+")
	switch {
	case !strings.ContainsAny(rest, "0123456789"), strings.Trim(rest, "0123456789abcdefABCDEF*#") != "",
		global && strings.Trim(rest, "0123456789") != "":
		u.fail(u.p.pathAt(), "phone-number")
	case loose != plain:
		u.note(Lax, "phone-separator")
	case !global && u.p.Scheme == "tel" && !strings.Contains(strings.ToLower(";"+params), ";phone-context="):
		u.note(Lax, "phone-context-missing")
	}
}

// writeKey leaves all as it is.
func (*Phone) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *Phone) components() members { return members{"numbers": texts(u.Numbers)} }
