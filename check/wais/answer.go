package wais

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// split separates the Z39.50 part of an answer of the wanted type, without its
// type octet, from what follows it.
func split(body []byte, pdu byte) (part, rest []byte, err error) {
	if len(body) < 3 {
		return nil, nil, fmt.Errorf("%w: %d octets", errGarbled, len(body))
	}
	size := int(binary.BigEndian.Uint16(body))
	if size < 1 || size > len(body)-2 || body[2] != pdu {
		return nil, nil, fmt.Errorf("%w: PDU %d of %d octets", errGarbled, body[2], size)
	}
	return body[3 : 2+size], body[2+size:], nil
}

// parseInit reports whether the server accepts us.
func parseInit(body []byte) (accepted bool, err error) {
	part, _, err := split(body, pduInitResponse)
	if err != nil || len(part) == 0 {
		return false, err
	}
	return part[0] != 0, nil
}

// answer is what a search response holds. Counts and status octet are left out
// on purpose: real servers fill them with anything (REAL-SERVERS A2).
type answer struct {
	empty   bool // the bare header of a refusal
	info    bool // user information came, be it empty
	headers []docHeader
	text    bool // a part of the document came
	diags   []diagnostic
}

type docHeader struct {
	docid    []byte
	score    int
	kind     string
	headline string
}

type diagnostic struct{ code, text string }

func parseAnswer(body []byte) (a answer, err error) {
	if len(body) == 0 {
		return answer{empty: true}, nil
	}
	_, rest, err := split(body, pduSearchResponse)
	if err != nil {
		return a, err
	}
	for outer := (fields{rest}); len(outer.rest) > 0; {
		tag, info, ok := outer.next()
		if !ok {
			return a, fmt.Errorf("%w: field beyond the end", errGarbled)
		}
		if tag != tagUserInfo {
			continue
		}
		a.info = true
		if err := a.readGroups(info); err != nil {
			return a, err
		}
	}
	return a, nil
}

// readGroups reads user information: headers, text and diagnostics in any order.
func (a *answer) readGroups(info []byte) error {
	for f := (fields{info}); len(f.rest) > 0; {
		tag, value, ok := f.next()
		if !ok {
			return fmt.Errorf("%w: group beyond the end", errGarbled)
		}
		switch tag {
		case tagHeader:
			a.headers = append(a.headers, parseHeader(value))
		case tagText:
			a.text = true
		case tagDiagnostic:
			if len(value) >= 3 {
				a.diags = append(a.diags, diagnostic{string(value[:2]), string(value[2 : len(value)-1])})
			}
		}
	}
	return nil
}

// parseHeader reads what it can of a document header.
func parseHeader(b []byte) (h docHeader) {
	for f := (fields{b}); len(f.rest) > 0; {
		tag, value, ok := f.next()
		if !ok {
			return h
		}
		switch tag {
		case tagDocumentID:
			h.docid = value
		case tagScore:
			for _, c := range value[:min(len(value), 4)] {
				h.score = h.score<<8 | int(c)
			}
		case tagTypeBlock:
			in := fields{value}
			if tag, kind, ok := in.next(); ok && tag == tagType {
				h.kind = string(kind)
			}
		case tagHeadline:
			h.headline = string(value)
		}
	}
	return h
}

// catalogue recognizes the header that a server sends in the place of an empty list
// (REAL-SERVERS A3): no original server in its docid, the local id of a .cat
// file, no score.
func (h docHeader) catalogue() bool {
	if strings.HasPrefix(h.headline, "Search produced no result") {
		return true
	}
	local, _ := docidField(h.docid, fieldLocalID)
	return h.score == 0 && len(h.docid) > 0 && h.docid[0] == fieldDatabase && bytes.HasSuffix(local, []byte(".cat"))
}
