package uri

import "strings"

// Warnings says what a librarian should look at in a URI that is well formed:
// an identifier that its record does not allow, a check character that does not
// agree, a namespace that nobody registered. A warning never merges or parts.
func (r Rules) Warnings(u URI) []string {
	switch u := u.(type) {
	case *Info:
		return r.infoWarnings(u)
	case *Opaque:
		if u.Scheme() == "urn" {
			return urnWarnings(u.Rest)
		}
	}
	return nil
}

func (r Rules) infoWarnings(u *Info) []string {
	st := r.registry().Standing(u)
	switch {
	case u.Namespace == "pii" && !checkDigit("pii-issn", u.Identifier).Valid:
		return []string{"info-ns-unregistered", "pii-check-digit"}
	case st.Status == "unregistered":
		return []string{"info-ns-unregistered"}
	case st.Valid == "no" && u.Namespace == "sici" && checkDigit("sici", u.Identifier).Check != "" && !checkDigit("sici", u.Identifier).Valid:
		return []string{"sici-check-digit"}
	case st.Valid == "no":
		return []string{u.Namespace + "-syntax"}
	}
	return nil
}

// urnWarnings checks the numbers of RFC 8254 and RFC 3044.
func urnWarnings(rest string) []string {
	nid, nss, _ := strings.Cut(rest, ":")
	nss = decode(nss)
	switch lower(nid) {
	case "isbn":
		if !checkDigit("isbn10", nss).Valid && !checkDigit("isbn13", nss).Valid {
			return []string{"isbn-check-digit"}
		}
	case "issn":
		if !checkDigit("issn", nss).Valid {
			return []string{"issn-check-digit"}
		}
	}
	return nil
}
