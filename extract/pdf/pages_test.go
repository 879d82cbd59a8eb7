package pdf_test

import (
	"os"
	"path/filepath"
	"testing"

	"linkcheck/extract/pdf"
)

// TestPages: the pages of the labelled documents are as many as poppler counts; those of a document
// that is cut, damaged or wants a password are not known.
func TestPages(t *testing.T) {
	two := map[string]bool{
		"cells-chromium.pdf": true, "circular-pdfmake.pdf": true, "drawn-ghostscript.pdf": true, "ferries-latex.pdf": true,
		"labels-pdflib.pdf": true, "leaflet-pdfkit.pdf": true, "mailing-libreoffice.pdf": true, "minutes-libreoffice.pdf": true,
		"minutes-pdfkit-encrypted.pdf": true, "notes-ghostscript.pdf": true, "web-libreoffice.pdf": true,
		"almanac-prawn.pdf": true, "prices-api2.pdf": true, "friends-libreoffice-web.pdf": true, "training-libreoffice-impress.pdf": true, "walks-weasyprint.pdf": true, "wills-hyperref.pdf": true,
		"made-dvips.pdf": true, "made-typst.pdf": true, "made-weasyprint-columns.pdf": true,
	}
	three := map[string]bool{"board-libreoffice-tagged.pdf": true, "licences-libreoffice-calc.pdf": true}
	files, err := filepath.Glob(filepath.FromSlash("../../testdata/corpus/pdf/*.pdf"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		switch base := filepath.Base(name); {
		case two[base]:
			want = 2
		case three[base]:
			want = 3
		case base == "oralhist-impress.pdf":
			want = 4
		case base == "poster-cairo.pdf": // damaged
			want = 0
		}
		if n, known := pdf.Pages(file); n != want || known != (want > 0) {
			t.Errorf("%s: %d pages, known: %t; want %d", filepath.Base(name), n, known, want)
		}
		for _, part := range [][]byte{file[:len(file)/2], file[:len(file)-len(file)/8], file[len(file)/2:], nil} {
			if n, known := pdf.Pages(part); n != 0 || known {
				t.Errorf("%s, %d octets of %d: %d pages, known: %t", filepath.Base(name), len(part), len(file), n, known)
			}
		}
	}
	file, err := os.ReadFile(filepath.Join("testdata", "password.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if n, known := pdf.Pages(file); n != 0 || known {
		t.Errorf("with a password: %d pages, known: %t", n, known)
	}
}
