package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// asked is the log of servers: what they were asked for since it was last looked at.
type asked struct {
	mu   sync.Mutex
	list []string // host, path and query
}

// site answers by f, and notes what it is asked for.
func (a *asked) site(f http.HandlerFunc) lab.Site {
	return lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
		a.note(r.Host + r.URL.RequestURI())
		f(w, r)
	}}
}

// note keeps what a server was asked for.
func (a *asked) note(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, what)
}

// twice forgets the log, and gives how long it was and what stood in it more than once.
func (a *asked) twice() (all int, more []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.list)
	for i := 1; i < len(a.list); i++ {
		if a.list[i] == a.list[i-1] {
			more = append(more, a.list[i])
		}
	}
	all, a.list = len(a.list), nil
	return all, slices.Compact(more)
}

// A site over 40 nights of outages, of pages that fail, go and lead away: none of its
// addresses is asked for twice in a night, nothing of it is retired but what it says is
// gone, and what is gone is found dead.
func TestNightsAskOnce(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	var tonight atomic.Int64 // a server may not be through with what was left in the night before
	const pages = 30
	outage := func() string {
		switch night := tonight.Load(); {
		case night >= 9 && night <= 11:
			return "503"
		case night >= 14 && night <= 15:
			return "reset"
		case night == 18:
			return "robots"
		}
		return ""
	}
	reset := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	front := "<title>Guides</title><a href='http://www.mill-library.org/out'>o</a><a href='http://old.mill-library.org/5'>old</a>"
	for i := range pages {
		front += fmt.Sprintf("<a href='/%d'>p</a><a href='/%d#part'>q</a>", i, i)
	}
	guides := func(w http.ResponseWriter, r *http.Request) {
		night, robots := tonight.Load(), r.URL.Path == "/robots.txt"
		switch down := outage(); {
		case down == "503" && (!robots || night == 10), down == "robots" && robots:
			lab.Status(503)(w, r)
			return
		case down == "reset" && (!robots || night == 15):
			reset(w, r)
			return
		case robots:
			lab.Text("text/plain", "User-agent: *\nDisallow: /hidden\nSitemap: /sitemap.xml")(w, r)
			return
		}
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		switch {
		case r.URL.Path == "/":
			lab.Text("text/html", front)(w, r)
		case r.URL.Path == "/sitemap.xml":
			lab.Text("text/xml", "<urlset><url><loc>http://guides.mill-library.org/extra</loc></url></urlset>")(w, r)
		case n == 1 && night >= 3:
			lab.NotFound(w, r)
		case n == 2 && night >= 3:
			lab.Status(http.StatusGone)(w, r)
		case n == 3 && night%2 == 1, n == 4 && night >= 4:
			lab.Status(500)(w, r)
		case n == 6 && night%3 == 1:
			reset(w, r)
		case n == 7:
			lab.Redirect(http.StatusFound, "http://www.mill-library.org/away")(w, r)
		case n == 8:
			lab.Redirect(http.StatusMovedPermanently, "/9")(w, r)
		case n == 10 && night >= 5:
			lab.Redirect(http.StatusFound, "/11")(w, r)
		case n == 13 && night < 17:
			lab.NotFound(w, r)
		case n >= 14 && n < 20 && night >= 5 && night < 8:
			lab.Redirect(http.StatusFound, "/login?next=x")(w, r)
		case r.URL.Path == "/login":
			lab.Text("text/html", "<title>Log in</title><form method=post><input name=user><input type=password name=pw></form>")(w, r)
		case n == 12 && night%5 == 2:
			lab.Status(503, "Retry-After", "0")(w, r)
		default:
			lab.Text("text/html", fmt.Sprintf("<title>Guide</title><p>Page %s of %d words</p><a href='/%d'>next</a><a href='/hidden'>h</a><a href='/sitemap.xml'>s</a><a href='/robots.txt'>r</a>",
				r.URL.Path, 100*n+17, (n+1)%pages))(w, r)
		}
	}
	l.serveWeb(lab.Web{
		"guides.mill-library.org": log.site(guides),
		"www.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/out" && r.URL.Path != "/away" {
				lab.NotFound(w, r)
				return
			}
			lab.Text("text/html", "<title>here</title><p>The way to the hill "+r.URL.Path)(w, r)
		}),
		"old.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/5" {
				lab.NotFound(w, r)
				return
			}
			lab.Redirect(http.StatusMovedPermanently, "http://guides.mill-library.org"+r.URL.Path)(w, r)
		}),
	})
	const root = "http://guides.mill-library.org/"
	total := 0
	for night := range 40 {
		tonight.Store(int64(night))
		s := l.readRoot(float64(night), root)
		row := l.roots()["guides.mill-library.org"]
		all, more := log.twice()
		if total += all; len(more) > 0 {
			t.Errorf("night %d: twice: %q", night, more)
		}
		if want := map[bool]int{true: exit.Partial, false: exit.OK}[outage() != ""]; s.code != want {
			t.Errorf("night %d: exit %d, want %d: %s", night, s.code, want, s.err)
		}
		if row.Documents < pages-5 {
			t.Errorf("night %d: %+v", night, row)
		}
		if got := l.links()[root+"13"]; got.State == "dead" != (night >= 7 && night < 17) {
			t.Errorf("night %d: a page that was gone until night 17: %+v", night, got)
		}
	}
	links := l.links()
	for path, state := range map[string]string{"1": "dead", "2": "dead", "4": "dead", "5": "alive", "7": "alive", "8": "moved", "9": "alive"} {
		if got := links[root+path]; got.State != state {
			t.Errorf("%s: %+v, want %s", path, got, state)
		}
	}
	t.Logf("%d requests in 40 nights; %+v", total, l.roots()["guides.mill-library.org"])
}

