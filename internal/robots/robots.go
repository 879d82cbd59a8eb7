// Package robots reads robots.txt and says what it allows (RFC 9309, the Robots
// Exclusion Protocol). What a file can cost is bounded, whoever wrote it: so many
// octets and rules are heeded, and a rule is compared in one pass over the path.
package robots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/internal/ascii"
)

// MaxFile is how many octets of a file are heeded: what RFC 9309 section 2.5 asks for.
const MaxFile = 500 << 10

const (
	maxRules    = 20_000   // of one agent
	maxSearches = 5_000    // of them with text behind a "*", which is sought in the path
	maxPath     = 64 << 10 // octets of a path that are compared
	maxSitemaps = 1_000
)

// Rules are those of a file for one agent. The zero value allows all.
type Rules struct {
	list     []rule        // the most specific first
	searches int           // of list
	Delay    time.Duration // Crawl-delay, which is no part of RFC 9309; 0: none
	Sitemaps []string      // of the whole file, for any agent: its "other records" (RFC 9309 section 2.2.4), as written
}

// rule is a line "Allow: pattern" or "Disallow: pattern".
type rule struct {
	pattern  string // in normal form, with a wildcard in the place of each "*"
	anchored bool   // a "$" ends the pattern: the path must end there too
	allow    bool
}

// wildcard stands for "*" in a pattern. In normal form no path holds it.
const wildcard = "\x00"

// Parse reads the rules that a file has for an agent, given by its product token: those
// of all groups with its name in either case, else those of the groups for "*" (RFC 9309
// section 2.2.1).
func Parse(file, agent string) Rules {
	if len(file) > MaxFile {
		file = file[:1+strings.LastIndexAny(file[:MaxFile], "\r\n")] // a part of a line says something else
	}
	var own, others Rules
	var named, forOwn, forOthers, inRules bool
	var sitemaps []string
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(file, "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		name, value := split(line)
		if name == "user-agent" || name == "useragent" {
			if inRules { // a new group
				forOwn, forOthers, inRules = false, false, false
			}
			token := value[:ascii.Skip(value, 0, tokenByte)]
			forOwn = forOwn || token != "" && strings.EqualFold(token, agent)
			forOthers = forOthers || value == "*" || strings.HasPrefix(value, "* ")
			named = named || forOwn
			continue
		}
		if name == "sitemap" && value != "" && len(sitemaps) < maxSitemaps {
			sitemaps = append(sitemaps, strings.Clone(value)) // a part of the file would keep all of it
		}
		if forOwn {
			own.add(name, value)
		}
		if forOthers {
			others.add(name, value)
		}
		inRules = inRules || name == "allow" || name == "disallow" || name == "crawl-delay"
	}
	if !named {
		own = others
	}
	own.order()
	own.Sitemaps = sitemaps
	return own
}

// tokenByte says whether c may stand in a product token, RFC 9309 section 2.2.1.
func tokenByte(c byte) bool { return ascii.Letter(c) || c == '_' || c == '-' }

// split takes a line apart, its comment left out. A line that has a blank in the place
// of the colon is understood too.
func split(line string) (name, value string) {
	line, _, _ = strings.Cut(line, "#")
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		name, value, _ = strings.Cut(strings.TrimSpace(line), " ")
	}
	return strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
}

// add takes a line of a group. Lines that are no rules do not end it, RFC 9309 section 2.2.4.
func (r *Rules) add(name, value string) {
	switch name {
	case "allow", "disallow":
		r.addRule(value, name == "allow")
	case "crawl-delay":
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 && seconds < 1e6 {
			r.Delay = time.Duration(seconds * float64(time.Second))
		}
	}
}

