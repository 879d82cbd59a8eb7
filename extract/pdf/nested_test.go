package pdf_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

// Documents stand in archives, mail and web archives as others do, whatever their names say.
// What they link relative to themselves is relative to where they stood.
func TestNested(t *testing.T) {
	file := onePage("BT /F1 9 Tf 9 500 Td (see http://b.example/) Tj ET", "/Annots ["+annotation("x.html", 9, 700, 50, 709)+"]").end("").String()
	mail := func(media string) string {
		return "From: a@b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/plain\n\nhttp://a.example/\n--o\nContent-Type: " + media +
			"\nContent-Disposition: attachment; filename=\"a.pdf\"\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(file)) + "\n--o--\n"
	}
	warc := func(media, body string) string {
		return testdoc.WARC("response", "http://h.example/d/y.pdf", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: "+media+"\r\n\r\n"+body)
	}
	const base = "http://base.example/"
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"alone", "a.pdf", file, []string{" page 1 http://base.example/x.html", " page 1 line 1 http://b.example/"}},
		{"under another name", "thesis", file, []string{" page 1 http://base.example/x.html", " page 1 line 1 http://b.example/"}},
		{"gzip", "a.pdf.gz", testdoc.Gzip(file), []string{" page 1 http://base.example/x.html", " page 1 line 1 http://b.example/"}},
		{"zip", "a.zip", testdoc.Zip(t, "d/thesis.pdf", file, "b.txt", "http://c.example/"),
			[]string{"d/thesis.pdf page 1 http://base.example/x.html", "d/thesis.pdf page 1 line 1 http://b.example/", "b.txt  http://c.example/"}},
		{"tar in gzip", "a.tar.gz", testdoc.Gzip(testdoc.Tar(t, "d/thesis", file)), []string{"d/thesis page 1 http://base.example/x.html", "d/thesis page 1 line 1 http://b.example/"}},
		{"mail", "a.eml", mail("application/pdf"), []string{" part 1 http://a.example/", " part 2, page 1 http://base.example/x.html", " part 2, page 1 line 1 http://b.example/"}},
		{"mail, as octets, which are not read", "a.eml", mail("application/octet-stream"), []string{" part 1 http://a.example/"}},
		{"warc", "a.warc", warc("application/pdf", file), []string{" offset 0, page 1 http://h.example/d/x.html", " offset 0, page 1 line 1 http://b.example/"}},
		{"warc, by an old name", "a.warc", warc("application/x-pdf", file), []string{" offset 0, page 1 http://h.example/d/x.html", " offset 0, page 1 line 1 http://b.example/"}},
		{"a page that is called so", "a.warc", warc("application/pdf", "<html><a href='http://a.example/'>x</a></html>"), []string{" offset 0 http://a.example/"}},
	} {
		got := extracttest.Findings(c.file, c.text, doc.Options{Base: base}, func(f *doc.Found) string { return f.Member + " " + f.Locator })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
