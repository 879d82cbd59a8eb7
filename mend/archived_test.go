package mend

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// TestArchived: what becomes of a dead address in each format, and that it is taken back to
// the octet.
func TestArchived(t *testing.T) {
	const copied, date = "https://archive.example/web/20010203040506/http://old.example/", "2001-02-03"
	marc := func(fields ...string) string {
		return testdoc.MARC(append([]string{"001b1", "24510|aTitle", "8564 |uhttp://a.example/"}, append(fields, "8564 |uhttp://z.example/", "901  |ax")...)...)
	}
	const old, mrk = "85640|3T|uhttp://old.example/|zx http://y.example/", "=LDR  00000nam\r\n=001  b1\r\n=856  40$3T$uhttp://old.example/$zx{dollar}\r\n"
	const open, end = "<?xml version='1.0'?>\n<m:record xmlns:m='x'><m:controlfield tag='001'>b1</m:controlfield>\n ", "\n <m:datafield tag='856' ind1='4' ind2='0'><m:subfield code='u'>http://z.example/</m:subfield></m:datafield></m:record>"
	const field = "<m:datafield tag='856' ind1='4' ind2='0'>\n  <m:subfield code='u'>http://old.example/</m:subfield>\n  <m:subfield code='3'>T</m:subfield>\n </m:datafield>"
	for _, c := range []struct {
		name, text string
		way        Way
		want       string
	}{
		{"a.mrc", marc(old), Add, marc(old, "85641|u"+copied+"|zArchived copy of "+date)},
		{"a.mrc", marc(old), Note, marc(old + "|zArchived copy of " + date + ": " + copied)},
		{"a.mrc", marc(old), Uncheck, marc(strings.Replace(old, "|u", "|z", 1))},
		{"a.mrc", marc(old), UncheckX, marc(strings.Replace(old, "|u", "|x", 1))},
		{"a.mrc", marc("9567 |uhttp://old.example/"), Add, marc("9567 |uhttp://old.example/", "9567 |u"+copied+"|zArchived copy of "+date)},
		{"a.mrk", mrk, Add, mrk + "=856  41$u" + copied + "$zArchived copy of " + date + "\r\n"},
		{"a.mrk", mrk, Note, strings.TrimSuffix(mrk, "\r\n") + "$zArchived copy of " + date + ": " + copied + "\r\n"},
		{"a.mrk", mrk, Uncheck, strings.Replace(mrk, "$u", "$z", 1)},
		{"a.xml", open + field + end, Add, open + field + "\n <m:datafield tag='856' ind1='4' ind2='1'>\n  <m:subfield code=\"u\">" + copied + "</m:subfield>\n  <m:subfield code=\"z\">Archived copy of " + date + "</m:subfield>\n </m:datafield>" + end},
		{"a.xml", open + field + end, Note, open + strings.Replace(field, "\n </m:data", "\n  <m:subfield code=\"z\">Archived copy of "+date+": "+copied+"</m:subfield>\n </m:data", 1) + end},
		{"a.xml", open + field + end, Uncheck, open + strings.Replace(field, "'u'", "'z'", 1) + end},
		{"a.xml", open + strings.Replace(field, "ind1='4' ind2='0'", "ind2='0' ind1='4'", 1) + end, Add, open + strings.Replace(field, "ind1='4' ind2='0'", "ind2='0' ind1='4'", 1) + "\n <m:datafield tag='856' ind2='1' ind1='4'>\n  <m:subfield code=\"u\">" + copied + "</m:subfield>\n  <m:subfield code=\"z\">Archived copy of " + date + "</m:subfield>\n </m:datafield>" + end},
		{"a.html", "<a class=x href='http://old.example/' id=y>x</a>", Add, "<a class=x href='" + copied + "' data-originalurl=\"http://old.example/\" data-versiondate=\"" + date + "\" id=y>x</a>"},
		{"a.html", "<A HREF=http://old.example/>x</A>", Add, "<A HREF=" + copied + " data-originalurl=\"http://old.example/\" data-versiondate=\"" + date + "\">x</A>"},
	} {
		all, _ := read(c.name, []byte(c.text), extract.Options{})
		var changes []Change
		for _, f := range all {
			if f.URI == "http://old.example/" {
				changes = append(changes, Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: copied, Way: c.way, Date: date})
			}
		}
		got, err := Rewrite(c.name, []byte(c.text), extract.Options{}, changes)
		if err != nil || len(got.Made) != 1 || string(got.Octets) != c.want {
			t.Errorf("%s %s: %v %+v\ngot  %q\nwant %q", c.name, c.way, err, got.Left, got.Octets, c.want)
			continue
		}
		m := got.Made[0]
		back, err := Rewrite(c.name, got.Octets, extract.Options{}, []Change{{Record: m.Now.Record, Locator: m.Now.Locator, Line: m.Now.Line, Column: m.Now.Column, Old: m.Now.Raw, New: m.Was.Raw, Restore: true, Way: c.way}})
		if err != nil || len(back.Made) != 1 || string(back.Octets) != c.text {
			t.Errorf("%s %s: restored: %v %+v\ngot  %q\nwant %q", c.name, c.way, err, back.Left, back.Octets, c.text)
		}
	}
}

