package pdf_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// maker writes a document: objects with their numbers, then cross-references.
type maker struct {
	bytes.Buffer
	at   map[int]int
	last int // the section before
}

func newMaker() *maker {
	m := &maker{at: map[int]int{}}
	m.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	return m
}

func (m *maker) object(num int, body string) *maker {
	m.at[num] = m.Len()
	fmt.Fprintf(m, "%d 0 obj\n%s\nendobj\n", num, body)
	return m
}

func (m *maker) stream(num int, dict, data string) *maker {
	return m.object(num, fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), dict, data))
}

// free says in the next section that an object is deleted.
func (m *maker) free(num int) *maker {
	m.at[num] = 0
	return m
}

// end writes the cross-references of what was written since the section before.
func (m *maker) end(trailer string) *maker {
	at := m.Len()
	m.WriteString("xref\n")
	var nums []int
	for n := range m.at {
		nums = append(nums, n)
	}
	slices.Sort(nums)
	for _, n := range nums {
		kind := "n"
		if m.at[n] == 0 {
			kind = "f"
		}
		fmt.Fprintf(m, "%d 1\n%010d 00000 %s \n", n, m.at[n], kind)
	}
	if m.last > 0 {
		trailer += fmt.Sprintf(" /Prev %d", m.last)
	}
	fmt.Fprintf(m, "trailer\n<< /Size 100 /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", trailer, at)
	m.last = at
	clear(m.at)
	return m
}

