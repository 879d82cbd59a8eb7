package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// readRoot is a run that reads one archive over the network.
func (l *library) readRoot(day float64, root string, more ...string) result {
	args := slices.Concat([]string{"run", "--quiet", "--store", l.store()}, l.netArgs(day), more, []string{root})
	return call(l.t.Context(), "", args...)
}

// roots gives the rows of `roots --json` by name.
func (l *library) roots(args ...string) map[string]rootRow {
	l.t.Helper()
	found := map[string]rootRow{}
	for line := range strings.Lines(l.ok("roots --json", args...)) {
		var row rootRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			l.t.Fatalf("%v in %s", err, line)
		}
		found[row.Name] = row
	}
	return found
}

// night is readRoot that ends with an exit code. It gives the row of the root, which has so
// many documents and links, and says the message.
func (l *library) night(day float64, root string, code, documents, links int, message string) rootRow {
	l.t.Helper()
	s := l.readRoot(day, root)
	_, host, _ := strings.Cut(root, "://")
	host, _, _ = strings.Cut(host, "/")
	row := l.roots()[host]
	if s.code != code || row.Documents != documents || row.Links != links || !strings.Contains(row.Message, message) {
		l.t.Errorf("day %v: exit %d, want %d; %+v\n%s%s", day, s.code, code, row, s.out, s.err)
	}
	return row
}

// A site over many nights: each page is asked for once a night, be it read or linked; what
// does not answer stays, what is not found in two sweeps goes, an outage retires nothing.
func TestNightsOfSite(t *testing.T) {
	l := newLibrary(t, nil)
	var down, lost, stands atomic.Bool
	page := func(links ...string) http.HandlerFunc {
		text := "<title>p</title>"
		for _, link := range links {
			text += "<a href='" + link + "'>x</a>"
		}
		return func(w http.ResponseWriter, r *http.Request) {
			if stands.Load() && r.Host == "guides.mill-library.org" {
				text := "<title>Please stand by</title><p>We are at work.</p>"
				lab.Text("text/html", text)(w, r)
				return
			}
			lab.Text("text/html", text)(w, r)
		}
	}
	web := l.serveWeb(lab.Web{
		"guides.mill-library.org": lab.Site{
			"/": page("a.html", "b.html", "http://www.mill-library.org/1"),
			"/a.html": func(w http.ResponseWriter, r *http.Request) {
				if down.Load() {
					w.WriteHeader(http.StatusBadGateway)
					return
				}
				page("b.html", "http://www.mill-library.org/2")(w, r)
			},
			"/b.html": func(w http.ResponseWriter, r *http.Request) {
				if lost.Load() {
					lab.NotFound(w, r)
					return
				}
				page("/", "http://www.mill-library.org/3")(w, r)
			},
		},
		"www.mill-library.org": lab.Site{"/1": page(), "/2": page(), "/3": page()},
	})
	const root = "http://guides.mill-library.org/"
	invented := regexp.MustCompile(`/[a-z]{25}$`) // asked once in 30 days (OUTCOMES section 1.3)
	night := func(day float64, code, documents, links int, state string) {
		t.Helper()
		web.requests()
		l.night(day, root, code, documents, links, state)
		asked := web.requests()
		for _, what := range asked {
			if count(asked, what) > 1 {
				t.Errorf("day %v: %s %d times", day, what, count(asked, what))
			}
			if day > 0 && invented.MatchString(what) {
				t.Errorf("day %v: %s", day, what)
			}
		}
		if len(asked) == 0 {
			t.Errorf("day %v: nothing was asked", day)
		}
	}
	night(0, exit.OK, 3, 6, "whole")
	night(1, exit.OK, 3, 6, "whole")
	down.Store(true) // one page alone: it stays
	night(2, exit.OK, 3, 6, "")
	down.Store(false)
	lost.Store(true)
	night(3, exit.OK, 3, 6, "whole") // once
	night(4, exit.OK, 2, 4, "whole") // and again: its own links go, that to it stays
	lost.Store(false)
	night(5, exit.OK, 3, 6, "whole") // it is back, and a page still leads there
	stands.Store(true)               // one page at every address: nothing of that is believed
	night(6, exit.OK, 3, 6, "3 not read")
	stands.Store(false)
	night(7, exit.OK, 3, 6, "whole")
	if got := l.links()["http://www.mill-library.org/3"]; got.State != "alive" {
		t.Errorf("%+v", got)
	}
}

