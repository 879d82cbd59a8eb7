// Package mirror knows trees of files that are read as the web sites that they were: where
// a file stood, and which file a link asks for. It opens no file.
package mirror

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// maxName is the length in octets of the name of a file in a mirror, with its
// folders, beyond which nothing asks for it.
const maxName = 4 << 10

// Mirror is a tree of files that is read as the web site that it was. The tree is a folder,
// or an archive with its members.
type Mirror struct {
	Dir string // its whole path
	URL string // where the site was, ending in "/"
}

// New makes the mirror of the tree at the whole path dir.
func New(dir, address string) (Mirror, error) {
	u, err := uri.Parse(address)
	if err != nil {
		return Mirror{}, fmt.Errorf("%.200q is no web address: %w", secret.Mask(address), err)
	}
	at, web := u.(*uri.HTTP)
	switch {
	case !web:
		return Mirror{}, fmt.Errorf("%.200q is no web address: it begins with neither http:// nor https://", secret.Mask(address))
	case at.User != nil:
		return Mirror{}, errors.New("the address of a site has no user and no password")
	case strings.ContainsAny(address, "?#"):
		return Mirror{}, fmt.Errorf("%.200q is the address of no folder: it has a query or a fragment", secret.Mask(address))
	}
	return Mirror{filepath.Clean(dir), strings.TrimSuffix(uri.SchemeKey(u), "/") + "/"}, nil
}

// List is all mirrors of a reading. Of several that hold a path, or an address, the one with
// the longest holds it.
type List []Mirror

// Of finds the mirror in which the file at a whole path is, and the name of the file in it;
// "": the file is the tree.
func (list List) Of(path string) (found Mirror, name string, ok bool) {
	for _, m := range list {
		rest, below := strings.CutPrefix(path, m.Dir)
		if below && rest != "" && !strings.HasSuffix(m.Dir, string(filepath.Separator)) {
			rest, below = strings.CutPrefix(rest, string(filepath.Separator))
		}
		if below && (!ok || len(m.Dir) > len(found.Dir)) {
			found, name, ok = m, filepath.ToSlash(rest), true
		}
	}
	return found, name, ok
}

// holder finds the mirror below whose address another one lies, and the name of the file
// that would stand there: https or http, the case of the host, the usual port and the
// fragment make no difference (RFC 3986 section 6.2).
func (list List) holder(address string) (found Mirror, name string, ok bool) {
	if len(list) == 0 || !webAddress(address) {
		return found, "", false
	}
	u, err := uri.Parse(address)
	if err != nil {
		return found, "", false
	}
	key, longest := siteKey(u), -1
	for _, m := range list {
		if rest, below := strings.CutPrefix(key, m.site()); below && len(m.site()) > longest {
			found, longest = m, len(m.site())
			name, ok = fileOf(rest)
		}
	}
	return found, name, ok
}

// site is the address of m without its scheme.
func (m Mirror) site() string {
	_, site, _ := strings.Cut(m.URL, ":")
	return site
}

func webAddress(s string) bool {
	scheme, _, _ := strings.Cut(s, ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// siteKey is the key of an address without its scheme and fragment.
func siteKey(u uri.URI) string {
	_, key, _ := strings.Cut(uri.SchemeKey(u), ":")
	key, _, _ = strings.Cut(key, "#")
	return key
}

// fileOf is the name of the file for what follows the address of a site: escapes are undone
// once, within each name of a folder or file. A query is a part of the name, as wget(1)
// writes it. What no file can be called is false.
func fileOf(rest string) (name string, ok bool) {
	path, query, cut := strings.Cut(rest, "?")
	names := strings.Split(path, "/")
	for i, n := range names {
		n, err := url.PathUnescape(n)
		if err != nil || n == "." || n == ".." || strings.ContainsAny(n, "/\x00") {
			return "", false
		}
		names[i] = n
	}
	name = strings.Join(names, "/")
	if cut {
		name += "?" + query
	}
	return name, len(name) <= maxName
}

// Address is where a file of the tree stood; that of the site itself where the name is too
// long for any address: it stands before every link of the file.
func (m Mirror) Address(name string) string {
	if len(name) > maxName {
		return m.URL
	}
	names := strings.Split(name, "/")
	last := len(names) - 1
	file, query, cut := strings.Cut(names[last], "?")
	names[last] = file
	for i, n := range names {
		names[i] = url.PathEscape(n)
	}
	s := m.URL + strings.Join(names, "/")
	if cut {
		s += "?" + escapedQuery(query)
	}
	return s
}

// escapedQuery escapes in a query what cannot stand in one; the escapes that wget(1) leaves
// in the name of a file stay.
func escapedQuery(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// fileName is the name by which links ask for a file of the tree; "" if none can.
func (m Mirror) fileName(name string) string {
	if len(name) > maxName {
		return ""
	}
	u, err := uri.Parse(m.Address(name))
	if err != nil {
		return ""
	}
	return "web:" + siteKey(u) + " " + m.site()
}

// Names are the names by which links ask for a file of the tree: by its own, and an index
// by that of its folder too, with the final slash and without it.
func (m Mirror) Names(name string) []string {
	names := []string{m.fileName(name)}
	for _, index := range []string{"index.html", "index.htm"} {
		folder, ok := strings.CutSuffix(name, index)
		switch {
		case !ok || folder != "" && !strings.HasSuffix(folder, "/"):
		case folder == "":
			names = append(names, m.fileName(""))
		default:
			names = append(names, m.fileName(folder), m.fileName(strings.TrimSuffix(folder, "/")))
		}
	}
	return names
}

// NameOf gives the name by which a link asks for a file of a mirror; "" for a link that
// leads elsewhere.
func (list List) NameOf(ref string) string {
	m, name, ok := list.holder(ref)
	if !ok {
		return ""
	}
	return m.fileName(name)
}

// NameFrom gives the name by which links ask for the page of an address that the file at a
// whole path holds, as a record of a web archive does; "" if the page is of another mirror
// than the file, or of none.
func (list List) NameFrom(path, address string) string {
	m, name, ok := list.holder(address)
	own, _, in := list.Of(path)
	if !ok || !in || own.site() != m.site() {
		return ""
	}
	return m.fileName(name)
}
