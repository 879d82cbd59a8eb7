package repair

import "strings"

// What was wrong with a value, as Value says it.
const (
	References   = "references"    // &amp; stands in it
	BlanksWithin = "blanks-within" // a blank stands in it
)

// Value mends how the value of a subfield of MARC is written that is an address: MARC has no
// references (in MARCXML they stand twice), and blanks are written as %20. How is the way in
// which it was found, raw the value as it stands and url as it was read. why is "" where
// nothing is wrong.
func Value(how, raw, url string) (mended, why string) {
	switch {
	case !strings.HasPrefix(how, "$") || raw == "":
	case strings.Contains(url, "&amp;"):
		return strings.ReplaceAll(url, "&amp;", "&"), References
	case strings.Contains(raw, "&amp;"): // extract undid it
		return url, References
	case strings.Contains(raw, " ") && !strings.Contains(url, " "):
		return url, BlanksWithin
	}
	return "", ""
}
