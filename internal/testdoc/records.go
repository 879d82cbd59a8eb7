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
	w := lzwWriter{out: []byte("\x1f\x9d" + string(rune(maxBits))), first: 256}
	if clear {
		w.out[2] |= 0x80
		w.first = 257
	}
	w.start()
	s := ""
	for _, c := range text {
		next := s + string([]byte{c})
		if _, known := w.table[next]; known {
			s = next
			continue
		}
		w.put(w.table[s])
		s = next[len(s):]
		if w.free < 1<<maxBits {
			w.table[next] = w.free
			w.free++
			if w.free > 1<<w.bits && w.bits < maxBits {
				w.pad()
				w.bits++
			}
		} else if clear {
			w.put(256)
			w.pad()
			w.start()
		}
	}
	if s != "" {
		w.put(w.table[s])
	}
	if w.held > 0 {
		w.out = append(w.out, byte(w.group))
	}
	return w.out
}

// lzwWriter writes codes, the lowest bit first.
type lzwWriter struct {
	out         []byte
	table       map[string]int
	first, free int    // entry of the table that is the first to be made, and the next
	bits        int    // of a code
	group       uint64 // bits that do not fill a byte yet
	held        int    // how many these are
	codes       int    // written of a group of eight
}

// start begins with a table of single bytes.
func (w *lzwWriter) start() {
	w.bits, w.free, w.table = 9, w.first, map[string]int{}
	for c := range 256 {
		w.table[string([]byte{byte(c)})] = c
	}
}

func (w *lzwWriter) put(code int) {
	w.group |= uint64(code) << w.held
	for w.held += w.bits; w.held >= 8; w.held -= 8 {
		w.out = append(w.out, byte(w.group))
		w.group >>= 8
	}
	w.codes = (w.codes + 1) % 8
}

// pad fills the group of eight codes.
func (w *lzwWriter) pad() {
	for w.codes != 0 {
		w.put(0)
	}
}
