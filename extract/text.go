package extract

import (
	"errors"
	"io"
)

// readText reads plain text, FAQs, RFCs and drafts.
func readText(d *doc) error {
	d.setCharset("")
	f := newFeed(d.found)
	_, err := io.CopyBuffer(f, struct{ io.Reader }{d.in}, make([]byte, copySize))
	if errors.Is(err, errStopped) {
		return nil
	}
	f.flush()
	return err
}

const copySize = 32 << 10

// images are what begins like a picture, a sound, a film or a program.
var images = []string{"ID3", "OggS", "fLaC", "\x00\x00\x01\x00", "\x00\x00\x01\xba", "\x00\x00\x01\xb3", "GIF8", "\x89PNG", "\xff\xd8\xff", "RIFF", "MM\x00*", "II*\x00", "FORM\x00", "\x7fELF", "MZ\x90", "\xca\xfe\xba\xbe"}

// sniffImage recognises what nobody reads for links.
func sniffImage(p peek) bool {
	for _, m := range images {
		if magic(m)(p) {
			return true
		}
	}
	return false
}

// sniffBinary recognises what is no text of any kind: strings inside are no links
// that a reader sees. UTF-16 has its zeros on one side of each pair only.
func sniffBinary(p peek) bool {
	if sniffImage(p) || sniffForeign(p) {
		return true
	}
	var zeros [2]int
	controls := 0
	for i, c := range p.head {
		switch {
		case c == 0:
			zeros[i%2]++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && (c < 0x1b || c > 0x1f):
			controls++
		}
	}
	if n := zeros[0] + zeros[1]; n > len(p.head)/4 && min(zeros[0], zeros[1]) < n/20+1 {
		return false
	}
	return zeros[0]+zeros[1]+controls > len(p.head)/16
}

// readNothing is for documents that hold no links.
func readNothing(*doc) error { return nil }

// readBinary says that a file was passed over: it may be a document that was spoiled.
func readBinary(*doc) error { return errBinary }

var errBinary = errors.New("binary data of no known kind: passed over")