// A catalogue in outage for a week loses nothing; the records that were deleted meanwhile
// go when it is back.
func TestNightsOfCatalogue(t *testing.T) {
	l := newLibrary(t, nil)
	var now atomic.Pointer[time.Time]
	oai := &lab.OAI{Formats: [][2]string{{"marcxml", "http://www.loc.gov/MARC21/slim"}}, Page: 50, Now: func() time.Time { return *now.Load() }}
	for i := range 200 {
		marc := fmt.Sprintf(`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">b%d</controlfield>`+
			`<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Title %d</subfield></datafield>`+
			`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.mill-library.org/%d</subfield></datafield></record>`, i, i, i)
		oai.Records = append(oai.Records, lab.CatalogueRecord{ID: fmt.Sprintf("oai:mill:%d", i), Date: firstNight.AddDate(0, 0, -30), Metadata: map[string]string{"marcxml": marc}})
	}
	web := lab.Site{}
	for i := range 200 {
		web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
	}
	l.serveWeb(lab.Web{"catalogue.mill-library.org": lab.Site{"/oai": oai.ServeHTTP}, "www.mill-library.org": web})
	night := func(day float64, code, documents int) rootRow {
		t.Helper()
		now.Store(new(firstNight.Add(time.Duration(day * float64(24*time.Hour)))))
		return l.night(day, "oai+http://catalogue.mill-library.org/oai", code, documents, documents, "")
	}
	night(0, exit.OK, 200)
	night(1, exit.OK, 200)
	oai.Change(func() {
		oai.Before = func(*http.Request) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
		}
	})
	for day := range 7 {
		if row := night(float64(2+day), exit.Partial, 200); row.FailingSince.IsZero() || !strings.Contains(row.Message, "outage") {
			t.Errorf("%+v", row)
		}
	}
	if said := l.ok("report --summary"); !strings.Contains(said, "\ncatalogue.mill-library.org: cannot be read since 3 ") || strings.Contains(said, "newly dead") {
		t.Error(said)
	}
	if figures := l.ok("report --metrics -"); !strings.Contains(figures, "\nlinkcheck_root_documents{root=\"catalogue.mill-library.org\"} 200\n") || !strings.Contains(figures, "\nlinkcheck_root_failing_since{") {
		t.Error(figures)
	}
	oai.Change(func() {
		oai.Before = nil
		for i := range 40 {
			oai.Records[i].Deleted, oai.Records[i].Date = true, firstNight.AddDate(0, 0, 5)
		}
	})
	if row := night(9, exit.OK, 160); row.Gone != 40 || !row.FailingSince.IsZero() {
		t.Errorf("%+v", row)
	}
	rows := 0
	for _, row := range l.table() {
		if rows++; !strings.HasPrefix(row["record_id"], "b") || !strings.HasPrefix(row["record_title"], "Title ") || !strings.Contains(row["source"], "verb=GetRecord") || row["collection"] != "catalogue.mill-library.org" || row["root"] != row["collection"] {
			t.Errorf("%v", row)
		}
	}
	if rows != 160 {
		t.Errorf("%d rows", rows)
	}
}

