package textscan

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"

	"linkcheck/internal/ascii"
)

// span is a stretch of the text.
type span struct{ start, end int }

// fields gives the words of a line, at most so many.
func fields(text []byte, l span, most int) []span {
	var out []span
	for text, end := text[:l.end], l.start; len(out) < most; {
		start := ascii.Skip(text, end, ascii.Space)
		if start == len(text) {
			return out
		}
		end = ascii.Skip(text, start, func(c byte) bool { return !ascii.Space(c) })
		out = append(out, span{start, end})
	}
	return out
}

// ftpHost is a dotted host name under a top-level domain.
func ftpHost(b []byte) bool {
	dot := bytes.LastIndexByte(b, '.')
	if dot < 1 || len(b)-dot > len(".example") || bytes.Contains(b, []byte("..")) {
		return false
	}
	switch tld := ascii.Lower(b[dot+1:]); tld {
	case "com", "edu", "gov", "mil", "net", "org", "int", "arpa", "test", "example": // the last two: RFC 2606
		return true
	default:
		return len(tld) == 2 && ascii.Letter(tld[0]) && ascii.Letter(tld[1]) && bytes.IndexByte(b[:dot], '.') > 0
	}
}

// otherHost is a host of two labels under a country, or an address, with ":/"
// behind it.
func otherHost(b []byte) bool {
	name, ok := bytes.CutSuffix(b, []byte(":/"))
	if !ok || bytes.Contains(name, []byte("..")) {
		return false
	}
	if a, err := netip.ParseAddr(string(name)); err == nil {
		return a.Is4()
	}
	dot := bytes.LastIndexByte(name, '.')
	if dot < 2 || len(name)-dot != 3 || !ascii.Letter(name[dot+1]) || !ascii.Letter(name[dot+2]) {
		return false
	}
	return !suffix(name)
}

// suffix says whether what looks like a host under a country ends as files do: a few
// countries are spelt like the suffixes of programs.
func suffix(name []byte) bool {
	switch ascii.Lower(name[bytes.LastIndexByte(name, '.')+1:]) {
	case "gz", "js", "ps", "py", "rb", "rc", "sh", "so":
		return true
	}
	return false
}

// hostOf is what a host name could be at the front of a word.
func hostOf[T []byte | string](w T) T {
	return w[:ascii.Skip(w, 0, func(c byte) bool { return ascii.Alnum(c) || c == '.' || c == '-' })]
}

// DottedHost says whether s starts with a host name that has a dot in it.
func DottedHost(s string) bool {
	host := hostOf(s)
	for i := 1; i < len(host)-1; i++ {
		if host[i] == '.' && ascii.Alnum(host[i+1]) {
			return true
		}
	}
	return false
}

// extension says whether a reference ends as files do: it is complete.
func extension(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i < strings.LastIndexByte(s, '/') {
		return false
	}
	switch strings.ToLower(s[i+1:]) {
	case "html", "htm", "shtml", "xml", "asp", "aspx", "php", "cgi", "jsp", "txt", "csv", "ps", "pdf", "doc", "docx", "rtf", "odt",
		"xls", "xlsx", "ppt", "pptx", "gif", "jpg", "jpeg", "png", "tif", "z", "gz", "tgz", "bz2", "zip", "tar", "lha", "hqx":
		return true
	}
	return false
}

// dotted says whether a dot stands inside a word that is no abbreviation.
func dotted(w []byte) bool {
	i := bytes.LastIndexByte(w, '.')
	return i > 0 && i+1 < len(w) && len(w) > 4 || i == 0 && len(w) > 2
}

// prose says whether a word is one of a sentence: letters, perhaps with an
// apostrophe, hyphens or slashes ("and/or"; "client/server" only where stopped says
// that a reference may have ended before it).
func prose(w []byte, stopped bool) bool {
	for i, c := range w {
		if !ascii.Letter(c) && (i == 0 || i == len(w)-1 || c != '-' && c != '\'' && (c != '/' || !stopped && len(w) > 6)) {
			return false
		}
	}
	return !extension("x." + string(w))
}

// ruler is a line drawn with characters.
func ruler(w []byte) bool { return len(w) > 2 && !slices.ContainsFunc(w[:min(len(w), 4)], ascii.Alnum) }

// softBlank is a blank of quoted-printable at the end of a line that was not decoded.
func softBlank(w []byte) bool { return string(w) == "=20" || string(w) == "=09" }

// masked says whether a word was made unreadable, as in "XXXX://XXX.XXXXX.XXX".
func masked(word []byte) bool { return len(bytes.Trim(word, string(word[:1]))) == 0 }

// connective words end a reference inside its brackets.
var connective = map[string]bool{"or": true, "and": true, "and/or": true, "see": true, "for": true, "in": true, "at": true, "via": true, "-": true, "--": true}

// hasScheme says whether a word is a reference of its own, also as host:/path.
func hasScheme(word []byte) bool {
	i := bytes.IndexByte(word, ':')
	return i > 0 && (IsScheme(string(word[:i])) || bytes.HasPrefix(word[i:], []byte(":/")) || ftpHost(word[:i]) && !ascii.Digits(word[i+1:]))
}

// shortWords are words and names of no more than three letters, of which addresses and sentences are
// made. What else is so short is a part of a word.
var shortWords = setOf("a i an as at be by do go he if in is it me my no of on or so to up us we all and any are art bus but can day did doc eng faq for ftp get " +
	"has her him his how htm ibm its job key law led let lib log man map may men net new non nor not now off old one org our out own pdf per pre pro pub rfc run saw sea see set she sub sun tax tcp tex " +
	"act add age ago air arm ask bad bag ban bar bed big bit box boy bug buy cap car cat cup cut cd dog dry due dvd ear eat egg end era eye fan far fax few fit fix fly fun gas god gun guy hat hit hot hub ice ill ink kid lab law lay leg lie lot low mix mr ms nut oil ok pay pen pet pot put raw red rid rod row say sir sit six sky son spa ten tie toy try vol win won yes zip " +
	"the tip too top tv two uk un uni url usa use van via war was way web who why www yet you co de re e x das der die ein und von zum zur le la les des du et en est sur der het een och")

// function words stand behind an address in a sentence, and name no directory.
var function = setOf("a an as at be been but by can could did do does from had has have he her his how i if into is it its may more most must no nor not of on our out over she should since so such than that " +
	"the their then there these they this those though through to too under until up was we were what when where whether which while who whom whose why will with within without would you your " +
	"also another any are because before after about again all both contains describes during each explains gives has holds includes lists offers or and only other page provides says shows tells under und oder ist et ou")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// IsFragment says whether letters are too few for a word, and are none of the short ones.
func IsFragment(letters string) bool {
	return len(letters) <= 3 && !shortWords[strings.ToLower(letters)]
}
