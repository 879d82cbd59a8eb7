package mend

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// cut takes the octets away that two strings share at their ends.
func cut(a, b string) (string, string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// change makes the change of the nth place of a document to an address.
func change(t *testing.T, name, text string, nth int, to string) Change {
	t.Helper()
	all, _ := read(name, []byte(text), extract.Options{})
	if nth >= len(all) {
		t.Fatalf("%s has %d places", name, len(all))
	}
	f := all[nth]
	return Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: to}
}

// TestText changes one place of a document: what differs is that value alone.
func TestText(t *testing.T) {
	const to = "https://new.example/p?a=1&b=2"
	const amp = "https://new.example/p?a=1&amp;b=2"
	latin1 := "<?xml version='1.0' encoding='iso-8859-1'?>\n<dc><title>Caf\xe9</title><relation>\xe9 http://old.example/ \xe9</relation></dc>"
	for _, c := range []struct {
		name, text string
		nth        int
		old, want  string // what stands there before and after
	}{
		{"a.mrk", "=LDR  00000nam\n=001  b1\n=505  0\\$aCosts 5{dollar}, http://a.example/ and http://old.example/x.\n", 1, "http://old.example/x", to},
		{"a.mrk", "=LDR  00000nam\n=001  b1\n=856  40$3T$uhttp://old.example/{dollar}x$zsee\n", 0, "http://old.example/{dollar}x", to},
		{"a.xml", `<?xml version="1.0"?><record><controlfield tag="001">b1</controlfield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://old.example/?a&amp;b</subfield></datafield></record>`, 0, "http://old.example/?a&amp;b", amp},
		{"a.xml", `<?xml version="1.0"?><record><controlfield tag="001">b1</controlfield><datafield tag="520"><subfield code="a">A &amp; B &lt; C: http://old.example/x, and</subfield></datafield></record>`, 0, "http://old.example/x", amp},
		{"a.xml", `<?xml version="1.0"?><mods xmlns:xlink="x"><relatedItem xlink:href='http://old.example/x'/><url><![CDATA[http://b.example/]]></url></mods>`, 0, "http://old.example/x", amp},
		{"a.xml", `<?xml version="1.0"?><mods xmlns:xlink="x"><relatedItem xlink:href='http://old.example/x'/><url><![CDATA[http://old.example/?a&b]]></url></mods>`, 1, "http://old.example/?a&b", to},
		{"a.xml", "<?xml version='1.0'?><oai_dc:dc xmlns:oai_dc='x'><dc:identifier>http://old.example/</dc:identifier>\n<dc:relation>http://b.example/</dc:relation></oai_dc:dc>", 0, "http://old.example/", amp},
		{"a.xml", `<?xml version="1.0"?><record><datafield tag="520"><subfield code="a"><![CDATA[ A &amp; B: http://old.example/?a&b, and]]></subfield></datafield></record>`, 0, "http://old.example/?a&b", to},
		{"a.xml", latin1, 0, "http://old.example/", amp},
		{"a.html", "<title>t</title>\n<!-- http://old.example/ --><p>\xe9 <a title='http://old.example/' href=http://old.example/>http://old.example/</a>", 0, "http://old.example/", amp},
		{"a.html", `<a href="http://old.example/?a&amp;b">x</a><img srcset="http://a.example/1 1x, http://b.example/2 2x">`, 0, "http://old.example/?a&amp;b", amp},
		{"a.html", `<a href="x">x</a><img srcset="http://a.example/?1&amp;2 1x, http://b.example/2 2x">`, 2, "http://b.example/2", amp},
		{"a.html", "<style>body { background: url(http://old.example/x.gif) }</style>", 0, "http://old.example/x.gif", to},
		{"a.html", "<a href=' http://old.exa\n  mple/x '>x</a>", 0, "http://old.exa\n  mple/x", amp},
		{"a.csv", "id,url\n1,\"a \"\"b\"\" http://old.example/ c\"\n2,http://b.example/\n", 0, "http://old.example/", to},
		{"a.tsv", "id\turl\n1\thttp://old.example/\n2\thttp://b.example/\n", 0, "http://old.example/", to},
		{"kbart.txt", "publication_title\ttitle_url\ttitle_id\r\nA 12\" disc\thttp://old.example/\tT1\r\n\"B\"\thttp://b.example/\tT2\r\n", 0, "http://old.example/", to},
		{"kbart.txt", "\ufeffpublication_title\ttitle_url\ttitle_id\r\nA\t\"http://old.example/\"\tT1\r\n", 0, "http://old.example/", to},
	} {
		ch := change(t, c.name, c.text, c.nth, to)
		got, err := Rewrite(c.name, []byte(c.text), extract.Options{}, []Change{ch})
		if err != nil || len(got.Made) != 1 {
			t.Errorf("%s %q: %v %v", c.name, c.text, err, got)
			continue
		}
		at := strings.LastIndex(c.text, c.old)
		if c.name == "a.html" && strings.Contains(c.text, "title=") {
			at = strings.Index(c.text, "href=") + 5
		}
		if want := c.text[:at] + c.want + c.text[at+len(c.old):]; string(got.Octets) != want {
			t.Errorf("%s: got  %q\nwant %q", c.name, got.Octets, want)
		}
		// What was written is found as the old value, and restored to the octet.
		now := got.Made[0].Now
		back, err := Rewrite(c.name, got.Octets, extract.Options{}, []Change{{Record: now.Record, Locator: now.Locator, Line: now.Line, Column: now.Column, Old: now.Raw, New: ch.Old, Restore: true, Spelled: got.Made[0].Spelled}})
		if err != nil || len(back.Made) != 1 || string(back.Octets) != c.text {
			t.Errorf("%s: restored %q, want %q: %v", c.name, back.Octets, c.text, err)
		}
	}
}

