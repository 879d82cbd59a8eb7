package registry

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"linkcheck/uri/internal/chars"
)

// idRule rewrites an identifier, with the escapes that it has in the URI, and gives the
// code of each step. It leaves alone what is not well formed.
type idRule func(id string) (out string, codes []string)

// identifierRules are the rules that a record's "rule" names, and the codes of the
// steps that each may take.
var identifierRules = []struct {
	name  string
	apply idRule
	codes []string
}{
	{"lccn", lccnRule, []string{"lccn-blank", "lccn-suffix", "lccn-hyphen", "lccn-zero-fill"}},
	{"oclcnum", oclcnumRule, []string{"oclcnum-prefix"}},
	{"ark", arkRule, []string{"ark-host", "ark-hyphen", "ark-trim"}},
	{"rlgid", rlgidRule, []string{"rlgid-source", "rlgid-dash", "rlgid-case"}},
	{"fedora", fedoraRule, []string{"fedora-pid-case"}},
	{"pronom", pronomRule, []string{"pronom-type-case"}},
}

// ruleNamed finds a rule of identifierRules, or nil.
func ruleNamed(name string) idRule {
	for _, r := range identifierRules {
		if r.name == name {
			return r.apply
		}
	}
	return nil
}

// RuleCodes lists the codes of the steps of the named rules, in their order.
func RuleCodes() []string {
	var codes []string
	for _, r := range identifierRules {
		codes = append(codes, r.codes...)
	}
	return codes
}

// StepCodes lists the codes of all steps that the records of r can take.
func (r *Registry) StepCodes() []string {
	codes := RuleCodes()
	for _, name := range slices.Sorted(maps.Keys(r.spaces)) {
		ns := r.spaces[name]
		if len(ns.Strip) > 0 {
			codes = append(codes, ns.Name+"-prefix")
		}
		if ns.Remove != "" {
			codes = append(codes, ns.Name+"-punctuation")
		}
		if ns.Case != "" {
			codes = append(codes, ns.Name+"-case")
		}
	}
	return codes
}

// Canon gives the key of level registry for a key of level scheme, and the codes of
// the steps: steps e and f of draft-vandesompel-info-uri-01 section 6.
func (r *Registry) Canon(key string) (canon string, codes []string) {
	body, ok := strings.CutPrefix(key, "info:")
	if !ok {
		return key, nil
	}
	name, id, _ := strings.Cut(body, "/")
	ns := r.spaces[name]
	if ns == nil {
		return key, nil
	}
	id, frag, hasFrag := strings.Cut(id, "#")
	out, codes := ns.apply(id)
	codes = slices.Compact(codes) // several prefixes are one step
	if out == id {
		return key, codes
	}
	key = "info:" + name + "/" + out
	if hasFrag {
		key += "#" + frag
	}
	return key, codes
}

// apply rewrites an identifier by the record of its namespace.
func (ns *namespace) apply(id string) (out string, codes []string) {
	if rule := ruleNamed(ns.Rule); rule != nil {
		id, codes = rule(id)
	}
	for _, prefix := range ns.Strip {
		if rest, ok := strings.CutPrefix(id, prefix); ok && rest != "" {
			id, codes = rest, append(codes, ns.Name+"-prefix")
		}
	}
	if ns.Remove != "" {
		if out := chars.MapRaw(id, func(c byte) (byte, bool) { return c, strings.IndexByte(ns.Remove, c) < 0 }); out != id {
			id, codes = out, append(codes, ns.Name+"-punctuation")
		}
	}
	return foldCase(id, ns.Case, ns.Name+"-case", codes)
}

// foldCase folds ASCII letters outside escapes, to a word of the record, and adds the
// code where there were any.
func foldCase(id, to, code string, codes []string) (string, []string) {
	out := id
	switch to {
	case "lower":
		out = chars.LowerRaw(id)
	case "upper":
		out = chars.UpperRaw(id)
	}
	if out != id {
		codes = append(codes, code)
	}
	return out, codes
}

