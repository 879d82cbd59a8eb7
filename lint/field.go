package lint

import (
	"regexp"
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/repair"
)

// Field is a field of MARC with an address in one of its subfields.
type Field struct {
	Tag   string
	First byte   // its first indicator; 0: none is there
	Value string // of the subfield, as it stands
	Links int    // that extract finds in it
	Way   bool   // a subfield says the way of access: $2 (MARC 21), $y (UNIMARC)
}

// IsLink says whether $u of a field is an address by its definition: of 856, 857 and 956, and
// of notes (MARC 21: 505, 520, 555 ...). Elsewhere $u may be an affiliation or the number of a
// report (100, 773).
func IsLink(tag string) bool {
	return tag == "856" || tag == "857" || tag == "956" || len(tag) == 3 && tag >= "500" && tag < "590"
}

// Faults gives what is wrong with a $u that no link tells.
func (f *Field) Faults() (list []Fault) {
	value := strings.TrimSpace(f.Value)
	switch {
	case value == "":
		return []Fault{{Empty, f.Value, ""}}
	case f.Links == 0:
		return []Fault{{NoAddress, value, ""}}
	}
	if urls := severalIn(value); len(urls) > 1 {
		return []Fault{{Several, value, strings.Join(urls, " $u ")}}
	}
	if value != f.Value && !strings.ContainsAny(f.Value, "\r\n") { // line ends are layout
		list = append(list, Fault{Blanks, f.Value, value})
	}
	if ind, ok := f.indicator(value); !ok {
		list = append(list, Fault{Indicator, string(rune(max(f.First, ' '))) + " " + value, ind})
	}
	return list
}

// severalSeparator parts two addresses without a blank.
var severalSeparator = regexp.MustCompile(`[;,|]+\s*((?i:https?|ftp)://)`)

// severalIn gives the addresses in a value: words with a scheme, or what a separator parts.
// An address in the query or the path of another is a part of that.
func severalIn(value string) (urls []string) {
	if _, slip := repair.Slips(value); slip {
		return nil
	}
	head, _, _ := strings.Cut(value, "?")
	if strings.ContainsAny(value, " \t") {
		head = value
	}
	for word := range strings.FieldsSeq(severalSeparator.ReplaceAllString(head, " $1")) {
		if i := strings.Index(word, "://"); i > 0 && isLetters(word[:i]) {
			urls = append(urls, strings.TrimRight(word, ";,|"))
		}
	}
	if n := len(urls); n > 1 && head != value {
		urls[n-1] += value[len(head):]
	}
	return urls
}

func isLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' }) < 0
}

// The first indicator of 856 and 857 says the way of access (MARC 21 Format for Bibliographic
// Data, 856; UNIMARC 856 alike): # no information, 0 email, 1 FTP, 2 remote login, 3 dial-up,
// 4 HTTP, 7 the way in $2 ($y in UNIMARC).
var ways = map[string]byte{"http": '4', "https": '4', "ftp": '1', "mailto": '0', "telnet": '2', "tn3270": '2', "rlogin": '2'}

// others are schemes that are a way of access without a value of their own. Names (urn, info,
// doi) say none: with them no indicator is wrong.
var others = []string{"gopher", "wais", "news", "nntp", "file", "prospero", "z39.50s", "z39.50r", "rtsp", "sftp", "ssh", "ldap", "irc", "rsync", "gemini", "ftps"}

// indicator says whether the first indicator fits the address, and else what fits.
func (f *Field) indicator(value string) (fits string, ok bool) {
	if f.Tag != "856" && f.Tag != "857" || f.First == 0 || strings.IndexByte(" #|\\", f.First) >= 0 {
		return "", true // "|": no attempt to code
	}
	u, err := uri.Parse(value)
	if err != nil {
		to, sure := repair.Slips(value)
		if !sure {
			return "", true
		}
		if u, err = uri.Parse(to); err != nil {
			return "", true
		}
	}
	scheme := u.Scheme()
	want := ways[scheme]
	if want == 0 && slices.Contains(others, scheme) {
		want = '7'
	}
	switch {
	case want == 0, f.First == want && (want != '7' || f.Way), f.First == '7' && f.Way:
		return "", true
	case want == '7':
		return "7, $2 " + scheme, false
	}
	return string(rune(want)), false
}
