package z3950

import (
	"strconv"
	"strings"
)

// syntaxNumber gives the number of a record syntax, as the rs of a URL names it,
// under 1.2.840.10003.5. RFC 2056 lists none; its own example
// writes "marc", which we read as USmarc.
func syntaxNumber(name string) string {
	switch strings.ToLower(name) {
	case "unimarc":
		return "1"
	case "intermarc":
		return "2"
	case "ccf":
		return "3"
	case "usmarc", "marc21", "marc":
		return "10"
	case "ukmarc":
		return "11"
	case "normarc":
		return "12"
	case "librismarc":
		return "13"
	case "danmarc":
		return "14"
	case "finmarc":
		return "15"
	case "mab":
		return "16"
	case "canmarc":
		return "17"
	case "sbn":
		return "18"
	case "picamarc":
		return "19"
	case "ausmarc":
		return "20"
	case "ibermarc":
		return "21"
	case "explain":
		return "100"
	case "sutrs":
		return "101"
	case "opac":
		return "102"
	case "summary":
		return "103"
	case "grs-0":
		return "104"
	case "grs-1":
		return "105"
	case "extended":
		return "106"
	case "html":
		return "109.3"
	case "sgml":
		return "109.9"
	case "xml", "text-xml":
		return "109.10"
	}
	return strings.TrimPrefix(name, "1.2.840.10003.5.")
}

// syntaxOID gives the encoded object identifier of the first syntax that we
// know, as RFC 2056 section 4 asks; "" if none is known.
func syntaxOID(names []string) string {
	for _, name := range names {
		if arcs, ok := arcs(syntaxNumber(name)); ok {
			return oidSyntaxes + arcs
		}
	}
	return ""
}

// arcs encodes a dotted list of at most four numbers as the tail of an object identifier.
func arcs(dotted string) (string, bool) {
	var out []byte
	parts := strings.Split(dotted, ".")
	if len(parts) > 4 {
		return "", false
	}
	for _, part := range parts {
		v, err := strconv.ParseUint(part, 10, 14)
		if err != nil {
			return "", false
		}
		if v >= 0x80 {
			out = append(out, 0x80|byte(v>>7))
		}
		out = append(out, byte(v&0x7f))
	}
	return string(out), true
}
