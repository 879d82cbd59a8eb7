package copies

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
	"linkcheck/mend"
)

// TestParseFixes reads tables as programs for spreadsheets leave them.
func TestParseFixes(t *testing.T) {
	want := []FixRow{{Record: "b1", Locator: "856[1]$u", Old: "http://a.example/x,+1", New: "https://n.example/", Reason: "http-404"}}
	for _, text := range []string{
		"record_id\tlocator\told_url\tnew_url\treason\tguarded\nb1\t856[1]$u\thttp://a.example/x,+1\thttps://n.example/\thttp-404\t\n",
		"\ufeffrecord_id\tlocator\told_url\tnew_url\treason\tguarded\r\nb1\t856[1]$u\thttp://a.example/x,'+1\thttps://n.example/\thttp-404\told_url\r\n",
		"\"record_id\";\"locator\";\"old_url\";\"new_url\";\"reason\"\n\"b1\";\"856[1]$u\";\"http://a.example/x,+1\";\" https://n.example/ \";\"http-404\"\n",
		"record_id,locator,old_url,new_url,reason\nb1,856[1]$u,\"http://a.example/x,+1\",https://n.example/,http-404",
		"new_url\tlocator\told_url\trecord_id\treason\nhttps://n.example/\t856[1]$u\thttp://a.example/x,+1\tb1\thttp-404\n\t\t\t\t\n",
		"record_id\tlocator\told_url\tnew_url\treason\nb1\t856[1]$u\thttp://a.example/x,+1\thttps://n.example/\thttp-404\nb2\t856[1]$u\thttp://u:***@a.example/\thttps://n.example/\t\n",
	} {
		rows, masked, err := ParseFixes([]byte(text))
		if err != nil || !slices.Equal(rows, want) || (masked == 1) != strings.Contains(text, "***") {
			t.Errorf("%q: %+v, %d masked, %v", text, rows, masked, err)
		}
	}
	for _, text := range []string{"", "x\ty\n1\t2\n", "record_id\tlocator\told_url\n"} {
		if _, _, err := ParseFixes([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestFolder: no copy lands in a source, on something else, or behind a link.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	source := Source{Path: testdoc.Write(t, in("docs", "a.mrk"), "=LDR\n"), Root: in("docs")}
	testdoc.Write(t, in("full", "x"), "x")
	if err := os.Symlink(in("docs"), in("link")); err != nil {
		t.Skip(err)
	}
	for _, out := range []string{in("docs"), in("docs", "out"), in("link"), in("link", "out"), in("full"), in("full", "x"), source.Path, dir} {
		if _, err := Open(out, []Source{source}); err == nil {
			t.Errorf("%s is taken", out)
		}
	}
	filled := Source{Path: testdoc.Write(t, in("filled", "a.mrk"), "=LDR\n"), Root: in("filled", "a.mrk"), Aside: true}
	testdoc.Write(t, in("filled", listName), `{"copy":"a.mrk"}`)
	if _, err := Open(in("filled"), []Source{source, filled}); err == nil {
		t.Error("a folder is taken that holds a source")
	}
	if _, err := os.Stat(filled.Path); err != nil {
		t.Error(err)
	}
	folder, err := Open(in("new", "out"), []Source{source})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(in("docs"), in("new", "out", "docs")); err != nil {
		t.Fatal(err)
	}
	if err := folder.write(source, &mend.Copy{Octets: []byte("x")}); err == nil {
		t.Error("a copy was written behind a link")
	}
	if text, _ := os.ReadFile(source.Path); string(text) != "=LDR\n" {
		t.Errorf("the source is %q", text)
	}
}

// TestInterrupted: a folder whose mend came to no end is filled anew, and holds nothing of it.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	rec := testdoc.MARC("001b1", "8564 |uhttp://a.example/")
	path := testdoc.Write(t, filepath.Join(dir, "opac.mrc"), rec)
	out := filepath.Join(dir, "out")
	folder, err := Open(out, []Source{{Path: path, Root: path}})
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.write(Source{Path: path, Root: path}, &mend.Copy{Octets: []byte(rec)}); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.list.WriteString(`{"copy":"other.mrc","sou`); err != nil { // and not closed
		t.Fatal(err)
	}
	rows, err := List(out)
	if err != nil || len(rows) != 1 || rows[0].Copy != "opac.mrc" {
		t.Fatalf("%+v, %v", rows, err)
	}
	if sources, err := Undo(out); err != nil || len(sources) != 1 || len(sources[0].Fixes) != 0 {
		t.Errorf("%+v, %v", sources, err)
	}
	if _, err := Open(out, []Source{{Path: path, Root: path}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "opac.mrc")); err == nil {
		t.Error("a copy of the earlier mend is still there")
	}
}

// TestRedirects: each address of the web once, in order, and none that the form cannot say.
func TestRedirects(t *testing.T) {
	fix := func(old, to string) Fix { return Fix{Change: mend.Change{Old: old, New: to}} }
	sources := []Source{{Fixes: []Fix{fix("http://b.example/#x", "https://n.example/b#x"), fix("http://b.example/", "https://n.example/b"), fix("http//c.example/", "http://c.example/"),
		fix("http://a.example/$1", "https://n.example/a"), fix("gopher://g.example/", "https://n.example/g"), fix("http://d.example/", "http://d.example/")}},
		{Aside: true, Fixes: []Fix{fix("http://e.example/", "https://n.example/e")}}}
	for form, want := range map[string]string{
		"csv":    "old_url,new_url\nhttp://a.example/$1,https://n.example/a\nhttp://b.example/,https://n.example/b\n",
		"nginx":  "\"http://b.example/\" \"https://n.example/b\";\n",
		"apache": "http://a.example/$1 https://n.example/a\nhttp://b.example/ https://n.example/b\n",
	} {
		var out strings.Builder
		left, err := WriteRedirects(&out, form, sources)
		if err != nil || out.String() != want || (len(left) == 1) != (form == "nginx") {
			t.Errorf("%s: %v %v\n%s", form, left, err, out.String())
		}
	}
}

// TestTwoOfOneName: the copy of another source is not written over.
func TestTwoOfOneName(t *testing.T) {
	dir := t.TempDir()
	rec := testdoc.MARC("001b1", "8564 |uhttp://a.example/")
	change := []Fix{{Change: mend.Change{Record: "b1", Locator: "856[1]$u", Old: "http://a.example/", New: "https://n.example/"}, Why: "x"}}
	var sources []Source
	for _, at := range []string{"a", "b"} {
		path := testdoc.Write(t, filepath.Join(dir, at, "opac.mrc"), rec)
		sources = append(sources, Source{Path: path, Root: path, Fixes: change})
	}
	folder, err := Open(filepath.Join(dir, "out"), sources)
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	sum, err := Mend(t.Context(), sources, Options{Folder: folder, Show: func(format string, args ...any) { fmt.Fprintf(&shown, format, args...) }})
	if err != nil || sum.Left != 1 || !strings.Contains(shown.String(), "another source has its copy at opac.mrc") {
		t.Errorf("%+v %v\n%s", sum, err, shown.String())
	}
	rows, err := List(filepath.Join(dir, "out"))
	if err != nil || len(rows) != 1 || rows[0].Was != "http://a.example/" {
		t.Errorf("%+v, %v", rows, err)
	}
	testdoc.Write(t, filepath.Join(dir, "evil", listName), `{"copy":"../docs/a","source":"x"}`)
	if rows, err := List(filepath.Join(dir, "evil")); err == nil {
		t.Errorf("%+v is taken", rows)
	}
}

// TestUndoOfBlanks: blanks that a mend took away stand in the row that takes it back, and are
// written again where such a row comes from a table.
func TestUndoOfBlanks(t *testing.T) {
	dir := t.TempDir()
	rec := testdoc.MARC("001b1", "8564 |u http://a.example/  |zx")
	path := testdoc.Write(t, filepath.Join(dir, "opac.mrc"), rec)
	fix := Fix{Change: mend.Change{Record: "b1", Locator: "856[1]$u", Old: "http://a.example/", New: "http://a.example/", Trim: true}, Why: "x"}
	out := filepath.Join(dir, "out")
	mended := func(s Source, dir string) string {
		o := Options{All: true, Show: func(string, ...any) {}}
		if dir != "" {
			var err error
			if o.Folder, err = Open(dir, []Source{s}); err != nil {
				t.Fatal(err)
			}
		}
		if sum, err := Mend(t.Context(), []Source{s}, o); err != nil || sum.Made != 1 {
			t.Fatalf("%+v %v", sum, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "opac.mrc"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := mended(Source{Path: path, Root: path, Fixes: []Fix{fix}}, out); got != testdoc.MARC("001b1", "8564 |uhttp://a.example/|zx") {
		t.Fatalf("%q", got)
	}
	sources, err := Undo(out)
	if err != nil {
		t.Fatal(err)
	}
	table := "record_id\tlocator\told_url\tnew_url\treason\n"
	for row := range UndoRows(sources) {
		if row[3] != " http://a.example/  " {
			t.Errorf("%q", row)
		}
		table += strings.Join(row, "\t") + "\n"
	}
	o := Options{Show: func(string, ...any) {}}
	s := []Source{{Path: filepath.Join(out, "opac.mrc")}}
	if p, err := o.FromTable(t.Context(), []byte(table), s); err != nil || p.Unmet != 0 {
		t.Fatalf("%+v %v", p, err)
	}
	if got := mended(s[0], filepath.Join(dir, "back")); got != rec {
		t.Errorf("got  %q\nwant %q", got, rec)
	}
}