// inMARC8 has letters with marks before its addresses.
const inMARC8 = "a\xe2etude, \xe8o, http://old.example/ \xe2e http://old.example/x"

// TestMARC changes records of ISO 2709: all other fields, their order and the octets between
// records stay.
func TestMARC(t *testing.T) {
	one := testdoc.MARC("001b1", "24510|aTitle", "505  |"+inMARC8, "85640|3T|uhttp://old.example/1|zx|uhttp://old.example/2")
	two := testdoc.MARC("001b2", "8564 |uhttp://old.example/1")
	file := one + "\r\n" + two
	for _, c := range []struct {
		text  string
		nth   int
		to    string
		field string // as it is then
	}{
		{file, 0, "https://n.example/", "505  |" + strings.Replace(inMARC8, "http://old.example/ ", "https://n.example/ ", 1)},
		{file, 1, "https://n.example/", "505  |" + strings.Replace(inMARC8, "http://old.example/x", "https://n.example/", 1)},
		{file, 2, "https://n.example/much/longer/than/it/was", "85640|3T|uhttps://n.example/much/longer/than/it/was|zx|uhttp://old.example/2"},
		{file, 3, "https://n.example/", "85640|3T|uhttp://old.example/1|zx|uhttps://n.example/"},
		{"00009" + file[5:], 3, "https://n.example/", "85640|3T|uhttp://old.example/1|zx|uhttps://n.example/"}, // the length lies
		{file[:9] + " " + file[10:], 1, "https://n.example/", "505  |" + strings.Replace(inMARC8, "http://old.example/x", "https://n.example/", 1)},
	} {
		got, err := Rewrite("a.mrc", []byte(c.text), extract.Options{}, []Change{change(t, "a.mrc", c.text, c.nth, c.to)})
		if err != nil || len(got.Made) != 1 {
			t.Errorf("%d: %v %+v", c.nth, err, got)
			continue
		}
		fields := []string{"001b1", "24510|aTitle", "505  |" + inMARC8, "85640|3T|uhttp://old.example/1|zx|uhttp://old.example/2"}
		if strings.HasPrefix(c.field, "505") {
			fields[2] = c.field
		} else {
			fields[3] = c.field
		}
		want := testdoc.MARC(fields...)
		want = want[:9] + c.text[9:10] + want[10:]
		if string(got.Octets) != want+"\r\n"+two {
			t.Errorf("%d: got  %q\nwant %q", c.nth, got.Octets, want+"\r\n"+two)
		}
		if got := got.Changed("a.mrc", extract.Options{}).Octets; string(got) != want {
			t.Errorf("%d: changed %q", c.nth, got)
		}
	}
}

