package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// A catalogue of links that moved, died, lead through a proxy or have a slip, from the first
// night to the copy: what is proven is changed, and nothing else.
func TestNightsOfMends(t *testing.T) {
	l := newLibrary(t, nil)
	night := 0
	text := func(n int) string {
		words := ""
		for i := range 60 {
			words += fmt.Sprintf("the mill number%d grinds corn of kind %c%c and its miller sings; ", n, 'a'+i%26, 'a'+(i*7+n)%26)
		}
		return "<title>Mill " + fmt.Sprint(n) + "</title><p>" + words + "</p>"
	}
	moving := func(n int, to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if night >= 2 {
				lab.Redirect(http.StatusMovedPermanently, to)(w, r)
				return
			}
			lab.Text("text/html", text(n))(w, r)
		}
	}
	l.serveWeb(lab.Web{"www.mill-library.org": lab.Site{
		"/old":          moving(1, "/new"),
		"/other":        moving(2, "/unlike"),
		"/new":          lab.Text("text/html", text(1)),
		"/unlike":       lab.Text("text/html", "<title>Shop</title><p>"+strings.Repeat("we sell shoes and hats to all who want them, today and tomorrow. ", 30)+"</p>"),
		"/never":        lab.Redirect(http.StatusMovedPermanently, "/new"),
		"/slip":         lab.Text("text/html", text(4)),
		"/once":         lab.Text("text/html", text(5)),
		"/on%20ce.html": lab.Text("text/html", text(8)),
		"/on ce.html":   lab.Text("text/html", text(8)),
		"/amp": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "a=1&b=2" {
				lab.NotFound(w, r)
				return
			}
			lab.Text("text/html", text(7))(w, r)
		},
		"/fled": lab.Redirect(http.StatusMovedPermanently, "http://www.miller.org/fled"),
	}, "mill-library.org": lab.Site{"/once": lab.Text("text/html", text(5))}, "www.miller.org": lab.Site{"/fled": lab.Text("text/html", text(6))}})
	records := []string{
		testdoc.MARC("001b1", "24510|aMills", "500  |aSee http://www.mill-library.org/old#two.", "85640|uhttp://www.mill-library.org/old|zx"),
		testdoc.MARC("001b2", "85640|uhttps://ezproxy.lib.edu/login?url=http://www.mill-library.org/old"),
		testdoc.MARC("001b3", "85640|uhttp://www.mill-library.org/other"),
		testdoc.MARC("001b4", "85640|uhttp://www.mill-library.org/never"),
		testdoc.MARC("001b5", "85640|uhttp//www.mill-library.org/slip", "85640|uhttp://www.mill-library.org/slip"),
		testdoc.MARC("001b6", "85640|uhttp//www.mill-library.org/gone"),
		testdoc.MARC("001b7", "85640|uhppt://www.mill-library.org/once", "85640|uttp:/www.mill-library.org/fled"),
		testdoc.MARC("001b8", "85640|uhttp:// www.mill-library.org/once|zx"),
		testdoc.MARC("001b9", "85640|uhttp://www.mill-library.org/amp?a=1&amp;b=2", "85640|uhttp://www.mill-library.org/amp?a=1&amp;c=2"),
		testdoc.MARC("001b10", "85640|uwww.mill-library.org/once", "85640|uhttp://http://www.mill-library.org/once", `85640|uhttp:\\www.mill-library.org\once`, "85640|uhttp:/www.mill-library.org/once", "85640|uhtp://www.mill-library.org/once"),
		testdoc.MARC("001b11", "85640|umill-library.org/once", "85640|u http://www.mill-library.org/once ", "85640|uhttp://www.mill-library.org/on ce.html"),
	}
	l.write("opac.mrc", strings.Join(records, ""))
	for ; night < 5; night++ {
		l.runWell(float64(night), "--all")
	}
	out := filepath.Join(l.dir, "mended")
	s := call(t.Context(), "", "mend", "--store", l.store(), "--now", day(5), "--write", "--out", out)
	got, _ := os.ReadFile(filepath.Join(out, "docs", "opac.mrc"))
	want := testdoc.MARC("001b1", "24510|aMills", "500  |aSee http://www.mill-library.org/new#two.", "85640|uhttp://www.mill-library.org/new|zx") +
		testdoc.MARC("001b2", "85640|uhttps://ezproxy.lib.edu/login?url=http://www.mill-library.org/new") +
		testdoc.MARC("001b5", "85640|uhttp://www.mill-library.org/slip", "85640|uhttp://www.mill-library.org/slip") +
		testdoc.MARC("001b7", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/fled") +
		testdoc.MARC("001b8", "85640|uhttp://www.mill-library.org/once|zx") +
		testdoc.MARC("001b9", "85640|uhttp://www.mill-library.org/amp?a=1&b=2", "85640|uhttp://www.mill-library.org/amp?a=1&amp;c=2") +
		testdoc.MARC("001b10", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/once") +
		testdoc.MARC("001b11", "85640|uhttp://mill-library.org/once", "85640|uhttp://www.mill-library.org/once", "85640|uhttp://www.mill-library.org/on%20ce.html")
	if !strings.Contains(s.out, "opac.mrc b9 856[2]$u: http://www.mill-library.org/amp?a=1&amp;c=2 -> http://www.mill-library.org/amp?a=1&c=2: repairs: a slip of typing; the repaired address is") {
		t.Errorf("the dead repair is not shown:\n%s", s.out)
	}
	if s.code != exit.OK || string(got) != want {
		t.Errorf("exit %d\n%s%s\ngot  %q\nwant %q", s.code, s.out, s.err, got, want)
	}
}

// Links that were not asked yet follow the others below their prefix, if all of these moved
// alike; one that is dead keeps the rest where they are.
func TestMendOfPrefixes(t *testing.T) {
	for _, dead := range []bool{false, true} {
		l := newLibrary(t, nil)
		night := 0
		site := lab.Site{}
		records := ""
		for n := range 4 {
			page := fmt.Sprintf("<title>Mill %d</title><p>", n)
			for i := range 60 {
				page += fmt.Sprintf("the mill number%d grinds corn of kind %c%c and its miller sings; ", n, 'a'+i%26, 'a'+(i*7+n)%26)
			}
			site[fmt.Sprintf("/new/%d", n)] = lab.Text("text/html", page)
			site[fmt.Sprintf("/old/%d", n)] = func(w http.ResponseWriter, r *http.Request) {
				switch {
				case night < 2:
					lab.Text("text/html", page)(w, r)
				case dead && n == 3:
					lab.NotFound(w, r)
				default:
					lab.Redirect(http.StatusMovedPermanently, fmt.Sprintf("/new/%d", n))(w, r)
				}
			}
			records += testdoc.MARC(fmt.Sprintf("001b%d", n), fmt.Sprintf("8564 |uhttp://www.mill-library.org/old/%d", n))
		}
		l.serveWeb(lab.Web{"www.mill-library.org": site})
		l.write("opac.mrc", records)
		for ; night < 4; night++ {
			l.runWell(float64(night), "--all")
		}
		l.write("late.mrc", testdoc.MARC("001late", "8564 |uhttp://www.mill-library.org/old/5"))
		l.run(4, "--host", "nowhere.test") // nothing is asked
		s := call(t.Context(), "", "mend", "--store", l.store(), "--now", day(5), "--apply", "prefixes")
		if got := strings.Contains(s.out, "late 856[1]$u\n- http://www.mill-library.org/old/5\n+ http://www.mill-library.org/new/5\n"); s.code != exit.OK || got == dead {
			t.Errorf("dead %v: exit %d\n%s%s", dead, s.code, s.out, s.err)
		}
	}
}

// A list in a spreadsheet: its cells and their links are mended in a copy, and the table of the
// undo takes that back.
func TestMendOfWorkbook(t *testing.T) {
	l := newLibrary(t, nil)
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	relation := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + types + kind + `" Target="` + target + `"/>`
	}
	l.write("list.xlsx", testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", "<Relationships>"+relation("rId1", "officeDocument", "xl/workbook.xml")+"</Relationships>",
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="Links" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", "<Relationships>"+relation("rId1", "worksheet", "worksheets/sheet1.xml")+"</Relationships>",
		"xl/worksheets/sheet1.xml", `<worksheet xmlns:r="x"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>http://www.old.org/1</t></is></c><c r="B1" t="inlineStr"><is><t>see http://www.old.org/2.</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks></worksheet>`,
		"xl/worksheets/_rels/sheet1.xml.rels", "<Relationships>"+strings.Replace(relation("rId1", "hyperlink", "http://www.old.org/1"), "/>", ` TargetMode="External"/>`, 1)+"</Relationships>"))
	l.run(0, "--host", "nowhere.test") // nothing is asked
	out, table, back := filepath.Join(l.dir, "mended"), filepath.Join(l.dir, "undo.tsv"), filepath.Join(l.dir, "back")
	s := call(t.Context(), "", "mend", "--store", l.store(), "--now", day(1), "--prefix", "http://www.old.org/=https://new.org/", "--write", "--out", out)
	if s.code != exit.OK || !strings.Contains(s.out, "list.xlsx Links!B1\n- http://www.old.org/2\n+ https://new.org/2\n") || !strings.Contains(s.out, "2 places changed") {
		t.Fatalf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	s = call(t.Context(), "", "extract", filepath.Join(out, "docs", "list.xlsx"))
	if strings.Count(s.out, "https://new.org/") != 2 || strings.Contains(s.out, "old.org") {
		t.Errorf("%s%s", s.out, s.err)
	}
	s = call(t.Context(), "", "mend", "--undo", out)
	testdoc.Write(t, table, s.out)
	copied, err := os.ReadFile(filepath.Join(out, "docs", "list.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	l.write("list.xlsx", string(copied))
	l.run(2, "--host", "nowhere.test")
	text := strings.ReplaceAll(s.out, filepath.Join(out, "docs"), filepath.Join(l.dir, "docs"))
	testdoc.Write(t, table, text)
	s = call(t.Context(), "", "mend", "--store", l.store(), "--now", day(3), "--fixes", table, "--write", "--out", back)
	if s.code != exit.OK || !strings.Contains(s.out, "2 places changed") {
		t.Errorf("exit %d\n%s%s\n%s", s.code, s.out, s.err, text)
	}
}
