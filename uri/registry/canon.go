package uri

import (
	"slices"
	"strings"
)

// idRule rewrites an identifier as the URI has it (escapes and all) and marks
// each code of what it did. What is not well formed it leaves alone.
type idRule func(id string, mark func(code string)) string

func specialRule(name string) idRule {
	switch name {
	case "lccn":
		return lccnRule
	case "oclcnum":
		return oclcnumRule
	case "ark":
		return arkRule
	case "rlgid":
		return rlgidRule
	case "fedora":
		return fedoraRule
	case "pronom":
		return pronomRule
	}
	return nil
}

// canon gives the key of level registry for a key of level scheme: steps e and f
// of draft-vandesompel-info-uri-01 section 6.
func (r *InfoRegistry) canon(key string, codes *[]string) string {
	body, ok := strings.CutPrefix(key, "info:")
	if !ok {
		return key
	}
	name, id, _ := strings.Cut(body, "/")
	ns := r.spaces[name]
	if ns == nil {
		return key
	}
	id, frag, hasFrag := strings.Cut(id, "#")
	out := ns.apply(id, func(code string) {
		if codes != nil && !slices.Contains(*codes, code) {
			*codes = append(*codes, code)
		}
	})
	if out == id {
		return key
	}
	key = "info:" + name + "/" + out
	if hasFrag {
		key += "#" + frag
	}
	return key
}

func (ns *Namespace) apply(id string, mark func(string)) string {
	if rule := specialRule(ns.Rule); rule != nil {
		id = rule(id, mark)
	}
	for _, prefix := range ns.Strip {
		if rest, ok := strings.CutPrefix(id, prefix); ok && rest != "" {
			mark(ns.Name + "-prefix")
			id = rest
		}
	}
	if ns.Remove != "" {
		if out := foldRaw(id, func(c byte) (byte, bool) { return c, strings.IndexByte(ns.Remove, c) < 0 }); out != id {
			mark(ns.Name + "-punctuation")
			id = out
		}
	}
	return caseRule(id, ns.Case, ns.Name+"-case", mark)
}

// caseRule folds ASCII letters outside escapes.
func caseRule(id, to, code string, mark func(string)) string {
	var out string
	switch to {
	case "lower":
		out = foldRaw(id, func(c byte) (byte, bool) { return lowerByte(c), true })
	case "upper":
		out = foldRaw(id, func(c byte) (byte, bool) {
			if c >= 'a' && c <= 'z' {
				c -= 'a' - 'A'
			}
			return c, true
		})
	default:
		return id
	}
	if out != id {
		mark(code)
	}
	return out
}

// foldRaw maps or drops every raw character and leaves escapes alone. A string
// that does not change is shared.
func foldRaw(s string, f func(byte) (byte, bool)) string {
	for i := 0; i < len(s); i++ {
		if isEscape(s, i) {
			i += 2
			continue
		}
		if c, keep := f(s[i]); !keep || c != s[i] {
			return foldFrom(s, i, f)
		}
	}
	return s
}

func foldFrom(s string, from int, f func(byte) (byte, bool)) string {
	b := append(make([]byte, 0, len(s)), s[:from]...)
	for i := from; i < len(s); i++ {
		if isEscape(s, i) {
			b = append(b, s[i:i+3]...)
			i += 2
			continue
		}
		if c, keep := f(s[i]); keep {
			b = append(b, c)
		}
	}
	return string(b)
}

// lccnRule works on the unescaped identifier: blanks out, cut at the first
// slash, hyphen out and the serial filled to six digits.
func lccnRule(id string, mark func(string)) string {
	if allIn(id, cAlnum) {
		return id
	}
	s := decode(id)
	var codes []string
	if t := strings.ReplaceAll(s, " ", ""); t != s {
		codes, s = append(codes, "lccn-blank"), t
	}
	if head, _, ok := strings.Cut(s, "/"); ok {
		codes, s = append(codes, "lccn-suffix"), head
	}
	if head, serial, ok := strings.Cut(s, "-"); ok {
		if serial == "" || len(serial) > 6 {
			return id
		}
		codes = append(codes, "lccn-hyphen")
		if len(serial) < 6 {
			codes = append(codes, "lccn-zero-fill")
		}
		s = head + strings.Repeat("0", 6-len(serial)) + serial
	}
	if !lccnStructure(s) {
		return id
	}
	for _, c := range codes {
		mark(c)
	}
	return s
}

// lccnStructure is the record's syntax by length.
func lccnStructure(s string) bool {
	n := len(s)
	if n < 8 || n > 12 || !allIn(s[n-8:], cDigit) {
		return false
	}
	pair := func(t string) bool { return allIn(t, cDigit) || allIn(t, cAlpha) }
	switch n {
	case 9:
		return is(s[0], cAlpha)
	case 10:
		return pair(s[:2])
	case 11:
		return is(s[0], cAlpha) && pair(s[1:3])
	case 12:
		return allIn(s[:2], cAlpha) && allIn(s[2:], cDigit)
	}
	return true
}

// oclcnumRule strips "(OCoLC)" and "ocm" before digits.
func oclcnumRule(id string, mark func(string)) string {
	if allIn(id, cDigit) {
		return id
	}
	s := strings.TrimPrefix(cutCode(decode(id)), "ocm")
	if s == "" || !allIn(s, cDigit) {
		return id
	}
	mark("oclcnum-prefix")
	return s
}

// cutCode drops a leading "(CODE)" and the blanks after it.
func cutCode(s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	code, rest, ok := strings.Cut(s[1:], ")")
	if !ok || code == "" || !allIn(code, cAlnum|cLabel) {
		return s
	}
	return strings.TrimLeft(rest, " ")
}

// arkRule drops protocol and host, hyphens, and '.' and '/' at the ends.
func arkRule(id string, mark func(string)) string {
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
	if !ok || name == "" || len(naan) != 5 && len(naan) != 9 || !allIn(naan, cDigit) {
		return id
	}
	for _, c := range codes {
		mark(c)
	}
	return s
}

// rlgidRule strips "(CODE)" and its blanks, folds case and omits the single dash.
func rlgidRule(id string, mark func(string)) string {
	s := decode(id)
	t := cutCode(s)
	if t == "" || strings.Count(t, "-") > 1 || !allIn(t, cLabel) {
		return id
	}
	if t != s {
		mark("rlgid-source")
	}
	if u := strings.Replace(t, "-", "", 1); u != t {
		if u == "" {
			return id
		}
		mark("rlgid-dash")
		t = u
	}
	return caseRule(t, "upper", "rlgid-case", mark)
}

// fedoraRule folds everything up to and including the PID.
func fedoraRule(id string, mark func(string)) string {
	pid, _, _ := strings.Cut(id, "/")
	return caseRule(pid, "lower", "fedora-pid-case", mark) + id[len(pid):]
}

// pronomRule folds the PUID type.
func pronomRule(id string, mark func(string)) string {
	typ, _, ok := strings.Cut(id, "/")
	if !ok {
		return id
	}
	return caseRule(typ, "lower", "pronom-type-case", mark) + id[len(typ):]
}
