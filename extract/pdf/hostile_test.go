package pdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// TestHostile reads the rows of hostile.tsv that are PDF, and holds the laws for them.
func TestHostile(t *testing.T) {
	n := 0
	for _, h := range extracttest.HostileDocuments(t) {
		if !strings.HasPrefix(h.Name, "pdf ") {
			continue
		}
		n++
		begin := time.Now()
		extracttest.Laws(t, h.File, h.Document(256<<10), doc.Options{})
		t.Logf("%s: %s", h.Name, time.Since(begin).Round(time.Millisecond))
	}
	if n < 10 {
		t.Errorf("%d rows", n)
	}
}

// Whatever leads back to itself ends, and what else there is on the page is found.
func TestLoops(t *testing.T) {
	link := "/Annots [" + annotation("http://a.example/", 0, 0, 9, 9) + "]"
	const text = "BT /F1 9 Tf (x) Tj ET /X Do"
	for _, c := range []struct {
		name     string
		contents string
		more     string // of the page
		objects  map[int]string
		trailer  string
	}{
		{"Prev, 7.5.5", text, "", nil, "/Prev %d"},
		{"XRefStm, 7.5.8.4", text, "", nil, "/XRefStm %d /Prev 0"},
		{"the page tree, 7.7.3", text, "", map[int]string{2: "<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R 3 0 R] >>"}, ""},
		{"a reference, 7.3.10", text, "/CropBox 7 0 R", map[int]string{7: "8 0 R", 8: "7 0 R"}, ""},
		{"an array of contents, 7.8.2", text, "/Contents 7 0 R", map[int]string{7: "[7 0 R 4 0 R 7 0 R]"}, ""},
		{"a form, 8.10", text, "/Resources 7 0 R", map[int]string{7: "<< /XObject << /X 8 0 R >> >>", 8: "<< /Subtype /Form /Length 5 >>\nstream\n/X Do\nendstream"}, ""},
		{"the length of a stream, 7.3.8.2", text, "/Contents 7 0 R", map[int]string{7: "<< /Length 7 0 R >>\nstream\nq\nendstream"}, ""},
		{"filters, 7.4", text, "/Contents 7 0 R", map[int]string{7: "<< /Length 1 /Filter 8 0 R /DecodeParms 8 0 R >>\nstream\nq\nendstream", 8: "[8 0 R]"}, ""},
		{"an object stream in itself, 7.5.7", text, "/CropBox 99 0 R", map[int]string{7: "<< /Type /ObjStm /N 2 /First 9 /Length 20 /Extends 7 0 R >>\nstream\n7 0 99 3\n1 7 0 R\nendstream"}, ""},
		{"a font, 9.7", text, "/Resources << /Font << /F1 7 0 R >> >>", map[int]string{7: "<< /Type /Font /Subtype /Type0 /DescendantFonts [7 0 R] /Encoding 7 0 R /ToUnicode 7 0 R >>"}, ""},
		{"a font of drawings, 9.6.5", text, "/Resources << /Font << /F1 7 0 R >> >>", map[int]string{7: "<< /Type /Font /Subtype /Type3 /CharProcs << /x 8 0 R >> /Encoding << /Differences [120 /x] >> >>", 8: "<< /Length 12 >>\nstream\n/F1 9 Tf (x) Tj\nendstream"}, ""},
		{"layers, 8.11", "/OC /P BDC (x) Tj EMC", "/Resources << /Properties << /P 7 0 R >> >>", map[int]string{7: "<< /Type /OCMD /OCGs 7 0 R >>"}, ""},
		{"encryption of itself, 7.6", text, "", map[int]string{7: "<< /Filter 7 0 R >>"}, "/Info 7 0 R"},
	} {
		m := onePage(c.contents, link+" "+c.more)
		for num, body := range c.objects {
			m.object(num, body)
		}
		if strings.Contains(c.trailer, "%d") {
			c.trailer = fmt.Sprintf(c.trailer, m.Len())
		}
		data := m.end(c.trailer).String()
		for _, data := range []string{data, strings.Replace(data, "startxref", "startxxxx", 1)} {
			if got := found(data); !slices.Contains(got, linkA) || len(got) > 2 {
				t.Errorf("%s: %q", c.name, got)
			}
		}
	}
}
