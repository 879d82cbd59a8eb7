package records

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// A page as Archive-It gives it.
const wasapiPage = `{"count": 462, "next": "https://partner.example/wasapi/v1/webdata?collection=7&page=2", "previous": null, "includes-extra": false, "files": [
	{"filetype": "warc", "checksums": {"sha1": "a9993e364706816aba3e25717850c26c9cd0d89d", "md5": "900150983cd24fb0d6963f7d28e17f72"}, "account": 925, "collection": 7, "crawl": null,
	"filename": "A-7-1.warc.gz", "size": 3, "locations": ["https://warcs.example/webdatafile/A-7-1.warc.gz"]},
	{"filename": "b", "checksums": {"md5": ""}, "locations": null}]}`

func TestReadWASAPI(t *testing.T) {
	page, err := ReadWASAPI(strings.NewReader(wasapiPage))
	if err != nil || page.Count != 462 || !strings.HasSuffix(page.Next, "page=2") || len(page.Files) != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	f, other := &page.Files[0], &page.Files[1]
	if f.Name != "A-7-1.warc.gz" || f.Version() != "sha1:a9993e364706816aba3e25717850c26c9cd0d89d" || other.Version() != "" || len(f.Locations) != 1 {
		t.Errorf("%+v %+v", f, other)
	}
	for text, want := range map[string]string{"abc": "", "abd": "its checksum is another than the list says", "ab": "2 octets came, and the list says 3", "abcd": "4 octets came, and the list says 3"} {
		got, err := io.ReadAll(f.Checked(strings.NewReader(text)))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != want || string(got) != text {
			t.Errorf("%q: %q, want %q", text, said, want)
		}
		if _, err := io.ReadAll(other.Checked(strings.NewReader(text))); err != nil {
			t.Errorf("%q, where nothing is said: %v", text, err)
		}
	}
	for text, isOther := range map[string]bool{"": true, "<html>Log in</html>": true, `["a"]`: true, "{}": true, `{"detail":"Not found."}`: true, wasapiPage[:200]: false, `{"count":"many","files":[]}`: false} {
		var other *Other
		if _, err := ReadWASAPI(strings.NewReader(text)); err == nil || errors.As(err, &other) != isOther {
			t.Errorf("%.30q: %v", text, err)
		}
	}
}

// FuzzWASAPI: no panic, and what is checked is either as was said or ends in an error.
func FuzzWASAPI(f *testing.F) {
	f.Add(wasapiPage, "abc")
	f.Add(`{"files":[{"size":-1,"checksums":{"sha512":"00"}}]}`, "")
	f.Fuzz(func(t *testing.T, text, octets string) {
		page, err := ReadWASAPI(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range page.Files {
			w := &page.Files[i]
			if _, err := io.ReadAll(w.Checked(strings.NewReader(octets))); err == nil && w.Size > 0 && w.Size != int64(len(octets)) {
				t.Errorf("%d octets are taken for %d", len(octets), w.Size)
			}
		}
	})
}
