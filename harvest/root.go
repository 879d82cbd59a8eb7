package harvest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
	"linkcheck/uri/repair"
	"linkcheck/uri/secret"
)

// Root is an archive, and what the operator decided about it.
type Root struct {
	URI   string // the key by which it is known: no password, host in lower case
	Kind  Shape
	Name  string // the collection; never ""
	Owner string // who mends its links; may be ""

	Every     Schedule
	RecordURL string // where a record can be seen: "{id}" stands for its identifier; "": nowhere

	Follow, NoFollow *regexp.Regexp // searched in addresses; nil: as if not given
	Depth            int            // hops from the root; 0: 48
	Documents        int            // of the root in all; 0: 10,000 of a walk, 1,000,000 else
	Bytes            int64          // read in a run; 0: 2 GiB
	Time             time.Duration  // of a run; 0: 1 h

	Query, Format string   // of a catalogue
	Groups        []string // of a news server
	Secret        check.Secret

	Inner []string // URIs of the roots inside it, whose documents it leaves to them; see Inner
}

// Shape is the kind of an archive, as it is shown.
type Shape string

// The kinds of archives that can be read.
const (
	Web     Shape = "web"
	Sitemap Shape = "sitemap"
	OAI     Shape = "oai"
	SRU     Shape = "sru"
	News    Shape = "news"
	Z3950   Shape = "z39.50"
	Gopher  Shape = "gopher"
	FTP     Shape = "ftp"
	Mailbox Shape = "imap"
	WASAPI  Shape = "wasapi"
)

// shapes has the kind of a root by the scheme before its address, and whether a prefix and a
// "+" stand there.
var shapes = map[string]Shape{"http": Web, "https": Web, "sitemap+http": Sitemap, "sitemap+https": Sitemap,
	"wasapi+http": WASAPI, "wasapi+https": WASAPI,
	"oai+http": OAI, "oai+https": OAI, "sru+http": SRU, "sru+https": SRU,
	"news": News, "snews": News, "imap": Mailbox, "imaps": Mailbox, "gopher": Gopher, "ftp": FTP,
	"z39.50r": Z3950, "z39.50s": Z3950}

// Schemes lists what may stand before the address of a root, sorted.
func Schemes() []string {
	return slices.Sorted(maps.Keys(shapes))
}

// ErrPath says that a word is no URI: it is the path of a file or folder.
var ErrPath = errors.New("it is no URI")

// ParseRoot reads the URI of a root. Its name is the host. The error is ErrPath where the
// word may only be a path, and says what to write in its place where a URI was meant.
func ParseRoot(word string) (Root, error) {
	scheme, rest, ok := strings.Cut(word, ":")
	prefix, inner, prefixed := strings.Cut(strings.ToLower(scheme), "+")
	if !prefixed {
		prefix, inner = "", strings.ToLower(scheme)
	}
	if !ok || !isScheme(scheme) || !prefixed && !known(inner) {
		if mended, ok := meant(word); ok {
			return Root{}, fmt.Errorf("%.200q is no URI and no file: did you mean %s?", secret.Mask(word), secret.Mask(mended))
		}
		return Root{}, ErrPath
	}
	shape, readable := shapes[strings.ToLower(scheme)]
	if !readable {
		return Root{}, fmt.Errorf("%.40q is no archive that can be read; there are %s", scheme+":", strings.Join(Schemes(), ", "))
	}
	u, err := uri.Parse(inner + ":" + rest)
	if err != nil {
		if mended, ok := meant(inner + ":" + rest); ok {
			return Root{}, fmt.Errorf("%.200q is no URI: did you mean %s?", secret.Mask(word), secret.Mask(mended))
		}
		return Root{}, fmt.Errorf("%.200q is no URI: %w", secret.Mask(word), err)
	}
	at, ok := u.Endpoint()
	if !ok {
		return Root{}, fmt.Errorf("%.200q is no address of a server", secret.Mask(word))
	}
	if p := u.Parts(); p.HasUser {
		return Root{}, errors.New("a name or password does not stand in a root, where others see it: give user and password-file in its table [[root]]")
	}
	if fault := partOfArchive(u, shape); fault != "" {
		return Root{}, fmt.Errorf("%.200q is %s", secret.Mask(word), fault)
	}
	key, _, _ := strings.Cut(uri.SchemeKey(u), "#")
	if prefix != "" {
		key = prefix + "+" + key
	}
	return Root{URI: key, Kind: shape, Name: at.Host}, nil
}

