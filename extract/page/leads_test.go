package page

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
)

// Where a reader would go on from a page: RFC 6596 for its own address, the rest by the
// elements of HTML; what a page shows, sends to or says in text is no lead.
func TestLeads(t *testing.T) {
	const text = `<html><head><base href="http://h/d/">
<link rel="stylesheet" href="s.css"><link rel="Next" href="2"><link rel="alternate" type="Application/Atom+XML; charset=utf-8" href="feed">
<link rel="alternate" hreflang="fr" href="fr"><link rel="alternate" media="print" href="print"><link rel="home" type="application/rss+xml" href="no"><LINK REL="canonical" HREF="/c">
<meta name="ROBOTS" content="noindex, NoFollow"><meta http-equiv=refresh content="5; url=r">
</head><body background="b.gif"><a href="a">a</a> <a rel="external nofollow" href="n">n</a> <a href="#top">top</a>
<map><area href="m"></map><img src="i.gif"><form action="f"></form><script src="j.js"></script>
<frameset><frame src="f1"></frameset><iframe src="f2"></iframe> http://h/text</body></html>`
	read := func(o doc.Options) (list []string) {
		b, stop := budget.New(t.Context(), budget.Limits{}, 0)
		defer stop()
		yield := func(f doc.Found, err error) bool {
			if err != nil {
				t.Error(err)
			}
			switch says := strings.TrimPrefix(f.URI, "http://h/"); {
			case f.Canonical:
				list = append(list, "canonical "+says)
			case f.NoFollow && f.URI == "":
				list = append(list, "nofollow")
			case f.NoFollow && f.Leads:
				list = append(list, "not "+says)
			case f.Leads:
				list = append(list, says)
			case f.NoFollow:
				t.Errorf("%s is no lead, and not to be followed", f.URI)
			}
			return true
		}
		d := doc.New("p.html", strings.NewReader(text), b, o, func(d *doc.Document, _ string) error { return ReadHTML(d) }, yield)
		d.Read()
		return list
	}
	links := []string{"d/2", "d/feed", "d/fr", "d/r", "d/a", "not d/n", "d/m", "d/f1", "d/f2"}
	if got := read(doc.Options{}); !slices.Equal(got, links) {
		t.Errorf("got %q, want %q", got, links)
	}
	want := slices.Concat(links[:3], []string{"canonical c", "nofollow"}, links[3:])
	if got := read(doc.Options{Leads: true}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