// onePage is a page 3 with the fonts F1 (Helvetica) and F2 (Courier), the contents 4 and
// what else its dictionary says, which comes first and therefore counts.
func onePage(contents, more string) *maker {
	return newMaker().
		object(1, "<< /Type /Catalog /Pages 2 0 R >>").
		object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>").
		object(3, "<< /Type /Page "+more+" /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>").
		stream(4, "", contents).
		object(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>").
		object(6, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>")
}

func annotation(uri string, x0, y0, x1, y1 int) string {
	return fmt.Sprintf("<< /Subtype /Link /Rect [%d %d %d %d] /A << /S /URI /URI (%s) >> >>", x0, y0, x1, y1, uri)
}

// found lists "how locator uri" of a document.
func found(data string) []string {
	return extracttest.Findings("a.pdf", data, doc.Options{}, func(f *doc.Found) string { return f.How + " " + f.Locator + ":" })
}

func wants(t *testing.T, what, data string, want ...string) {
	t.Helper()
	if got := found(data); !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

const linkA, linkB = "annotation page 1: http://a.example/", "annotation page 1: http://b.example/"

func TestAnnotations(t *testing.T) {
	for _, c := range []struct {
		name, annots string
		want         []string
	}{
		{"two", annotation("http://a.example/", 10, 10, 50, 20) + annotation("http://b.example/", 10, 10, 50, 20), []string{linkA, linkB}},
		{"escapes in a string, 7.3.4.2", annotation(`http://a.example/\(x\)\
\055`, 0, 0, 9, 9), []string{linkA + "(x)-"}},
		{"over two lines", annotation("http://a.example/", 300, 100, 500, 110) + annotation("http://a.example/", 50, 88, 90, 98), []string{linkA}},
		{"beside one another", annotation("http://a.example/", 50, 100, 90, 110) + annotation("http://a.example/", 90, 100, 120, 110), []string{linkA}},
		{"twice the same", annotation("http://a.example/", 50, 100, 90, 110) + annotation("http://a.example/", 50, 100, 90, 110), []string{linkA}},
		{"two places", annotation("http://a.example/", 50, 700, 90, 710) + annotation("http://a.example/", 50, 300, 90, 310), []string{linkA, linkA}},
		{"two in a line", annotation("http://a.example/", 50, 700, 90, 710) + annotation("http://a.example/", 95, 700, 130, 710), []string{linkA, linkA}},
		{"hidden, 12.5.3", "<< /F 2 /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://a.example/) >> >>", nil},
		{"relative to the base of the catalogue, 12.6.4.7", annotation("../x", 0, 0, 9, 9), []string{"annotation page 1: http://base.example/x"}},
		{"within the document", "<< /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D [3 0 R] >> >>", nil},
		{"a document elsewhere, 7.11.5", "<< /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F << /FS /URL /F (http://b.example/) >> >> >>", []string{linkB}},
		{"UTF-16", "<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI <FEFF0068007400740070003A002F002F0061002E006500780061006D0070006C0065002F> >> >>", []string{linkA}},
		{"no A", "<< /Subtype /Link /Rect [0 0 9 9] /PA << /S /URI /URI (http://b.example/) >> >>", nil},
	} {
		m := onePage("", "/Annots ["+c.annots+"]")
		m.object(1, "<< /Type /Catalog /Pages 2 0 R /URI << /Base (http://base.example/d/) >> >>").end("")
		wants(t, c.name, m.String(), c.want...)
	}
}

// What an update replaced or deleted is gone, whatever stands in the file (ISO 32000-1
// section 7.5.6); in a file without sound cross-references the last definition counts.
func TestUpdates(t *testing.T) {
	before := func() *maker {
		return onePage("", "/Annots [7 0 R 8 0 R]").object(7, annotation("http://old.example/", 0, 0, 9, 9)).object(8, annotation("http://a.example/", 0, 50, 9, 59)).end("")
	}
	updated := before().object(7, annotation("http://b.example/", 0, 0, 9, 9)).end("").String()
	wants(t, "replaced", updated, linkB, linkA)
	wants(t, "deleted", before().free(7).end("").String(), linkA)
	wants(t, "never updated: what stands behind the references does not count", before().object(7, annotation("http://b.example/", 0, 0, 9, 9)).String(),
		"annotation page 1: http://old.example/", linkA)
	wants(t, "no references", strings.ReplaceAll(updated, "startxref", "startxxxx"), linkB, linkA)
	wants(t, "octets before the header", "junk\n"+updated, linkB, linkA)
	wants(t, "lines that end otherwise", strings.Replace(updated, "\nendobj", "\r\nendobj", 1), linkB, linkA)
}

func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

// Objects in an object stream, cross-references in a stream (sections 7.5.7 and 7.5.8).
func TestObjectStreams(t *testing.T) {
	inside := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] >>", "<< /Type /Page /Annots [" + annotation("http://a.example/", 0, 0, 9, 9) + "] >>"}
	head, body := "", ""
	for i, s := range inside {
		head += fmt.Sprintf("%d %d ", i+1, len(body))
		body += s + " "
	}
	for _, predictor := range []bool{false, true} {
		m := newMaker()
		at := m.Len()
		m.stream(9, fmt.Sprintf("/Type /ObjStm /N 3 /First %d /Filter /FlateDecode", len(head)), deflated(head+body))
		xref := m.Len()
		rows := []string{"\x00\x00\x00\x00", "\x02\x00\x09\x00", "\x02\x00\x09\x01", "\x02\x00\x09\x02", "\x01" + string([]byte{byte(at >> 8), byte(at)}) + "\x00"}
		parms := ""
		if predictor {
			last := "\x00\x00\x00\x00"
			for i, r := range rows {
				up := "\x02"
				for j := range r {
					up += string([]byte{r[j] - last[j]})
				}
				rows[i], last = up, r
			}
			parms = "/DecodeParms << /Predictor 12 /Columns 4 >>"
		}
		m.stream(10, "/Type /XRef /W [1 2 1] /Index [0 4 9 1] /Root 1 0 R /Filter /FlateDecode "+parms, deflated(strings.Join(rows, "")))
		fmt.Fprintf(m, "startxref\n%d\n%%%%EOF\n", xref)
		wants(t, fmt.Sprint("predictor ", predictor), m.String(), linkA)
		wants(t, "without them", strings.Replace(m.String(), "startxref", "startxxxx", 1), linkA)
	}
}

// TestEncrypted reads what qpdf encrypted with an empty user password: all else is like
// "plain.pdf". What wants a password is in a format that nothing here reads.
func TestEncrypted(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.pdf")
	if len(files) < 7 {
		t.Fatalf("%d documents", len(files))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "password.pdf" {
			wants(t, name, string(data), "damage: a.pdf: not read: PDF with a password")
			continue
		}
		wants(t, name, string(data), "bare page 1 line 1: http://text.example/", linkA)
	}
}
