package textscan

import (
	"errors"

	"linkcheck/extract/doc"
)

// ReadText reads plain text, FAQs, RFCs and drafts.
func ReadText(d *doc.Document) error {
	d.SetCharset("")
	f := NewFeed(d, d.Yield)
	_, err := d.In.WriteTo(f)
	if errors.Is(err, errStopped) {
		return nil
	}
	f.Flush()
	return err
}
