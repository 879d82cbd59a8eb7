// Package kept is what a walk keeps of an answer while its sweep is under way, so that a run
// which goes on judges the site as if there had been no cut (HARVEST section 4).
package kept

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Answer is what came of asking for a document, or for a list of documents.
type Answer struct {
	Came   string   `json:",omitempty"` // the name under which the document was told; "": none came
	Same   bool     `json:",omitempty"` // it is as it was
	Fails  bool     `json:",omitempty"` // none came, and no redirect leads to another
	Up     bool     `json:",omitempty"` // it shows that the server is up
	Robots bool     `json:",omitempty"` // robots.txt forbids it
	Beside string   `json:",omitempty"` // what no document of the root is, and was asked for on the way
	At     string   `json:",omitempty"` // of the root: the address that answered
	Sum    []byte   `json:",omitempty"` // the hash of the text that came, where it was compared with others
	Page   *Page    `json:",omitempty"` // what came
	Listed *Listed  `json:",omitempty"` // its rows, where it is the listing of a folder
	Locs   []string `json:",omitempty"` // of a sitemap
	Index  bool     `json:",omitempty"` // they are sitemaps
}

// Page is what a page says, and where it leads.
type Page struct {
	Torn   bool     `json:",omitempty"` // it did not come whole
	Closed bool     `json:",omitempty"` // it asks not to be followed
	News   bool     `json:",omitempty"` // it says what no page before it did
	Text   uint64   `json:",omitempty"` // hash of it; 0: its end was not seen
	Lines  uint64   `json:",omitempty"` // of its lines: not of their order
	Said   []uint32 `json:",omitempty"` // the lines of it that no page before it had
	Leads  []string `json:",omitempty"` // names, and addresses elsewhere to which no page before it led
}

// Listed are the rows of a folder.
type Listed struct {
	Rows  []Row
	Whole bool `json:",omitempty"`
}

// Row is one of them.
type Row struct {
	Name   string
	Words  string `json:",omitempty"`
	Folder bool   `json:",omitempty"`
}

// maxOctets is how long an answer may be that is read again; a longer one is not kept.
const maxOctets = 64 << 20

var writers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is a good one
	return w
}}

// Encode gives the octets of an answer; nil: it is too long to be kept.
func (a *Answer) Encode() []byte {
	text, err := json.Marshal(a)
	if err != nil || len(text) > maxOctets {
		return nil
	}
	var b bytes.Buffer
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	w.Reset(&b)
	w.Write(text) // into memory
	w.Close()
	return b.Bytes()
}

// Decode reads what Encode wrote.
func Decode(b []byte) (*Answer, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxOctets))
	a := &Answer{}
	if err == nil {
		err = json.Unmarshal(text, a)
	}
	if err != nil {
		return nil, fmt.Errorf("what is kept of an answer: %w", err)
	}
	return a, nil
}
