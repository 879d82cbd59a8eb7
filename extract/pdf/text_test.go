package pdf_test

import (
	"fmt"
	"strings"
	"testing"
)

const textB = "bare page 1 line 1: http://b.example/"

// TestText: addresses stand in the text as a viewer shows it.
func TestText(t *testing.T) {
	const (
		page  = "bare page 1 line 1: "
		cmap  = "7 0 R >> >> >>"
		wordy = "BT /F2 10 Tf 12 TL 72 700 Td "
		named = "/Resources << /Font << /F1 << /Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding /Differences "
	)
	for _, c := range []struct {
		name, contents, more string
		objects              map[int]string
		want                 []string
	}{
		{"a line", "BT /F1 9 Tf 72 700 Td (see http://b.example/ there) Tj ET", "", nil, []string{textB}},
		{"over two lines", wordy + "(look at http://b.example/a/long/name/) Tj T* (of/a/document.html now, and tell us) Tj T* (what it is that you have seen there) Tj ET", "", nil, []string{page + "http://b.example/a/long/name/of/a/document.html"}},
		{"a scheme at the end of a line", wordy + "(what is seen there stands at http://) Tj T* (b.example/x with pictures of the town) Tj ET", "", nil, []string{page + "http://b.example/x"}},
		{"a query on the next line", wordy + "(what is seen is at http://b.example/q?) Tj T* (name=x, with pictures of all the town) Tj ET", "", nil, []string{page + "http://b.example/q?name=x"}},
		{"lines cut wherever they are full", wordy + "(http://b.example/a/lon) Tj T* (g/name/of/a/document/f) Tj T* (ull/of/pages.html) Tj ET", "", nil, []string{page + "http://b.example/a/long/name/of/a/document/full/of/pages.html"}},
		{"a hyphen that divides a word", wordy + "(the harbour is seen at http://b.example/har-) Tj T* (bour/tables and in the by-laws of it, or) Tj T* (what is at http://c.example/laws/by-) Tj T* (hand.txt since the month of May it is) Tj ET", "", nil, []string{page + "http://b.example/harbour/tables", "bare page 1 line 3: http://c.example/laws/by-hand.txt"}},
		{"a hyphen in a scheme", wordy + "(what was read last year is told at go-) Tj T* (pher://b.example/0/x by those who read) Tj ET", "", nil, []string{page + "gopher://b.example/0/x"}},
		{"on in the next column", wordy + "(what is seen there stands at http://) Tj 300 12 Td (b.example/x with pictures) Tj 0 -12 Td (of the town and its people) Tj ET", "", nil, []string{"bare page 1 line 2: http://b.example/x"}},
		{"two columns", "BT /F1 9 Tf 72 700 Td (left http://b.example/) Tj 200 0 Td (right http://c.example/) Tj -200 -11 Td (more of the left) Tj 200 0 Td (more of it) Tj ET", "", nil, []string{textB, page + "http://c.example/"}},
		{"letters one by one, 9.4.3", "BT /F1 9 Tf 72 700 Td [(h)-20(tt)15(p:)-10(//b.ex)30(ample/)-900(then)] TJ ET", "", nil, []string{textB}},
		{"spaced letters, 9.3.2", "BT /F1 9 Tf 3 Tc 72 700 Td (http://b.example/ there) Tj ET", "", nil, []string{textB}},
		{"a raised number, 9.3.7", "BT /F1 10 Tf 72 700 Td (http://b.example/x) Tj /F1 6 Tf 4 Ts (12) Tj ET", "", nil, []string{page + "http://b.example/x"}},
		{"bold by showing twice", "BT /F1 9 Tf 72 700 Td (http://b.example/) Tj ET BT /F1 9 Tf 72.2 700 Td (http://b.example/) Tj ET", "", nil, []string{textB}},
		{"turned, 8.3.4", "BT /F1 9 Tf 0 1 -1 0 300 300 Tm (http://b.example/) Tj ET", "", nil, []string{textB}},
		{"a turned page, 7.7.3.3", "BT /F1 9 Tf 0 1 -1 0 300 300 Tm (http://b.example/) Tj ET", "/Rotate 90", nil, []string{textB}},
		{"invisible, as that of scans, 9.3.6", "BT 3 Tr /F1 9 Tf 72 700 Td (http://b.example/) Tj ET", "", nil, []string{textB}},
		{"off the page", "BT /F1 9 Tf 72 900 Td (http://b.example/) Tj ET", "", nil, nil},
		{"a scan, 8.9.7", "BI /W 1 /H 1 /BPC 8 /CS /G ID http://b.example/ EI", "", nil, nil},
		{"a form, 8.10", "q 1 0 0 1 9 9 cm /X Do Q", "/Resources << /XObject << /X 7 0 R >> >>", map[int]string{7: "<< /Subtype /Form /Resources << /Font << /F1 5 0 R >> >> /Length 46 >>\nstream\nBT /F1 9 Tf 72 700 Td (http://b.example/) Tj ET\nendstream"}, []string{textB}},
		{"a layer that is off, 8.11", "/OC /L BDC BT /F1 9 Tf 72 700 Td (http://b.example/) Tj ET EMC", "/Resources << /Font << /F1 5 0 R >> /Properties << /L 7 0 R >> >>",
			map[int]string{7: "<< /Type /OCG >>", 1: "<< /Type /Catalog /Pages 2 0 R /OCProperties << /D << /OFF [7 0 R] >> >> >>"}, nil},
		{"ToUnicode, 9.10.3", "BT /F1 9 Tf 72 700 Td <0102020304> Tj (b.example/) Tj ET", "/Resources << /Font << /F1 << /Subtype /Type1 /ToUnicode " + cmap,
			map[int]string{7: "<< /Length 99 >>\nstream\n1 begincodespacerange <00> <ff> endcodespacerange\n2 beginbfchar <01> <0068> <02> <0074> endbfchar 1 beginbfrange <03> <04> [<0070> <003a002f002f>] endbfrange\nendstream"}, []string{textB}},
		{"ligatures by names, 9.6.6", "BT /F1 9 Tf 72 700 Td (http://o\\001ce.example/\\002ve) Tj ET", "/Resources << /Font << /F1 << /Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /ffi /f_i] >> >> >> >>", nil, []string{page + "http://office.example/five"}},
		{"codes of two octets without characters, 9.7", "BT /F1 9 Tf 72 700 Td <0048004900500051> Tj ET", "/Resources << /Font << /F1 << /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /DW 500 >>] >> >> >>", nil, nil},
		{"drawn letters, 9.6.5", "BT /F1 9 Tf 72 700 Td (http://b.example/) Tj ET", "/Resources << /Font << /F1 << /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /Widths [" + strings.Repeat("600 ", 95) + "] >> >> >>", nil, []string{textB}},
		{"drawn letters of a scale of their own, 9.6.5", "BT /F1 1 Tf 12 TL 72 700 Td (look at http://b.example/a/long/) Tj T* (name.html and so on as it is) Tj ET", "/Resources << /Font << /F1 << /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 32 /Widths [" + strings.Repeat("6 ", 95) + "] >> >> >>", nil, []string{page + "http://b.example/a/long/name.html"}},
		{"ligatures of TeX without names", "BT /F1 9 Tf 72 700 Td (http://b.example/\034ve/\014ve) Tj ET", named + "[12 /a12 28 /a28] >> >> >> >>", nil, []string{page + "http://b.example/five/five"}},
		{"the hyphen of TeX, which divides words", wordy + "(the old quay is seen at http://b.example/har\001) Tj T* (bour/tables and in the laws of it, or) Tj ET", strings.Replace(named, "/F1", "/F2", 1) + "[1 /hyphen.alt] >> >> >> >>", nil, []string{page + "http://b.example/harbour/tables"}},
		{"the minus of PostScript", "BT /F1 9 Tf 72 700 Td (http://b\001c.example/) Tj ET", named + "[1 /minus] >> >> >> >>", nil, []string{page + "http://b-c.example/"}},
		{"a line that was made full", "BT /F1 9 Tf 72 700 Td [(see )-600(it )-600(at )-600(http://b.example/a/)-400(c )-600(there)] TJ ET", "", nil, []string{page + "http://b.example/a/c"}},
		{"wide blanks are no columns", "BT /F1 9 Tf 11 TL 72 700 Td [(one )-1800(http://b.example/a/)] TJ T* (c.html) Tj ET", "", nil, []string{page + "http://b.example/a/c.html"}},
		{"a scheme that is cut", wordy + "(what was read last year is told at ht) Tj T* (tp://b.example/ by those who read) Tj ET", "", nil, []string{textB}},
		{"cells behind one another", "BT /F1 10 Tf 72 700 Td (http://b.example/a/) Tj 92 0 Td (one) Tj -92 -12 Td (c.html) Tj 0 -30 Td (two) Tj 92 0 Td (three) Tj -92 -30 Td (four) Tj 92 0 Td (five) Tj ET", "", nil, []string{page + "http://b.example/a/c.html"}},
		{"text that repeats its link", "BT /F1 9 Tf 72 700 Td (see http://a.example/ there) Tj ET", "/Annots [" + annotation("http://a.example/", 85, 698, 160, 708) + "]", nil, []string{linkA}},
		{"text of another link", "BT /F1 9 Tf 72 700 Td (see http://b.example/ there) Tj ET", "/Annots [" + annotation("http://a.example/", 85, 698, 160, 708) + "]", nil, []string{linkA, textB}},
	} {
		m := onePage(c.contents, c.more)
		for num, body := range c.objects {
			m.object(num, body)
		}
		wants(t, c.name, m.end("").String(), c.want...)
	}
}

// Lines are counted over the whole page, and pages over the document.
func TestPlaces(t *testing.T) {
	m := newMaker().object(1, "<< /Type /Catalog /Pages 2 0 R >>").object(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	kids := ""
	for p := range 3 {
		m.stream(10+p, "", fmt.Sprintf("BT /F1 9 Tf 14 TL 72 700 Td (one) Tj T* (two http://p%d.example/) Tj ET", p+1))
		m.object(20+p, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>", 10+p))
		kids += fmt.Sprintf("%d 0 R ", 20+p)
	}
	m.object(2, "<< /Type /Pages /Kids ["+kids+"] /Count 3 /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> >>")
	wants(t, "three pages", m.end("").String(), "bare page 1 line 2: http://p1.example/", "bare page 2 line 2: http://p2.example/", "bare page 3 line 2: http://p3.example/")
}
