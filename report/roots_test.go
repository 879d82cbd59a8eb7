package report_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/text"
	"linkcheck/report/words"
	"linkcheck/store"
)

// onPage is a mention on a page of a web site.
func onPage(url, page string) store.Mention {
	return store.Mention{Remote: 1, Collection: "Guides", Source: page, Line: 3, Column: 9, Raw: url, URL: url, Title: "Where to look"}
}

// roots are archives in every state, and links in two of them.
func roots() (*fixture, report.Options) {
	f, o := smallArchive(), options()
	gone := check.Result{Outcome: check.Gone, Reason: "http-404", Evidence: check.Strong}
	f.add("http://guided.example/a", judge.Dead, gone, judge.NoChange, onPage("http://guided.example/a", "https://guides.example/a/index.html"))
	f.add("http://guided.example/b", judge.Dead, gone, judge.NoChange, onPage("http://guided.example/b", "ftp://guides.example/b.txt"), inRecord("http://guided.example/b", "b1"))
	inside := onPage("http://guided.example/c", "https://guides.example/all.zip")
	inside.Member = "c.html"
	f.add("http://guided.example/c", judge.Invalid, check.Result{Outcome: check.Invalid}, judge.NoChange, inside)
	item := onPage("http://guided.example/d", "gopher://guides.example/0/d")
	item.Record = "r1"
	f.add("http://guided.example/d", judge.Alive, check.Result{Outcome: check.OK}, judge.NoChange, item)
	f.sources = []store.Source{{Path: "/srv/rfc/rfc1.txt", Collection: "RFCs", LastSeen: ago(1)}, {Path: "/srv/rfc/rfc2.txt", Collection: "RFCs", LastSeen: ago(2)},
		{Path: "/srv/rfc/old.txt", Collection: "RFCs", LastSeen: ago(1), Gone: ago(1)},
		{Remote: 1, Path: "https://guides.example/a/index.html", Root: "https://guides.example/", Collection: "Guides", LastSeen: ago(99)}}
	o.Roots = []store.Root{
		{Number: 1, URI: "https://guides.example/", Name: "Guides", Kind: "web", Owner: "ann@library.example", RecordURL: "https://guides.example/r/{id}", Whole: ago(3),
			Documents: 4100, New: 2, Changed: 1, Gone: 7, Message: "whole"},
		{Number: 2, URI: "oai+https://catalogue.example/oai", Name: "Catalogue", Kind: "oai", Owner: "bob@library.example", Whole: ago(9), Doubted: true,
			Documents: 900, Message: "doubted: 812 of 900 are missing at once"},
		{Number: 3, URI: "https://lists.example/", Name: "Lists", Kind: "web", Owner: "bob@library.example", Failing: ago(3), Message: "in outage since 3 nights"},
		{Number: 4, URI: "sitemap+https://theses.example/sitemap.xml", Name: "Theses", Kind: "sitemap", Sweep: 7, Documents: 41, Message: "under way, 41 of about 98"},
		{Number: 5, URI: "sru+https://maps.example/sru", Name: "Maps", Kind: "sru"},
		{URI: "/srv/rfc", Name: "RFCs", Kind: "path", Owner: "ann@library.example"},
	}
	return f, o
}

// TestRoots names the root of every mention and who mends it, and leads to its records by
// the template of its root.
func TestRoots(t *testing.T) {
	src, o := roots()
	want := map[string][3]string{"Guides": {"Guides", "ann@library.example"}, "Catalogue": {"Catalogue", "bob@library.example", "https://ils.example/bib/"},
		"RFCs": {"RFCs", "ann@library.example"}}
	seen := map[string]bool{}
	for _, row := range rowsOf(t, src, o) {
		w := want[row["collection"]]
		seen[row["collection"]] = true
		record := w[2]
		if row["record_id"] == "r1" {
			record = "https://guides.example/r/"
		}
		if row["root"] != w[0] || row["owner"] != w[1] || !strings.HasPrefix(row["record_url"], record) || record == "" && row["record_url"] != "" {
			t.Errorf("%s of %s: root %q, owner %q, record at %q", row["url"], row["collection"], row["root"], row["owner"], row["record_url"])
		}
	}
	if len(seen) != 3 {
		t.Errorf("rows of %v", seen)
	}
}