// TestLies: what is not so in the numbers of a record is right in its copy.
func TestLies(t *testing.T) {
	fields := []string{"001b1", "24510|aTitle", "8564 |uhttp://old.example/|zx", "901  |ax"}
	rec := testdoc.MARC(fields...)
	fields[2] = "8564 |uhttps://n.example/1|zx"
	want := testdoc.MARC(fields...)
	// The directory in another order than the fields: no entry of a tag tells which one is meant but its length.
	turned := rec[:24] + rec[36:48] + rec[24:36] + rec[48:]
	for name, c := range map[string]struct{ text, want string }{
		"length":           {"99999" + rec[5:], want},
		"base address":     {rec[:12] + "00024" + rec[17:], want},
		"starts":           {rec[:31] + "00007" + rec[36:], want},
		"a length":         {rec[:27] + "0009" + rec[31:], want},
		"no digits":        {rec[:27] + "    " + rec[31:], want},
		"order and base":   {turned[:12] + "00001" + turned[17:], want[:24] + want[36:48] + want[24:36] + want[48:]},
		"most lengths":     {rec[:27] + "0009" + rec[31:39] + "0001" + rec[43:], ""},
		"order and length": {turned[:27] + "0001" + turned[31:], ""},
		"an entry more":    {rec[:60] + "90200020000" + rec[60:], ""},
	} {
		all, _ := read("a.mrc", []byte(c.text), extract.Options{})
		if len(all) != 1 {
			t.Fatalf("%s: %+v", name, all)
		}
		got, err := Rewrite("a.mrc", []byte(c.text), extract.Options{}, []Change{{Record: all[0].Record, Locator: all[0].Locator, Old: all[0].Raw, New: "https://n.example/1"}})
		if err != nil || c.want != "" && string(got.Octets) != c.want || c.want == "" && (len(got.Left) != 1 || string(got.Octets) != c.text) {
			t.Errorf("%s: %v\n%q\nwant %q", name, err, got.Octets, cmp.Or(c.want, c.text))
		}
	}
}

// TestTrim: blanks at the ends of a value go; where there are none, nothing is made or left.
func TestTrim(t *testing.T) {
	const url = "http://old.example/"
	for _, c := range []struct{ name, before, blanks, after string }{
		{"a.mrc", "", "  %s ", "|zx"}, {"a.mrc", "", "%s \t", ""}, {"a.mrc", "", "%s", ""}, {"a.mrc", "", "http://b.example/ and %s ", ""},
		{"a.mrk", "=LDR  00000nam\r\n=001  b1\r\n=856  40$u", " %s ", "\r\n"}, {"a.mrk", "\ufeff=LDR  00000nam\n=001  b1\n=856  40$u", "%s ", "$zx"}, {"a.mrk", "=LDR  00000nam\n=856  40$u", "%s ", ""},
		{"a.xml", "<?xml version='1.0'?><record><datafield tag='856'><subfield code='u'>", " %s  ", "</subfield></datafield></record>"},
		{"a.xml", "<?xml version='1.0'?><record><datafield tag='856'><subfield code='u'><![CDATA[", " %s  ", "]]></subfield></datafield></record>"},
		{"a.xml", "<?xml version='1.0'?><record><datafield tag='856'><subfield code='u'>\n", "  %s\n", "</subfield></datafield></record>"},
	} {
		value := strings.Replace(c.blanks, "%s", url, 1)
		trims := strings.TrimSpace(value) == url && !strings.Contains(value, "\n")
		make := func(value string) string {
			if c.name == "a.mrc" {
				return testdoc.MARC("001b1", "8564 |u"+value+c.after)
			}
			return c.before + value + c.after
		}
		text, want := make(value), make(value)
		if trims {
			want = make(url)
		}
		all, _ := read(c.name, []byte(text), extract.Options{})
		f := all[len(all)-1]
		got, err := Rewrite(c.name, []byte(text), extract.Options{}, []Change{{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: url, New: url, Trim: true}})
		if err != nil || string(got.Octets) != want || len(got.Left) > 0 || (len(got.Made) == 1) != (trims && value != url) {
			t.Errorf("%s %q: %v %+v\n%q", c.name, value, err, got, got.Octets)
		}
	}
}