// A root inside another over some nights: what the inner one has read the outer one leaves to
// it, not sooner; what only the outer one finds it keeps; nothing is asked for twice, whichever
// is named first, and no link is lost.
func TestNightsOfRootInside(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	down, counting := false, func(string) {}
	here := lab.Text("text/html", "<title>here</title>")
	l.serveWeb(lab.Web{"guides.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
		page := func(text string) { lab.Text("text/html", "<title>p</title>"+r.URL.Path+text)(w, r) }
		counting(r.URL.Path)
		switch path := r.URL.Path; {
		case down && path == "/maps/":
			lab.Status(503)(w, r)
		case path == "/":
			page("<a href=/maps>m</a><a href=/maps/alone>a</a><a href=/top>t</a>")
		case path == "/maps":
			lab.Redirect(http.StatusMovedPermanently, "/maps/")(w, r)
		case path == "/maps/":
			page("<a href=1>1</a><a href=2>2</a>")
		case path == "/top", path == "/maps/1", path == "/maps/2", path == "/maps/alone":
			page("<a href='http://www.mill-library.org" + path + "'>x</a>")
		default:
			lab.NotFound(w, r)
		}
	}), "www.mill-library.org": lab.Site{"/top": here, "/maps/1": here, "/maps/2": here, "/maps/alone": here}})
	const outer, inner = "http://guides.mill-library.org/", "http://guides.mill-library.org/maps/"
	config := filepath.Join(t.TempDir(), "linkcheck.toml")
	testdoc.Write(t, config, fmt.Sprintf("[[root]]\nuri = %q\nname = \"outer\"\nevery = \"1d\"\n[[root]]\nuri = %q\nname = \"inner\"\n", outer, inner))
	night := func(day float64, code, ofOuter, ofInner int, twice []string, links string, roots ...string) {
		t.Helper()
		s := l.readRoot(day, "--config="+config, roots...)
		_, more := log.twice()
		if rows := l.roots(); s.code != code || !slices.Equal(more, twice) || rows["outer"].Documents != ofOuter || rows["inner"].Documents != ofInner {
			t.Errorf("day %v: exit %d, twice: %q, %+v\n%s", day, s.code, more, rows, s.err)
		}
		var stands []string
		for _, row := range l.table() {
			if path, out := strings.CutPrefix(row["url"], "http://www.mill-library.org/"); out {
				stands = append(stands, row["root"]+" "+path)
			}
		}
		slices.Sort(stands)
		if got := strings.Join(stands, ", "); got != links {
			t.Errorf("day %v: %s, want %s", day, got, links)
		}
	}
	if s := l.readRoot(0, outer); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	log.twice()
	down = true
	night(1, exit.Partial, 6, 0, nil, "outer maps/1, outer maps/2, outer maps/alone, outer top", outer, inner)
	down = false
	const left = "inner maps/1, inner maps/2, outer maps/alone, outer top"
	night(2, exit.OK, 3, 3, nil, left, outer, inner)
	night(3, exit.OK, 3, 3, nil, left, inner, outer)
	asked := 0
	counting = func(path string) {
		if path == "/maps/1" {
			asked++
		}
	}
	night(4, exit.OK, 3, 3, nil, left) // the inner one is not due
	if asked > 0 {
		t.Error("a document of a root that is not due is asked for")
	}
}

