package archived

import (
	"regexp"
	"strings"
	"time"

	"linkcheck/uri"
)

// stampTime is how archives write times in addresses.
const stampTime = "20060102150405"

// Addresses of copies: a time of 4 to 14 digits, behind which may stand how the copy is shown
// (id_, if_ ...), then the address of the page (web.archive.org, archive.today, and all
// archives whose pages pywb or OpenWayback show).
var (
	copyAddress = regexp.MustCompile(`^https?://([^/?#]+)/(?:[^?#]*?/)?(\d{14}|\d{4}\.\d\d\.\d\d-\d{6})(?:[a-z]{2}_)?/((?:https?|ftp):/.+)$`)
	shortened   = regexp.MustCompile(`^https?://([^/?#]+)/(?:web/)?(\d{4,13})(?:[a-z]{2}_)?/((?:https?|ftp):/.+)$`)
	oneSlash    = regexp.MustCompile(`^([a-z]+):/+`)
)

// archiveHosts are those of which every address is one of a copy.
var archiveHosts = []string{"web.archive.org", "archive.today", "archive.is", "archive.ph", "archive.li", "archive.md", "archive.fo", "archive.vn", "perma.cc"}

// Held says of which page an address is the copy in an archive, and when that was made. The page
// is "" where the address does not say it (perma.cc, short addresses of archive.today); ok
// says that the address is one of an archive.
func Held(address string) (page string, made time.Time, ok bool) {
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	known := false
	for _, name := range archiveHosts {
		known = known || host == name
	}
	m := copyAddress.FindStringSubmatch(address)
	if m == nil && known {
		m = shortened.FindStringSubmatch(address)
	}
	if m == nil {
		return "", time.Time{}, known
	}
	stamp := strings.NewReplacer(".", "", "-", "").Replace(m[2])
	made, err := parseStamp(stamp)
	page = oneSlash.ReplaceAllString(m[3], "$1://") // servers make one slash of two
	if err != nil || !uri.Clickable(page) {
		return "", time.Time{}, known
	}
	return page, made, true
}

// parseStamp reads a time of 4 to 14 digits.
func parseStamp(digits string) (time.Time, error) {
	const first = "00000101000000"
	if n := len(digits); n >= 4 && n < len(first) {
		digits += first[n:]
	}
	return time.Parse(stampTime, digits)
}
