package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/columns"
	"linkcheck/internal/testdoc"
)

// sheetOf makes a workbook of one sheet with these rows; a cell "=URL" is the word "Open" that
// leads there. Its strings are shared.
func sheetOf(t *testing.T, rows [][]string) string {
	var cells, links, rels, strs strings.Builder
	n := 0
	for r, row := range rows {
		fmt.Fprintf(&cells, `<row r="%d">`, r+1)
		for c, text := range row {
			at := fmt.Sprintf("%c%d", 'A'+c, r+1)
			if target, ok := strings.CutPrefix(text, "="); ok {
				text = "Open"
				fmt.Fprintf(&links, `<hyperlink ref="%s" r:id="l%d"/>`, at, n)
				fmt.Fprintf(&rels, `<Relationship Id="l%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`, n, target)
			}
			if text == "" {
				continue
			}
			if fmt.Fprintf(&strs, "<si><t>%s</t></si>", text); c == 0 && r > 0 { // ids are numbers there
				fmt.Fprintf(&cells, `<c r="%s"><v>%s</v></c>`, at, text)
			} else {
				fmt.Fprintf(&cells, `<c r="%s" t="s"><v>%d</v></c>`, at, n)
			}
			n++
		}
		cells.WriteString("</row>")
	}
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	rel := func(id, kind, target string) string {
		return fmt.Sprintf(`<Relationship Id="%s" Type="%s%s" Target="%s"/>`, id, office, kind, target)
	}
	const names = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	return testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", "<Relationships>"+rel("r1", "officeDocument", "xl/workbook.xml")+"</Relationships>",
		"xl/workbook.xml", `<workbook `+names+`><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", "<Relationships>"+rel("r1", "worksheet", "worksheets/s1.xml")+rel("r2", "sharedStrings", "strings.xml")+"</Relationships>",
		"xl/worksheets/s1.xml", `<worksheet `+names+`><sheetData>`+cells.String()+`</sheetData><hyperlinks>`+links.String()+`</hyperlinks></worksheet>`,
		"xl/worksheets/_rels/s1.xml.rels", "<Relationships>"+rels.String()+"</Relationships>", "xl/strings.xml", "<sst>"+strs.String()+"</sst>")
}

// table makes a CSV file of the rows.
func tableOf(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, c := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(c, `"`, `""`) + `"`)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestColumns: what the columns of a table hold, named by heads, letters or numbers, in CSV
// and in XLSX.
func TestColumns(t *testing.T) {
	rows := [][]string{
		{"Links of the library"},
		{"BibID", "Title", "URL", "Branch", "Second", "Note"},
		{"11", "On mills", "http://a.example/1", "Maps", "http://b.example/1", "http://note.example/"},
		{"12", "On wells", "N/A", "Music", "", ""},
		{"13", "On weirs", "see http://a.example/3 and so on", "Maps", "", ""},
	}
	tests := []struct {
		name    string
		columns []string
		want    []string
		err     string
	}{
		{"by heads", []string{"id=bibid", "title=Title", "url=URL", "owner=Branch"},
			[]string{"11|On mills|Maps|http://a.example/1", "13|On weirs|Maps|http://a.example/3"}, ""},
		{"several", []string{"id=BibID", "url=URL", "url=Second"},
			[]string{"11|||http://a.example/1", "11|||http://b.example/1", "13|||http://a.example/3"}, ""},
		{"by letters", []string{"id=A", "url=C", "owner=D"}, []string{"11||Maps|http://a.example/1", "13||Maps|http://a.example/3"}, ""},
		{"by numbers", []string{"title=2", "url=5"}, []string{"|On mills||http://b.example/1"}, ""},
		{"missing", []string{"id=Record", "url=URL", "owner=Desk"}, nil, `no column "Record", "Desk"; there are: "BibID", "Title", "URL", "Branch", "Second", "Note"`},
	}
	for _, tt := range tests {
		columns, err := columns.Parse(tt.columns)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"a.csv": tableOf(rows), "a.xlsx": sheetOf(t, rows)} {
			var got []string
			said := ""
			for f, err := range extract.Document(name, strings.NewReader(text), extract.Options{Columns: columns}) {
				if err != nil {
					said = err.Error()
					continue
				}
				got = append(got, strings.Join([]string{f.Record, f.Title, f.Owner, f.URI}, "|"))
			}
			if !slices.Equal(got, tt.want) || !strings.Contains(said, tt.err) || tt.err == "" && said != "" {
				t.Errorf("%s %s: %q, error %q", tt.name, name, got, said)
			}
		}
	}
}

// TestFaultsOfColumns: words where an address is meant are given out, and neither what is empty,
// nor what other columns hold, nor words under a hyperlink.
func TestFaultsOfColumns(t *testing.T) {
	rows := [][]string{{"BibID", "URL", "Note"}, {"1", "N/A", "none"}, {"2", "n/a", ""}, {"3", "-", ""}, {"4", "none", ""}, {"5", "", "N/A"}, {"7", "http://a.example/", "N/A"}, {"8", "=http://a.example/8", ""}}
	want := []string{"1 no-address N/A", "2 no-address n/a", "3 no-address -", "4 no-address none"}
	columns, err := columns.Parse([]string{"id=BibID", "url=URL"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.csv": tableOf(rows[:7]), "a.xlsx": sheetOf(t, rows)} {
		var got []string
		for f, err := range extract.Document(name, strings.NewReader(text), extract.Options{Columns: columns, Faults: true}) {
			if f.Fault != "" || err != nil {
				got = append(got, strings.TrimSpace(strings.Join([]string{f.Record, f.Fault, f.Raw, f.Repair}, " ")))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestHyperlinksOfColumns: a hyperlink of a cell in a column of links has its row's record; that
// of another column is none of these.
func TestHyperlinksOfColumns(t *testing.T) {
	text := sheetOf(t, [][]string{{"No", "Title", "Link", "More"}, {"7", "On mills", "=http://a.example/7", "=http://other.example/"}})
	columns, _ := columns.Parse([]string{"id=No", "title=Title", "url=Link"})
	var got []string
	for f, err := range extract.Document("a.xlsx", strings.NewReader(text), extract.Options{Columns: columns}) {
		got = append(got, fmt.Sprintf("%s %s %s %s %v", f.Record, f.Title, f.Locator, f.URI, err))
	}
	if want := []string{"7 On mills S!C2 http://a.example/7 <nil>"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestOwnersInDocuments: who mends a link by a subfield of its field, or by a column of a table
// that is read as ever.
func TestOwnersInDocuments(t *testing.T) {
	mrk := "=LDR  00000nam\n=001  b1\n=856  40$uhttp://a.example/1$5DE-12$9Maps\n=856  40$uhttp://a.example/2$9Music\n=856  40$uhttp://a.example/3\n\n"
	csv := "What,Branch\nhttp://a.example/1,Maps\n\"see http://a.example/2\",\n"
	tests := []struct {
		name, text string
		o          extract.Options
		want       []string
	}{
		{"a.mrk", mrk, extract.Options{Owners: "59"}, []string{"DE-12", "Music", ""}},
		{"a.mrk", mrk, extract.Options{Owners: "9"}, []string{"Maps", "Music", ""}},
		{"a.mrk", mrk, extract.Options{}, []string{"", "", ""}},
		{"a.csv", csv, extract.Options{Columns: extract.Columns{Owner: "branch"}}, []string{"Maps", ""}},
		{"a.csv", csv, extract.Options{Columns: extract.Columns{Owner: "Desk"}}, []string{"", ""}},
	}
	for _, tt := range tests {
		var got []string
		for f, err := range extract.Document(tt.name, strings.NewReader(tt.text), tt.o) {
			if err != nil {
				t.Error(err)
			}
			got = append(got, f.Owner)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %+v: %q", tt.name, tt.o, got)
		}
	}
}

// TestParseColumns: what the words may be.
func TestParseColumns(t *testing.T) {
	for _, bad := range [][]string{{"url"}, {"url="}, {"id=A"}, {"what=A", "url=B"}, {"id=A", "id=B", "url=C"}} {
		if c, err := columns.Parse(bad); err == nil {
			t.Errorf("%q: %+v", bad, c)
		}
	}
}
