package lab

import (
	"encoding/asn1"
	"encoding/binary"
	"net"
	"slices"
	"sync"
)

// Z3950Set serves one set of records by Z39.50, whatever is sought. It may be changed by
// Change while it serves.
type Z3950Set struct {
	Records [][]byte // nil: a diagnostic comes in its place
	XML     bool     // they are XML, else USmarc; no other form is there
	Most    int      // records of an answer; 0: as many as are wanted
	Refuses int      // a Bib-1 diagnostic in place of the answer to a search; 0: none
	Hangs   int      // the place of a record at which the server hangs up; 0: none

	mu      sync.Mutex
	queries []string
}

// Change changes the set between two requests.
func (s *Z3950Set) Change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Asked gives the terms that were sought since it was called last.
func (s *Z3950Set) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.queries
	s.queries = nil
	return asked
}

// Serve answers on l until l is closed.
func (s *Z3950Set) Serve(l net.Listener) error {
	return Serve(l, func(c net.Conn) {
		for {
			apdu, err := readAPDU(c)
			if err != nil {
				return
			}
			answer := s.answer(apdu)
			if _, err := c.Write(answer); err != nil || len(answer) == 0 || apdu.Tag == tagClose {
				return
			}
		}
	})
}

func (s *Z3950Set) answer(apdu asn1.RawValue) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch apdu.Tag {
	case 22: // Search
		s.queries = append(s.queries, contents(apdu, 45)...)
		if s.Refuses > 0 {
			return cons(23, prim(23, "\x00"), prim(24, "\x00"), prim(25, "\x00"), prim(22, "\x00"), prim(26, "\x03"), cons(130, diagnostic(s.Refuses)))
		}
		return cons(23, prim(23, integer(len(s.Records))), prim(24, "\x00"), prim(25, "\x01"), prim(22, "\x01"))
	case 24:
		return s.present(apdu)
	}
	return z3950Answer(nil, apdu)
}

// present gives records from a place on. Beyond the last it gives none, as zebrasrv.
func (s *Z3950Set) present(apdu asn1.RawValue) []byte {
	from, n := place(contents(apdu, 30)), place(contents(apdu, 29))
	if from < 1 || n < 1 || from+n-1 > len(s.Records) {
		return cons(25, prim(24, "\x00"), prim(25, "\x00"), prim(27, "\x05"), cons(130, diagnostic(13)))
	}
	syntax := "\x2a\x86\x48\xce\x13\x05\x0a" // 1.2.840.10003.5.10
	if s.XML {
		syntax = "\x2a\x86\x48\xce\x13\x05\x6d\x0a" // 1.2.840.10003.5.109.10
	}
	if !slices.Contains(contents(apdu, 104), syntax) {
		return cons(25, prim(24, "\x00"), prim(25, "\x00"), prim(27, "\x05"), cons(130, diagnostic(239)))
	}
	if s.Most > 0 {
		n = min(n, s.Most)
	}
	if s.Hangs >= from && s.Hangs < from+n {
		return nil
	}
	var records []byte
	for _, r := range s.Records[from-1 : from-1+n] {
		record := cons(1, cons(2, sequence(diagnostic(14)))) // a surrogate diagnostic
		if r != nil {
			record = cons(1, cons(1, universal(8, []byte{6, byte(len(syntax))}, []byte(syntax), prim(1, string(r)))))
		}
		records = append(records, sequence(record)...)
	}
	return cons(25, prim(24, integer(n)), prim(25, integer(from+n)), prim(27, "\x00"), cons(28, records))
}

// diagnostic holds a Bib-1 diagnostic, with an empty addinfo.
func diagnostic(code int) []byte {
	return append([]byte("\x06\x07\x2a\x86\x48\xce\x13\x04\x01\x02\x02"+string([]byte{byte(code >> 8), byte(code)})), "\x1a\x00"...)
}

func sequence(parts ...[]byte) []byte { return universal(16, parts...) }

// universal is a constructed element with a universal tag around others.
func universal(tag int, parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	e, _ := asn1.Marshal(asn1.RawValue{Tag: tag, IsCompound: true, Bytes: all}) // a RawValue has no errors
	return e
}

// integer is a number that is not negative.
func integer(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }

// place is the first of the numbers; 0: there is none.
func place(octets []string) (n int) {
	if len(octets) == 0 || len(octets[0]) > 4 {
		return 0
	}
	for _, c := range []byte(octets[0]) {
		n = n<<8 | int(c)
	}
	return n
}
