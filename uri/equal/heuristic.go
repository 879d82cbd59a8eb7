package equal

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// unicodeNFC composes what escapes spell decomposed.
func unicodeNFC(_ uri.URI, p *uri.Parts) bool {
	changed := false
	for _, part := range []*string{&p.Path, &p.Query} {
		if strings.Contains(*part, "%C") {
			changed = composed(part) || changed
		}
	}
	return changed
}

// escapedOctet is an escape of an octet above ASCII.
var escapedOctet = regexp.MustCompile(`%[89A-Fa-f][0-9A-Fa-f]`)

// composed writes the octets above ASCII of part in Unicode form NFC.
func composed(part *string) bool {
	octets := escapedOctet.ReplaceAllStringFunc(*part, chars.Decode)
	var out []byte
	for _, c := range []byte(norm.NFC.String(octets)) {
		if c < 0x80 {
			out = append(out, c)
		} else {
			out = chars.AppendEscape(out, c)
		}
	}
	return set(part, string(out))
}

// ipv4Zeros reads the groups as the decimals of rfc1738bis section 2.1.
func ipv4Zeros(u uri.URI, p *uri.Parts) bool {
	if _, web := u.(*uri.HTTP); web || p.Host == "" || !chars.Is(p.Host[0], chars.Digit) {
		return false
	}
	groups := strings.Split(p.Host, ".")
	if len(groups) != 4 || !chars.AllIn(strings.Join(groups, ""), chars.Digit) {
		return false
	}
	for i, g := range groups {
		groups[i] = chars.TrimZeros(g)
	}
	return set(&p.Host, strings.Join(groups, "."))
}

// ftpAlias: many servers take "ftp" for "anonymous".
func ftpAlias(_ *uri.FTP, p *uri.Parts) bool { return dropUser(p, "ftp") }

// ftpType: a client guesses the mode where none is written; a listing is another thing.
func ftpType(u *uri.FTP, p *uri.Parts) bool {
	return (u.Type == 'a' || u.Type == 'i') && set(&p.Path, p.Path[:len(p.Path)-len(";type=a")])
}

// hierarchical reports a path whose segments are folders.
func hierarchical(u uri.URI) bool {
	switch u.(type) {
	case *uri.HTTP, *uri.File, *uri.FTP:
		return true
	}
	return false
}

// trailingSlash: servers give a folder with and without its last slash.
func trailingSlash(u uri.URI, p *uri.Parts) bool {
	n := len(p.Path)
	return hierarchical(u) && n >= 2 && p.Path[n-1] == '/' && p.Path[n-2] != '/' && set(&p.Path, p.Path[:n-1])
}

// pathCase: some file systems fold case.
func pathCase(u uri.URI, p *uri.Parts) bool { return hierarchical(u) && lowerPart(&p.Path) }

// loopbackAlias: a loopback address is this machine (RFC 1122 section 3.2.1.3).
func loopbackAlias(u *uri.File, p *uri.Parts) bool {
	return (strings.HasPrefix(u.Host, "127.") || u.Host == "[::1]") && set(&p.Host, "")
}

// driveBar: "C|" is the old spelling of "C:" (RFC 8089 appendix E.2.2).
func driveBar(u *uri.File, p *uri.Parts) bool {
	return u.HasDrive() && p.Path[2] == '|' && set(&p.Path, p.Path[:2]+":"+p.Path[3:])
}

// driveCase: the letter of a DOS drive has no case.
func driveCase(u *uri.File, p *uri.Parts) bool {
	return u.HasDrive() && set(&p.Path, "/"+chars.Lower(p.Path[1:2])+p.Path[2:])
}

// driveEscaped: the colon after a drive need not be escaped.
func driveEscaped(u *uri.File, p *uri.Parts) bool {
	return u.HasDrive() && chars.IsEscape(p.Path, 2) && set(&p.Path, p.Path[:2]+":"+p.Path[5:])
}