// Two roots of one web server whose sitemap and robots.txt are the same, with and without them,
// and two of one FTP server: what both want is asked for once a night.
func TestNightsOfRootsOfOneServer(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	var night atomic.Int64
	l.serveWeb(lab.Web{"guides.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/robots.txt" && night.Load() == 4:
			lab.Redirect(http.StatusFound, "http://www.mill-library.org/robots")(w, r)
		case path == "/robots.txt" && night.Load() < 5:
			lab.Text("text/plain", "User-agent: *\nSitemap: http://guides.mill-library.org/all.xml")(w, r)
		case path == "/all.xml" && night.Load() != 2 && night.Load() < 5:
			lab.Text("text/xml", "<urlset><url><loc>http://guides.mill-library.org/a/1</loc></url><url><loc>http://guides.mill-library.org/b/1</loc></url></urlset>")(w, r)
		case strings.HasPrefix(path, "/a/"), strings.HasPrefix(path, "/b/"):
			lab.Text("text/html", "<title>p</title>"+path+" <a href=/a/2>a</a> <a href=/b/2>b</a> <a href=/all.xml>s</a> <a href=/robots.txt>r</a>")(w, r)
		default:
			lab.NotFound(w, r)
		}
	}), "www.mill-library.org": log.site(lab.Text("text/plain", ""))})
	files := &lab.Files{Files: map[string]string{"/a/1": "one", "/b/1": "one"}, Asked: log.note}
	l.serve(files.Serve, "ftp.mill-library.org:21")
	const web, ftp = "http://guides.mill-library.org/", "ftp://ftp.mill-library.org/"
	for ; night.Load() < 7; night.Add(1) {
		s := l.readRoot(float64(night.Load()), web+"a/", web+"b/", ftp+"a/", ftp+"b/")
		if all, more := log.twice(); s.code != exit.OK || len(more) > 0 || all < 7 {
			t.Errorf("night %d: exit %d, %d requests, twice: %q\n%s", night.Load(), s.code, all, more, s.err)
		}
	}
}

// What a server says to a name that cannot exist is heard of names that no page has, also where
// it sends them to a page, or every page is what it says to any name.
func TestNightsOfInventedNames(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"sent to the front page": lab.Redirect(http.StatusFound, "/"),
		"sent to a page of its own": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/sorry" {
				lab.Sorry(w, r)
				return
			}
			lab.Redirect(http.StatusFound, "/sorry")(w, r)
		},
		"anything is there": lab.Sorry,
	} {
		l := newLibrary(t, nil)
		var log asked
		l.serveWeb(lab.Web{"guides.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			var folder, page int
			switch n, _ := fmt.Sscanf(r.URL.Path, "/%d/%d", &folder, &page); {
			case r.URL.Path == "/":
				text := "<title>Guides</title><p>The first page of the guides of the mill library."
				for i := range 6 {
					text += fmt.Sprintf("<a href='/%d/%d'>p</a> <a href='/list?id=%d'>q</a> <a href='/list'>r</a> <a href='/lost/%d'>s</a>", i%3, i, i, i)
				}
				lab.Text("text/html", text)(w, r)
			case n == 2:
				lab.Text("text/html", fmt.Sprintf("<title>Guide</title><p>Page %d has %d words about %s", page, 31*page, strings.Repeat("grist ", page)))(w, r)
			case r.URL.Path == "/list":
				lab.Sorry(w, r)
			case r.URL.Path == "/robots.txt":
				lab.NotFound(w, r)
			default:
				answer(w, r)
			}
		})})
		for night := range 3 {
			s := l.readRoot(float64(31*night), "http://guides.mill-library.org/") // what is known of such names is forgotten
			if all, more := log.twice(); s.code != exit.OK || len(more) > 0 || all < 12 {
				t.Errorf("%s, night %d: exit %d, %d requests, twice: %q\n%s", name, night, s.code, all, more, s.err)
			}
		}
		if got := l.links()["http://guides.mill-library.org/lost/1"]; got.State == "alive" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Roots that our own guard refuses: the answer names the flag that allows them. What is retired