// TestUTF16 changes tables and pages that spreadsheets and editors save as "Unicode".
func TestUTF16(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv":  "\ufeffid\turl\r\nÄ\thttp://old.example/\r\n",
		"a.html": "\ufeff<html><p>Ä<a href='http://old.example/'>x</a>",
	} {
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			coded := func(s string) string {
				out, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().String(s)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			got, err := Rewrite(name, []byte(coded(text)), extract.Options{}, []Change{change(t, name, coded(text), 0, "https://n.example/")})
			if err != nil || string(got.Octets) != coded(strings.Replace(text, "http://old", "https://n", 1)) {
				t.Errorf("%s: %v %+v", name, err, got)
			}
		}
	}
}

// TestLeft are changes that are not made, each with its reason.
func TestLeft(t *testing.T) {
	rec := testdoc.MARC("001b1", "8564 |uhttp://old.example/|zx", "8564 |uhttp://b.example/")
	long := testdoc.MARC("001b1", "8564 |uhttp://old.example/|z"+strings.Repeat("x", 9900))
	fields := []string{"001b1", "8564 |uhttp://old.example/"}
	for range 10 {
		fields = append(fields, "520  |a"+strings.Repeat("x", 9960))
	}
	large := testdoc.MARC(fields...)
	page := "<p>http://old.example/ <!-- http://c.example/ -->"
	for _, c := range []struct {
		name, text string
		change     Change
		why        string
	}{
		{"a.mrc", rec, Change{Record: "b1", Locator: "856[1]$u", Old: "http://gone.example/", New: "https://n.example/"}, "does not stand there"},
		{"a.mrc", rec, Change{Record: "b2", Locator: "856[1]$u", Old: "http://old.example/", New: "https://n.example/"}, "does not stand there"},
		{"a.mrc", rec, Change{Record: "b1", Locator: "856[1]$u", Old: "http://old.example/", New: "n.example"}, "no address"},
		{"a.mrc", rec, Change{Record: "b1", Locator: "856[1]$u", Old: "http://old.example/", New: "https://n.example/\x1e"}, "no address"},
		{"a.mrc", long, Change{Record: "b1", Locator: "856[1]$u", Old: "http://old.example/", New: "https://n.example/" + strings.Repeat("y", 200)}, "more than ISO 2709"},
		{"a.mrc", large, Change{Record: "b1", Locator: "856[1]$u", Old: "http://old.example/", New: "https://n.example/" + strings.Repeat("y", 200)}, "the record would have 100"},
		{"a.mrc", strings.Replace(rec, "zx", "z\x1e", 1), Change{Record: "b1", Locator: "856[1]$u", Old: "http://old.example/", New: "https://n.example/"}, "does not fit"},
		{"a.html", page, Change{Line: 1, Column: 4, Old: "http://old.example/", New: "https://n.example/"}, "not rewritten"},
		{"a.csv", "a,b\n1,http://old.example/\n", Change{Locator: "row 2 column 2", Line: 2, Column: 3, Old: "http://old.example/", New: "https://n.example/a,b"}, "another way"},
	} {
		got, err := Rewrite(c.name, []byte(c.text), extract.Options{}, []Change{c.change})
		if err != nil || len(got.Left) != 1 || len(got.Made) != 0 || !strings.Contains(got.Left[0].Why.Error(), c.why) || string(got.Octets) != c.text {
			t.Errorf("%s %+v: %v %+v", c.name, c.change, err, got)
		}
	}
	for _, witness := range []string{"From a@b Thu Jan  1 00:00:00 1996\nFrom: a@b\nSubject: x\n\nhttp://old.example/\n", "plain http://old.example/ text\n", testdoc.Gzip(rec),
		"%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[<</Annots[<</A<</S/URI/URI(http://old.example/)>>>>]>>]>>endobj trailer<</Root 1 0 R>>\n%%EOF"} {
		if _, err := Rewrite("a", []byte(witness), extract.Options{}, nil); err == nil || !strings.Contains(err.Error(), "witness") {
			t.Errorf("%.20q: %v", witness, err)
		}
	}
}