// TestOwners writes one list for each who mends.
func TestOwners(t *testing.T) {
	src, all := roots()
	for _, tt := range []struct {
		name                           string
		owners, rootNames, collections []string
		heading, of                    string
		rows                           int
	}{
		{"all", nil, nil, nil, "", "Catalogue Guides RFCs", 23},
		{"one owner", []string{"ann@library.example"}, nil, nil, "ann@library.example", "Guides RFCs", 6},
		{"two owners", []string{"bob@library.example", "ann@library.example"}, nil, nil, "bob@library.example, ann@library.example", "Catalogue Guides RFCs", 23},
		{"a root", nil, []string{"Guides"}, nil, "Guides", "Guides", 4},
		{"a root of an owner", []string{"ann@library.example"}, []string{"RFCs"}, nil, "ann@library.example", "RFCs", 2},
		{"a root of another", []string{"ann@library.example"}, []string{"Catalogue"}, nil, "ann@library.example", "", 0},
		{"a collection of an owner", []string{"ann@library.example"}, nil, []string{"Guides", "Catalogue"}, "ann@library.example", "Guides", 4},
		{"nobody", []string{"nobody"}, nil, nil, "nobody", "", 0},
		{"no root", nil, []string{"Nowhere"}, nil, "Nowhere", "", 0},
	} {
		o := all
		o.Title, o.Owners, o.RootNames, o.Collections = "", tt.owners, tt.rootNames, tt.collections
		var names []string
		rows := rowsOf(t, src, o)
		for _, row := range rows {
			if !slices.Contains(names, row["root"]) {
				names = append(names, row["root"])
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != tt.of || len(rows) != tt.rows {
			t.Errorf("%s: %d rows of %q, want %d of %q", tt.name, len(rows), got, tt.rows, tt.of)
		}
		r := build(t, src, o)
		if tt.heading != "" && r.Heading() != tt.heading {
			t.Errorf("%s: %q stands above", tt.name, r.Heading())
		}
		for _, row := range r.RootRows {
			if tt.name != "all" && tt.name != "two owners" && !slices.Contains(names, row.Name) {
				t.Errorf("%s: %s is listed", tt.name, row.Name)
			}
		}
	}
}

// TestSources holds what is said of archives to its goldens, in each language.
func TestSources(t *testing.T) {
	src, o := roots()
	for _, lang := range words.Languages() {
		o.Lang, o.Width = lang, 100
		r := build(t, src, o)
		golden(t, "roots."+lang+".txt", slices.Concat(output(t, of(r, text.WriteSummary)), []byte("\n"), output(t, of(r, text.Write))))
		golden(t, "roots."+lang+".html", []byte(sourcesSection(t, r)))
	}
	golden(t, "roots.metrics.txt", output(t, of(build(t, src, o), text.WriteMetrics)))
}

// sourcesSection is the part of the page that lists the archives, with its links to the
// lists.
func sourcesSection(t *testing.T, r *report.Report) string {
	t.Helper()
	page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) }))
	before, rest, ok := strings.Cut(page, `<section aria-labelledby="sources">`)
	section, _, _ := strings.Cut(rest, "</section>")
	if !ok || !strings.Contains(before, `id="coverage"`) {
		t.Fatal("no list of archives behind the coverage")
	}
	return section
}

// TestNoSources: what reads no archive but paths that nobody named has no list of them.
func TestNoSources(t *testing.T) {
	r := build(t, smallArchive(), options())
	page := output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) })
	if bytes.Contains(page, []byte(`id="sources"`)) || bytes.Contains(output(t, of(r, text.Write)), []byte("\nSources\n")) || bytes.Contains(output(t, of(r, text.WriteMetrics)), []byte("linkcheck_root_")) {
		t.Error("archives that are none")
	}
}

// TestManyRoots: a summary names a few of the archives that want a look, and counts the
// others.
func TestManyRoots(t *testing.T) {
	o := options()
	for _, name := range strings.Fields("a b c d e f g h") {
		o.Roots = append(o.Roots, store.Root{Number: 1, URI: "https://" + name + ".example/", Name: name, Kind: "web", Failing: ago(1), Message: "refused"})
	}
	summary := string(output(t, of(build(t, smallArchive(), o), text.WriteSummary)))
	if strings.Count(summary, ": refused\n") != 5 || !strings.Contains(summary, "\nand 3 more: linkcheck roots\n") {
		t.Error(summary)
	}
}

// TestRootsChangeNoLink: what an archive loses or wins, or that it is in outage, is no
// change of a link (OUTCOMES section 2.1).
func TestRootsChangeNoLink(t *testing.T) {
	src, with := roots()
	without := with
	without.Roots = nil
	a, b := build(t, src, with), build(t, src, without)
	if !slices.Equal(a.Changes, b.Changes) || a.ChangedLine() != b.ChangedLine() || a.Changed != b.Changed || a.NeedYou != b.NeedYou || a.ByGroup != b.ByGroup || a.ByState != b.ByState {
		t.Errorf("%v of %v with roots, %v of %v without", a.Changes, a.ByState, b.Changes, b.ByState)
	}
}

// TestRemoteIsNoFolder: an archive that was not read for long is told of as such, and is no
// folder that was renamed.
func TestRemoteIsNoFolder(t *testing.T) {
	src, o := roots()
	r := build(t, src, o)
	if lines := strings.Join(r.SourceLines(), "\n"); r.Unread != 0 || strings.Contains(lines, "forget") {
		t.Errorf("%d unread: %s", r.Unread, lines)
	}
}

