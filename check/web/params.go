package web

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	siblingLetters = 25   // of a name that cannot exist
	mostPages      = 1000 // below it, the value of "page" counts the pages of a list

	// Numbers that hardly exist begin here. They fit into 32 bits, as what they are looked up in may.
	lowestNumber, numbers = 100_000_000, 1_000_000_000
)

// param is the parameter of a query that says which page is meant: the last one but for
// those that say how it is to be shown, or to whom.
type param struct {
	before, after string // of the query, around the value
	name, value   string // the value as in the query
}

// searches are parameters with the words of a search: any of them are answered.
var searches = strings.Fields("q qs query search searchterm searchtext searchphrase s term terms keyword keywords text find words lookfor phrase k kw bool freetext fulltext searchstring searchword")

// manners are parameters that say how a page is to be shown, and to whom.
var manners = strings.Fields("sid phpsessid jsessionid aspsessionid sessionid session cfid cftoken sessid utmsource utmmedium utmcampaign utmcontent utmterm utmid fbclid gclid msclkid mccid mceid ref referrer referer source src via " +
	"lang language locale hl lng ln l lan culture format output print printable mobile theme skin style layout sort sortby order orderby dir start offset limit rows count perpage pagesize tab ts time timestamp rand cb cachebust nocache v ver version width height zoom")

// paramOf finds the parameter of a query that says which page is meant; there is none in
// the query of a search, nor where the value is an address.
func paramOf(query string) (q param, ok bool) {
	end := len(query)
	for end > 0 {
		begin := strings.LastIndexAny(query[:end], "?&;") + 1
		if begin == 0 {
			return q, false
		}
		raw, value, _ := strings.Cut(query[begin:end], "=")
		name := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(raw))
		page, err := strconv.Atoi(value)
		switch {
		case value == "", slices.Contains(manners, name), (name == "page" || name == "p" || name == "pg") && err == nil && page < mostPages && strings.Count(query, "=") > 1:
		case slices.Contains(searches, name), strings.Contains(unescaped(value), "://"), strings.Contains(raw, "[") || strings.Contains(raw, "%5B"):
			return q, false
		default:
			return param{query[:end-len(value)], query[end:], name, value}, true
		}
		end = begin - 1
	}
	return q, false
}

// digits says whether the value is a number.
func (q param) digits() bool { return strings.Trim(q.value, "0123456789") == "" }

// key names the parameter, and what its values are like: a server may say another thing
// to a name where it looks for a number.
func (q param) key() string {
	if q.digits() {
		return q.name + "=9"
	}
	return q.name + "=a"
}

// random is a value that hardly exists.
func (q param) random() string {
	if q.digits() {
		return strconv.Itoa(lowestNumber + rand.IntN(numbers))
	}
	return randomLetters()
}

func randomLetters() string {
	letters := make([]byte, siblingLetters)
	for i := range letters {
		letters[i] = byte('a' + rand.IntN(26))
	}
	return string(letters)
}

// asked is what an address asks for, as pages repeat it.
type asked struct {
	whole string   // wherever it stands; "": nowhere
	words []string // as words of their own
	fold  bool     // those in either case: wikis write ids in small letters
}

// askedPath is what a path asks for.
func askedPath(path string) asked {
	a := asked{words: []string{path[strings.LastIndexByte(path, '/')+1:]}}
	if len(path) > 1 {
		a.whole = path
	}
	return a
}

// askedValue is what the value of a parameter asks for: "wiki:syntax" is a page of a
// part of a wiki.
func askedValue(value string) asked {
	const least = 4 // octets that stand nowhere by chance
	plain := unescaped(value)
	a := asked{words: append(strings.FieldsFunc(plain, func(r rune) bool { return r == ':' || r == '/' }), value, plain), fold: true}
	if len(value) >= least {
		a.whole = value
	}
	return a
}

// blank replaces in s what was asked for.
func (a asked) blank(s string) string {
	for _, word := range a.words {
		if word == "" || len(s) < len(word) || !a.fold && !strings.Contains(s, word) {
			continue
		}
		if plain := strings.Trim(s, "\"'`.,:;()[]!?«»“”‘’"); plain == word || a.fold && strings.EqualFold(plain, word) {
			return "*"
		}
	}
	if a.whole != "" {
		s = strings.ReplaceAll(s, a.whole, "*")
	}
	return s
}

// unescaped is a value of a query as it is meant, if it can be read.
func unescaped(value string) string {
	if plain, err := url.QueryUnescape(value); err == nil {
		return plain
	}
	return value
}
