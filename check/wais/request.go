package wais

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"strconv"
	"strings"

	"linkcheck/uri"
)

// PDU types and tags (PROTOCOLS 2.2).
const (
	pduInit           = 20
	pduInitResponse   = 21
	pduSearch         = 22
	pduSearchResponse = 23

	tagReferenceID   = 2
	tagResultSetName = 17
	tagDatabaseNames = 18
	tagElementSets   = 19
	tagQueryType     = 20
	tagQuery         = 21
	tagDiagnostic    = 28
	tagAttributes    = 44
	tagTerm          = 45
	tagOperator      = 46
	tagUserInfo      = 99
	tagSeedWords     = 106
	tagDateFactor    = 111
	tagMaxDocuments  = 114
	tagDocumentID    = 116
	tagScore         = 118
	tagHeadline      = 123
	tagTypeBlock     = 132
	tagType          = 133
	tagHeader        = 150
	tagText          = 153
)

// probeOctets is how much of a document we ask for: enough to prove that it is there.
const probeOctets = "64"

// initRequest is the Init of PROTOCOLS 2.3. Servers keep to the sizes that it asks for.
// Clients put their user and host into the identification; we put our name.
func initRequest() []byte {
	part := bytes.Join([][]byte{
		{pduInit},
		tagged(3, []byte{0x80}),       // version 1
		tagged(4, []byte{0x80}),       // search alone
		tagged(5, []byte{0xff, 0xff}), // preferred message size 65535
		tagged(6, []byte{0xff, 0xff}), // maximum record size 65535
		taggedText(7, "linkcheck"),    // identification
		taggedText(8, "LC"),           // id, name and version of the implementation
		taggedText(9, "linkcheck"),
		taggedText(10, "0.1"),
	}, nil)
	return message(counted(part))
}

// searchRequest searches a database for words and asks for the header of one document,
// otherwise as lynx does (PROTOCOLS 2.4). Without words the server runs no query and gives the header of the
// description of the database (REAL-SERVERS A10).
func searchRequest(database, words string) []byte {
	part := bytes.Join([][]byte{
		{pduSearch, 0, 0, 30, 0, 0x13, 0x88, 0, 0, 30, 1}, // small set 30, large 5000, medium 30, replace
		taggedText(tagResultSetName, ""),
		taggedText(tagDatabaseNames, database),
		taggedText(tagQueryType, "3"), // relevance feedback: by words
	}, nil)
	info := bytes.Join([][]byte{
		taggedText(tagSeedWords, words),
		tagged(tagDateFactor, []byte{1}), // the date does not count
		tagged(tagMaxDocuments, []byte{1}),
	}, nil)
	return message(append(counted(part), tagged(tagUserInfo, info)...))
}

// retrievalRequest asks for the first 64 octets of a document, as lynx does (PROTOCOLS
// 2.5). kind is the document's type, such as TEXT. The query is in postfix order. Without
// the range of octets a server sends nothing (REAL-SERVERS A15).
func retrievalRequest(database, kind string, docid []byte) []byte {
	part := bytes.Join([][]byte{
		{pduSearch, 0, 0, 10, 0, 0, 16, 0, 0, 15, 1}, // small set 10, large 16, medium 15, replace
		taggedText(tagResultSetName, "FOO"),
		taggedText(tagDatabaseNames, database),
		taggedText(tagQueryType, "1"),                    // by attributes
		taggedText(tagElementSets, " \x1fDocument Text"), // a blank database name, then the set
		taggedText(tagReferenceID, "3"),
	}, nil)
	and := taggedText(tagOperator, "a")
	query := bytes.Join([][]byte{
		taggedText(tagAttributes, "un re ig ig ig ig"), tagged(tagTerm, docid), // id = docid
		taggedText(tagAttributes, "wt re ig ig ig ig"), taggedText(tagTerm, kind), and, // type = kind
		taggedText(tagAttributes, "wb ro ig ig ig ig"), taggedText(tagTerm, "0"), and, // octet >= 0
		taggedText(tagAttributes, "wb rl ig ig ig ig"), taggedText(tagTerm, probeOctets), and, // octet < 64
	}, nil)
	return message(append(counted(part), tagged(tagQuery, query)...))
}

// values are what a request takes from a URL.
func values(u *uri.WAIS) []string {
	list := []string{u.Database, u.Type, u.Search}
	docid, _ := docidOf(u.RawPath, u.Path)
	for f := (fields{docid}); len(f.rest) > 0; {
		tag, value, ok := f.next()
		if !ok {
			break
		}
		if tag != fieldCopyright || string(value) != "\x00" { // a number
			list = append(list, string(value))
		}
	}
	return list
}

// framed are the same with their tags and lengths: a length of 10 is a line feed.
func framed(u *uri.WAIS) []string {
	docid, _ := docidOf(u.RawPath, u.Path)
	var list []string
	for tag, value := range map[int]string{tagDatabaseNames: u.Database, tagTerm: u.Type, tagSeedWords: u.Search} {
		if value != "" {
			list = append(list, string(taggedText(tag, value)))
		}
	}
	if len(docid) > 0 {
		list = append(list, string(tagged(tagTerm, docid)))
	}
	return list
}

// counted puts the two-octet length before the Z39.50 part of an APDU (PROTOCOLS 2.2).
// User information or a query may follow; the length does not count them.
func counted(part []byte) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(part))), part...)
}

// docidOf makes the document id of a wpath, the part of a wais URL behind the type (RFC
// 1738 section 3.8); rawPath is as written, path decoded. Two notations are read: that
// of libwww, "1=host%3A210;2=db;3=0%2079%20/doc;", and the octets themselves. ok is
// false for anything else, and for an id without database or local id, at which a
// server's process was seen to fall over (REAL-SERVERS A14).
func docidOf(rawPath, path string) (docid []byte, ok bool) {
	docid, ok = libwwwID(rawPath)
	if !ok {
		docid = []byte(path)
	}
	_, database := docidField(docid, fieldDatabase)
	_, local := docidField(docid, fieldLocalID)
	return docid, database && local
}

// libwwwID reads fields of the form "type=value;", with escapes in the value, into their
// octets: type, length, value (PROTOCOLS 2.6).
func libwwwID(rawPath string) (docid []byte, ok bool) {
	for _, field := range strings.Split(strings.TrimSuffix(rawPath, ";"), ";") {
		name, raw, cut := strings.Cut(field, "=")
		kind, err := strconv.ParseUint(name, 10, 8)
		value, bad := url.PathUnescape(raw)
		if !cut || err != nil || bad != nil || kind < 1 || kind > maxField {
			return nil, false
		}
		docid = append(docid, taggedText(int(kind), value)...)
	}
	return docid, true
}