// TestChanged: the records alone that change, and what stands around all of them; where the
// records are not sure, the whole.
func TestChanged(t *testing.T) {
	const head, tail = "<?xml version='1.0'?>\n<!-- <record> -->\n<m:collection xmlns:m='http://www.loc.gov/MARC21/slim'>\n", "</m:collection>\n"
	record := func(id, url string) string {
		return "<m:record><m:leader>00000nam</m:leader><m:controlfield tag='001'>" + id + "</m:controlfield>\n<m:datafield tag='856' ind1='4' ind2='0'><m:subfield code='u'>" + url + "</m:subfield></m:datafield></m:record>\n"
	}
	const r1, r2, r3 = "=LDR  00000nam\n=001  b1\n=856  40$uhttp://old.example/\n\n", "=LDR  00000nam\n=001  b2\n=856  40$uhttp://x.example/\n\n", "=LDR  00000nam\n=001  b3\n=505  0\\$aA {dollar} http://x.example/, http://old.example/ and\n"
	bare := strings.Replace(head, "<!-- <record> -->\n", "", 1)
	for _, c := range []struct{ name, text, want string }{
		{"a.mrk", r1 + r2 + r3, r1 + r3},
		{"a.mrk", r2 + r1, r1},
		{"a.xml", bare + record("b1", "http://x.example/") + record("b2", "http://old.example/") + record("b3", "http://x.example/") + tail, bare + record("b2", "http://old.example/") + "\n" + tail},
		{"a.xml", head + record("b1", "http://x.example/") + record("b2", "http://old.example/") + tail, ""}, // a record in a comment
		{"a.xml", "<?xml version='1.0'?><dc><relation>http://x.example/</relation><relation>http://old.example/</relation></dc>", ""},
		{"a.csv", "id,url\n1,http://x.example/\n2,http://old.example/\n", ""},
	} {
		founds, _ := read(c.name, []byte(c.text), extract.Options{})
		var changes []Change
		for _, f := range founds {
			if f.URI == "http://old.example/" {
				changes = append(changes, Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: "https://new.example/a"})
			}
		}
		got, err := Rewrite(c.name, []byte(c.text), extract.Options{}, changes)
		if err != nil || len(got.Made) != len(changes) || len(changes) == 0 {
			t.Fatalf("%s: %v %+v", c.name, err, got)
		}
		want := cmp.Or(c.want, c.text)
		part := got.Changed(c.name, extract.Options{})
		if now := strings.ReplaceAll(string(part.Octets), "https://new.example/a", "http://old.example/"); now != want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, now, want)
		}
		now, _ := read(c.name, part.Octets, extract.Options{})
		for _, m := range part.Made {
			if !slices.ContainsFunc(now, func(f extract.Found) bool {
				return f.Line == m.Now.Line && f.Column == m.Now.Column && f.Raw == m.Now.Raw
			}) {
				t.Errorf("%s: %+v is not in %+v", c.name, m.Now, now)
			}
		}
	}
}

