package testdoc

import (
	"fmt"
	"strings"
)

// MARC makes a record of ISO 2709. A field is its tag and then its data, in which "|"
// stands for the subfield delimiter.
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

// WARC makes a record of a web archive (ISO 28500).
func WARC(kind, target, media, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, len(block), target, media, len(block), block)
}

// HTTPMedia is the media type of a record that holds a response.
const HTTPMedia = "application/http; msgtype=response"

// LZW compresses as compress(1) does, with codes of up to maxBits; it clears the
// table whenever it is full if clear is set.
func LZW(text []byte, maxBits int, clear bool) []byte {
	out := []byte("\x1f\x9d" + string(rune(maxBits)))
	first := 256
	if clear {
		out[2] |= 0x80
		first = 257
	}
	var group uint64
	var held, codes int
	var table map[string]int
	var bits, free int
	start := func() {
		bits, free, codes, table = 9, first, 0, map[string]int{}
		for c := range 256 {
			table[string([]byte{byte(c)})] = c
		}
	}
	start()
	put := func(code int) {
		group |= uint64(code) << held
		for held += bits; held >= 8; held -= 8 {
			out = append(out, byte(group))
			group >>= 8
		}
		codes++
	}
	pad := func() { // to the end of the group of eight codes
		for codes%8 != 0 {
			put(0)
		}
	}
	s := ""
	for _, c := range text {
		next := s + string([]byte{c})
		if _, known := table[next]; known {
			s = next
			continue
		}
		put(table[s])
		s = next[len(s):]
		if free < 1<<maxBits {
			table[next] = free
			free++
			if free > 1<<bits && bits < maxBits {
				pad()
				bits, codes = bits+1, 0
			}
		} else if clear {
			put(256)
			pad()
			start()
		}
	}
	if s != "" {
		put(table[s])
	}
	if held > 0 {
		out = append(out, byte(group))
	}
	return out
}
