package cnrp

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const maxDepth = 32 // elements within elements

var (
	errForeign = errors.New("not a CNRP document")
	errGarbled = errors.New("broken CNRP document")
)

// answer is what a results document holds, as far as it decides.
type answer struct {
	services   int
	referrals  int
	items      []found
	code       string // of the last status that is not mere information: "2.1.0"
	statusText string // its words
}

// found is one resource descriptor.
type found struct{ id, name, uri string }

// parse reads a results document. The specification's own examples break its
// DTD, so elements are taken wherever they stand.
func parse(body []byte) (a answer, err error) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	var path []string
	results := false
	for {
		token, err := d.RawToken()
		switch {
		case err == io.EOF && len(path) == 0 && results:
			return a, nil
		case err == io.EOF && !results || err != nil && len(path) == 0:
			return a, errForeign
		case err != nil:
			return a, fmt.Errorf("%w: %v", errGarbled, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			path = append(path, e.Name.Local)
			if path[0] != "cnrp" {
				return a, errForeign
			}
			if len(path) > maxDepth {
				return a, fmt.Errorf("%w: nested too deeply", errGarbled)
			}
			results = results || e.Name.Local == "results"
			a.open(e)
		case xml.EndElement:
			if len(path) == 0 || path[len(path)-1] != e.Name.Local {
				return a, fmt.Errorf("%w: stray end of %.40q", errGarbled, e.Name.Local)
			}
			path = path[:len(path)-1]
		case xml.CharData:
			a.text(path, strings.TrimSpace(string(e)))
		}
	}
}

// open notes an element that counts.
func (a *answer) open(e xml.StartElement) {
	switch e.Name.Local {
	case "service":
		a.services++
	case "referral":
		a.referrals++
	case "resourcedescriptor":
		a.items = append(a.items, found{})
	case "status":
		for _, attr := range e.Attr {
			if attr.Name.Local == "code" && !strings.HasPrefix(attr.Value, "1.") {
				a.code, a.statusText = attr.Value, ""
			}
		}
	}
}

// text notes the words within an element that counts.
func (a *answer) text(path []string, words string) {
	if words == "" || len(path) < 2 {
		return
	}
	within, parent := path[len(path)-1], path[len(path)-2]
	if within == "status" {
		a.statusText = words
	}
	if parent != "resourcedescriptor" || len(a.items) == 0 {
		return
	}
	switch last := &a.items[len(a.items)-1]; within {
	case "id":
		last.id += words
	case "commonname":
		last.name += words
	case "resourceuri":
		last.uri += words
	}
}
