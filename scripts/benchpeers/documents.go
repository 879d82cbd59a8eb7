package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// document is a file with the list of its links.
type document struct {
	file  string
	links map[string]bool
}

// write makes the file of a document.
func (d *document) write(name string, fill func(w *bufio.Writer) error) error {
	d.file, d.links = name, map[string]bool{}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := fill(w); err != nil {
		f.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// link is a link of the document, known from here on.
func (d *document) link(n int) string {
	u := fmt.Sprintf("http://www.host%d.example.org/%s/%d.html", n%500, vocabulary[n%len(vocabulary)], n)
	d.links[u] = true
	return u
}

// page has n links. What stands in comments and scripts is none.
func (d *document) page(w io.Writer, n int) {
	fmt.Fprint(w, "<html><head><title>Links</title><script>var x = 'http://script.example.net/';</script></head><body>\n<!-- http://comment.example.net/ -->\n")
	for i := range n {
		fmt.Fprintf(w, "<p>See <a href=\"%s?a=1&amp;b=2\">the %s</a>.</p>\n", d.plain(i), vocabulary[i%len(vocabulary)])
		d.links[d.plain(i)+"?a=1&b=2"] = true
	}
	fmt.Fprint(w, "</body></html>\n")
}

func (d *document) plain(n int) string {
	return fmt.Sprintf("http://www.host%d.example.org/%d.html", n%500, n)
}

// marc has records of ISO 2709 with an address in 856 $u, as the wire has them: nothing
// stands between an address and the mark that ends it.
func (d *document) marc(w io.Writer, records int) {
	for i := range records {
		fields := []struct{ tag, data string }{
			{"001", fmt.Sprintf("b%08d\x1e", i)},
			{"245", fmt.Sprintf("10\x1faThe %s of the %s\x1e", vocabulary[i%len(vocabulary)], vocabulary[i*7%len(vocabulary)])},
			{"856", "40\x1fu" + d.link(i) + "\x1fzOnline; see also the shelf.\x1e"},
		}
		var directory, data bytes.Buffer
		for _, f := range fields {
			fmt.Fprintf(&directory, "%s%04d%05d", f.tag, len(f.data), data.Len())
			data.WriteString(f.data)
		}
		base := 24 + directory.Len() + 1
		fmt.Fprintf(w, "%05dnam a22%05d a 4500%s\x1e%s\x1d", base+data.Len()+1, base, directory.String(), data.String())
	}
}

// mbox has messages until it is as large as asked. Every fourth is quoted-printable with an address broken
// over two lines; in the others the address stands in angle brackets or ends a sentence.
func (d *document) mbox(w io.Writer, size int) error {
	filler := strings.Repeat("The river and the market were quiet that winter, and the letters lay in the harbour.\n", 30)
	for i, written := 0, 0; written < size; i++ {
		u := d.link(i)
		head := fmt.Sprintf("From a@b.example Thu Jan  4 10:00:00 1996\nFrom: a@b.example\nMessage-ID: <%d@b.example>\nDate: Thu, 4 Jan 1996 10:00:00 +0000\nSubject: %s\n", i, vocabulary[i%len(vocabulary)])
		body := ""
		switch i % 4 {
		case 0:
			body = fmt.Sprintf("MIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\nIt is at <%s=\n%s> now.\n", u[:20], u[20:])
		case 1:
			body = fmt.Sprintf("\nIt is at <URL:%s>, said she.\n", u)
		case 2:
			body = fmt.Sprintf("\nIt is at %s.\n", u)
		default:
			body = fmt.Sprintf("\n(It is at %s)\n", u)
		}
		n, err := io.WriteString(w, head+body+filler+"\n")
		if err != nil {
			return err
		}
		written += n
	}
	return nil
}

// warc has responses with pages of twenty links until it is as large as asked.
func (d *document) warc(w io.Writer, size int) error {
	for i, written := 0, 0; written < size; i++ {
		var page strings.Builder
		page.WriteString("<html><head><title>page</title></head><body>\n")
		for k := range 20 {
			fmt.Fprintf(&page, "<p>%s <a href=\"%s\">here</a></p>\n", strings.Repeat("the river and the market ", 10), d.link(i*20+k))
		}
		page.WriteString("</body></html>\n")
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + fmt.Sprint(page.Len()) + "\r\n\r\n" + page.String()
		n, err := fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Target-URI: http://crawl.example.net/%d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(block), block)
		if err != nil {
			return err
		}
		written += n
	}
	return nil
}
