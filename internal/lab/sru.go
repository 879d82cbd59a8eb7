package lab

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// SRU is a server of SRU 1.1, 1.2 and 2.0. The query "nosuch" finds nothing, each other
// finds all. It may be changed by Change while it serves.
type SRU struct {
	Records []CatalogueRecord // in the order in which they are found; deleted ones are not
	Schemas []string          // the first is that of who names none

	Most    int                                // records of an answer; 0: as many as are wanted
	Limit   int                                // place of the last record that is given; 0: there is none
	Says    func(n int) int                    // numberOfRecords; nil: as it is
	Strings bool                               // records come as strings
	Before  func(r *http.Request) http.Handler // answers in place of the server; nil: it does not

	mu  sync.Mutex
	log []string
}

// Change changes the server between two requests.
func (s *SRU) Change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Asked gives the queries since it was called last.
func (s *SRU) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// ServeHTTP implements http.Handler.
func (s *SRU) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, r.URL.RawQuery)
	if s.Before != nil {
		if h := s.Before(r); h != nil {
			h.ServeHTTP(w, r)
			return
		}
	}
	namespace, q := "http://www.loc.gov/zing/srw/", r.URL.Query()
	if v := q.Get("version"); v == "" || v == "2.0" {
		namespace = "http://docs.oasis-open.org/ns/search-ws/sruResponse"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<zs:searchRetrieveResponse xmlns:zs="%s"><zs:version>1.1</zs:version>`, namespace)
	s.answer(&b, q.Get("query"), q.Get("recordSchema"), q.Get("startRecord"), q.Get("maximumRecords"))
	b.WriteString("</zs:searchRetrieveResponse>\n")
	w.Header().Set("Content-Type", "text/xml")
	w.Write(b.Bytes())
}

func (s *SRU) answer(b *bytes.Buffer, query, schema, start, most string) {
	var found []*CatalogueRecord
	for i := range s.Records {
		if !s.Records[i].Deleted && query != "nosuch" {
			found = append(found, &s.Records[i])
		}
	}
	first, _ := strconv.Atoi(start)
	first = max(first, 1)
	size, err := strconv.Atoi(most)
	if err != nil {
		size = 10
	}
	if s.Most > 0 {
		size = min(size, s.Most)
	}
	if schema == "" {
		schema = s.Schemas[0]
	}
	count := len(found)
	if s.Says != nil {
		count = s.Says(count)
	}
	last := len(found)
	if s.Limit > 0 {
		last = min(last, s.Limit)
	}
	switch {
	case query == "":
		diagnose(b, 7, "query", "Mandatory parameter not supplied")
	case !slices.Contains(s.Schemas, schema):
		diagnose(b, 66, schema, "Unknown schema for retrieval")
	case first > last && len(found) > 0:
		fmt.Fprintf(b, "<zs:numberOfRecords>%d</zs:numberOfRecords>", count)
		diagnose(b, 61, "", "First record position out of range")
	default:
		fmt.Fprintf(b, "<zs:numberOfRecords>%d</zs:numberOfRecords><zs:records>", count)
		for i := first; i <= min(last, first+size-1); i++ {
			s.write(b, found[i-1].Metadata[schema], schema, i)
		}
		b.WriteString("</zs:records>")
	}
}

func (s *SRU) write(b *bytes.Buffer, record, schema string, at int) {
	packing := "xml"
	if s.Strings {
		packing, record = "string", escaped(record)
	}
	fmt.Fprintf(b, "<zs:record><zs:recordSchema>%s</zs:recordSchema><zs:recordPacking>%s</zs:recordPacking><zs:recordData>%s</zs:recordData><zs:recordPosition>%d</zs:recordPosition></zs:record>",
		schema, packing, record, at)
}

func diagnose(b *bytes.Buffer, code int, details, message string) {
	fmt.Fprintf(b, `<zs:diagnostics xmlns:diag="http://www.loc.gov/zing/srw/diagnostic/"><diag:diagnostic><diag:uri>info:srw/diagnostic/1/%d</diag:uri><diag:details>%s</diag:details><diag:message>%s</diag:message></diag:diagnostic></zs:diagnostics>`,
		code, escaped(details), message)
}
