package textscan

import (
	"bytes"
	"errors"
	"regexp"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// ReadText reads plain text, FAQs, RFCs and drafts.
func ReadText(d *doc.Document) error {
	d.SetCharset("")
	head, _ := d.In.Peek(firstPage)
	date := dateOfRFC(head)
	f := NewFeed(d, func(f doc.Found) bool {
		dates.Give(&f, date, dates.RFC)
		return d.Yield(f)
	})
	_, err := d.In.WriteTo(f)
	if errors.Is(err, errStopped) {
		return nil
	}
	f.Flush()
	return err
}

// firstPage is where the date of an RFC stands: on the right of the first lines, with the names of its
// authors (RFC 7322 section 4.1.6).
const firstPage = 3 << 10

var (
	rfcMark = regexp.MustCompile(`(?m)^ *(?:Request for Comments:|Network Working Group|Internet[- ]Draft\b|INTERNET[- ]DRAFT\b|Internet Engineering Task Force)`)
	rfcDate = regexp.MustCompile(`(?m)^.*?\b((?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2},)? (?:19|20)\d\d)[ \r]*$`)
)

// dateOfRFC gives the date on the first page of an RFC or draft; "" for what is none.
func dateOfRFC(head []byte) string {
	if !rfcMark.Match(head) {
		return ""
	}
	if m := rfcDate.FindSubmatch(bytes.ReplaceAll(head, []byte("\t"), []byte(" "))); m != nil {
		return dates.OfText(string(m[1]))
	}
	return ""
}
