package lab

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// CatalogueRecord is a record of a catalogue that is shared.
type CatalogueRecord struct {
	ID       string
	Date     time.Time // of its last change
	Deleted  bool
	Sets     []string
	Metadata map[string]string // XML, by the name of the format
}

// OAI is a repository of OAI-PMH 2.0. It may be changed by Change while it serves.
type OAI struct {
	Records []CatalogueRecord // in the order in which they are listed
	Formats [][2]string       // prefix and namespace
	Sets    []string
	Now     func() time.Time // nil: time.Now

	Days      bool          // granularity
	Page      int           // records a page; 0: 100
	TokenLife time.Duration // 0: tokens do not expire
	Silent    bool          // about when tokens expire
	NoIDs     bool          // ListIdentifiers is no verb
	Status    int           // of answers that are errors; 0: 200

	// Said changes what is told of a list: the size, and the token that was sent and the
	// next. nil: it is as it is.
	Said func(size int, sent, next string) (int, string)
	// Before answers in place of the repository; nil: it does not.
	Before func(r *http.Request) http.Handler

	mu   sync.Mutex
	made int      // tokens
	log  []string // queries
}

// Change changes the repository between two requests.
func (o *OAI) Change(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
}

// Asked gives the queries since it was called last.
func (o *OAI) Asked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	log := o.log
	o.log = nil
	return log
}

// oaiError is an error of section 3.6.
type oaiError struct{ code, text string }

func (e *oaiError) Error() string { return e.text }

// ServeHTTP implements http.Handler.
func (o *OAI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log = append(o.log, r.URL.RawQuery)
	if o.Before != nil {
		if h := o.Before(r); h != nil {
			h.ServeHTTP(w, r)
			return
		}
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">`)
	fmt.Fprintf(&b, "<responseDate>%s</responseDate><request>http://%s%s</request>", o.now().Format(oaiSeconds), r.Host, r.URL.Path)
	status := http.StatusOK
	if err := o.answer(&b, r.URL.Query()); err != nil {
		fmt.Fprintf(&b, `<error code="%s">%s</error>`, err.code, escaped(err.text))
		status = max(status, o.Status)
	}
	b.WriteString("</OAI-PMH>\n")
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

func (o *OAI) answer(b *bytes.Buffer, q url.Values) *oaiError {
	switch verb := q.Get("verb"); {
	case verb == "Identify":
		o.identify(b)
	case verb == "ListMetadataFormats":
		b.WriteString("<ListMetadataFormats>")
		for _, f := range o.Formats {
			fmt.Fprintf(b, "<metadataFormat><metadataPrefix>%s</metadataPrefix><schema>http://wells.example/%s.xsd</schema><metadataNamespace>%s</metadataNamespace></metadataFormat>", f[0], f[0], f[1])
		}
		b.WriteString("</ListMetadataFormats>")
	case verb == "ListSets" && len(o.Sets) > 0:
		b.WriteString("<ListSets>")
		for _, s := range o.Sets {
			fmt.Fprintf(b, "<set><setSpec>%s</setSpec><setName>%s</setName></set>", s, s)
		}
		b.WriteString("</ListSets>")
	case verb == "ListSets":
		return &oaiError{"noSetHierarchy", "there are no sets"}
	case verb == "ListRecords", verb == "ListIdentifiers" && !o.NoIDs:
		return o.list(b, q)
	case verb == "GetRecord":
		return o.record(b, q)
	default:
		return &oaiError{"badVerb", "illegal OAI verb"}
	}
	return nil
}

func (o *OAI) identify(b *bytes.Buffer) {
	earliest, granularity := o.now(), "YYYY-MM-DDThh:mm:ssZ"
	for _, r := range o.Records {
		if r.Date.Before(earliest) {
			earliest = r.Date
		}
	}
	if o.Days {
		granularity = "YYYY-MM-DD"
	}
	fmt.Fprintf(b, "<Identify><repositoryName>Wells County Library</repositoryName><protocolVersion>2.0</protocolVersion><earliestDatestamp>%s</earliestDatestamp><deletedRecord>transient</deletedRecord><granularity>%s</granularity></Identify>",
		o.stamp(earliest), granularity)
}

// record answers GetRecord (section 4.1).
func (o *OAI) record(b *bytes.Buffer, q url.Values) *oaiError {
	for i := range o.Records {
		if r := &o.Records[i]; r.ID == q.Get("identifier") {
			if _, has := r.Metadata[q.Get("metadataPrefix")]; !has && !r.Deleted {
				return &oaiError{"cannotDisseminateFormat", "the record has no such format"}
			}
			b.WriteString("<GetRecord>")
			o.write(b, r, true, q.Get("metadataPrefix"))
			b.WriteString("</GetRecord>")
			return nil
		}
	}
	return &oaiError{"idDoesNotExist", "there is no such identifier"}
}
