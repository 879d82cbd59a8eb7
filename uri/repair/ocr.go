package repair

import (
	"regexp"
	"strings"

	"linkcheck/uri"
)

// The misreadings of scanned text that old documents show: "%20" that lost its
// 2, a yen sign or letters for '%', "/]" for "//", "con" for "com", P for '?'.
var (
	ocrLostTwo  = regexp.MustCompile(`%0([A-Z][a-z])`)
	ocrOctets   = regexp.MustCompile(`[UY%]([C-F][0-9A-F])[UY%]([89AB][0-9A-F])`)
	ocrCon      = regexp.MustCompile(`\.con(\?|/|:|$)`)
	ocrQuestion = regexp.MustCompile(`\.con?P(id=)`)
)

// OCR guesses the URI behind scanned text with blanks inside and misread
// characters. It is a guess and nothing else: ok reports that the guess parses
// and differs from the text.
func OCR(text string) (guess string, ok bool) {
	s := dropBlanks(text)
	s = strings.ReplaceAll(s, "¥", "%")
	s = strings.Replace(s, ":/]", "://", 1)
	s = ocrLostTwo.ReplaceAllString(s, "%20$1")
	s = ocrOctets.ReplaceAllString(s, "%$1%$2")
	s = ocrQuestion.ReplaceAllString(s, ".com?$1")
	s = ocrCon.ReplaceAllString(s, ".com$1")
	if s == text {
		return text, false
	}
	_, err := uri.Parse(s)
	return s, err == nil
}
