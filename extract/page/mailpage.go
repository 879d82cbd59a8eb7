package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// SniffMailPage recognises the pages that Hypermail and MHonArc make of messages.
func SniffMailPage(p doc.Peek) bool {
	marks := []string{`content="hypermail`, `<!-- received="`, "<!-- MHonArc v", "<!--X-Subject:", `id="hypermail`}
	return slices.ContainsFunc(marks, func(s string) bool { return bytes.Contains(p.Head, []byte(s)) })
}

// ReadMailPage reads a page of a mail archive: its links as those of any page,
// with the Message-ID as record and subject, author and date as title.
func ReadMailPage(d *doc.Document) error {
	head, _ := d.In.Peek(doc.ReaderSize)
	id, title, date := mailPageHead(head)
	id, _ = d.Cut(1, "Message-ID", id)
	title, _ = d.Cut(1, "title", title)
	p := d.Part(d.In, func(f *doc.Found) {
		f.Record = id
		dates.Give(f, dates.OfText(date), dates.Mail)
		if title != "" {
			f.Title = title
		}
	})
	d.YieldName(doc.MessageName(id), 1, doc.Found{Record: id, Title: title})
	return ReadHTML(p)
}

// mailPageHead finds the Message-ID and the title in the beginning of a page, where
// both programs write them into comments, newer versions into elements.
func mailPageHead(head []byte) (id, title, date string) {
	tree, err := goquery.NewDocumentFromReader(bytes.NewReader(head))
	if err != nil {
		return "", "", ""
	}
	fields := commentFields(tree.Nodes[0])
	if id = cmp.Or(fields["id"], fields["message-id"]); id == "" {
		_, text, _ := strings.Cut(tree.Find("#message-id").First().Text(), ":")
		id = doc.Bracketed(text)
	}
	meta := func(name string) string { return tree.Find(`meta[name="`+name+`"]`).AttrOr("content", "") }
	subject := cmp.Or(meta("Subject"), fields["subject"], strings.TrimSpace(tree.Find("title").First().Text()))
	author := cmp.Or(meta("Author"), fields["from-r13"], fields["name"])
	date = cmp.Or(meta("Date"), fields["date"], fields["sent"])
	if author = strings.Trim(author, ", "); author != "" || date != "" {
		subject += " (" + strings.Trim(author+", "+date, ", ") + ")"
	}
	return id, doc.OneLine(subject), date
}

// commentFields collects name="value" of Hypermail and X-Name: value of MHonArc.
// The first of a name counts.
func commentFields(page *html.Node) map[string]string {
	fields := map[string]string{}
	for n := range page.Descendants() {
		if n.Type != html.CommentNode {
			continue
		}
		text := strings.TrimSpace(n.Data)
		name, value, ok := strings.Cut(text, "=")
		if x, isX := strings.CutPrefix(text, "X-"); isX {
			name, value, ok = strings.Cut(x, ":")
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if value = strings.Trim(strings.TrimSpace(value), `"`); ok && len(name) < 20 && fields[name] == "" {
			fields[name] = html.UnescapeString(value)
		}
	}
	return fields
}