// TestArchivedLeft: ways that a place does not have, and fields that are too long then.
func TestArchivedLeft(t *testing.T) {
	const copied = "https://archive.example/web/20010203040506/http://old.example/"
	long := testdoc.MARC("001b1", "8564 |uhttp://old.example/|z"+strings.Repeat("x", 9950))
	for _, c := range []struct {
		name, text string
		way        Way
		why        string
	}{
		{"a.mrc", testdoc.MARC("001b1", "505  |aSee http://old.example/ now"), Add, "856 and 956 alone"},
		{"a.mrc", testdoc.MARC("001b1", "530  |uhttp://old.example/"), Note, "856 and 956 alone"},
		{"a.mrc", long, Note, "more than ISO 2709"},
		{"a.xml", "<?xml version='1.0'?><mods><url>http://old.example/</url></mods>", Add, "856 and 956 alone"},
		{"a.csv", "id,url\n1,http://old.example/\n", Uncheck, "856 and 956 alone"},
		{"a.html", "<a href='http://old.example/'>x</a>", Note, "856 and 956 alone"},
		{"a.html", "<img src='http://old.example/'>", Add, "links of <a>"},
	} {
		ch := change(t, c.name, c.text, 0, copied)
		ch.Way = c.way
		got, err := Rewrite(c.name, []byte(c.text), extract.Options{}, []Change{ch})
		if err != nil || len(got.Left) != 1 || !strings.Contains(got.Left[0].Why.Error(), c.why) || string(got.Octets) != c.text {
			t.Errorf("%s %s: %v %+v", c.name, c.way, err, got)
		}
	}
}

// FuzzArchived: whatever the document, a way that was gone is taken back to the octet, but for
// numbers of a record that lied.
func FuzzArchived(f *testing.F) {
	f.Add("a.mrc", []byte(testdoc.MARC("001b1", "85640|3T|uhttp://old.example/1|zx|uhttp://old.example/2")), 1, 0)
	f.Add("a.mrk", []byte("=LDR  00000nam\r\n=001  b1\r\n=856  40$uhttp://old.example/$zx"), 0, 1)
	f.Add("a.xml", []byte("<?xml version='1.0'?><record><datafield tag='856' ind1='4' ind2='0'>\n<subfield code='u'><![CDATA[http://old.example/]]></subfield></datafield></record>"), 0, 2)
	f.Add("a.html", []byte("<p><a href = 'http://old.example/' >x</a>"), 0, 0)
	f.Fuzz(func(t *testing.T, name string, octets []byte, nth, way int) {
		all, _ := read(name, octets, extract.Options{})
		if nth < 0 || nth >= len(all) || way < 0 || way >= len(Ways) {
			return
		}
		p := all[nth]
		got, err := Rewrite(name, octets, extract.Options{}, []Change{{Record: p.Record, Locator: p.Locator, Line: p.Line, Column: p.Column, Old: p.Raw, New: "https://archive.example/x", Way: Ways[way]}})
		if err != nil || len(got.Made) != 1 {
			return
		}
		m := got.Made[0]
		back, err := Rewrite(name, got.Octets, extract.Options{}, []Change{{Record: m.Now.Record, Locator: m.Now.Locator, Line: m.Now.Line, Column: m.Now.Column, Old: m.Now.Raw, New: m.Was.Raw, Restore: true, Way: Ways[way]}})
		if err != nil || len(back.Made) == 1 && got.Format != "marc" && string(back.Octets) != string(octets) {
			t.Errorf("%s: %v\n%q\n%q\n%q", Ways[way], err, octets, got.Octets, back.Octets)
		}
	})
}
