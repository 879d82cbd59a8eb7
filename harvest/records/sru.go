package records

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// SRU is an answer to searchRetrieve, 1.1, 1.2 or 2.0, without its records.
type SRU struct {
	Count       int     // numberOfRecords; -1: not said
	Diagnostics []Fault // those of the answer: the number behind info:srw/diagnostic/1/, and the words
	Records     int     // that came, surrogate diagnostics too
}

// ReadSRU reads an answer of SRU, and hands each record to take while it comes, until take
// says false. With an error the answer is what came before it: an *Other where it is none
// of SRU. A diagnostic in the place of a record is one without Body.
func ReadSRU(r io.Reader, take func(*Record) bool) (*SRU, error) {
	p := &sruPage{take: take, SRU: SRU{Count: -1}}
	err := newScanner(r, MaxPage, p, "searchRetrieveResponse", "explainResponse", "scanResponse").run()
	return &p.SRU, err
}

type sruPage struct {
	SRU
	take   func(*Record) bool
	now    Record
	inside bool // a record of the envelope
}

func (p *sruPage) start(name, parent string, attrs []xml.Attr) bool {
	switch name {
	case "record":
		p.now, p.inside = Record{}, true
	case "diagnostic":
		if !p.inside && len(p.Diagnostics) < maxList {
			p.Diagnostics = append(p.Diagnostics, Fault{})
		}
	}
	return name == "recordData" && parent == "record"
}

func (p *sruPage) record(body []byte, f Facts) {
	if p.now.Body, p.now.Facts = body, f; body == nil {
		p.now.Fault = tooLong
	}
	if name := rootOf(body); name == "diagnostic" || name == "diagnostics" {
		p.now.Body = nil // a surrogate diagnostic (SRU 1.1, "diagnostics")
	}
}

// rootOf is the name of the outermost element of a document of ours, without prefix.
func rootOf(body []byte) string {
	name := bytes.TrimPrefix(body, []byte(prolog+"<"))
	name = name[:max(0, bytes.IndexAny(name, " \t\r\n/>"))]
	return string(name[bytes.IndexByte(name, ':')+1:])
}

func (p *sruPage) end(name, parent, text string) error {
	switch {
	case name == "numberOfRecords":
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			p.Count = n
		}
	case name == "recordData" && p.now.Body == nil && p.now.Fault == "" && text != "":
		p.unpack(text)
	case name == "recordIdentifier" && parent == "record":
		p.now.ID = cut(text, maxID+1)
	case name == "record":
		return p.give()
	case parent == "diagnostic" && !p.inside && len(p.Diagnostics) > 0:
		p.diagnostic(name, text)
	}
	return nil
}

// sruNext is what follows a record of the envelope.
const sruNext = `<%[1]srecord(?:\s[^<>]*)?>\s*<%[1]srecord(?:Schema|Packing|XMLEscaping|Data)[\s>/]|</%[1]srecords\s*>`

func (p *sruPage) entry(name, parent string) (next string, ok bool) {
	return sruNext, name == "record" && parent == "records"
}

func (p *sruPage) fault(text string) error {
	p.now.Fault, p.now.Body, p.now.Facts = text, nil, Facts{}
	return p.give()
}

func (p *sruPage) give() error {
	p.Records++
	record := p.now
	p.now, p.inside = Record{}, false
	if p.take != nil && !p.take(&record) {
		return ErrStopped
	}
	return nil
}

func (p *sruPage) diagnostic(name, text string) {
	d := &p.Diagnostics[len(p.Diagnostics)-1]
	switch name {
	case "uri":
		d.Code = cut(text[strings.LastIndexByte(text, '/')+1:], maxTitle)
	case "message":
		d.Text = cut(strings.TrimSuffix(text+": "+d.Text, ": "), maxID)
	case "details":
		d.Text = cut(strings.TrimPrefix(d.Text+": "+text, ": "), maxID)
	}
}

// unpack reads a record that came as a string (recordPacking string, recordXMLEscaping
// string).
func (p *sruPage) unpack(text string) {
	if len(text) >= maxRecord {
		p.now.Fault = tooLong
		return
	}
	p.record(Alone([]byte(text)))
}