// FuzzMARC: whatever the record, a change leaves all octets of its other fields, and is
// found again.
func FuzzMARC(f *testing.F) {
	f.Add([]byte(testdoc.MARC("001b1", "24510|aTitle", "505  |"+inMARC8, "85640|3T|uhttp://old.example/1|zx|uhttp://old.example/2")), 3, "https://n.example/")
	f.Add([]byte("\r\n"+testdoc.MARC("856  |uhttp//old.example/")+testdoc.MARC("856  |uhttp://old.example/")), 1, "http://n.example/%20")
	f.Fuzz(func(t *testing.T, octets []byte, nth int, to string) {
		all, _ := read("a.mrc", octets, extract.Options{Input: "marc"})
		if nth < 0 || nth >= len(all) {
			return
		}
		p := all[nth]
		c := Change{Record: p.Record, Locator: p.Locator, Old: p.Raw, New: to}
		got, err := Rewrite("a.mrc", octets, extract.Options{Input: "marc"}, []Change{c})
		if err != nil || len(got.Made) == 0 {
			if err == nil && !bytes.Equal(got.Octets, octets) {
				t.Fatalf("nothing was made, and it differs: %q", got.Octets)
			}
			return
		}
		before, after := valuesOf(octets), valuesOf(got.Octets)
		if len(before) != len(after) {
			t.Fatalf("%d values, %d before", len(after), len(before))
		}
		differ := 0
		for i := range before {
			if before[i] != after[i] {
				differ++
				if a, b := cut(before[i], after[i]); len(a) > len(p.Raw) || len(b) > len(to) {
					t.Fatalf("%q became %q", before[i], after[i])
				}
			}
		}
		if differ > 1 {
			t.Fatalf("%d values differ: %q, %q", differ, octets, got.Octets)
		}
		now, _ := read("a.mrc", got.Octets, extract.Options{Input: "marc"})
		if len(now) != len(all) {
			t.Fatalf("%d places, %d before", len(now), len(all))
		}
	})
}

// valuesOf gives all that stands between the delimiters of a file, but for the numbers of
// its leaders and directories.
func valuesOf(octets []byte) (list []string) {
	for rec := range bytes.SplitSeq(octets, []byte{recordEnd}) {
		lead := leadOf(rec)
		list = append(list, string(rec[:lead]))
		rec = rec[lead:]
		if r, err := parseRecord(append(bytes.Clone(rec), recordEnd)); err == nil {
			list = append(list, string(rec[5:12])+string(rec[17:leaderSize]))
			for _, f := range r.fields {
				list = append(list, f.tag)
			}
			rec = rec[r.base:]
		}
		for s := range strings.FieldsFuncSeq(string(rec), func(c rune) bool { return c == fieldEnd || c == delimiter }) {
			list = append(list, s)
		}
	}
	return list
}

// FuzzText: in every other format, what differs is one stretch, where the old value stood.
func FuzzText(f *testing.F) {
	f.Add("a.xml", "<?xml version='1.0'?><dc><relation>A &amp; http://old.example/</relation></dc>", 0, "https://n.example/?a&b")
	f.Add("a.html", "<a href='http://old.example/?a&amp;b'>x</a> http://b.example/", 0, "https://n.example/?a&b")
	f.Add("a.mrk", "=LDR  00000nam\n=001  b1\n=856  40$uhttp://old.example/{dollar}\n", 0, "https://n.example/$")
	f.Add("a.csv", "a,b\n1,\"http://old.example/\"\n", 0, "https://n.example/")
	f.Fuzz(func(t *testing.T, name, text string, nth int, to string) {
		all, _ := read(name, []byte(text), extract.Options{})
		if nth < 0 || nth >= len(all) || all[nth].Member != "" {
			return
		}
		p := all[nth]
		got, err := Rewrite(name, []byte(text), extract.Options{}, []Change{{Record: p.Record, Locator: p.Locator, Line: p.Line, Column: p.Column, Old: p.Raw, New: to}})
		if err != nil || got.Format == "marc" {
			return
		}
		if len(got.Made) == 0 {
			if string(got.Octets) != text {
				t.Fatalf("nothing was made, and it differs: %q", got.Octets)
			}
			return
		}
		_, added := cut(text, string(got.Octets))
		if len(added) > 6*(len(to)+len(p.Raw)) {
			t.Fatalf("%q was written for %q", added, to)
		}
		now, _ := read(name, got.Octets, extract.Options{})
		if len(now) != len(all) || now[nth].URI != to {
			t.Fatalf("%+v was found, not %q", now, to)
		}
	})
}
