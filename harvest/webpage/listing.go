package webpage

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"

	"linkcheck/internal/markup"
	"linkcheck/uri"
)

const (
	maxRows  = 1_000_000 // of a listing
	maxWords = 200       // octets of what stands behind a name
)

// Listing is a page that a web server makes of a folder.
type Listing struct {
	Rows  []Row
	Rest  []byte // the page without its rows and what is blank: the same whatever rows it has
	Whole bool   // its end is there
}

// Row is a row of a listing.
type Row struct {
	Name   string
	Words  string // what stands behind the name, if a date is in it
	Folder bool
}

// ListingTitle is how servers call their listings: nginx, Apache and lighttpd, and others.
var ListingTitle = regexp.MustCompile(`^(Index of|Directory [Ll]isting (for|of)) /`)

// ReadListing reads a page as the listing of the folder that it stands at; false where it
// is none. name gives the name of an address, false where it is on another site.
func ReadListing(page []byte, at string, name func(string) (string, bool)) (Listing, bool) {
	if !strings.HasSuffix(at, "/") || !ListingTitle.MatchString(ReadHead(page).Title) {
		return Listing{}, false
	}
	l := listingReader{at: at, name: name, before: -1, stray: -1}
	z := markup.NewBytesTokenizer(page)
	for z.Next() {
		l.token(z)
	}
	l.closeRow()
	if l.broken || len(l.Rows) == 0 && l.stray >= 0 || len(l.Rows) > maxRows {
		return Listing{}, false
	}
	return l.Listing, true
}

// listingReader is a listing that is being read.
type listingReader struct {
	Listing
	at   string
	name func(string) (string, bool)

	open   bool // a row is
	entry  bool // it is that of an entry
	named  bool // its name has ended
	text   strings.Builder
	before int  // octets of Rest before the row of a table, or item, at hand; -1: none has begun
	stray  int  // how many rows were there when a link came that is no row; -1: none did
	broken bool // rows came behind that: it is a page of another kind
}

// token takes one token of the page.
func (l *listingReader) token(z *markup.Tokenizer) {
	var buf [markup.NameSize]byte
	switch z.Kind() {
	case markup.StartTag:
		switch string(markup.TagName(&buf, z.Raw())) {
		case "a":
			l.link(z.Raw())
		case "tr", "li":
			l.closeRow()
			l.before = len(l.Rest)
		case "hr":
			l.closeRow()
		case "td":
			l.text.WriteByte(' ')
		}
	case markup.EndTag:
		switch string(markup.TagName(&buf, endName(z.Raw()))) {
		case "a":
			l.named = true
		case "tr", "li":
			ofRow := l.open && l.entry
			if l.closeRow(); ofRow {
				return
			}
		case "pre", "table", "ul":
			l.closeRow()
		case "body", "html":
			l.closeRow()
			l.Whole = true
		}
	case markup.Text:
		if l.open && l.named && l.text.Len() < 4*maxWords {
			l.text.Write(z.Raw())
		}
	}
	if !l.open && (z.Kind() != markup.Text || len(bytes.TrimSpace(z.Raw())) > 0) {
		l.Rest = append(l.Rest, z.Raw()...)
	}
}

// endName makes a start tag of an end tag, for its name.
func endName(tag []byte) []byte { return append([]byte("<"), tag[min(2, len(tag)):]...) }

// link begins a row, if the link is one: to something in the folder, to a folder above, or
// to the listing in another order.
func (l *listingReader) link(tag []byte) {
	var href string
	var has bool
	for name, value := range markup.Attributes(tag) {
		if bytes.EqualFold(name, []byte("href")) {
			href, has = markup.UnescapeAttr(string(value)), true
			break
		}
	}
	if !has {
		return
	}
	l.closeRow()
	address, err := uri.Resolve(l.at, strings.TrimSpace(href))
	name, ours := "", false
	if err == nil {
		name, ours = l.name(address)
	}
	path, query, asks := strings.Cut(name, "?")
	below, child := strings.CutPrefix(path, l.at)
	switch {
	case !ours:
		return
	case child && below != "" && !strings.Contains(strings.TrimSuffix(below, "/"), "/") && !asks:
		l.row(Row{Name: name, Folder: strings.HasSuffix(name, "/")})
	case strings.HasPrefix(l.at, path) && (!asks || path == l.at && query != ""):
		l.open, l.entry, l.named = true, false, false
	default:
		l.stray, l.before = len(l.Rows), -1
	}
}

// row begins an entry. Icons may be links of their own before the name.
func (l *listingReader) row(e Row) {
	l.broken = l.broken || l.stray > 0
	l.open, l.entry, l.named = true, true, false
	if l.before >= 0 {
		l.Rest, l.before = l.Rest[:l.before], -1
	}
	if n := len(l.Rows); n == 0 || l.Rows[n-1].Name != e.Name {
		l.Rows = append(l.Rows, e)
	}
}

// closeRow ends the row at hand.
func (l *listingReader) closeRow() {
	if l.open && l.entry {
		words := markup.UnescapeAttr(l.text.String())
		words = strings.Join(strings.Fields(strings.ReplaceAll(words, "\u00a0", " ")), " ")
		if last := &l.Rows[len(l.Rows)-1]; IsWords(words) && len(words) <= maxWords {
			last.Words = words
		}
	}
	l.open = false
	l.text.Reset()
}

// rowDate is the time of a file as servers write it.
var rowDate = regexp.MustCompile(`\b(\d{4}-\d\d-\d\d|\d\d-[A-Z][a-z]{2}-\d{4}|\d{4}-[A-Z][a-z]{2}-\d\d) \d\d:\d\d`)

// IsWords says whether the version of a document is what stands behind its name in a
// listing, and no validator of HTTP.
func IsWords(version string) bool { return rowDate.MatchString(version) }

// IsYoung says whether a file may have changed once more without another row: it is not
// older than two minutes by the server's clock. In which time zone the row is, no server
// says; all differ from that of the clock by quarters of an hour, and by 14 hours at most.
func IsYoung(words string, now time.Time) bool {
	text := rowDate.FindString(words)
	layouts := []string{"2006-01-02 15:04", "02-Jan-2006 15:04", "2006-Jan-02 15:04"}
	for layout := range slices.Values(layouts) {
		at, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		age := now.UTC().Sub(at)
		if age < -14*time.Hour || age > 15*time.Hour {
			return age < 0
		}
		past := (age%(15*time.Minute) + 15*time.Minute) % (15 * time.Minute)
		return past <= 3*time.Minute || past > 14*time.Minute // a row has no seconds, and clocks differ
	}
	return true
}
