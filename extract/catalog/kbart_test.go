package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"linkcheck/extract"
	"linkcheck/extract/extracttest"
)

const titles = "publication_title\tprint_identifier\tonline_identifier\ttitle_url\ttitle_id\tnotes\r\n" +
	"12\" singles\t1111-1111\t2222-2222\thttp://a.example/1\tT1\tsee http://no.example/\r\n" +
	"\"Mills, \"\"and\"\" more\"\t1111-1112\t2222-2223\t\"http://a.example/2,x\"\t\t\r\n" +
	"Wells, Zürich\t1111-1113\t\twww.b.example/3\t\t\r\n" +
	"No address\t\t\t\tT4\t\r\n" +
	"A slip\t\t\thttp//c.example/5\tT5\t\r\n"

// Lists of titles give the addresses of titles, with id and title (KBART, NISO RP-9-2014).
func TestKBART(t *testing.T) {
	want := []string{
		`2 T1|12" singles|row 2 column 4 http://a.example/1`,
		`3 2222-2223|Mills, "and" more|row 3 column 4 http://a.example/2,x`,
		`4 1111-1113|Wells, Zürich|row 4 column 4 http://www.b.example/3`,
		`6 T5|A slip|row 6 column 4 (http//c.example/5)`,
	}
	wide := func(e unicode.Endianness) string {
		s, err := unicode.UTF16(e, unicode.UseBOM).NewEncoder().String(titles)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct{ name, text string }{
		{"a.txt", titles}, {"a.tsv", titles}, {"", titles}, {"bom.txt", "\ufeff" + titles}, {"lf.txt", strings.ReplaceAll(titles, "\r\n", "\n")},
		{"little.txt", wide(unicode.LittleEndian)}, {"big.tsv", wide(unicode.BigEndian)},
		{"capitals.txt", strings.Replace(titles, "publication_title", `"Publication_Title"`, 1)},
	} {
		if got := titlesIn(t, c.name, c.text, extract.Options{}); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, want)
		}
	}
}

// Where a list has no ids of its own, others stand for them; other tables and what a person says of a list stay.
func TestNotKBART(t *testing.T) {
	noID := strings.ReplaceAll(strings.Replace(titles, "title_id", "access_type", 1), "\tT1\t", "\tF\t")
	if got := titlesIn(t, "a.txt", noID, extract.Options{}); got[0] != `2 2222-2222|12" singles|row 2 column 4 http://a.example/1` {
		t.Errorf("no title_id: %q", got)
	}
	byPerson, err := extract.ParseColumns([]string{"url=notes"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		o          extract.Options
		want       []string
	}{
		{"a.tsv", strings.Replace(titles[:strings.Index(titles, "\"Mills")], "title_url", "url", 1), extract.Options{}, []string{"2 ||row 2 column 4 http://a.example/1", "2 ||row 2 column 6 http://no.example/"}},
		{"a.txt", "publication_title and title_url\t\nhttp://a.example/\n", extract.Options{}, []string{"2 || http://a.example/"}},
		{"a.tsv", "title_id\tpublication_title\ttitle_url\tnotes\nT1\tA\thttp://a.example/\thttp://b.example/\n", extract.Options{Columns: byPerson}, []string{"2 ||row 2 column 4 http://b.example/"}},
	} {
		if got := titlesIn(t, c.name, c.text, c.o); !slices.Equal(got, c.want) {
			t.Errorf("%s %.40q:\n got %q\nwant %q", c.name, c.text, got, c.want)
		}
	}
}

func titlesIn(t *testing.T, name, text string, o extract.Options) (list []string) {
	t.Helper()
	for f, err := range extract.Document(name, strings.NewReader(text), o) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		uri := f.URI
		if uri == "" {
			uri = "(" + f.Raw + ")"
		}
		list = append(list, strings.Join([]string{string(rune('0' + f.Line)), f.Record + "|" + f.Title + "|" + f.Locator, uri}, " "))
	}
	return list
}

func FuzzKBART(f *testing.F) { extracttest.Fuzz(f, "a.txt", "csv", titles) }
