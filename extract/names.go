package extract

import (
	"net/url"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// NameOf gives the name that a reference asks for, "" for one that names no
// message or part, or names a server to get it from.
//
// A link may name a message or a part of one and no server: news:ID (RFC 5538),
// mid:ID, mid:ID/CID and cid:CID (RFC 2392). Where the message stands in the
// documents themselves, no server has to be asked about it. Names are the keys by
// which such links and messages are brought together; see Options.Names.
func NameOf(ref string) string {
	rest := ref[strings.IndexByte(ref, ':')+1:]
	switch doc.SchemeOf(ref) {
	case "news", "snews":
		if textscan.IsAddress(rest) && !strings.HasPrefix(rest, "//") {
			return doc.MessageName(plainID(rest))
		}
	case "mid":
		id, part, parted := strings.Cut(rest, "/")
		if parted && part != "" {
			return doc.PartName(plainID(id), plainID(part))
		}
		return doc.MessageName(plainID(id))
	case "cid":
		return doc.ContentName(plainID(rest))
	}
	return ""
}

// plainID undoes the escapes of an identifier, and takes off the angle brackets that
// old articles leave around it.
func plainID(s string) string {
	s, _, _ = strings.Cut(s, "#")
	if t, err := url.PathUnescape(s); err == nil {
		s = t
	}
	return doc.Bracketed(s)
}
