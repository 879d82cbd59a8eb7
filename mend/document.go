package mend

import (
	"bytes"
	"strings"

	"linkcheck/extract"
	"linkcheck/uri"
)

// document is what is being rewritten.
type document struct {
	Copy
	name    string
	o       extract.Options
	octets  []byte
	changes []Change
	founds  []extract.Found // in all pieces, in their order
	tries   int             // how often a copy was read
	book    *workbook       // if it is one
}

func (d *document) leave(change int, why error) { d.Left = append(d.Left, Left{change, why}) }

// isPage says whether the document is a page.
func (d *document) isPage() bool { return d.Format == "html" || d.Format == "bookmarks" }

// read gives what extract finds in a document, and how often it met damage.
func read(name string, octets []byte, o extract.Options) (founds []extract.Found, damages int) {
	for f, err := range extract.Document(name, bytes.NewReader(octets), o) {
		if err != nil {
			damages++
			continue
		}
		founds = append(founds, f)
	}
	return founds, damages
}

// Address says whether a string may be written as an address: what parses as one, without
// what ends values or would have to be escaped first.
func Address(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	_, err := uri.Parse(s)
	return err == nil
}