// partOfArchive says of a URI that names no whole archive what it is; "": it does.
func partOfArchive(u uri.URI, shape Shape) string {
	switch u := u.(type) {
	case *uri.News:
		if u.Kind == uri.NewsArticle {
			return "one article: a root is a newsgroup, a pattern of them or a server"
		}
	case *uri.Z3950:
		if u.DocID != nil || len(u.Databases) == 0 {
			return "no database: a root is one such as z39.50s://host/database"
		}
	}
	if path := u.Parts().Path; shape == Mailbox && (len(path) < 2 || strings.ContainsAny(path, ";?")) { // RFC 5092 section 11
		return "no mailbox: a root is one such as imaps://host/INBOX"
	}
	return ""
}

// Address is the URI without the kind before it: what is asked.
func (r *Root) Address() string {
	if before, after, ok := strings.Cut(r.URI, "+"); ok && !strings.ContainsAny(before, ":/") {
		return after
	}
	return r.URI
}

// Inner gives the URIs of those roots that lie inside one: walks whose addresses it would
// follow. Of two that lie inside each other it is the longer address, or the first in order.
func Inner(root *Root, all []Root) (inside []string) {
	for i := range all {
		other := &all[i]
		if other.URI == root.URI || slices.Contains(inside, other.URI) || !root.spans(other) {
			continue
		}
		longer := cmp.Or(cmp.Compare(len(root.URI), len(other.URI)), strings.Compare(other.URI, root.URI))
		if longer < 0 || !other.spans(root) {
			inside = append(inside, other.URI)
		}
	}
	return inside
}

// spans says whether the walk of a root would follow a link to another.
func (r *Root) spans(other *Root) bool {
	if !r.Walks() || !other.Walks() {
		return false
	}
	s, err := siteOf(*r)
	if err != nil {
		return false
	}
	name, ours := s.name(other.Address())
	return ours && s.holds(name)
}

// Walks says whether its documents name each other, and are asked for one by one.
func (r *Root) Walks() bool {
	return r.Kind == Web || r.Kind == Sitemap || r.Kind == Gopher || r.Kind == FTP
}

// isScheme says whether a word is spelled as a scheme, RFC 3986 section 3.1; one letter is
// the drive of a path.
func isScheme(s string) bool {
	for i, c := range strings.ToLower(s) {
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", c)) {
			return false
		}
	}
	return len(s) > 1
}

func known(scheme string) bool {
	_, ok := uri.Lookup(scheme)
	return ok
}

// meant is the URI that was mistyped in a word.
func meant(word string) (string, bool) {
	if strings.HasPrefix(strings.ToLower(word), "www.") && !strings.ContainsAny(word, " \t") {
		return "https://" + word, true
	}
	return repair.Slips(word)
}

// Schedule says when a root is due again. The zero value is always.
type Schedule struct {
	every   time.Duration
	weekday time.Weekday
	on      rhythm
}

// rhythm is what a schedule goes by beside a length of time.
type rhythm uint8

const (
	_ rhythm = iota
	weekly
	monthly
)

// slack is how much earlier than its time a root is read: a run that begins each night
// does not begin at the same second (OUTCOMES section 5.1.7).
const slack = 4 * time.Hour

// ParseSchedule reads "1d", "7d", "12h", "sunday", "month" or "always".
func ParseSchedule(word string) (Schedule, error) {
	day := time.Sunday
	for ; day <= time.Saturday; day++ {
		if strings.EqualFold(word, day.String()) {
			return Schedule{weekday: day, on: weekly}, nil
		}
	}
	switch word {
	case "always":
		return Schedule{}, nil
	case "month":
		return Schedule{on: monthly}, nil
	}
	const most = 3650
	var n int
	var unit string
	if _, err := fmt.Sscanf(word, "%d%s", &n, &unit); err == nil && n > 0 && n <= most && word == fmt.Sprint(n)+unit {
		switch unit {
		case "h":
			return Schedule{every: time.Duration(n) * time.Hour}, nil
		case "d":
			return Schedule{every: time.Duration(n) * 24 * time.Hour}, nil
		}
	}
	return Schedule{}, fmt.Errorf(`%.40q is no time such as "1d", "12h", "sunday", "month" or "always"`, word)
}

// Next is when a root that was last read whole at a time is due again. Days are those of UTC.
func (s Schedule) Next(whole time.Time) time.Time {
	if whole.IsZero() {
		return whole
	}
	whole = whole.UTC()
	midnight := time.Date(whole.Year(), whole.Month(), whole.Day(), 0, 0, 0, 0, time.UTC)
	switch s.on {
	case weekly:
		days := (int(s.weekday)-int(whole.Weekday())+6)%7 + 1
		return midnight.AddDate(0, 0, days)
	case monthly:
		return time.Date(whole.Year(), whole.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	}
	return whole.Add(max(s.every-slack, 0))
}
