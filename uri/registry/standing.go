package registry

import (
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// Standing is what the registry says of one info URI.
type Standing struct {
	Status  string   `json:"status"`  // of the namespace: registered, unregistered, or own if a librarian's file added it
	Valid   string   `json:"valid"`   // whether its record allows the identifier: yes, no, or unknown where it does not say
	Reasons []string `json:"reasons"` // codes of the steps that made Key
	Key     string   `json:"key"`     // of level Registry
	Record  string   `json:"record"`  // where the rule of the namespace stands; "" if unregistered
}

// Standing checks the canonical identifier of u against the record of its namespace:
// its patterns and, for a SICI, the check character. Keys are made by Canon alone.
func (r *Registry) Standing(u *uri.Info) Standing {
	key, codes := r.Canon(uri.SchemeKey(u))
	st := Standing{Status: "unregistered", Valid: "unknown", Reasons: append([]string{}, codes...), Key: key}
	ns := r.spaces[u.Namespace]
	if ns == nil {
		return st
	}
	st.Status, st.Record = "registered", ns.Record
	if ns.own {
		st.Status = "own"
	}
	_, rest, _ := strings.Cut(key, "/")
	rest, _, _ = strings.Cut(rest, "#")
	id := chars.Decode(rest)
	switch {
	case ns.valid != nil && ns.valid.MatchString(id):
		st.Valid = "yes"
		if ns.Check == "sici" && !sici(id).Valid {
			st.Valid = "no"
		}
	case ns.unknown != nil && ns.unknown.MatchString(id), ns.valid == nil && ns.unknown == nil: // the record does not say
	default:
		st.Valid = "no"
	}
	return st
}

// Warnings says what a librarian should look at in a URI that is well formed:
// an identifier that its record does not allow, a check character that does not
// agree, a namespace that nobody registered. A warning is shown, and changes no key.
func (r *Registry) Warnings(u uri.URI) []string {
	switch u := u.(type) {
	case *uri.Info:
		return r.infoWarnings(u)
	case *uri.Opaque:
		if u.Scheme() == "urn" {
			return urnWarnings(u.Rest)
		}
	}
	return nil
}

// infoWarnings gives the codes of what is wrong with an info URI. The namespace pii was
// never registered (INFO-REGISTRY), but an ISSN or ISBN inside it can be checked.
func (r *Registry) infoWarnings(u *uri.Info) []string {
	st := r.Standing(u)
	switch {
	case u.Namespace == "pii" && !pii(u.Identifier).Valid:
		return []string{"info-ns-unregistered", "pii-check-digit"}
	case st.Status == "unregistered":
		return []string{"info-ns-unregistered"}
	case st.Valid == "no" && u.Namespace == "sici" && sici(u.Identifier).Check != "" && !sici(u.Identifier).Valid:
		return []string{"sici-check-digit"}
	case st.Valid == "no":
		return []string{u.Namespace + "-syntax"}
	}
	return nil
}

// urnWarnings checks the number in urn:isbn (RFC 8254) and in urn:issn (RFC 3044). rest
// is what stands after "urn:".
func urnWarnings(rest string) []string {
	nid, nss, _ := strings.Cut(rest, ":")
	nss = chars.Decode(nss)
	switch chars.Lower(nid) {
	case "isbn":
		if ISBN13(nss) == "" {
			return []string{"isbn-check-digit"}
		}
	case "issn":
		if !weighted(nss, 8).Valid {
			return []string{"issn-check-digit"}
		}
	}
	return nil
}
