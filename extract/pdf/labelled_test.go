package pdf_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// later are the documents that came last, labelled before the program that was mended for the
// others had read them.
var later = []string{
	"consortium-writer", "crawl-columns", "gophers-groff", "inventory-htmldoc", "leaflet-weasyprint", "letter-ocr", "loan-reportlab",
	"mirror-enscript", "notice-dvips", "oralhist-impress", "pids-hyperref-columns", "readinglist-chromium", "wills-hyperref", "zsearch-man",
}

// blind are those of the thirteenth round, which nothing was mended for.
var blind = []string{
	"bibliography-luatex", "cards-pdftex-columns", "fair-chromium", "news-weasyprint", "readingroom-libreoffice", "servers-groff",
}

// What is found in testdata/corpus/pdf, documents that a dozen programs wrote, was labelled
// before they were read, and was chosen before they were written for those called made-*, of
// which each shows something general: a page and a reference a line; a page with a question mark is of one
// that may be given or not.
func TestLabelled(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/corpus/pdf/*.pdf")
	without := func(names ...[]string) []string {
		return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
			return slices.Contains(slices.Concat(names...), strings.TrimSuffix(filepath.Base(file), ".pdf"))
		})
	}
	labelledWell(t, without(later, blind), 52, 651, 0.995)
	labelledWell(t, without(blind), 66, 814, 0.99)
	labelledWell(t, files, 72, 883, 0.985)
}

// labelledWell wants so many documents and references at least, and precision and recall no less than enough.
func labelledWell(t *testing.T, files []string, documents, references int, enough float64) {
	right, wrong, missed := 0, 0, 0
	for _, file := range files {
		wanted, optional := labelsOf(t, strings.TrimSuffix(file, ".pdf")+".tsv")
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for found, err := range extract.Document(filepath.Base(file), f, doc.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			page, _, _ := strings.Cut(strings.TrimPrefix(found.Locator, "page "), " ")
			label := page + "\t" + found.URI
			if i := slices.Index(wanted, label); i >= 0 {
				wanted = slices.Delete(wanted, i, i+1)
				right++
			} else if i := slices.Index(optional, label); i >= 0 {
				optional = slices.Delete(optional, i, i+1)
			} else {
				wrong++
				t.Logf("%s: wrong: %s", filepath.Base(file), label)
			}
		}
		f.Close()
		missed += len(wanted)
		for _, label := range wanted {
			t.Logf("%s: missed: %s", filepath.Base(file), label)
		}
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("%d documents, %d references: precision %.3f, recall %.3f", len(files), right+missed, precision, recall)
	if len(files) < documents || right+missed < references || !(precision >= enough) || !(recall >= enough) {
		t.Error("that is less than it was")
	}
}

func labelsOf(t *testing.T, file string) (wanted, optional []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for label := range strings.Lines(string(data)) {
		if label = strings.TrimSuffix(label, "\n"); strings.Contains(label, "?\t") {
			optional = append(optional, strings.Replace(label, "?\t", "\t", 1))
		} else {
			wanted = append(wanted, label)
		}
	}
	return wanted, optional
}
