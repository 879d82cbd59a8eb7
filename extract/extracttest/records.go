package extracttest

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// MARC builds a record of ISO 2709; a field is tag, then its data with | for
// the subfield delimiter.
func MARC(fields ...string) string {
	var dir, data strings.Builder
	for _, f := range fields {
		body := strings.ReplaceAll(f[3:], "|", "\x1f") + "\x1e"
		fmt.Fprintf(&dir, "%s%04d%05d", f[:3], len(body), data.Len())
		data.WriteString(body)
	}
	base := 24 + dir.Len() + 1
	return fmt.Sprintf("%05dnam a22%05d   4500", base+data.Len()+1, base) + dir.String() + "\x1e" + data.String() + "\x1d"
}

// WARC builds a record; block is its block.
func WARC(kind, target, media, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, len(block), target, media, len(block), block)
}

const HTTPMedia = "application/http; msgtype=response"

func Chunked(parts ...string) string {
	var b strings.Builder
	for _, p := range append(parts, "") {
		fmt.Fprintf(&b, "%x;a=b\r\n%s\r\n", len(p), p)
	}
	return b.String()
}

func Base64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// UU encodes one line.
func UU(s string) string {
	out := []byte{byte(' ' + len(s))}
	for s += "\x00\x00"; len(s) > 2; s = s[3:] {
		for _, v := range []byte{s[0] >> 2, s[0]<<4&0x3f | s[1]>>4, s[1]<<2&0x3f | s[2]>>6, s[2] & 0x3f} {
			out = append(out, ' '+v)
		}
	}
	return string(out) + "\n"
}
