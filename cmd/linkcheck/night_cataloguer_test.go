package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// The story of a cataloguer: 217 records, half of them through the library's proxy, some of
// whose links moved, died, stand behind a wall or have a slip. From the first night to the
// mended records, which a reader that nobody here wrote takes apart: nothing differs but the
// addresses that are proven.
func TestNightsOfACataloguer(t *testing.T) {
	const proxy, copied = "https://ezproxy.lib.test/login?url=", "https://arch.test/web/20010203040506/"
	l := newLibrary(t, nil)
	night, site := 0, lab.Site{}
	page := func(n int) http.HandlerFunc {
		text := fmt.Sprintf("<title>Mill %d</title><p>", n)
		for i := range 60 {
			text += fmt.Sprintf("the mill number%d grinds corn of kind %c%c and its miller sings; ", n, 'a'+i%26, 'a'+(i*7+n)%26)
		}
		return lab.Text("text/html", text)
	}
	var was, now []string // the fields 856, a record each
	for n := range 217 {
		path, before := fmt.Sprintf("/p%d", n), ""
		if n%2 == 1 {
			before = proxy
		}
		old := before + "http://www.mill-library.org" + path
		after := "8564 |u" + old + "|zMill " + fmt.Sprint(n)
		switch site[path] = page(n); n % 31 {
		case 3, 4: // moves
			alive := page(n)
			site["/new"+path], site[path] = alive, func(w http.ResponseWriter, r *http.Request) {
				if night < 2 {
					alive(w, r)
					return
				}
				lab.Redirect(http.StatusMovedPermanently, "/new"+path)(w, r)
			}
			after = strings.Replace(after, ".org/", ".org/new/", 1)
		case 7, 8: // dies
			site[path] = lab.NotFound
			after += "%85641|u" + copied + "http://www.mill-library.org" + path + "|zArchived copy of 2001-02-03"
		case 11, 12: // a wall
			site[path] = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
		case 15: // a slip
			if before == "" {
				old = strings.Replace(old, "http://", "http//", 1)
			}
		}
		was, now = append(was, "8564 |u"+old+"|zMill "+fmt.Sprint(n)), append(now, after)
	}
	l.serveWeb(lab.Web{"www.mill-library.org": site, "ezproxy.lib.test": {"*": func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the proxy was asked: %s", r.URL) }}})
	catalogue := func(fields []string, changedOnly bool) (text string) {
		for n, f := range fields {
			if changedOnly && f == was[n] {
				continue
			}
			text += testdoc.MARC(append([]string{fmt.Sprintf("001b%d", n), "24510|aMills \u00e9 " + fmt.Sprint(n)}, append(strings.Split(f, "%"), "901  |alocal")...)...)
		}
		return text
	}
	l.write("opac.mrc", catalogue(was, false))
	for ; night < 7; night++ {
		l.runWell(float64(night), "--all")
	}
	var copies strings.Builder
	for n := range 217 {
		fmt.Fprintf(&copies, "{\"url\":\"http://www.mill-library.org/p%d\",\"copy\":\"%shttp://www.mill-library.org/p%d\",\"at\":\"2026-11-01T00:00:00Z\"}\n", n, copied, n)
	}
	testdoc.Write(t, l.store()+".copies", copies.String())
	out := filepath.Join(l.dir, "mended")
	s := call(t.Context(), "", "mend", "--store", l.store(), "--now", day(8), "--archived", "add", "--write", "--out", out)
	path := filepath.Join(out, "docs", "opac.mrc")
	got, err := os.ReadFile(path)
	if err != nil || s.code != exit.OK || string(got) != catalogue(now, true) {
		t.Fatalf("exit %d %v\n%s%s", s.code, err, s.out, s.err)
	}
	if strings.Count(string(got), proxy) == 0 || strings.Contains(string(got), proxy+copied) {
		t.Error("a proxy was lost, or leads to an archive")
	}
	marcdump, err := exec.LookPath("yaz-marcdump")
	if err != nil {
		t.Skip("yaz-marcdump is not installed here: the copy was not read by another program")
	}
	testdoc.Write(t, filepath.Join(l.dir, "want.mrc"), catalogue(now, true))
	var dumps [2]string
	for i, file := range []string{path, filepath.Join(l.dir, "want.mrc")} {
		text, err := exec.CommandContext(t.Context(), marcdump, "-i", "marc", "-o", "line", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		dumps[i] = string(text)
	}
	changed := strings.Count(dumps[0], "\n001 ")
	if dumps[0] != dumps[1] || changed < 20 || strings.Contains(dumps[0], "<!--") {
		t.Errorf("yaz-marcdump reads %d records:\n%.2000s", changed, dumps[0])
	}
	t.Logf("%d of 217 records changed", changed)
}
