package proxied

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/uri/internal/chars"
)

// Codes are those of the known forms and of an operator's rules.
func Codes() []string {
	return []string{"proxied:rule", "proxied:login-url", "proxied:login-qurl", "proxied:openathens", "proxied:path", "proxied:host", "proxied:host-hyphens", "proxied:wam"}
}

// mayBeKnown looks quickly whether a link may have a known form: nearly all have none.
func mayBeKnown(link string) bool {
	if !isWeb(link) {
		return false
	}
	at := strings.IndexByte(link, ':') + len("://")
	end := at
	for end < len(link) && link[end] != '/' && link[end] != '?' && link[end] != '#' {
		end++
	}
	name := chars.Lower(link[at:end])
	part := func(of string) bool { return strings.Contains(name, of) }
	return strings.Contains(link[end:], "/login") || strings.HasPrefix(name, "0-") || part(".idm.oclc.org") ||
		strings.IndexByte(name, 'p') >= 0 && (part("proxy") || part("ezp") || part("openathens"))
}

// knownForm takes a link apart that spells its target out in a known form.
//
//	https://ezproxy.lib.edu/login?url=https://www.jstor.org/   EZproxy: "url" is the last parameter
//	https://ezproxy.lib.edu/login?qurl=https%3A%2F%2Fwww...    EZproxy: escaped
//	https://go.openathens.net/redirector/lib.edu?url=https%3A  OpenAthens
//	https://proxy.lib.edu/https://www.jstor.org/               others, where the name says what it is
func knownForm(link string) (l Link, ok bool) {
	name, at := hostOf(link)
	lower := chars.Lower(name)
	rest := at + len(name)
	if name == "" { // with the port of a proxy: EZproxy's usual one is 2048
		end := strings.IndexAny(link[at:]+"/", "/?#")
		lower, _, _ = strings.Cut(chars.Lower(link[at:at+end]), ":")
		rest = at + end
	}
	path, _, _ := strings.Cut(link[rest:], "?")
	isProxy := slices.ContainsFunc(strings.Split(lower, "."), proxyLabel)
	if target := strings.TrimPrefix(path, "/"); isProxy && (isWeb(target) || isEscaped(target)) {
		l, ok = whole(link, rest+1)
		l.Code = "proxied:path"
		return l, ok && isTarget(l.Target)
	}
	openAthens := lower == "go.openathens.net" && strings.HasPrefix(path, "/redirector/")
	login := strings.HasSuffix(strings.TrimSuffix(path, "/"), "/login")
	if !isProxy && !openAthens && !login {
		return l, false
	}
	parameter, n := targetParameter(link, rest+len(path))
	if n < 0 {
		return l, false
	}
	if l, ok = whole(link, n); !ok || !isTarget(l.Target) {
		return l, false
	}
	if l.Code = "proxied:login-" + parameter; openAthens {
		l.Code = "proxied:openathens"
	}
	return l, isProxy || openAthens || elsewhere(lower, l.Target)
}

// targetParameter finds the parameter of a query that begins at from and holds a target:
// its name, and where its value begins; n < 0 if there is none.
func targetParameter(link string, from int) (name string, n int) {
	for from < len(link) && (link[from] == '?' || link[from] == '&') {
		from++
		for _, name := range []string{"url", "qurl"} {
			if strings.HasPrefix(link[from:], name+"=") {
				return name, from + len(name) + 1
			}
		}
		next := strings.IndexAny(link[from:], "&#")
		if next < 0 {
			break
		}
		from += next
	}
	return "", -1
}

// elsewhere says whether a target belongs to another registrable domain than the host
// before it: the login page of a site leads back to the site itself.
func elsewhere(name, target string) bool {
	if !isWeb(target) {
		return true
	}
	other, _ := hostOf(target)
	own, err := publicsuffix.EffectiveTLDPlusOne(name)
	its, err2 := publicsuffix.EffectiveTLDPlusOne(chars.Lower(other))
	return err == nil && err2 == nil && own != its
}

// proxyLabel says whether a label of a host names a proxy.
func proxyLabel(label string) bool { return strings.Contains(label, "proxy") || label == "ezp" }

// hostForm takes a link apart whose host seems to be another host behind a proxy.
//
//	http://www.jstor.org.ezproxy.lib.edu/     EZproxy, by host name
//	https://www-jstor-org.ezproxy.lib.edu/    EZproxy, by TLS; also below idm.oclc.org
//	http://0-www.jstor.org.lib.edu/           Innovative WAM: the number is the port, 0 the usual one
func hostForm(link string) (l Link, ok bool) {
	name, at := hostOf(link)
	lower := chars.Lower(name)
	if number, rest, ok := strings.Cut(lower, "-"); ok && number == "0" {
		if n := wamHost(rest); n > 0 {
			return hostLink(link, at, name, len("0-"), n, "proxied:wam")
		}
		return l, false
	}
	labels := strings.Split(lower, ".")
	i := slices.IndexFunc(labels, proxyLabel)
	if strings.HasSuffix(lower, ".idm.oclc.org") {
		i = len(labels) - strings.Count("customer.idm.oclc.org", ".") - 1
	}
	if i < 1 || len(labels) < i+2 {
		return l, false
	}
	n, code := len(strings.Join(labels[:i], ".")), "proxied:host"
	if i == 1 {
		code = "proxied:host-hyphens"
	}
	if !isName(lower[:n]) {
		return l, false
	}
	return hostLink(link, at, name, 0, n, code)
}

// wamHost is the length of the target's name at the beginning of a host; 0 if there is
// none. The domain of the proxy after it is not known: the target is the shortest name
// that ends in a public suffix, with two labels or more left.
func wamHost(name string) int {
	labels := strings.Split(name, ".")
	for i := 1; i+2 <= len(labels); i++ {
		head := strings.Join(labels[:i], ".")
		if !isName(head) {
			continue
		}
		for i+3 <= len(labels) && suffixOf(head+"."+labels[i]) == suffixOf(head)+"."+labels[i] { // ac.uk, not ac
			head, i = head+"."+labels[i], i+1
		}
		return len(head)
	}
	return 0
}

// isName says whether a name, with dots or with hyphens, is one of a host below a public
// suffix.
func isName(name string) bool {
	if !strings.Contains(name, ".") {
		name = dotted(name)
	}
	suffix, icann := publicsuffix.PublicSuffix(name)
	return icann && suffix != name && chars.AllIn(strings.ReplaceAll(name, ".", ""), chars.Label)
}

func suffixOf(name string) string {
	suffix, _ := publicsuffix.PublicSuffix(name)
	return suffix
}
