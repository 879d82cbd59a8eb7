package office_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

// Documents stand in archives, mail and web archives as others do, whatever their names
// say. A zip file that is none of them is an archive.
func TestNested(t *testing.T) {
	file := word(t, "<w:p>"+run("http://a.example/")+"</w:p>")
	const media = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	mail := "From: a@b\nMIME-Version: 1.0\nContent-Type: " + media + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(file)) + "\n"
	warc := func(media, body string) string {
		return testdoc.WARC("response", "http://h.example/x", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: "+media+"\r\n\r\n"+body)
	}
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"tar", "a.tar", testdoc.Tar(t, "x/letter", file), []string{"x/letter!word/document.xml paragraph 1 http://a.example/"}},
		{"zip", "a.zip", testdoc.Zip(t, "letter.docx", file, "b.txt", "http://b.example/"), []string{"letter.docx!word/document.xml paragraph 1 http://a.example/", "b.txt  http://b.example/"}},
		{"gzip", "a.docx.gz", testdoc.Gzip(file), []string{"word/document.xml paragraph 1 http://a.example/"}},
		{"mail", "a.eml", mail, []string{"word/document.xml part 1, paragraph 1 http://a.example/"}},
		{"warc", "a.warc", warc(media, file), []string{"word/document.xml offset 0, paragraph 1 http://a.example/"}},
		{"warc of rtf", "a.warc", warc("application/rtf", `{\rtf1 http://a.example/}`), []string{" offset 0 http://a.example/"}},
		{"a page that is called a letter", "a.warc", warc(media, "<html><a href='http://a.example/'>x</a></html>"), []string{" offset 0 http://a.example/"}},
		{"an archive", "a.docx", testdoc.Zip(t, "[Content_Types].xml", "http://b.example/"), []string{"[Content_Types].xml  http://b.example/"}},
	} {
		got := extracttest.Findings(c.file, c.text, doc.Options{}, func(f *doc.Found) string { return f.Member + " " + f.Locator })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
