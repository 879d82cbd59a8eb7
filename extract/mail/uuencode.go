package mail

import (
	"bytes"
	"encoding/base64"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// uuencoded is a file inside a text: "begin MODE NAME", lines that each begin with
// their length, "end". The file is read if it is text. What stands between =ybegin and
// =yend (yEnc draft 1.3) is never read: it is octets.
type uuencoded struct {
	on   bool
	yenc bool
	data []byte
}

// line takes a line if it belongs to an encoded file.
func (u *uuencoded) line(b *body, line []byte, start bool) bool {
	if !start {
		return u.on || u.yenc
	}
	if u.yenc {
		u.yenc = !bytes.HasPrefix(line, []byte("=yend "))
		return true
	}
	if !u.on {
		u.on = isBegin(line)
		u.yenc = bytes.HasPrefix(line, []byte("=ybegin ")) && bytes.Contains(line, []byte(" name="))
		return u.on || u.yenc
	}
	text := bytes.TrimRight(line, "\r\n")
	if string(text) == "end" {
		u.end(b)
		return true
	}
	data, ok := uuDecode(text)
	if !ok && len(bytes.TrimSpace(text)) > 0 {
		u.end(b) // cut short: what follows is text again
		return false
	}
	if len(u.data)+len(data) <= maxLeaf {
		u.data = append(u.data, data...)
	}
	return true
}

// end reads the decoded file if it is text.
func (u *uuencoded) end(b *body) {
	if u.on && doc.LooksLikeText(u.data) {
		at := b.text
		at.Add([]byte{'\n'}, 0, 0)
		at.Add(u.data, 0, 0)
		at.Add([]byte{'\n'}, 0, 0)
	}
	u.on, u.yenc, u.data = false, false, u.data[:0]
}

// uuLine takes a line of a part that is uuencoded as a whole.
func (b *body) uuLine(line []byte) {
	text := bytes.TrimRight(line, "\r\n")
	if isBegin(line) || string(text) == "end" {
		return
	}
	if data, ok := uuDecode(text); ok && len(b.decoded) < maxLeaf {
		b.decoded = append(b.decoded, data...)
	}
}

// isBegin recognises "begin 644 name"; the name may be missing.
func isBegin(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("begin ")) || len(line) < 9 {
		return false
	}
	mode, _, _ := bytes.Cut(bytes.TrimSpace(line[6:]), []byte{' '})
	return (len(mode) == 3 || len(mode) == 4) && ascii.Digits(mode)
}

// uuCode has the characters of uuencode; "`" stands for a blank.
var uuCode = base64.NewEncoding(" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_").WithPadding(base64.NoPadding)

// uuDecode decodes one line; trailing blanks may have been lost on the way.
func uuDecode(line []byte) ([]byte, bool) {
	if len(line) == 0 || line[0] < ' ' || line[0] > '`' {
		return nil, false
	}
	n, code := int(line[0]-' ')&63, line[1:]
	groups := (n + 2) / 3
	if len(code) > groups*4+2 || len(code) < groups*4-3 {
		return nil, false
	}
	code = append(bytes.ReplaceAll(code, []byte{'`'}, []byte{' '}), "   "...)[:groups*4]
	out, err := uuCode.AppendDecode(nil, code)
	if err != nil || len(out) != groups*3 { // base64 passes over line ends
		return nil, false
	}
	return out[:n], true
}