// What a query finds on a server of SRU: a record that a whole list does not name any more
// is gone, and none where the server cuts its lists off.
func TestNightsOfSearch(t *testing.T) {
	l := newLibrary(t, nil)
	sru := &lab.SRU{Schemas: []string{"marcxml"}}
	web := lab.Site{}
	for i := range 120 {
		marc := fmt.Sprintf(`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">b%d</controlfield>`+
			`<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Title %d</subfield></datafield>`+
			`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.mill-library.org/%d</subfield></datafield></record>`, i, i, i)
		sru.Records = append(sru.Records, lab.CatalogueRecord{Metadata: map[string]string{"marcxml": marc}})
		web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
	}
	l.serveWeb(lab.Web{"search.mill-library.org": lab.Site{"/db": sru.ServeHTTP}, "www.mill-library.org": web})
	night := func(day float64, code, documents int, message string) {
		t.Helper()
		l.night(day, "sru+http://search.mill-library.org/db?query=local.856%3D1", code, documents, documents, message)
	}
	night(0, exit.OK, 120, "whole")
	sru.Change(func() { sru.Limit = 50 })
	night(1, exit.Partial, 120, "50 of 120: make the query narrower")
	sru.Change(func() { sru.Limit, sru.Records = 0, sru.Records[15:] })
	night(2, exit.OK, 120, "whole") // they were heard of in this sweep
	night(3, exit.OK, 105, "whole")
	rows := 0
	for _, row := range l.table() {
		if rows++; !strings.HasPrefix(row["record_id"], "b") || !strings.HasPrefix(row["record_title"], "Title ") || !strings.HasPrefix(row["source"], "sru+http://search.mill-library.org/db?query=local.856%3D1#b") {
			t.Errorf("%v", row)
		}
	}
	if rows != 105 {
		t.Errorf("%d rows", rows)
	}
}

// A dry run says what would be asked, in order, and neither asks nor writes; extract reads
// one page from its server and follows nothing.
func TestDryRunAndExtract(t *testing.T) {
	l := newLibrary(t, nil)
	web := l.serveWeb(lab.Web{"guides.mill-library.org": lab.Site{
		"/":       lab.Text("text/html", "<a href=a.html>a</a> <a href='http://other.mill-library.org/x'>x</a>"),
		"/a.html": lab.Text("text/html", "<a href=/>home</a>"),
	}})
	const root = "http://guides.mill-library.org/"
	verb := func(verb string, args ...string) result {
		return call(t.Context(), "", slices.Concat([]string{verb}, l.netArgs(1), args)...)
	}
	if s := verb("run", "--store", l.store(), "--dry-run", root); s.code != exit.OK || s.out != "harvest\t"+root+"\n" {
		t.Errorf("%+v", s)
	}
	if asked := web.requests(); len(asked) > 0 || len(l.stores()) > 0 {
		t.Errorf("asked %q", asked)
	}
	if s := l.readRoot(0, root); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	web.requests()
	want := "harvest\t" + root + "\nharvest\t" + root + "a.html\nprobe\thttp://other.mill-library.org/x\n"
	if s := verb("run", "--store", l.store(), "--dry-run", root); s.code != exit.OK || s.out != want {
		t.Errorf("%+v", s)
	}
	if asked := web.requests(); len(asked) > 0 {
		t.Errorf("asked %q", asked)
	}
	if s := verb("extract", root); s.code != exit.OK || s.out != root+":1:9\t"+root+"a.html\n"+root+":1:31\thttp://other.mill-library.org/x\n" {
		t.Errorf("%+v", s)
	}
	if asked := web.requests(); !slices.Equal(asked, []string{"GET guides.mill-library.org/robots.txt", "GET guides.mill-library.org/"}) {
		t.Errorf("asked %q", asked)
	}
	if s := verb("extract", root+"none.html"); s.code != exit.Partial || !strings.Contains(s.err, "gone (http-404)") {
		t.Errorf("%+v", s)
	}
}

// stores lists the stores of the library.
func (l *library) stores() []string {
	files, err := filepath.Glob(filepath.Join(l.dir, "*.db"))
	if err != nil {
		l.t.Fatal(err)
	}
	return files
}

