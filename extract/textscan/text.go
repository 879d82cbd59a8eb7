package textscan

import (
	"cmp"
	"errors"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// ReadText reads plain text, FAQs, RFCs and drafts.
func ReadText(d *doc.Document) error {
	d.SetCharset("")
	head, _ := d.In.Peek(frontPageSize)
	front := readFrontPage(head)
	f := NewFeed(d, func(f doc.Found) bool {
		dates.Give(&f, front.date, dates.RFC)
		f.Record, f.Title = cmp.Or(f.Record, front.id), cmp.Or(f.Title, front.title)
		return d.Yield(f)
	})
	text := strikes{feed: f}
	_, err := d.In.WriteTo(&text)
	if errors.Is(errors.Join(err, text.end()), errStopped) {
		return nil
	}
	f.Flush()
	return err
}
