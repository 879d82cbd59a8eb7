package equal

import (
	"fmt"
	"net/url"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"linkcheck/uri"
	"linkcheck/uri/registry"
)

// legacyMix is what archives of old documents hold, in about their proportions.
var legacyMix = []string{
	"http://info.cern.ch/hypertext/WWW/TheProject.html",
	"http://www.ncsa.uiuc.edu/SDG/Software/Mosaic/Docs/old-whats-new/whats-new-0693.html",
	"https://www.example.org/a/b?x=1&y=2",
	"HTTP://WWW.W3.ORG:80/People/%7Etimbl/",
	"http://www.niso.org/standards/resources/Z39-56-1996.pdf#page=3",
	"http://example.com",
	"ftp://ds.internic.net/rfc/rfc1738.txt",
	"ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
	"ftp://myname@host.dom/%2Fetc/motd",
	"ftp://FTP.LOC.GOV/pub/z3950/;type=d",
	"ftp://quake.think.com/pub/wais/doc/protspec.txt",
	"gopher://gopher.micro.umn.edu:70/00/Information%20About%20Gopher/About%20Gopher",
	"gopher://gopher.micro.umn.edu/",
	"gopher://host.dom/7/search%09two%20words",
	"news:comp.infosystems.www.misc",
	"news:1234.ABC@host.dom",
	"nntp://news.host.dom/comp.lang.c/1234",
	"telnet://melvyl.ucop.edu",
	"wais://quake.think.com/wais-discussion-archives?lynch",
	"file://info.cern.ch/pub/www/doc/http.txt",
	"prospero://host.dom//pros/name",
	"z39.50r://cnidr.org:2100/tmf?bkirch_rules__a1;esn=f;rs=marc",
	"z39.50s://melvyl.ucop.edu/cat",
	"info:lccn/n78-890351",
	"info:doi/10.1000/ABC",
	"go://cnrp.foo.com?Mercedes%20Benz;geography=US-ga",
	"mailto:timbl@info.cern.ch",
	"http://www.ietf.org/internet-drafts/draft-fielding-uri-rfc2396bis-03.txt",
	"http://adsdoc.harvard.edu/abs_doc/help_pages/data.html",
	"http://library.caltech.edu/openurl/Public_Comments.htm",
}

// BenchmarkParseKeys is the way of one link into the store: parse, and the keys
// of levels syntax, scheme and registry.
func BenchmarkParseKeys(b *testing.B) {
	reg := registry.Default()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u, err := uri.Parse(legacyMix[i%len(legacyMix)])
		if err != nil {
			b.Fatal(err)
		}
		if key, _ := reg.Canon(uri.SchemeKey(u)); key == "" {
			b.Fatal("no key")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URIs/s")
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := uri.Parse(legacyMix[i%len(legacyMix)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URIs/s")
}

// BenchmarkAllKeys makes the keys of all levels, as linkcheck dupes does.
func BenchmarkAllKeys(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u, err := uri.Parse(legacyMix[i%len(legacyMix)])
		if err != nil {
			b.Fatal(err)
		}
		KeysOf(u)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URIs/s")
}

// BenchmarkGroup groups ten thousand strings, every tenth written twice.
func BenchmarkGroup(b *testing.B) {
	var list []string
	for i := range 10_000 {
		list = append(list, fmt.Sprintf("ftp://host.dom/%09d", i))
		if i%10 == 0 {
			list = append(list, fmt.Sprintf("FTP://host.dom/%09d", i))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(Rules{}.Group(list)); n != 1000 {
			b.Fatal(n, "groups")
		}
	}
}

// BenchmarkNetURL and BenchmarkWhatwg give no keys; what they refuse is counted as read.
func BenchmarkNetURL(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, _ = url.Parse(legacyMix[i%len(legacyMix)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URIs/s")
}

func BenchmarkWhatwg(b *testing.B) {
	p := whatwg.NewParser()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, _ = p.Parse(legacyMix[i%len(legacyMix)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URIs/s")
}