// lccnRule works on the unescaped identifier: blanks out, cut at the first
// slash, hyphen out and the serial filled to six digits.
func lccnRule(id string) (string, []string) {
	if chars.AllIn(id, chars.Alnum) {
		return id, nil
	}
	s := chars.Decode(id)
	var codes []string
	if t := strings.ReplaceAll(s, " ", ""); t != s {
		codes, s = append(codes, "lccn-blank"), t
	}
	if head, _, ok := strings.Cut(s, "/"); ok {
		codes, s = append(codes, "lccn-suffix"), head
	}
	if head, serial, ok := strings.Cut(s, "-"); ok {
		if serial == "" || len(serial) > 6 {
			return id, nil
		}
		codes = append(codes, "lccn-hyphen")
		if len(serial) < 6 {
			codes = append(codes, "lccn-zero-fill")
		}
		s = head + strings.Repeat("0", 6-len(serial)) + serial
	}
	if !lccnStructure.MatchString(s) {
		return id, nil
	}
	return s, codes
}

// lccnStructure is the record's syntax: eight digits after what the length allows.
var lccnStructure = regexp.MustCompile(`^([A-Za-z]?([0-9]{2}|[A-Za-z]{2})?|[A-Za-z]{2}[0-9]{2})[0-9]{8}$`)

// oclcnumRule strips "(OCoLC)" and "ocm" before digits.
func oclcnumRule(id string) (string, []string) {
	if chars.AllIn(id, chars.Digit) {
		return id, nil
	}
	s := strings.TrimPrefix(TrimSource(chars.Decode(id)), "ocm")
	if s == "" || !chars.AllIn(s, chars.Digit) {
		return id, nil
	}
	return s, []string{"oclcnum-prefix"}
}

// TrimSource drops a leading "(CODE)" and the blanks after it.
func TrimSource(s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	code, rest, ok := strings.Cut(s[1:], ")")
	if !ok || code == "" || !chars.AllIn(code, chars.Alnum|chars.Label) {
		return s
	}
	return strings.TrimLeft(rest, " ")
}

// arkRule drops protocol and host, hyphens, and '.' and '/' at the ends.
func arkRule(id string) (string, []string) {
	s := id
	var codes []string
	if i := strings.Index(s, "ark:/"); i >= 0 && (i == 0 || strings.Contains(s[:i], "//")) {
		codes, s = append(codes, "ark-host"), s[i+len("ark:/"):]
	}
	if t := strings.ReplaceAll(s, "-", ""); t != s {
		codes, s = append(codes, "ark-hyphen"), t
	}
	if t := strings.Trim(s, "./"); t != s {
		codes, s = append(codes, "ark-trim"), t
	}
	naan, name, ok := strings.Cut(s, "/")
	if !ok || name == "" || len(naan) != 5 && len(naan) != 9 || !chars.AllIn(naan, chars.Digit) {
		return id, nil
	}
	return s, codes
}

// rlgidRule strips "(CODE)" and its blanks, folds case and omits the single dash.
func rlgidRule(id string) (string, []string) {
	s := chars.Decode(id)
	t := TrimSource(s)
	if t == "" || strings.Count(t, "-") > 1 || !chars.AllIn(t, chars.Label) {
		return id, nil
	}
	var codes []string
	if t != s {
		codes = append(codes, "rlgid-source")
	}
	if u := strings.Replace(t, "-", "", 1); u != t {
		if u == "" {
			return id, codes
		}
		t, codes = u, append(codes, "rlgid-dash")
	}
	return foldCase(t, "upper", "rlgid-case", codes)
}

// fedoraRule folds everything up to and including the PID.
func fedoraRule(id string) (string, []string) {
	pid, _, _ := strings.Cut(id, "/")
	folded, codes := foldCase(pid, "lower", "fedora-pid-case", nil)
	return folded + id[len(pid):], codes
}

// pronomRule folds the PUID type.
func pronomRule(id string) (string, []string) {
	typ, _, ok := strings.Cut(id, "/")
	if !ok {
		return id, nil
	}
	folded, codes := foldCase(typ, "lower", "pronom-type-case", nil)
	return folded + id[len(typ):], codes
}
