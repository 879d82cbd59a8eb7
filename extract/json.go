package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// sniffJSON recognises JSON: CSL, browsers' bookmarks, MARC-in-JSON.
func sniffJSON(p peek) bool {
	head := bytes.TrimLeft(p.head, " \t\r\n\xef\xbb\xbf")
	if len(head) < 2 || head[0] != '{' && head[0] != '[' {
		return false
	}
	return strings.HasSuffix(p.name, ".json") || bytes.Contains(head, []byte(`":`)) && isJSON(head)
}

// isJSON says whether the head of a file is JSON as far as it goes.
func isJSON(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	for {
		if _, err := d.Token(); err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF
		}
	}
}

// readJSON looks for links in the strings, whatever is around them: JSON that is
// cut short or has commas too many is read as far as it goes. The locator is the
// name of the member that holds the string.
func readJSON(d *doc) error {
	line, col := 1, 1
	key := ""
	var text []byte
	for !d.out.stopped {
		c, err := d.in.ReadByte()
		if err != nil {
			return eofIsNil(err)
		}
		if c != '"' {
			line, col = advance([]byte{c}, line, col)
			continue
		}
		text, err = jsonString(d, text[:0])
		col++
		if b, _ := d.in.Peek(16); err == nil && bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte(":")) {
			key = oneLine(string(clip(text, 80)))
		} else {
			giveString(d, text, line, col, key)
		}
		line, col = advance(text, line, col+1)
		if err != nil {
			return eofIsNil(err)
		}
	}
	return nil
}

// jsonString reads the string behind an opening quote, undecoded.
func jsonString(d *doc, text []byte) ([]byte, error) {
	for len(text) < maxToken {
		piece, err := d.in.ReadSlice('"')
		text = append(text, piece...)
		switch {
		case err == nil && !escapedEnd(text):
			return text[:len(text)-1], nil
		case err != nil && err != bufio.ErrBufferFull:
			return text, err
		}
	}
	return text, nil
}

// escapedEnd says whether the quote at the end is escaped.
func escapedEnd(text []byte) bool {
	n := 0
	for i := len(text) - 2; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func giveString(d *doc, raw []byte, line, col int, key string) {
	if u := doiURI(string(raw)); key == "DOI" && u != "" {
		d.found(Found{URI: u, Raw: string(raw), Line: line, Column: col, How: "doi", Locator: key})
		return
	}
	if bytes.IndexByte(raw, ':') < 0 && !bytes.Contains(raw, []byte("www.")) {
		return
	}
	text := string(raw)
	var decoded string
	if json.Unmarshal([]byte(`"`+text+`"`), &decoded) == nil {
		text = decoded
	}
	if isOneURI([]byte(text)) {
		d.found(Found{URI: text, Raw: text, Line: line, Column: col, How: "string", Locator: key, Context: oneLine(text)})
		return
	}
	scanString(text, func(f Found) bool {
		f.Line, f.Column, f.Locator = line, 0, key
		return d.found(f)
	})
}
