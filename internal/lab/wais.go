package lab

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
)

// WAIS serves databases on l until it is closed: name to documents by path. A
// document is named by the id "1=lab;2=DB;3=0 SIZE PATH;" and found by the words
// in it. It answers as freeWAIS-sf does: a search without words describes the
// database, one without hits gives the catalogue, a missing document is SF.
func WAIS(l net.Listener, databases map[string]map[string]string) error {
	return Serve(l, func(c net.Conn) {
		for {
			header := make([]byte, 25)
			if _, err := io.ReadFull(c, header); err != nil {
				return
			}
			size, err := strconv.Atoi(string(header[:10]))
			if err != nil || size < 3 || size > maxLine {
				return
			}
			body := make([]byte, size)
			if _, err := io.ReadFull(c, body); err != nil {
				return
			}
			answer := waisAnswer(databases, body)
			if _, err := fmt.Fprintf(c, "%010dz2wais        0%s", len(answer), answer); err != nil {
				return
			}
		}
	})
}

func waisAnswer(databases map[string]map[string]string, body []byte) []byte {
	part := int(binary.BigEndian.Uint16(body))
	if part < 1 || part > len(body)-2 {
		return nil
	}
	switch body[2] {
	case 20: // Init: accepted
		answer := waisPart(21, "\x01\x03\x01\x80\x04\x01\x80\x05\x02\xff\xff\x06\x02\xff\xff"+field(8, "lab")+field(9, "linkcheck lab"))
		return append(answer, field(99, "")...)
	case 22: // Search
		if part < 11 {
			return nil
		}
		asked := fieldsOf(body[13 : 2+part])
		documents, ok := databases[asked[18]]
		rest, groups := fieldsOf(body[2+part:]), ""
		if query, by := rest[21]; by { // by document id
			groups = waisText(documents, fieldsOf([]byte(query)))
		} else if ok {
			groups = waisHeaders(asked[18], documents, fieldsOf([]byte(rest[99]))[106])
		}
		return append(waisPart(23, "\x01"+strings.Repeat("\x00", 9)), field(99, groups)...)
	}
	return nil
}

// waisHeaders is the answer to a search for words.
func waisHeaders(database string, documents map[string]string, words string) string {
	if words == "" {
		return waisHeader("\x02"+short(database)+"\x03"+short("0 0 /"+database+".src"), 1000, "WSRC", "Information on database: "+database)
	}
	paths := []string{}
	for path, text := range documents {
		if strings.Contains(strings.ToLower(text), strings.ToLower(words)) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return waisHeader("\x02"+short(database)+"\x03"+short("0 0 /"+database+".cat"), 0, "TEXT",
			"Search produced no result. Here's the Catalog for database: "+database)
	}
	slices.Sort(paths)
	local := fmt.Sprintf("0 %d %s", len(documents[paths[0]]), paths[0])
	return waisHeader("\x01"+short("lab")+"\x02"+short(database)+"\x03"+short(local), 1000, "TEXT", paths[0])
}

func waisHeader(docid string, score int, kind, headline string) string {
	return field(150, field(116, docid)+field(118, string([]byte{byte(score >> 8), byte(score)}))+field(132, field(133, kind))+field(123, headline))
}

// waisText is the answer to a retrieval.
func waisText(documents map[string]string, query map[int]string) string {
	docid := query[45]
	local := fieldsOf([]byte(docid))[3]
	_, path, _ := strings.Cut(strings.TrimLeft(local, "0123456789"), " ")
	_, path, _ = strings.Cut(path, " ")
	if text, ok := documents[path]; ok {
		return field(153, field(116, docid)+field(127, text[:min(len(text), 64)]))
	}
	const words = "SFMissing DocID in request\x01"
	return "\x1c\x00" + string(rune(len(words))) + words + "\x1d"
}

// waisPart is the counted part of an answer.
func waisPart(pdu byte, rest string) []byte {
	return append([]byte{byte((1 + len(rest)) >> 8), byte(1 + len(rest)), pdu}, rest...)
}

// field is a tag and a size in base 128 before a value.
func field(tag int, value string) string {
	return string(base128(tag)) + string(base128(len(value))) + value
}

func short(value string) string { return string(base128(len(value))) + value }

func base128(n int) []byte {
	if n < 128 {
		return []byte{byte(n)}
	}
	return []byte{0x80 | byte(n>>7), byte(n & 0x7f)}
}

// fieldsOf reads fields until one does not fit. Of several with one tag the first counts.
func fieldsOf(b []byte) map[int]string {
	all := map[int]string{}
	in := bytes.NewBuffer(b)
	number := func() (n int) {
		for {
			c, err := in.ReadByte()
			if n = n<<7 | int(c&0x7f); err != nil || c < 0x80 {
				return n
			}
		}
	}
	for in.Len() > 0 {
		tag, size := number(), number()
		if size < 0 || size > in.Len() {
			return all
		}
		value := string(in.Next(size))
		all[tag] = cmp.Or(all[tag], value)
	}
	return all
}