// TestDocumentsOpen: the document of a place is a link where browsers know its protocol,
// in the page, in its data and in the live pages.
func TestDocumentsOpen(t *testing.T) {
	src, o := roots()
	page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, build(t, src, o)) }))
	h := server(t, src, o)
	_, _, first := ask(t, h, "GET", "/link/17", "localhost")
	_, _, member := ask(t, h, "GET", "/link/19", "localhost")
	_, _, item := ask(t, h, "GET", "/link/20", "localhost")
	_, _, front := ask(t, h, "GET", "/", "localhost")
	for _, tt := range []struct {
		in, has string
		want    bool
	}{
		{page, `<a href="https://guides.example/a/index.html" rel="noreferrer noopener"><bdi class="rec">a/index.html</bdi></a>`, true},
		{page, `<a href="ftp://guides.example/b.txt" rel="noreferrer noopener">`, true},
		{page, `href="https://guides.example/all.zip`, false},
		{page, `"members":[5],`, true},
		{page, `"templates":["https://ils.example/bib/{id}","https://ils.example/bib/{id}","https://guides.example/r/{id}"]`, true},
		{first, `<a href="https://guides.example/a/index.html" rel="noreferrer noopener"><bdi class="rec">https://guides.example/a/index.html</bdi></a>`, true},
		{member, `href="https://guides.example/all.zip`, false},
		{member, `https://guides.example/all.zip!c.html`, true},
		{item, `<a href="https://guides.example/r/r1" rel="noreferrer noopener"><bdi class="rec">r1</bdi></a>`, true},
		{item, `Guides · gopher://guides.example/0/d · `, true},
		{front, `<a href="links?collection=Guides&amp;state=dead"`, true},
	} {
		if strings.Contains(tt.in, tt.has) != tt.want {
			t.Errorf("%q is there: %v, in\n%.6000s", tt.has, !tt.want, tt.in)
		}
	}
}

// TestHostileRoots: what others wrote of an archive acts nowhere.
func TestHostileRoots(t *testing.T) {
	src := &fixture{}
	name := "<script>x</script>\u202e\x1b[2J\nforged\"' {}"
	m := inRecord("http://x.example/", "b1")
	m.Collection, m.Source = name, "javascript://x.example/%0aalert(1)"
	src.add("http://x.example/", judge.Dead, check.Result{Outcome: check.Gone, Reason: "http-404"}, judge.NoChange, m)
	o := options()
	o.Width = 300 // or else a line may begin with the word
	for _, uri := range []string{"javascript:alert(1)", "https://ann:secret@x.example/?token=secret", "data:text/html,<script>x</script>"} {
		for _, r := range []store.Root{{Failing: ago(1)}, {Doubted: true}, {Sweep: 1}, {Whole: ago(1)}, {Kind: "path"}} {
			r.URI, r.Name, r.Owner, r.RecordURL = uri, name, "=cmd|' /C calc'!A0<script>x</script>\nforged\u2066", "javascript:alert({id})"
			r.Message = "no answer: <script>x</script>\nforged\x1b]0;x\x07\u2028 https://ann:secret@x.example/"
			if r.Kind == "" {
				r.Kind = "<script>x"
			}
			o.Roots = append(o.Roots, r)
		}
	}
	written := formats(t, src, o)
	written["metrics"] = of(build(t, src, o), text.WriteMetrics)
	for form, write := range written {
		out := output(t, write)
		for _, bad := range []string{"\x1b", "\u202e", "\u2066", "\x07", "\nforged", "secret", `href="javascript`, `href="data:text`, `"javascript:alert({id})"`} {
			if bytes.Contains(out, []byte(bad)) {
				t.Errorf("%s holds %q", form, bad)
			}
		}
		if page := form == "html" || form == "metrics"; page && bytes.Contains(out, []byte("<script>x")) {
			t.Errorf("%s holds markup", form)
		}
	}
	for _, row := range rowsOf(t, src, o) {
		if !strings.HasPrefix(row["owner"], "'=cmd") || !strings.Contains(row["guarded"], "owner") || strings.HasPrefix(row["record_url"], "javascript") {
			t.Errorf("owner %q, guarded %q, record at %q", row["owner"], row["guarded"], row["record_url"])
		}
	}
	h := server(t, src, o)
	for _, target := range []string{"/", "/links", "/link/1", "/metrics"} {
		if code, _, body := ask(t, h, "GET", target, "localhost"); code != 200 || strings.Contains(body, "<script") || strings.Contains(body, `href="javascript`) || strings.Contains(body, "secret") {
			t.Errorf("%s: %d, %.3000s", target, code, body)
		}
	}
}

// TestSampleRoots: the sample has an archive in each state.
func TestSampleRoots(t *testing.T) {
	r := build(t, &sample.Source{N: 500}, report.Options{Now: sample.Now(), Roots: sample.Roots()})
	states := map[string]bool{}
	for _, row := range r.RootRows {
		states[row.State] = true
	}
	if len(states) != 6 {
		t.Errorf("%v", states)
	}
}
