package extract_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"runtime"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/internal/testdoc"
)

// pages makes about n bytes of HTML as the 1990s wrote it.
func pages(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<HTML><HEAD><TITLE>A page</TITLE></HEAD><BODY BGCOLOR=\"#ffffff\">\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "<LI><A HREF=\"http://host%d.example.edu/dir/file%d.html\">Chapter %d</A>: <B>of</B> the history\n", i%100, i, i)
		fmt.Fprintf(&b, "of the network, written down by those who &quot;were there&quot; and\nread by many more; see the <IMG SRC=pics/i%d.gif ALT=\"picture\"> beside.<P>\n", i)
		b.WriteString("<TABLE WIDTH=100%><TR ALIGN=left VALIGN=top><TD>One cell</TD><TD>another cell</TD></TR></TABLE>\n")
	}
	return b.Bytes()
}

// texts makes about n bytes of RFC text: pages, with a link every few lines.
func texts(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString("   The protocol that this note describes is in use at several sites: it\n   carries menus and documents; no server keeps state between requests.\n")
		b.WriteString("   A client sends a line and the server answers with what was asked for\n   and closes the connection, as Table 1 shows (see section 3.1 below).\n\n")
		if i%4 == 0 {
			fmt.Fprintf(&b, "   Further reading: <URL:ftp://host%d.example.edu/pub/doc/file%d.txt>,\n   and http://www%d.example.org/dir/page%d.html for pictures.\n\n", i%50, i, i%70, i)
		}
		if i%10 == 9 {
			fmt.Fprintf(&b, "\n\nAuthor                       Informational                     [Page %d]\n\f\nRFC 9999                     A Title                    May 1996\n\n\n", i/10)
		}
	}
	return b.Bytes()
}

// mboxes makes about n bytes of an mbox of plain messages.
func mboxes(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "From user%d@host.example.edu  Tue Apr  1 10:35:48 1997\nReceived: from a.example.edu by b.example.edu (8.8.5/8.8.5)\n\tid KAA%05d; Tue, 1 Apr 1997 10:35:48 +0200\nFrom: user%d@host.example.edu (A User)\nDate: Tue, 1 Apr 1997 10:35:48 +0200\nSubject: Re: the %dth question\nMessage-ID: <%d@host.example.edu>\n\n", i, i, i, i, i)
		for k := range 12 {
			fmt.Fprintf(&b, "> what he wrote about it in the %dth of his letters, as far as I know\nand that is what we did: nobody asked, and nobody was told until today.\n", k)
		}
		fmt.Fprintf(&b, "See http://www%d.example.org/~user/file%d.html for the rest.\n\n-- \nA User\n\n", i%90, i)
	}
	return b.Bytes()
}

// mimeMessages makes about n bytes of an mbox of messages with encoded parts.
func mimeMessages(n int) []byte {
	var b bytes.Buffer
	page, text := pages(6<<10), texts(6<<10)
	picture := make([]byte, 9<<10)
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "From user%d@host.example.edu  Tue Apr  1 10:35:48 1997\nMessage-ID: <%d@host.example.edu>\nSubject: =?utf-8?Q?M=C3=A4rz_%d?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_m\"\n\n--=_m\nContent-Type: multipart/alternative; boundary=\"=_a\"\n\n--=_a\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n", i, i, i)
		quote(&b, text)
		b.WriteString("\n--=_a\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n")
		quote(&b, page)
		b.WriteString("\n--=_a--\n--=_m\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n")
		encode(&b, text)
		b.WriteString("\n--=_m\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\n\n")
		encode(&b, picture)
		b.WriteString("\n--=_m--\n\n")
	}
	return b.Bytes()
}

func quote(b *bytes.Buffer, text []byte) {
	w := quotedprintable.NewWriter(b)
	w.Write(text)
	w.Close()
}

func encode(b *bytes.Buffer, data []byte) {
	s := base64.StdEncoding.EncodeToString(data)
	for ; len(s) > 76; s = s[76:] {
		b.WriteString(s[:76] + "\n")
	}
	b.WriteString(s + "\n")
}

// marcRecords makes about n bytes of MARC records.
func marcRecords(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString(testdoc.MARC(fmt.Sprintf("001ocm%08d", i), "00520061005184644.0", "008960101s1996    nyua     b    001 0 eng  ", "020  |a0451450523", "1001 |aAuthor, Some,|d1950-",
			"24510|aA title of some length :|bwith a rest /|cby the author.", "260  |aNew York :|bA Publisher,|c1996.", "300  |axii, 345 p. :|bill. ;|c24 cm.",
			"500  |aIncludes index and a long note that says more than anybody wanted to know about the book.", "504  |aIncludes bibliographical references (p. 301-320)", "650 0|aInternet (Computer network)|xHistory.",
			fmt.Sprintf("85641|3Table of contents|uhttp://www%d.example.org/catdir/toc/%d.html", i%50, i)))
	}
	return b.Bytes()
}

func drain(b *testing.B, name string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range extract.Document(name, bytes.NewReader(data), doc.Options{Base: "http://h.example/"}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n == 0 {
			b.Fatal("nothing found")
		}
	}
}

// readAll is the reference: what reading lines alone costs.
func readAll(b *testing.B, data []byte, sep byte) {
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		in := bufio.NewReaderSize(bytes.NewReader(data), doc.ReaderSize)
		for {
			if _, err := in.ReadSlice(sep); err == io.EOF {
				break
			}
		}
	}
}

// endless gives the same Block again and again up to a size.
type endless struct {
	Block []byte
	Left  int
	off   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.Left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.Left)], e.Block[e.off:])
	e.off = (e.off + n) % len(e.Block)
	e.Left -= n
	return n, nil
}

// inUse is what is held, garbage left out where there is much.
func inUse() uint64 {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapInuse > 16<<20 {
		runtime.GC()
		runtime.ReadMemStats(&m)
	}
	return m.HeapInuse
}