// and stands in the configuration comes back, and that is told.
func TestRootsRefused(t *testing.T) {
	l := newLibrary(t, nil)
	for root, flag := range map[string]string{"http://10.0.0.1/": "--allow-private", "gopher://mill.invalid/": "--connect-to", "http://192.0.2.1:25/": "--connect-to",
		"oai+http://10.0.0.1/o": "--allow-private", "news://10.0.0.1/a.b": "--allow-private"} {
		if s := l.readRoot(0, root); s.code != exit.Partial || !strings.Contains(s.err, flag) {
			t.Errorf("%s: %+v", root, s)
		}
	}
	for _, root := range []string{"http://10.0.0.1/", "http://10.0.0.1/other/"} {
		config := filepath.Join(t.TempDir(), "linkcheck.toml")
		testdoc.Write(t, config, fmt.Sprintf("[[root]]\nuri = %q\n", root))
		s := call(t.Context(), "", "roots", "retire", "--store", l.store(), "--config", config, "http://10.0.0.1/")
		if told := strings.Contains(s.err, "the next run reads it again"); s.code != exit.OK || told != (root == "http://10.0.0.1/") {
			t.Errorf("%s: %+v", root, s)
		}
	}
}

// A page of the outer root moves to one of the inner root that does not come whole that night: its
// links stay until the other one was read whole.
func TestNightsOfTornPageInside(t *testing.T) {
	l := newLibrary(t, nil)
	night := 0
	l.serveWeb(lab.Web{"guides.mill-library.org": lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
		page := func(text string) { lab.Text("text/html", "<title>p</title>"+r.URL.Path+text)(w, r) }
		const link = "<a href='http://www.mill-library.org/top'>x</a>"
		switch path := r.URL.Path; {
		case path == "/":
			page("<a href=/top>t</a><a href=/maps/>m</a>")
		case path == "/maps/":
			page("<a href=1>1</a>")
		case path == "/top" && night > 0:
			lab.Redirect(http.StatusMovedPermanently, "/maps/1")(w, r)
		case path == "/top":
			page(link)
		case path == "/maps/1" && night == 1:
			w.Header().Set("Content-Length", "1000")
			page("one")
		case path == "/maps/1":
			page("one" + strings.Repeat(link, min(night, 1)))
		default:
			lab.NotFound(w, r)
		}
	}}, "www.mill-library.org": lab.Site{"/top": lab.Text("text/html", "<title>here</title>")}})
	const outer, inner = "http://guides.mill-library.org/", "http://guides.mill-library.org/maps/"
	config := filepath.Join(t.TempDir(), "linkcheck.toml")
	testdoc.Write(t, config, fmt.Sprintf("[[root]]\nuri = %q\nname = \"outer\"\n[[root]]\nuri = %q\nname = \"inner\"\n", outer, inner))
	for ; night < 3; night++ {
		s := l.readRoot(float64(night), "--config="+config, outer, inner)
		var stands []string
		for _, row := range l.table() {
			if row["url"] == "http://www.mill-library.org/top" {
				stands = append(stands, row["root"])
			}
		}
		if want := []string{"outer", "outer", "inner"}[night]; fmt.Sprint(stands) != "["+want+"]" {
			t.Errorf("night %d: it stands in %q, want %s\n%s", night, stands, want, s.err)
		}
	}
}