// A database of Z39.50 over some nights: MARC comes as it is, a record that is not found any
// more is gone, and a server that closes its database takes nothing with it.
func TestNightsOfZ3950(t *testing.T) {
	l := newLibrary(t, nil)
	set := &lab.Z3950Set{}
	web := lab.Site{}
	for i := range 150 {
		set.Records = append(set.Records, []byte(testdoc.MARC(fmt.Sprintf("001b%d", i), fmt.Sprintf("24500\x1faTitle %d", i), fmt.Sprintf("85640\x1fuhttp://www.mill-library.org/%d", i))))
		web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
	}
	l.serve(set.Serve, "z.mill-library.org:210")
	l.serveWeb(lab.Web{"www.mill-library.org": web})
	night := func(day float64, code, documents int, message string) {
		t.Helper()
		l.night(day, "z39.50s://z.mill-library.org/books", code, documents, documents, message)
	}
	night(0, exit.OK, 150, "whole")
	set.Change(func() { set.Refuses = 109 })
	night(1, exit.Partial, 150, "outage")
	set.Change(func() { set.Refuses, set.Records = 0, set.Records[15:] })
	night(2, exit.OK, 135, "whole")
	rows := 0
	for _, row := range l.table() {
		if rows++; !strings.HasPrefix(row["record_id"], "b") || !strings.HasPrefix(row["record_title"], "Title ") || !strings.HasPrefix(row["source"], "z39.50s://z.mill-library.org/books#b") {
			t.Errorf("%v", row)
		}
	}
	if rows != 135 {
		t.Errorf("%d rows", rows)
	}
}

// A paper that a site shows is read as its pages are: what its reader can click, and what
// stands in its text, with the page. What an update of the paper replaced is gone.
func TestPapersOfSite(t *testing.T) {
	l := newLibrary(t, nil)
	paper := func(link string) string {
		body, at := "%PDF-1.4\n", []int{}
		text := "BT /F1 12 Tf 72 700 Td (See http://www.mill-library.org/2) Tj ET"
		for i, object := range []string{
			"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
			"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>",
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
			"<< /Subtype /Link /Rect [72 500 200 512] /A << /S /URI /URI (" + link + ") >> >>",
		} {
			at = append(at, len(body))
			body += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, object)
		}
		end := len(body)
		body += "xref\n0 7\n0000000000 65535 f \n"
		for _, n := range at {
			body += fmt.Sprintf("%010d 00000 n \n", n)
		}
		return body + fmt.Sprintf("trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", end)
	}
	var later atomic.Bool
	page := func(name string) http.HandlerFunc { return lab.Page(name, "The page "+name+".") }
	l.serveWeb(lab.Web{
		"guides.mill-library.org": lab.Site{
			"/": lab.Text("text/html", "<title>Guides</title><a href='paper.pdf'>the paper</a>"),
			"/paper.pdf": func(w http.ResponseWriter, r *http.Request) {
				link := "http://www.mill-library.org/1"
				if later.Load() {
					link = "http://www.mill-library.org/3"
				}
				lab.Text("application/pdf", paper(link))(w, r)
			},
		},
		"www.mill-library.org": lab.Site{"/1": page("1"), "/2": page("2"), "/3": page("3")},
	})
	const root = "http://guides.mill-library.org/"
	l.night(0, root, exit.OK, 2, 3, "whole")
	got := l.ok("report", "--csv", "-")
	for _, want := range []string{"http://guides.mill-library.org/paper.pdf,page 1,,", "http://guides.mill-library.org/paper.pdf,page 1 line 1,"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report has no %q:\n%s", want, got)
		}
	}
	later.Store(true)
	l.night(1, root, exit.OK, 2, 3, "whole")
	if got := l.ok("report", "--csv", "-"); strings.Contains(got, "mill-library.org/1") || !strings.Contains(got, "mill-library.org/3") {
		t.Errorf("after the update:\n%s", got)
	}
}
