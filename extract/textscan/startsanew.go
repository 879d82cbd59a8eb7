package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// startsAnew says whether the word behind a break is plainly no part of a
// reference: a label, a file of the reader's own machine, a commit, a date.
func (j joint) startsAnew() bool {
	prose := len(bytes.TrimSpace(j.rest)) > 0
	switch {
	case j.label:
		return true
	case ascii.Alnum(j.last) && rooted(j.word), digest(j.word):
		return true
	case prose && dated(j.word):
		return true
	}
	return false
}

// rooted says whether a word is a path of the local file system.
func rooted(w []byte) bool {
	for _, root := range []string{"/usr/", "/etc/", "/var/", "/home/", "/opt/", "/tmp/"} {
		if bytes.HasPrefix(w, []byte(root)) {
			return true
		}
	}
	return false
}

// digest says whether a word is a whole SHA-1 or SHA-256 in hexadecimal.
func digest(w []byte) bool {
	return (len(w) == 40 || len(w) == 64) && len(bytes.Trim(w, "0123456789abcdef")) == 0
}

// dated says whether a word is a date, a span of years or the number of an
// edition: digits with something between them.
func dated(w []byte) bool {
	inner := bytes.TrimRight(w, "0123456789")
	return '0' <= w[0] && w[0] <= '9' && len(bytes.Trim(w, "0123456789.-/:T+,")) == 0 && len(bytes.Trim(inner, "0123456789")) > 0
}
