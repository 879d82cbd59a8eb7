package records

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"linkcheck/extract"
	"linkcheck/internal/lab/labtest"
	"linkcheck/internal/testdoc"
)

// seen is a record that outlives the page.
type seen struct {
	ID, Stamp string
	Deleted   bool
	Body      string
	Facts     Facts
	Fault     string
}

func oai(r io.Reader) (*OAI, []seen, error) {
	var all []seen
	p, err := ReadOAI(r, func(r *Record) bool {
		all = append(all, seen{r.ID, r.Stamp, r.Deleted, string(r.Body), r.Facts, r.Fault})
		return true
	})
	return p, all, err
}

func sru(r io.Reader) (*SRU, []seen, error) {
	var all []seen
	p, err := ReadSRU(r, func(r *Record) bool {
		all = append(all, seen{r.ID, r.Stamp, r.Deleted, string(r.Body), r.Facts, r.Fault})
		return true
	})
	return p, all, err
}

// recorded is the body of a recorded answer.
func recorded(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(labtest.Transcripts(t), "harvest", name))
	if err != nil {
		t.Fatal(err)
	}
	var said []byte
	for line := range strings.Lines(string(text)) {
		if octets, ok := strings.CutPrefix(line, "S: "); ok && octets != "<closes>\n" {
			said = append(said, labtest.Unescape(strings.TrimSuffix(octets, "\n"))...)
		}
	}
	_, body, _ := strings.Cut(string(said), "\r\n\r\n")
	return body
}

// listRecords is a page of OAI-PMH with records of some metadata each.
func listRecords(around string, metadata ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" %s><responseDate>2026-11-22T02:09:20Z</responseDate><ListRecords>`, around)
	for i, m := range metadata {
		fmt.Fprintf(&b, `<record><header><identifier>oai:wells.example:%d</identifier><datestamp>2026-01-05</datestamp></header><metadata>%s</metadata></record>`, i+1, m)
	}
	return b.String() + `</ListRecords></OAI-PMH>`
}

