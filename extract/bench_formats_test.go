package extract

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"
	"testing"

	"linkcheck/extract/doc"
)

// mboxOf makes about n bytes of an mbox of plain messages.
func mboxOf(n int) []byte {
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

// mimeOf makes about n bytes of an mbox of messages with encoded parts.
func mimeOf(n int) []byte {
	var b bytes.Buffer
	page, text := pages(6<<10), rfcPages(6<<10)
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

// marcOf makes about n bytes of MARC records.
func marcOf(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString(marcRecord(fmt.Sprintf("001ocm%08d", i), "00520061005184644.0", "008960101s1996    nyua     b    001 0 eng  ", "020  |a0451450523", "1001 |aAuthor, Some,|d1950-",
			"24510|aA title of some length :|bwith a rest /|cby the author.", "260  |aNew York :|bA Publisher,|c1996.", "300  |axii, 345 p. :|bill. ;|c24 cm.",
			"500  |aIncludes index and a long note that says more than anybody wanted to know about the book.", "504  |aIncludes bibliographical references (p. 301-320)", "650 0|aInternet (Computer network)|xHistory.",
			fmt.Sprintf("85641|3Table of contents|uhttp://www%d.example.org/catdir/toc/%d.html", i%50, i)))
	}
	return b.Bytes()
}

// perLine is the reference: what reading lines alone costs.
func perLine(b *testing.B, data []byte, sep byte) {
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

func BenchmarkMbox(b *testing.B) {
	data := mboxOf(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { perLine(b, data, '\n') })
}

func BenchmarkMIME(b *testing.B) {
	data := mimeOf(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { perLine(b, data, '\n') })
}

func BenchmarkMARC(b *testing.B) {
	data := marcOf(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mrc", data) })
	b.Run("records", func(b *testing.B) { perLine(b, data, 0x1d) })
}

func BenchmarkWARC(b *testing.B) {
	var data []byte
	for len(data) < 8<<20 {
		data = append(data, warc("response", "http://h.example/", httpMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(20<<10)))...)
	}
	b.Run("links", func(b *testing.B) { drain(b, "a.warc", data) })
}

// The memory held by the readers of records does not grow with the file.
func TestMemoryFlatRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 400 MB")
	}
	const limit = 60 << 20
	for _, c := range []struct{ name, block string }{
		{"a.mbox", string(mboxOf(1 << 20))},
		{"mime.mbox", string(mimeOf(1 << 20))},
		{"one-part.mbox", "From a@b Tue Apr  1 10:35:48 1997\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("<a href=3D\"http://a.example/b\">\n", 1<<15)},
		{"a.mrc", string(marcOf(1 << 20))},
		{"no-end.mrc", "00024nam a2200025   450024500100000\x1e" + strings.Repeat("x", 1<<20)},
		{"a.warc", warc("response", "http://h.example/", httpMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(1<<20)))},
		{"a.xml", "<record><datafield tag='856'><subfield code='u'>http://a.example/</subfield></datafield></record>\n"},
		{"open.xml", "<a href='http://a.example/'>\n"},
		{"a.csv", strings.Repeat("\"http://a.example/,", 1<<16)},
		{"a.json", strings.Repeat("{\"url\":\"http://a.example/\",", 1<<16)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var high uint64
			n := 0
			r := &endless{block: []byte(c.block), left: 40 << 20}
			for _, err := range Document(c.name, r, doc.Options{}) {
				if n++; err != nil && n < 5 {
					t.Log(err)
				}
				if n%50000 == 0 {
					high = max(high, inUse())
				}
			}
			if high = max(high, inUse()); high > limit {
				t.Errorf("%d MB held", high>>20)
			}
			if r.left > 0 {
				t.Errorf("%d MB not read", r.left>>20)
			}
		})
	}
}
