package mend

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// sheets makes a workbook of two sheets.
func sheets(t *testing.T, one, two, strs, target string) string {
	t.Helper()
	const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	rels := func(s ...string) string {
		text := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
		for i := 0; i < len(s); i += 4 {
			text += `<Relationship Id="` + s[i] + `" Type="` + types + s[i+1] + `" Target="` + s[i+2] + `"` + s[i+3] + `/>`
		}
		return text + "</Relationships>"
	}
	return testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", rels("rId1", "officeDocument", "xl/workbook.xml", ""),
		"xl/workbook.xml", `<workbook `+ns+`><sheets><sheet name="A!" sheetId="1" r:id="rId1"/><sheet name="B" sheetId="2" r:id="rId2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", rels("rId1", "worksheet", "worksheets/sheet1.xml", "", "rId2", "worksheet", "worksheets/sheet2.xml", "", "rId3", "sharedStrings", "sharedStrings.xml", ""),
		"xl/worksheets/sheet1.xml", `<worksheet `+ns+`>`+one+`</worksheet>`, "xl/worksheets/sheet2.xml", `<worksheet `+ns+`>`+two+`</worksheet>`,
		"xl/worksheets/_rels/sheet1.xml.rels", rels("rId9", "hyperlink", target, ` TargetMode="External"`),
		"xl/sharedStrings.xml", "<sst "+ns+">"+strs+"</sst>", "xl/media/image1.png", "\x89PNG\x00")
}

// members gives the members of an archive by name.
func members(t *testing.T, octets []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(octets), int64(len(octets)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}

// TestWorkbook changes one place of a workbook: the member in which it stands differs in that
// value alone, and the others do not.
func TestWorkbook(t *testing.T) {
	const old, to, amp = "http://old.example/?a&b", "https://new.example/?c&d", "https://new.example/?c&amp;d"
	const spelled = "http://old.example/?a&amp;b"
	cells := func(s string) string { return `<sheetData><row r="2">` + s + `</row></sheetData>` }
	shared, inline, formula := `<c r="A2" t="s"><v>1</v></c>`, `<c r="B2" t="inlineStr"><is><t>see `+spelled+` now</t></is></c>`, `<c r="C2" t="str"><f>HYPERLINK("`+spelled+`","x")</f><v>x</v></c>`
	strs := `<si><t>x</t></si><si><r><t>see </t></r><r><rPr><b/></rPr><t>` + spelled + `</t></r></si>`
	link := `<hyperlinks><hyperlink ref="D2" r:id="rId9"/></hyperlinks>`
	for _, c := range []struct {
		name, one, two, strs string
		member, from, now    string // "": it is left
	}{
		{"a shared string of one cell", cells(shared), "", strs, "xl/sharedStrings.xml", spelled, amp},
		{"in the cell", cells(inline), "", strs, "xl/worksheets/sheet1.xml", spelled, amp},
		{"a formula", cells(formula), "", strs, "xl/worksheets/sheet1.xml", spelled, amp},
		{"a link", cells(`<c r="D2" t="s"><v>0</v></c>`) + link, "", strs, "xl/worksheets/_rels/sheet1.xml.rels", "http://target.example/", amp},
		{"a shared string of two cells", cells(shared), cells(shared), strs, "xl/worksheets/sheet1.xml", shared,
			`<c r="A2" t="inlineStr"><is><r><t>see </t></r><r><rPr><b/></rPr><t>` + amp + `</t></r></is></c>`},
		{"in two runs", cells(shared), "", `<si/><si><r><t>http://old.exa</t></r><r><t>mple/x</t></r></si>`, "", "", ""},
		{"twice in a cell", cells(`<c r="A2" t="inlineStr"><is><t>` + spelled + " " + spelled + `</t></is></c>`), "", strs, "", "", ""},
	} {
		text := sheets(t, c.one, c.two, c.strs, "http://target.example/")
		got, err := Rewrite("a.xlsx", []byte(text), extract.Options{}, []Change{change(t, "a.xlsx", text, 0, to)})
		if err != nil || (len(got.Made) == 1) != (c.member != "") || len(got.Made)+len(got.Left) != 1 {
			t.Errorf("%s: %v %+v", c.name, err, got)
			continue
		}
		before, after := members(t, []byte(text)), members(t, got.Octets)
		for name, was := range before {
			want := was
			if name == c.member {
				want = strings.Replace(was, c.from, c.now, 1)
			}
			if after[name] != want {
				t.Errorf("%s: %s:\ngot  %q\nwant %q", c.name, name, after[name], want)
			}
		}
		if c.member == "" || strings.Contains(c.name, "two cells") {
			continue
		}
		m := got.Made[0]
		back, err := Rewrite("a.xlsx", got.Octets, extract.Options{}, []Change{{Locator: m.Now.Locator, Old: m.Now.Raw, New: m.Was.Raw, Restore: true, Spelled: m.Spelled}})
		if err != nil || len(back.Made) != 1 || members(t, back.Octets)[c.member] != before[c.member] {
			t.Errorf("%s: restored: %v %+v", c.name, err, back)
		}
	}
	// What a cell shows of its link follows it.
	text := sheets(t, cells(`<c r="D2" t="s"><v>0</v></c>`)+link, "", "<si><t>http://target.example/</t></si>", "http://target.example/")
	got, err := Rewrite("a.xlsx", []byte(text), extract.Options{}, []Change{change(t, "a.xlsx", text, 0, to)})
	if err != nil || len(got.Made) != 1 || !strings.Contains(members(t, got.Octets)["xl/sharedStrings.xml"], "<si><t>"+amp+"</t></si>") {
		t.Errorf("%v %+v", err, got)
	}
	if _, err := Rewrite("a.docx", []byte(testdoc.Zip(t, "word/document.xml", "<a/>")), extract.Options{}, nil); err == nil || !strings.Contains(err.Error(), "witness") {
		t.Error(err)
	}
}
