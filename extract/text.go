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
