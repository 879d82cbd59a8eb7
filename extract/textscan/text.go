package textscan

import (
	"errors"
	"io"

	"linkcheck/extract/doc"
)

// ReadText reads plain text, FAQs, RFCs and drafts.
func ReadText(d *doc.Document) error {
	d.SetCharset("")
	f := NewFeed(d.Yield)
	_, err := io.CopyBuffer(f, struct{ io.Reader }{d.In}, make([]byte, copySize))
	if errors.Is(err, errStopped) {
		return nil
	}
	f.Flush()
	return err
}

const copySize = 32 << 10
