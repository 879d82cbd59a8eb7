package uri

import (
	"fmt"
	"hash/fnv"
	"testing"
)

// editionSum is the sum of the keys of editionCases by the rules of Edition.
const editionSum = 0x476696638403c70d

// editionCases has a case for every rule of the ladder.
var editionCases = []string{
	"info:ark/ark:/12025/654xz321",
	"info:ark/12025/654-xz",
	"info:ark/12025/654xz321./",
	"go:BMW",
	"http://h.dom/a/index.html",
	"info:doi/11.1000/abc",
	"info:hdl/10.1000/abc",
	"https://doi.org/10.1000/182",
	"doi:10.1000/182",
	"file:///a/../b",
	"http://h.dom//a",
	"http://h.dom/a#",
	"http://h.dom/a?",
	"info:fedora/Example:1",
	"file:///C|/x",
	"file:///C:/x",
	"file:///C%3A/x.txt",
	"file://localhost/a",
	"file:/a",
	"ftp://anonymous@host.dom/f",
	"ftp://host.dom/f;type=I",
	"ftp://host.dom/f;type=a",
	"ftp://ftp@host.dom/f",
	"go://",
	"go://h.dom/",
	"gopher://h.dom",
	"gopher://h.dom/0x?y",
	"gopher://h.dom/0f%09%09+",
	"gopher://h.dom/7s?q",
	"gopher://h.dom/1/",
	"gopher://h.dom/b",
	"news:Comp.Lang.C",
	"info:hdl/4263537/Abc",
	"https://hdl.handle.net/4263537/4000",
	"FTP://HOST.COM/",
	"http://h.dom./",
	"https://h.dom/a",
	"ftp://b%C3%BCcher.com/",
	"INFO:LCCN/2002022641",
	"http://0x7f.1/",
	"ftp://010.0.0.1/",
	"http://[2001:DB8:0:0::1]/",
	"urn:ISBN:0395363411",
	"info:lccn/85-2%20",
	"info:lccn/85-2",
	"https://lccn.loc.gov/2002022641",
	"info:lccn/75-425165//r75",
	"file://127.0.0.1/a",
	"mailto:a@B.com",
	"news:a@B.C",
	"news:Postmaster@c.d",
	"news:<a@b.c>",
	"news:%2A",
	"news://a.dom/x@y.z",
	"nntp://news.host.dom/g.h/0012",
	"info:oclcnum/ocm53393962",
	"go:x;b=2;a=1",
	"http://h.dom/A",
	"http://g",
	"info:x/%ff",
	"http://h.dom/a b",
	"info:doi/10.1000/aBc%3Ax",
	"go:%42MW",
	"http://h.dom/a?x=+",
	"telnet://h.dom:23",
	"ftp://host.com:/",
	"ftp://host.com:0021/",
	"info:pronom/FMT/18",
	"prospero://h.dom/%2Fpros/name",
	"http://h.dom/a?b=2&a=1",
	"info:oclcnum/000814782",
	"info:oclcnum/ocn53393962",
	"info:pii/s0888-7543(02)96852-7",
	"info:pii/S0888-7543(02)96852-7",
	"info:pmid/012376099",
	"info:rfa/OCLC/a/b",
	"info:rlgid/nycx1604275b",
	"info:rlgid/CTYG87-B14807",
	"info:rlgid/(CStRLIN)NYCX1604275-B",
	"ftp://host.dom/a;b",
	"GO:BMW",
	"http://h.dom/a;jsessionid=0123456789ABCDEF0123456789ABCDEF",
	"info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-v",
	"info:sid/OCLC.org",
	"telnet://@host.dom/",
	"TELNET://host.dom",
	"http://a/b/",
	"file://host.dom/",
	"go:Du%CC%88rst",
	"ftp://a@b@host.com/",
	"ftp://u:p:q@host.com/",
	"wais://quake.think.com/WAIS-discussion-archives",
	"wais://host.dom/db/TEXT/doc/1",
	"wais://h.dom/db/",
	"wais://h.dom/db/TEXT/99/id",
	"http://www.h.dom/a",
	"z39.50r://h.dom/DB?x",
	"z39.50r://h.dom/b+a?x",
	"z39.50r://host.dom/db?doc;ESN=f",
	"z39.50r://h.dom/db?x;rs=marc;ESN=f",
	"z39.50r://host.dom/db?a/b",
	"z39.50r://h.dom/db?a%2Bb",
	"hdl:4263537/Abc",
	"http://purl.org/rfa/OCLC/a",
	"http://arxiv.org/abs/hep-th/9901001",
	"http://www.worldcat.org/oclc/000814782",
	"https://pubmed.ncbi.nlm.nih.gov/12376099",
	"https://n2t.net/ark:/12025/654xz321",
}

// TestEdition: keys that are made otherwise than before belong to another edition,
// so that stores make theirs anew.
func TestEdition(t *testing.T) {
	sum, met := fnv.New64a(), map[string]bool{}
	for _, s := range editionCases {
		u, err := Parse(s)
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		k, rungs := Rules{}.climb(u)
		fmt.Fprintf(sum, "%q\n", k)
		for _, r := range rungs {
			for _, code := range r.codes {
				met[code] = true
			}
		}
	}
	for _, r := range DefaultRegistry().rules {
		if !met[r.code] {
			t.Errorf("no case for rule %s", r.code)
		}
	}
	if got := sum.Sum64(); got != editionSum {
		t.Errorf("the keys sum up to %#x: if a key has changed raise Edition, then set editionSum", got)
	}
}
