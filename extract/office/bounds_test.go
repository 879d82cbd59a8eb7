package office_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
)

// read counts the links of a document, and gives what it told as damage.
func read(t *testing.T, name, data string) (links int, damages []error) {
	t.Helper()
	for _, err := range extract.Document(name, bytes.NewReader([]byte(data)), doc.Options{}) {
		if err != nil {
			damages = append(damages, err)
		} else {
			links++
		}
	}
	return links, damages
}

// TestRepeatedStrings: all links of a shared string stand in its first cell; those behind
// it give no more than a bound, which is told.
func TestRepeatedStrings(t *testing.T) {
	var many strings.Builder
	for i := range 150 {
		fmt.Fprintf(&many, "http://h%d.example/ ", i)
	}
	cells := strings.Repeat(`<c t="s"><v>0</v></c><c t="s"><v>1</v></c>`, 50)
	links, damages := read(t, "a.xlsx", workbook(t, "<sheetData><row>"+cells+"</row></sheetData>",
		"<si><t>"+many.String()+"</t></si><si><t>http://a.example/ http://b.example/</t></si>"))
	if want := 150 + 49*100 + 50*2; links != want {
		t.Errorf("%d links, want %d", links, want)
	}
	if len(damages) != 1 || !strings.Contains(damages[0].Error(), "more than 100 links in several cells") {
		t.Errorf("damage %v", damages)
	}
}

// TestOfficeBombs: what unfolds to far more than a document has is told, and costs no more
// memory, all of it counted that was ever taken, than 96 MB: what is kept of a package (16 MB),
// grown by doubling, and what goes through the readers.
func TestOfficeBombs(t *testing.T) {
	long := strings.Repeat("a", 64<<20)
	for name, c := range map[string]struct{ file, data, says string }{
		"an element":       {"a.docx", word(t, "<w:"+long, "", "", ""), "max-unfolded"},
		"text":             {"a.docx", word(t, "<w:p><w:r><w:t>"+long, "", "", ""), "max-unfolded"},
		"an attribute":     {"a.odt", opendocument(t, "text", `<text:a xlink:href="`+long), "max-unfolded"},
		"a cell":           {"a.xlsx", workbook(t, `<row><c t="inlineStr"><is><t>`+long, ""), "max-unfolded"},
		"a string":         {"a.xlsx", workbook(t, "", "<si><t>"+long), "max-unfolded"},
		"a chapter":        {"a.epub", epub(t, "<p>"+long), "max-unfolded"},
		"relations":        {"a.docx", word(t, "", relationBomb()...), "relations and shared strings of more than 16 MB"},
		"strings of links": {"a.xlsx", workbook(t, "", strings.Repeat("<si><t>http://a.example/"+long[:900]+"</t></si>", 20<<10)), "relations and shared strings of more than 16 MB"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, damages := read(t, c.file, c.data)
		runtime.ReadMemStats(&after)
		told := false
		for _, err := range damages {
			over, ok := errors.AsType[*budget.Over](err)
			told = told || ok && over.Key == c.says || strings.Contains(err.Error(), c.says)
		}
		if !told {
			t.Errorf("%s: %q is not told: %v", name, c.says, damages)
		}
		spent := after.TotalAlloc - before.TotalAlloc - uint64(len(c.data)) // read copies them
		if spent > 96<<20 {
			t.Errorf("%s: %d MB allocated in all", name, spent>>20)
		}
	}
}

func relationBomb() (of []string) {
	for i := range 20 << 10 {
		of = append(of, fmt.Sprint("rId", i), "hyperlink", "http://a.example/"+strings.Repeat("a", 900))
	}
	return of
}
