package gopher

import (
	"bytes"
	"regexp"
	"strings"
)

// shown is what a reader sees of a text, be it as rows of information: some servers say so
// whatever was asked for. It is nothing where there are other rows.
func shown(text []byte) []byte {
	var all []string
	for _, l := range lines(text) {
		if i, ok := parseItem(l); ok && i.isInfo() {
			l = i.Display
		} else if strings.Contains(l, "\t") {
			return nil
		}
		all = append(all, l)
	}
	return []byte(strings.Join(all, " "))
}

// saysNo reports whether a text of a few words says that a thing is missing, or that the
// server is out of order.
func saysNo(text []byte) bool {
	said := withoutNames(text)
	return absent.Match(said) || outage.Match(said)
}

// withoutNames leaves out of an error text what it is about, quoted or as a path.
func withoutNames(text []byte) []byte { return names.ReplaceAll(text, []byte("$1''$2")) }

var (
	// That a thing is not there, in the words of Gophernicus, PyGopherd, UMN gopherd,
	// Bucktooth, geomyidae, Motsognir, jgopherd and smaller servers.
	absent = regexp.MustCompile(`(?i)do(es)?(n't| not) exist|not found|no such|unknown (selector|resource|item|file|directory)|\b404\b|` +
		`nothing (is served|here|there)|(can( ?not|'t)|could( not|n't)) (be )?(find|found|locate)|cannot access (directory|file) ''`)
	outage = regexp.MustCompile(`(?i)maintenance|overload|(temporar\w*|currently|file ?system|server) (un|not )available|off-?line|` +
		`(server|system|service|site|hole) is (currently |temporarily )?(down|closed|busy|out of order)|input/output|\bi/o error|too many (connections|users|requests)`)
	later = regexp.MustCompile(outage.String() + `|try (again|later)|too (busy|many)|forking|failed to connect|temporar|load is too high|` +
		`internal (server )?error|listing failed|tim(ed|e) ?out|stale (nfs|file)|rate limit|please wait|shutting down|out of (memory|order|service|resources)|no space left`)
	names          = regexp.MustCompile(`(^|[\s(])(?:'[^']*'|"[^"]*"|[01]?/\S*)([\s).,:!]|$)`)
	denied         = regexp.MustCompile(`(?i)access denied|permission denied|not authori[sz]ed|not allowed|off-site`)
	noHit          = regexp.MustCompile(`(?i)no (match|hit|result|document|item)s?|nothing (found|matched)|0 (match|hit|result|item)s?`)
	otherProtocols = regexp.MustCompile(`^(HTTP/\d|SSH-\d|220[ -]|\* OK |\+OK )`)
)

// foreign recognizes the greetings and complaints of other protocols, and the error pages of
// web servers in place of what is no page.
func foreign(item byte, text []byte) bool {
	if otherProtocols.Match(text) {
		return true
	}
	lower := bytes.ToLower(text[:min(len(text), 512)])
	return item != 'h' && (bytes.HasPrefix(lower, []byte("<html")) || bytes.HasPrefix(lower, []byte("<!doctype"))) && errorPage.Match(lower)
}

var errorPage = regexp.MustCompile(`<title>\s*[45]\d\d\b|400 bad request|service (temporarily )?unavailable|bad gateway|gateway time-?out|internal server error`)