// addRule adds a rule; one without a pattern matches nothing.
func (r *Rules) addRule(value string, allow bool) {
	value, anchored := strings.CutSuffix(value, "$")
	if value == "" || len(r.list) == maxRules {
		return
	}
	if strings.Contains(strings.TrimRight(value, "*"), "*") {
		if r.searches++; r.searches > maxSearches {
			return
		}
	}
	parts := strings.Split(value, "*")
	query := false
	for i, part := range parts {
		parts[i] = normal(part, &query)
	}
	r.list = append(r.list, rule{strings.Join(parts, wildcard), anchored, allow})
}

// order puts the longest rule first, and of two that are alike the one that allows: the
// first that matches decides (RFC 9309 section 2.2.2).
func (r *Rules) order() {
	slices.SortFunc(r.list, func(a, b rule) int {
		byLength := cmp.Or(cmp.Compare(b.length(), a.length()), strings.Compare(a.pattern, b.pattern))
		switch {
		case byLength != 0 || a.allow == b.allow:
			return byLength
		case a.allow:
			return -1
		}
		return 1
	})
	r.list = slices.Clip(slices.Compact(r.list))
}

func (r rule) length() int {
	if r.anchored {
		return len(r.pattern) + 1
	}
	return len(r.pattern)
}

// Size is about how many octets of memory the rules take.
func (r *Rules) Size() int {
	const each = 24 + 16 // a rule, and what is lost behind its pattern
	n := each * len(r.list)
	for i := range r.list {
		n += len(r.list[i].pattern)
	}
	for _, s := range r.Sitemaps {
		n += 16 + len(s)
	}
	return n
}

// Allow reports whether the agent may ask for a path, given with its query as in a request.
func (r *Rules) Allow(path string) bool {
	allowed, _ := r.decide(path)
	return allowed
}

// decide says whether a path is allowed, and how many octets of it were passed over in all.
func (r *Rules) decide(path string) (allowed bool, passed int) {
	if len(r.list) == 0 || path == "/robots.txt" { // RFC 9309 section 2.2.2
		return true, 0
	}
	query := false
	path = normal(path[:min(len(path), maxPath)], &query)
	for i := range r.list {
		matches, n := r.list[i].match(path)
		if passed += n; matches {
			return r.list[i].allow, passed
		}
	}
	return true, passed
}

// match compares a rule with a path. Each part of the pattern is taken where it comes
// first: what matches at all matches so too, and the path is passed over once.
func (r *rule) match(path string) (matches bool, passed int) {
	part, more, wild := strings.Cut(r.pattern, wildcard)
	rest, ok := strings.CutPrefix(path, part)
	for ok && wild {
		if part, more, wild = strings.Cut(more, wildcard); !wild && r.anchored {
			return strings.HasSuffix(rest, part), len(path) - len(rest) + len(part)
		}
		_, rest, ok = strings.Cut(rest, part)
	}
	return ok && (!r.anchored || rest == ""), len(path) - len(rest)
}

// normal writes a path so that spellings of one path are equal octet by octet (RFC 9309
// section 2.2.2): what is escaped without need is not, and what must be escaped is. An
// escaped delimiter is another thing than a bare one (RFC 3986 section 2.2); slashes and
// question marks delimit nothing in a query. A percent sign that begins no escape is an
// escaped one: with what is unescaped behind it, it would begin one. query says whether s
// begins in one, and then whether it ends in one.
func normal(s string, query *bool) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], false
		if c == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, escaped, i = byte(v), true, i+2
			}
		}
		switch {
		case c < ' ' || c == 0x7f || c == '%' || escaped && delimits(c, *query):
			b = fmt.Appendf(b, "%%%02X", c)
		default:
			b = append(b, c)
			*query = *query || c == '?' && !escaped
		}
	}
	return string(b)
}

// delimits says whether c is a delimiter of RFC 3986 section 2.2 that means something where it stands.
func delimits(c byte, query bool) bool {
	if query && (c == '/' || c == '?') {
		return false
	}
	return strings.IndexByte("/?#[]!&'()+,;=", c) >= 0
}
