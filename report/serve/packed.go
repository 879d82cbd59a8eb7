package serve

import (
	"bytes"

	"github.com/klauspost/compress/s2"
)

// packedText is lines that are searched and never shown. They stand in blocks, each packed by
// itself: addresses and titles of one library are much alike, and to unpack those of a million
// links takes a tenth of a second.
type packedText []textBlock

type textBlock struct {
	first  int // line
	packed []byte
}

// blockSize is how many octets of lines stand in a block; a longer line in one of its own.
const blockSize = 64 << 10

// packLines packs lines without line feeds. It lets go of each of them on its way.
func packLines(lines []string) (t packedText) {
	var plain, packed []byte
	for first := 0; first < len(lines); {
		n := first
		for plain = plain[:0]; n < len(lines) && (n == first || len(plain)+len(lines[n]) < blockSize); n++ {
			plain = append(append(plain, lines[n]...), '\n')
			lines[n] = ""
		}
		packed = s2.EncodeBetter(packed[:cap(packed)], plain)
		t = append(t, textBlock{first, bytes.Clone(packed)})
		first = n
	}
	return t
}

// search marks the lines that contain a word. It searches all lines of a block as one text, which
// is twenty times as fast as one search a line.
func (t packedText) search(word string, marks []bool) {
	wanted := []byte(word)
	var plain []byte
	for _, b := range t {
		var err error
		if plain, err = s2.Decode(plain[:cap(plain)], b.packed); err != nil {
			panic("report: text: " + err.Error()) // it is as it was packed above
		}
		line := b.first
		for rest := plain; ; line++ {
			n := bytes.Index(rest, wanted)
			if n < 0 {
				break
			}
			line += bytes.Count(rest[:n], []byte{'\n'})
			marks[line] = true
			rest = rest[n:]
			rest = rest[bytes.IndexByte(rest, '\n')+1:]
		}
	}
}
