package records

import (
	"encoding/xml"
	"io"
	"strconv"
)

const maxList = 1000 // formats, sets and errors of a page

// OAI is an answer of OAI-PMH 2.0, without its records.
type OAI struct {
	Date     string  // responseDate
	Errors   []Fault // section 3.6
	Verb     string  // the element that answers: Identify, ListRecords ...; "": there is none
	Identify Identify
	Formats  []Format
	Sets     []string // setSpec
	Token    Token
	Records  int // that came, deleted ones too
}

// Fault is an error in the server's words.
type Fault struct{ Code, Text string }

// Identify is what a repository says of itself (section 4.2).
type Identify struct {
	Earliest    string // earliestDatestamp
	Granularity string // YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ
}

// Format is a way in which records can be had (section 4.4).
type Format struct{ Prefix, Namespace string }

// Token is a resumptionToken (section 3.5).
type Token struct {
	Value   string // "": the list ends here
	Size    int    // completeListSize; 0: not said
	Expires string // expirationDate; "": not said
}

// ReadOAI reads an answer of OAI-PMH, and hands each record or header to take while it
// comes, until take says false. With an error the answer is what came before it: an *Other
// where it is none of OAI-PMH.
func ReadOAI(r io.Reader, take func(*Record) bool) (*OAI, error) {
	p := &oaiPage{take: take}
	err := newScanner(r, MaxPage, p, "OAI-PMH").run()
	return &p.OAI, err
}

type oaiPage struct {
	OAI
	take func(*Record) bool
	now  Record
}

func (p *oaiPage) start(name, parent string, attrs []xml.Attr) bool {
	switch {
	case parent == "OAI-PMH" && name == "error":
		if len(p.Errors) < maxList {
			p.Errors = append(p.Errors, Fault{Code: cut(attr(attrs, "code"), maxTitle)})
		}
	case parent == "OAI-PMH" && name != "responseDate" && name != "request":
		p.Verb = cut(name, maxTitle)
	case name == "header":
		p.now = Record{Deleted: attr(attrs, "status") == "deleted"}
	case name == "metadataFormat" && len(p.Formats) < maxList:
		p.Formats = append(p.Formats, Format{})
	case name == "resumptionToken":
		size, _ := strconv.Atoi(attr(attrs, "completeListSize"))
		p.Token = Token{Size: max(0, size), Expires: cut(attr(attrs, "expirationDate"), maxTitle)}
	}
	return name == "metadata" && parent == "record"
}

func (p *oaiPage) record(body []byte, f Facts) {
	if p.now.Body, p.now.Facts = body, f; body == nil {
		p.now.Fault = tooLong
	}
}

// What follows a record of a list, and a header of one.
const (
	nextRecord = `<%[1]srecord(?:\s[^<>]*)?>\s*<%[1]sheader[\s>/]|` + oaiBehind
	nextHeader = `<%[1]sheader(?:\s[^<>]*)?>\s*<%[1]sidentifier[\s>/]|` + oaiBehind
	oaiBehind  = `<%[1]sresumptionToken[\s>/]|</%[1]s(?:ListRecords|ListIdentifiers|GetRecord)\s*>`
)

func (p *oaiPage) entry(name, parent string) (next string, ok bool) {
	if name == "header" {
		return nextHeader, parent == "ListIdentifiers"
	}
	return nextRecord, name == "record" && (parent == "ListRecords" || parent == "GetRecord")
}

func (p *oaiPage) fault(text string) error {
	p.now.Fault, p.now.Body, p.now.Facts = text, nil, Facts{}
	return p.give()
}

func (p *oaiPage) end(name, parent, text string) error {
	switch parent {
	case "OAI-PMH":
		p.endOf(name, text)
	case "Identify":
		switch name {
		case "earliestDatestamp":
			p.Identify.Earliest = cut(text, maxTitle)
		case "granularity":
			p.Identify.Granularity = cut(text, maxTitle)
		}
	case "metadataFormat":
		p.format(name, text)
	case "set":
		if name == "setSpec" && len(p.Sets) < maxList {
			p.Sets = append(p.Sets, cut(text, maxID))
		}
	case "header":
		switch name {
		case "identifier":
			p.now.ID = cut(text, maxID+1)
		case "datestamp":
			p.now.Stamp = cut(text, maxTitle)
		}
	case "ListRecords", "GetRecord":
		if name == "record" {
			return p.give()
		}
	case "ListIdentifiers":
		if name == "header" {
			return p.give()
		}
	}
	if name == "resumptionToken" {
		p.Token.Value = text
	}
	return nil
}

func (p *oaiPage) endOf(name, text string) {
	switch name {
	case "responseDate":
		p.Date = cut(text, maxTitle)
	case "error":
		if n := len(p.Errors); n > 0 && p.Errors[n-1].Text == "" {
			p.Errors[n-1].Text = cut(text, maxID)
		}
	}
}

func (p *oaiPage) format(name, text string) {
	if len(p.Formats) == 0 {
		return
	}
	switch f := &p.Formats[len(p.Formats)-1]; name {
	case "metadataPrefix":
		f.Prefix = cut(text, maxTitle)
	case "metadataNamespace":
		f.Namespace = cut(text, maxID)
	}
}

func (p *oaiPage) give() error {
	p.Records++
	record := p.now
	p.now = Record{}
	if p.take != nil && !p.take(&record) {
		return ErrStopped
	}
	return nil
}