func TestRecordedOAI(t *testing.T) {
	page, all, err := oai(strings.NewReader(recorded(t, "oai-records-page-2-catmandu.txt")))
	if err != nil || page.Date != "2026-11-22T02:09:20Z" || page.Verb != "ListRecords" || page.Records != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	if want := (Token{Value: "g6JfbgSiX22mbWFyYzIxpXN0YXJ0BA", Size: 5}); page.Token != want {
		t.Errorf("%+v, want %+v", page.Token, want)
	}
	if d := all[0]; !d.Deleted || d.ID != "oai:wells.example:wl0003" || d.Stamp != "2026-03-01T11:00:00Z" || d.Body != "" {
		t.Errorf("deleted: %+v", d)
	}
	if r := all[1]; r.Facts != (Facts{Control: "wl0004", Title: "The Internet Gopher protocol"}) || !strings.HasPrefix(r.Body, prolog+`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>`) {
		t.Errorf("%+v", r)
	}
	for name, want := range map[string]Fault{
		"oai-bad-token-catmandu.txt":      {"badResumptionToken", "resumptionToken is not in the correct format"},
		"oai-records-none-catmandu.txt":   {"noRecordsMatch", "no records found"},
		"oai-unknown-format-catmandu.txt": {"cannotDisseminateFormat", "metadataPrefix mods is not supported"},
		"oai-unknown-set-catmandu.txt":    {"badArgument", "set does not exist"},
		"oai-no-verb-catmandu.txt":        {"badVerb", "illegal OAI verb"},
	} {
		if page, _, err := oai(strings.NewReader(recorded(t, name))); err != nil || len(page.Errors) != 1 || page.Errors[0] != want {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
	page, _, err = oai(strings.NewReader(recorded(t, "oai-identify-catmandu.txt")))
	if want := (Identify{"2026-01-05T12:00:00Z", "YYYY-MM-DDThh:mm:ssZ"}); err != nil || page.Identify != want || page.Verb != "Identify" {
		t.Errorf("Identify: %+v, %v", page, err)
	}
	page, _, _ = oai(strings.NewReader(recorded(t, "oai-formats-catmandu.txt")))
	if want := []Format{{"oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"}, {"marc21", "http://www.loc.gov/MARC21/slim"}}; !reflect.DeepEqual(page.Formats, want) {
		t.Errorf("formats: %+v", page.Formats)
	}
	if page, _, _ = oai(strings.NewReader(recorded(t, "oai-sets-catmandu.txt"))); !reflect.DeepEqual(page.Sets, []string{"ebooks"}) {
		t.Errorf("sets: %q", page.Sets)
	}
	if _, all, _ = oai(strings.NewReader(recorded(t, "oai-identifiers-catmandu.txt"))); len(all) != 2 || all[1].ID != "oai:wells.example:wl0002" {
		t.Errorf("identifiers: %+v", all)
	}
}

func TestRecordedSRU(t *testing.T) {
	var first string
	for _, name := range []string{"sru-1.2-string-zebra.txt", "sru-2.0-zebra.txt", "sru-no-version-zebra.txt", "sru-unknown-schema-zebra.txt", "sru-page-1-zebra.txt"} {
		page, all, err := sru(strings.NewReader(recorded(t, name)))
		if err != nil || page.Count != 5 || len(all) == 0 || len(all) != page.Records {
			t.Fatalf("%s: %+v, %v", name, page, err)
		}
		body := all[0].Body
		if name == "sru-1.2-string-zebra.txt" || name == "sru-2.0-zebra.txt" {
			if first != "" && body != first {
				t.Errorf("%s: %s is not %s", name, body, first)
			}
			first = body
		}
		if all[0].Facts.Control != "wl0001" || !strings.HasPrefix(body, prolog+`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>`) {
			t.Errorf("%s: %+v", name, all[0])
		}
	}
	for name, want := range map[string]Fault{
		"sru-past-the-end-zebra.txt":  {"61", "First record position out of range"},
		"sru-no-query-zebra.txt":      {"7", "Mandatory parameter not supplied: query"},
		"sru-unknown-index-zebra.txt": {"15", "Unsupported context set"},
		"sru-by-date-zebra.txt":       {"16", "Unsupported index: 1012"},
	} {
		if page, _, err := sru(strings.NewReader(recorded(t, name))); err != nil || len(page.Diagnostics) != 1 || page.Diagnostics[0] != want {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
	if page, all, err := sru(strings.NewReader(recorded(t, "sru-query-syntax-zebra.txt"))); err != nil || page.Count != 0 || all != nil || page.Diagnostics != nil {
		t.Errorf("an unclosed quote: %+v, %v", page, err)
	}
	other := (*Other)(nil)
	if _, _, err := sru(strings.NewReader(recorded(t, "sru-no-such-database-zebra.txt"))); !errors.As(err, &other) || !strings.HasPrefix(other.Line, "<!DOCTYPE HTML PUBLIC") {
		t.Errorf("HTML: %v", err)
	}
}

// TestBodies: a record is a document of its own.
func TestBodies(t *testing.T) {
	for _, test := range []struct{ name, around, metadata, want string }{
		{"default namespace from around", ``, `<dc><title>T</title></dc>`, `<dc xmlns="http://www.openarchives.org/OAI/2.0/"><title>T</title></dc>`},
		{"prefix from around", `xmlns:dc="urn:dc" xmlns:no="urn:no"`, `<x xmlns="urn:x"><dc:title/></x>`, `<x xmlns:dc="urn:dc" xmlns="urn:x"><dc:title/></x>`},
		{"prefix of an attribute", `xmlns:xlink="urn:a&amp;b&quot;"`, `<m:mods xmlns:m="urn:m"><m:url xlink:href="http://h/" xml:lang="en"/></m:mods>`, `<m:mods xmlns:xlink="urn:a&amp;b&quot;" xmlns:m="urn:m"><m:url xlink:href="http://h/" xml:lang="en"/></m:mods>`},
		{"an element alone", `xmlns:m="urn:m"`, ` <m:mods/> `, `<m:mods xmlns:m="urn:m"/>`},
		{"undeclared prefix", ``, `<q:a xmlns="">x</q:a>`, `<q:a xmlns="">x</q:a>`},
		{"forbidden octets", `xmlns=""`, "<a xmlns=''>\x01b\xffc\ufffed&#1;&#x1F;&#65;</a>", "<a xmlns=''> b c   d          &#65;</a>"},
		{"bare ampersand and a comment", ``, `<!-- <b> --><a xmlns="u">x & y &nbsp; <![CDATA[<&]]></a><b/>`, `<a xmlns="u">x & y &nbsp; <![CDATA[<&]]></a>`},
	} {
		_, all, err := oai(strings.NewReader(listRecords(test.around, test.metadata)))
		if err != nil || len(all) != 1 || all[0].Body != prolog+test.want {
			t.Errorf("%s: %v, %+v, want %q", test.name, err, all, test.want)
		}
	}
}

// TestCharset: RFC 3023 leaves it to the declaration; OAI-PMH 2.0 section 3.2.1 wants UTF-8.
func TestCharset(t *testing.T) {
	page := strings.Replace(listRecords("", "<a xmlns='u'>caf\xe9</a>"), `encoding="UTF-8"`, `encoding='ISO-8859-1'`, 1)
	for _, begin := range []string{"", "\r\n", "\ufeff"} {
		if _, all, err := oai(strings.NewReader(begin + page)); err != nil || all[0].Body != prolog+"<a xmlns='u'>café</a>" {
			t.Errorf("%q: %+v, %v", begin, all, err)
		}
	}
	if _, all, err := oai(strings.NewReader("\ufeff" + listRecords("", "<a xmlns='u'>café</a>"))); err != nil || all[0].Body != prolog+"<a xmlns='u'>café</a>" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestFaults(t *testing.T) {
	whole := listRecords("", "<a xmlns='u'/>", "<b xmlns='u'/>")
	for _, test := range []struct {
		name, page, err string
		records         int
	}{
		{"cut in the middle", whole[:strings.Index(whole, "<b ")+2], "it ends in the middle", 1},
		{"cut in what has no end", strings.Replace(whole, "<b xmlns='u'/>", "<!-- ", 1)[:len(whole)-40], "it ends in the middle", 1},
		{"a frame that is not well formed", strings.Replace(whole, "</record><record>", "</record></x><record>", 1), "not well formed: end of \"x\" in \"ListRecords\"", 1},
		{"a header between records", strings.Replace(whole, "</record><record>", "</record><header></x><record>", 1), "not well formed: ", 1},
		{"a page of the web", "\n<!DOCTYPE html>\n<html><p>Hello", `it begins with "<!DOCTYPE html>"`, 0},
		{"other XML", "<?xml version='1.0'?>\n<rss/>", `it begins with "<?xml version='1.0'?>"`, 0},
		{"text", "Database error\nline 2", `it begins with "Database error"`, 0},
		{"nothing", "", `it begins with ""`, 0},
		{"a list of no records", strings.Replace(listRecords(""), "</OAI-PMH>", "", 1), "it ends in the middle", 0},
	} {
		_, all, err := oai(strings.NewReader(test.page))
		if err == nil || !strings.HasPrefix(err.Error(), test.err) || len(all) != test.records {
			t.Errorf("%s: %v, %d records", test.name, err, len(all))
		}
	}
	if _, all, err := oai(io.MultiReader(strings.NewReader(whole[:len(whole)-20]), iotest.ErrReader(io.ErrUnexpectedEOF))); !errors.Is(err, io.ErrUnexpectedEOF) || len(all) != 2 {
		t.Errorf("an error in the middle: %v, %d records", err, len(all))
	}
	if _, err := ReadOAI(strings.NewReader(whole), func(*Record) bool { return false }); err != ErrStopped {
		t.Errorf("stopped: %v", err)
	}
}

// TestPassedOver: a record that cannot be read costs itself alone, and the token is found.
func TestPassedOver(t *testing.T) {
	const token = "<resumptionToken>t</resumptionToken></ListRecords>"
	for _, test := range []struct{ name, bad, fault string }{
		{"another end", "<b></c>", `not well formed: end of "c" in "b"`},
		{"no end", "<b>", `not well formed: end of "metadata" in "b"`},
		{"too deep", strings.Repeat("<b>", 300), "not well formed: more than 200 elements open"},
		{"syntax", "<b <<>", "not well formed: expected attribute name in element"},
		{"a value without end", `<b a="x>`, "not well formed: unescaped < inside quoted string"},
		{"a comment without end", "<b/><!-- x", "not well formed: something in it has no end"},
		{"CDATA without end", "<b><![CDATA[ x</b>", "not well formed: something in it has no end"},
		{"a declaration without end", "<!DOCTYPE b [", "not well formed: something in it has no end"},
		{"an end too many", "<b/></metadata>", `not well formed: end of "metadata" in "record"`},
		{"the end of the page", "<b/></OAI-PMH>", `not well formed: end of "OAI-PMH" in "metadata"`},
		{"too long", "<b>" + strings.Repeat("long ", maxRecord/4) + "</b>", tooLong},
		{"too long, without end", "<b>" + strings.Repeat("long ", maxRecord/4), `not well formed: end of "metadata" in "b"`},
		{"a long tag", "<b " + strings.Repeat("a='b' ", maxTag/4) + ">", "not well formed: a tag of more than 1 MiB"},
	} {
		for where := range 3 {
			if testing.Short() && len(test.bad) > 1<<20 && where != 1 {
				continue // megabytes take long with the race detector
			}
			metadata := []string{"<a xmlns='u'/>", "<a xmlns='u'/>", "<a xmlns='u'/>"}
			metadata[where] = test.bad
			text := strings.Replace(listRecords("", metadata...), "</ListRecords>", token, 1)
			for _, prefix := range []string{"", "o:"} {
				if prefix != "" {
					text = regexp.MustCompile(`(</?)(OAI-PMH|ListRecords|record|header|identifier|datestamp|metadata|resumptionToken|responseDate)`).ReplaceAllString(text, "${1}o:$2")
				}
				page, all, err := oai(strings.NewReader(text))
				if err != nil || page.Token.Value != "t" || page.Records != 3 || len(all) != 3 {
					t.Fatalf("%s, %d %s: %v, %+v, %d records", test.name, where, prefix, err, page, len(all))
				}
				for i, r := range all {
					if want := fmt.Sprint("oai:wells.example:", i+1); r.ID != want || (r.Fault == "") != (i != where) || (r.Body == "") != (i == where) {
						t.Errorf("%s, %d %s: %d: %+v", test.name, where, prefix, i, r)
					}
				}
				if got := all[where].Fault; got != test.fault && prefix == "" {
					t.Errorf("%s: %q, want %q", test.name, got, test.fault)
				}
			}
		}
	}
	text := strings.NewReplacer("</header><metadata><b/></metadata></record>", "</header>", "<record><header>", "<header>", "ListRecords", "ListIdentifiers").Replace(listRecords("", "<b/>", "<b/>", "<b/>"))
	_, all, err := oai(strings.NewReader(strings.Replace(text, "<datestamp>", "<datestamp", 1)))
	if err != nil || len(all) != 3 || all[0].Fault == "" || all[2].ID != "oai:wells.example:3" || all[2].Fault != "" {
		t.Errorf("a header: %+v, %v", all, err)
	}
	zs := `<zs:searchRetrieveResponse xmlns:zs="z"><zs:numberOfRecords>3</zs:numberOfRecords><zs:records>`
	for _, data := range []string{`<record><leader/></record>`, `<record><leader></record>`, `<record><leader/></record>`} {
		zs += `<zs:record> <zs:recordSchema>m</zs:recordSchema><zs:recordData>` + data + `</zs:recordData></zs:record>`
	}
	found, list, err := sru(strings.NewReader(zs + `</zs:records></zs:searchRetrieveResponse>`))
	if err != nil || found.Records != 3 || len(list) != 3 || list[1].Fault != `not well formed: end of "record" in "leader"` || list[2].Body == "" {
		t.Errorf("SRU: %+v, %+v, %v", found, list, err)
	}
}

// endless repeats a text behind another, and counts what is read.
type endless struct {
	head, body string
	read       int
}

func (e *endless) Read(p []byte) (int, error) {
	from := e.head
	if e.head == "" {
		from = e.body
	}
	n := copy(p, from)
	e.head = e.head[min(n, len(e.head)):]
	e.read += n
	return n, nil
}

func TestBounds(t *testing.T) {
	head := listRecords("", "<a xmlns='u'/>")
	head = head[:strings.Index(head, "</ListRecords>")]
	long := head + "<record><header><identifier>2</identifier></header><metadata><a xmlns='u'>" + strings.Repeat("long ", maxRecord/4) +
		"</a></metadata></record><record><header><identifier>3</identifier></header><metadata><a xmlns='u'/></metadata></record></ListRecords></OAI-PMH>"
	var passed []string
	if _, err := ReadOAI(strings.NewReader(long), func(r *Record) bool {
		passed = append(passed, fmt.Sprintf("%s %q %v", r.ID, r.Fault, r.Body == nil))
		return true
	}); err != nil || !reflect.DeepEqual(passed, []string{"oai:wells.example:1 \"\" false", "2 \"longer than 16 MiB\" true", "3 \"\" false"}) {
		t.Errorf("a long record: %q, %v", passed, err)
	}
	for name, e := range map[string]*endless{
		"records": {head: head, body: "<record><header><identifier>2</identifier></header></record>\n"},
		"text":    {head: head, body: "text "},
	} {
		const limit = 4 << 20
		if err := newScanner(e, limit, &oaiPage{}, "OAI-PMH").run(); !errors.Is(err, errTooLong) || e.read > limit {
			t.Errorf("endless %s: %v after %d octets", name, err, e.read)
		}
	}
	tag := &endless{head: head + "<a ", body: "b "}
	if _, _, err := oai(tag); !errors.Is(err, errTag) || tag.read > maxTag+2*chunkSize {
		t.Errorf("an endless tag: %v after %d octets", err, tag.read)
	}
}

// TestExtract: what extract reads in a record is what it reads in a page, and its id and
// title are those that the page reader tells.
func TestExtract(t *testing.T) {
	marc := `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">wl0001</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Universal  identifiers :</subfield><subfield code="b">a survey /</subfield><subfield code="c">W. Wells</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.wells.example/udi</subfield></datafield></record>`
	mods := `<m:mods><m:titleInfo><m:title>Finding aids</m:title></m:titleInfo><m:location><m:url>http://www.wells.example/aids</m:url></m:location><m:recordInfo><m:recordIdentifier>wl0002</m:recordIdentifier></m:recordInfo></m:mods>`
	ead := `<ead xmlns="urn:isbn:1-931666-22-9"><eadheader><eadid>wl0003</eadid><filedesc><titlestmt><titleproper>Papers</titleproper></titlestmt></filedesc></eadheader><archdesc><dao xlink:href="http://www.wells.example/dao"/></archdesc></ead>`
	dc := `<oai_dc:dc><dc:title>Wide area &amp; more</dc:title><dc:identifier>wais://wais.wells.example/minutes</dc:identifier></oai_dc:dc>`
	around := `xmlns:m="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"`
	_, all, err := oai(strings.NewReader(listRecords(around, marc, mods, ead, dc)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ link, record, title string }{
		{"http://www.wells.example/udi", "wl0001", "Universal identifiers : a survey"},
		{"http://www.wells.example/aids", "wl0002", "Finding aids"},
		{"http://www.wells.example/dao", "wl0003", "Papers"},
		{"wais://wais.wells.example/minutes", "", "Wide area & more"},
	} {
		f := all[i].Facts
		if f.Control+f.Own != want.record || f.Title != want.title {
			t.Errorf("%s: %+v", want.link, f)
		}
		links := 0
		for found, err := range extract.Document("http://h/oai?verb=GetRecord", strings.NewReader(all[i].Body), extract.Options{}) {
			if err != nil || found.URI != want.link || found.Title != want.title || want.record != "" && found.Record != want.record {
				t.Errorf("%s: %+v, %v", want.link, found, err)
			}
			links++
		}
		if links != 1 {
			t.Errorf("%s: %d links in %s", want.link, links, all[i].Body)
		}
	}
}

// TestMARC: what a record of ISO 2709 says of itself, as extract reads it.
func TestMARC(t *testing.T) {
	whole := testdoc.MARC("001wl0001", "003DLC", "24510\x1faUniversal  identifiers :\x1fba survey /\x1fcW. Wells", "85640\x1fuhttp://www.wells.example/udi")
	want := Facts{Control: "wl0001", Agency: "DLC", Title: "Universal identifiers : a survey"}
	if got := MARC([]byte(whole)); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for found, err := range extract.Document("x", strings.NewReader(whole), extract.Options{}) {
		if err != nil || found.Record != want.Control || found.Title != want.Title {
			t.Errorf("%+v, %v", found, err)
		}
	}
	for i := range whole { // cut, and with each octet wrong
		MARC([]byte(whole[:i]))
		MARC([]byte(whole[:i] + "9" + whole[i+1:]))
	}
	if got := MARC([]byte(testdoc.MARC("001a", "24500\x1faCaf\xe9"))); got != (Facts{Control: "a"}) {
		t.Errorf("%+v", got)
	}
}
