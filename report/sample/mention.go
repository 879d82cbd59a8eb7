package sample

import (
	"fmt"
	"strings"

	"linkcheck/store"
)

func mentionCount(i int) int {
	switch n := seed(i, 2).IntN(100); {
	case n < 78:
		return 1
	case n < 94:
		return 2
	}
	return 3 + i%5
}

// mentions gives where a link stands: in a catalogue, a mail archive or RFCs.
func mentions(l *store.Link, n int) []store.Mention {
	list := make([]store.Mention, l.Mentions)
	for k := range list {
		list[k] = mention(l, k, n)
	}
	return list
}

func mention(l *store.Link, k, n int) store.Mention {
	r := seed(int(l.ID)*7+k, 4)
	rec := (int(l.ID)/3 + k*37) % max(1, n/3+1)
	m := store.Mention{Link: l.ID, Raw: l.URL, URL: l.URL, FirstSeen: l.FirstSeen, LastSeen: day0}
	switch rec % 10 {
	case 0, 1:
		y, mo := 1992+rec%6, 1+rec%12
		m.Collection, m.Source, m.How = "Mail archive", fmt.Sprintf("www-talk.%d-%02d.mbox", y, mo), "bracket"
		m.Record, m.Line = fmt.Sprintf("<%d%02d.AA%05d@nxoc01.example>", y, mo, rec), 40+r.IntN(4000)
		m.Locator = "part 1"
		m.Title = title(rec)
	case 2:
		m.Collection, m.Source, m.How = "RFCs", fmt.Sprintf("rfc%d.txt", 1000+rec%2000), "bare"
		m.Line, m.Column = 20+r.IntN(3000), 4+r.IntN(40)
	default:
		m.Collection, m.Source, m.How = "Catalogue", "catalogue.mrc", "marc"
		m.Record, m.Locator, m.Title = fmt.Sprintf("b%07d", 1000000+rec), fmt.Sprintf("856[%d]$u", 1+k), title(rec)
	}
	m.Context = "See also " + l.URL + " (" + m.Title + ")"
	if k > 0 && r.IntN(25) == 0 {
		m.URL = strings.Replace(m.URL, ".example/", ".EXAMPLE/", 1)
		m.Raw = m.URL
	}
	return m
}

func title(rec int) string {
	r := seed(rec, 5)
	switch rec % 61 {
	case 3:
		return "فهرس المخطوطات العربية في مكتبة " + pick(r, towns)
	case 7:
		return "中国古籍善本书目 · " + pick(r, towns)
	case 11:
		return "Ärzte & Bäder: ein Führer <1893>"
	}
	kind := pick(r, kinds)
	return strings.ToUpper(kind[:1]) + kind[1:] + " of " + pick(r, subjects) + " and " + pick(r, subjects) + " at " + pick(r, towns)
}
