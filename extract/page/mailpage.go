package page

import (
	"bytes"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"linkcheck/extract/doc"
)

// SniffMailPage recognises the pages that Hypermail and MHonArc make of messages.
func SniffMailPage(p doc.Peek) bool {
	for _, s := range []string{`content="hypermail`, `<!-- received="`, "<!-- MHonArc v", "<!--X-Subject:", `id="hypermail`} {
		if bytes.Contains(p.Head, []byte(s)) {
			return true
		}
	}
	return false
}

// ReadMailPage reads a page of a mail archive: its links as those of any page,
// with the Message-ID as record and subject, author and date as title.
func ReadMailPage(d *doc.Document) error {
	head, _ := d.In.Peek(doc.ReaderSize)
	id, title := mailPageHead(head)
	p := d.Part(d.In, func(f *doc.Found) {
		f.Record = id
		if title != "" {
			f.Title = title
		}
	})
	d.YieldName(doc.MessageName(id), 1, doc.Found{Record: id, Title: title})
	return ReadHTML(p)
}

// mailPageHead finds the Message-ID and the title in the beginning of a page, where
// both programs write them into comments, newer versions into elements.
func mailPageHead(head []byte) (id, title string) {
	tree, err := goquery.NewDocumentFromReader(bytes.NewReader(head))
	if err != nil {
		return "", ""
	}
	fields := map[string]string{}
	for _, n := range tree.Nodes {
		commentFields(n, fields)
	}
	if id = fields["id"]; id == "" {
		id = fields["message-id"]
	}
	if id == "" {
		_, text, _ := strings.Cut(tree.Find("#message-id").First().Text(), ":")
		id = doc.Bracketed(text)
	}
	meta := func(name string) string { return tree.Find(`meta[name="`+name+`"]`).AttrOr("content", "") }
	subject := firstOf(meta("Subject"), fields["subject"], strings.TrimSpace(tree.Find("title").First().Text()))
	author := firstOf(meta("Author"), fields["from-r13"], fields["name"])
	date := firstOf(meta("Date"), fields["date"], fields["sent"])
	if author = strings.Trim(author, ", "); author != "" || date != "" {
		subject += " (" + strings.Trim(author+", "+date, ", ") + ")"
	}
	return id, doc.OneLine(subject)
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// commentFields collects name="value" of Hypermail and X-Name: value of MHonArc.
// The first of a name counts. Recursion is bounded by the parser's own limit on depth.
func commentFields(n *html.Node, fields map[string]string) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.CommentNode {
			text := strings.TrimSpace(c.Data)
			name, value, ok := strings.Cut(text, "=")
			if x, isX := strings.CutPrefix(text, "X-"); isX {
				name, value, ok = strings.Cut(x, ":")
			}
			name = strings.ToLower(strings.TrimSpace(name))
			if value = strings.Trim(strings.TrimSpace(value), `"`); ok && len(name) < 20 && fields[name] == "" {
				fields[name] = html.UnescapeString(value)
			}
		}
		commentFields(c, fields)
	}
}
