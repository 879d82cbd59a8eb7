package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// oldValue is a value of a catalogue, and what a mend has to make of it.
type oldValue struct{ old, want string }

const (
	catalogueHost   = "www.watermill.org" // where the links of the catalogue lead
	catalogueRounds = 4                   // of all values, each with pages of its own
)

// valuesOfCatalogue are the values of links to page n, by what became of it.
func valuesOfCatalogue(n int) (list []oldValue) {
	const at = "http://" + catalogueHost
	page := func(kind string) string { return fmt.Sprintf("/%s/%d", kind, n) }
	same := func(value string) oldValue { return oldValue{value, value} }
	list = []oldValue{
		{at + page("old"), at + page("new")},
		{at + page("old") + "#part", at + page("new") + "#part"},
		{at + page("old") + "?a=1&b=2", at + page("new") + "?a=1&b=2"},
		{at + page("old") + "  ", at + page("new")},
		{"http//" + catalogueHost + page("old"), at + page("old")},
		same(at + page("unlike")), same(at + page("dead")), same(at + page("live")), same(at + page("never")), same(at + page("live") + "?a=1&b=2"),
		same("http//" + catalogueHost + page("dead")),
		{"http//" + catalogueHost + page("live"), at + page("live")},
		{"http:/" + catalogueHost + page("live"), at + page("live")},
		{"htp://" + catalogueHost + page("live"), at + page("live")},
		{"http://http://" + catalogueHost + page("live"), at + page("live")},
		{`http:\\` + catalogueHost + `\live\` + fmt.Sprint(n), at + page("live")},
		{catalogueHost + page("live"), at + page("live")},
		{at + page("live") + "?a=1&amp;b=2", at + page("live") + "?a=1&b=2"},
		{" " + at + page("live") + "  ", at + page("live")},
		{" " + at + page("dead"), " " + at + page("dead")},
		same("http://reader:geheim1234@" + catalogueHost + page("old")),
		same("N/A"),
	}
	for _, name := range slices.Sorted(maps.Keys(proxyForms)) {
		form := proxyForms[name]
		list = append(list, oldValue{form(catalogueHost, page("old")), form(catalogueHost, page("new"))},
			same(form(catalogueHost, page("dead"))), same(form(catalogueHost, page("live"))), same(form(catalogueHost, page("unlike"))))
	}
	return list
}

// dialect is a way in which catalogues are written: a file, and how it has a record with
// values; changed says that a mend has to write the record.
type dialect struct {
	name, head, tail string
	write            func(n int, values []string, changed bool) string
}

// isoDialect writes ISO 2709: MARC 21, UNIMARC, with what spoils the numbers of a record.
func isoDialect(name, title string, spoil func(rec string) string) dialect {
	return dialect{name: name + ".mrc", write: func(n int, values []string, changed bool) string {
		note := "505  |a\xe2etude"
		if len(values) > 3 {
			note = "505  |a\xe2e \xc3\xa9tude, see " + values[3] + ", there"
		}
		fields := []string{fmt.Sprintf("001c%d", n), title, note, "85640|3Part|u" + values[0] + "|zx|u" + values[1], "880  |6856-01/(2/r|u" + values[2], "901  |ax"}
		rec := testdoc.MARC(fields...)
		if !strings.Contains(name, "utf8") {
			rec = rec[:9] + " " + rec[10:]
		}
		if !changed {
			rec = spoil(rec)
		}
		return rec
	}}
}

func dialects() []dialect {
	sound := func(rec string) string { return rec }
	length := func(rec string) string { return "00042" + rec[5:] }
	base := func(rec string) string { return rec[:12] + "00024" + rec[17:] }
	starts := func(rec string) string { return rec[:43] + "00001" + rec[48:] }
	list := []dialect{
		isoDialect("utf8", "24510|aTitle", sound), isoDialect("marc8", "24510|aTitle \xe2e", sound), isoDialect("unimarc", "2001 |aTitre", sound),
		isoDialect("length", "24510|aTitle", length), isoDialect("base", "24510|aTitle", base), isoDialect("starts", "24510|aTitle", starts),
		isoDialect("newlines", "24510|aTitle", sound),
	}
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace
	xml := func(name, prefix string, write func(value string) string) dialect {
		p := prefix
		if p != "" {
			p += ":"
		}
		ns := strings.TrimSuffix("xmlns:"+prefix, ":")
		return dialect{name: name + ".xml", head: "<?xml version='1.0' encoding='UTF-8'?>\n<" + p + "collection " + ns + "='http://www.loc.gov/MARC21/slim'>\n", tail: "</" + p + "collection>\n",
			write: func(n int, values []string, _ bool) string {
				out := fmt.Sprintf("<%srecord><%sleader>00000nam a2200000 a 4500</%sleader>\n <%scontrolfield tag='001'>x%d</%scontrolfield>", p, p, p, p, n, p)
				for i, v := range values {
					tag := []string{"856", "856", "880"}[i%3]
					out += fmt.Sprintf("\n <%sdatafield tag=\"%s\" ind1='4' ind2='0'><%ssubfield code='z'>A &amp; B</%ssubfield><%ssubfield code=\"u\">%s</%ssubfield></%sdatafield>", p, tag, p, p, p, write(v), p, p)
				}
				return out + "\n</" + p + "record>\n"
			}}
	}
	list = append(list,
		xml("plain", "", escaped),
		xml("prefixed", "marc", escaped),
		xml("cdata", "m", func(v string) string { return "<![CDATA[" + v + "]]>" }),
	)
	for name, end := range map[string]string{"unix": "\n", "dos": "\r\n", "bom": "\n"} {
		d := dialect{name: name + ".mrk", write: func(n int, values []string, _ bool) string {
			out := fmt.Sprintf("=LDR  00000nam a2200000 a 4500%s=001  m%d%s=245  10$aCosts 5{dollar}%s", end, n, end, end)
			for _, v := range values {
				out += `=856  4\$3Part$u` + strings.ReplaceAll(v, "$", "{dollar}") + end
			}
			return out + end
		}}
		if name == "bom" {
			d.head = "\ufeff"
		}
		list = append(list, d)
	}
	return list
}

// A catalogue in every dialect of MARC, of whose links some moved, died, lead through a
// proxy or have a slip: the copy is, octet by octet, what is wanted.
func TestNightsOfACatalogue(t *testing.T) {
	l := newLibrary(t, nil)
	night := 0
	l.serveWeb(lab.Web{catalogueHost: lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
		kind, n, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		to := "/new/" + n
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		page, _ := strconv.Atoi(n)
		words := ""
		for i := range 60 {
			words += fmt.Sprintf("the mill number%s grinds corn of kind %c%c and its miller sings; ", n, 'a'+i%26, 'a'+(i*7+page)%26)
		}
		switch {
		case page < 10 || page >= 10+catalogueRounds: // a run asks for what nobody has
			lab.NotFound(w, r)
		case kind == "never", kind == "old" && night >= 2:
			lab.Redirect(http.StatusMovedPermanently, to)(w, r)
		case kind == "unlike" && night >= 2:
			lab.Redirect(http.StatusMovedPermanently, "/shop/"+n)(w, r)
		case kind == "shop":
			lab.Text("text/html", "<title>Shop "+n+"</title><p>"+strings.Repeat("we sell shoes and hats to all who want them, today and tomorrow. ", 30))(w, r)
		case kind == "old", kind == "live", kind == "new", kind == "unlike":
			lab.Text("text/html", "<title>Mill "+n+"</title><p>"+words)(w, r)
		default:
			lab.NotFound(w, r)
		}
	}}})
	want := map[string]string{}
	record := 0
	for _, d := range dialects() {
		old, wanted := d.head, d.head
		for n := 10; n < catalogueRounds+10; n++ {
			values := valuesOfCatalogue(n)
			for i := 0; i+2 < len(values); i += 3 {
				var was, now []string
				for _, v := range values[i : i+3] {
					was, now = append(was, v.old), append(now, v.want)
				}
				if i%2 == 0 {
					was, now = append(was, values[0].old), append(now, values[0].want)
				}
				record++
				between := ""
				if strings.HasPrefix(d.name, "newlines") {
					between = "\r\n"
				}
				old += d.write(record, was, false) + between
				wanted += d.write(record, now, !slices.Equal(was, now)) + between
			}
		}
		l.write(d.name, old+d.tail)
		want[d.name] = wanted + d.tail
	}
	for ; night < 5; night++ {
		l.run(float64(night), append([]string{"--all"}, proxyRules...)...)
	}
	out := filepath.Join(l.dir, "mended")
	s := call(t.Context(), "", "mend", "--store", l.store(), "--now", day(5), "--write", "--all", "--out", out)
	t.Logf("%d records; exit %d, %s", record, s.code, s.out[strings.LastIndex(strings.TrimSpace(s.out), "\n")+1:])
	for name, want := range want {
		got, err := os.ReadFile(filepath.Join(out, "docs", name))
		if err != nil {
			t.Error(err)
			continue
		}
		end := []byte("\x1d")
		if !strings.HasSuffix(name, ".mrc") {
			end = []byte("856")
		}
		g, w := bytes.Split(got, end), bytes.Split([]byte(want), end)
		if len(g) != len(w) {
			t.Errorf("%s: %d parts, want %d", name, len(g), len(w))
		}
		for i := range min(len(g), len(w)) {
			if !bytes.Equal(g[i], w[i]) {
				t.Errorf("%s:\n got %.500q\nwant %.500q", name, g[i], w[i])
			}
		}
	}
}
