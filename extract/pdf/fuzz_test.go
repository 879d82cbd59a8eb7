package pdf_test

import (
	"os"
	"path/filepath"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// What holds for every document holds for pieces of PDF, and for what stands in the contents
// of a page.
func FuzzPDF(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.pdf")
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Add(onePage("BT /F1 12 Tf (http://a.example/) Tj ET", "").Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { extracttest.Laws(t, "a.pdf", data, doc.Options{Input: "pdf"}) })
}

func FuzzContents(f *testing.F) {
	f.Add("BT /F1 12 Tf 50 700 Td (See http://a.example/b) Tj 0 -14 Td [(c)-300(d)] TJ 5 Ts (1) Tj ET", "")
	f.Add("q 1 0 0 -1 0 792 cm BT /F2 9 Tf 0 1 -1 0 9 9 Tm (http://a.exam) ' (ple/) ' ET Q /X Do BI /W 1 ID \x00\x80 EI (x) Tj", annotation("http://a.example/", 0, 0, 99, 799))
	f.Fuzz(func(t *testing.T, contents, annots string) {
		extracttest.Laws(t, "a.pdf", onePage(contents, "/Annots ["+annots+"]").end("").Bytes(), doc.Options{Input: "pdf"})
	})
}
