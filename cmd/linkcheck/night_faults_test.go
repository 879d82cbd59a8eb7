package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"linkcheck/internal/lab"
)

// faultySite is a site of pages that fail, go, come back, change and lead away from night to
// night, with a second host that leads back to it and a third one of what its pages link to.
type faultySite struct {
	random *rand.Rand
	mu     sync.Mutex
	night  int
	pages  []faultyPage
	down   string          // what the whole site does tonight
	asked  map[string]int  // addresses of this night, by how often
	waits  map[string]bool // addresses that asked to be asked again soon
}

// faultyPage is what a page does until a night.
type faultyPage struct {
	does    string // "": it is there
	until   int    // night
	to      int    // page to which it leads
	version int
	went    bool // in this sweep it was missing, or led to another page
}

const faultyPages = 200

var pageFaults = []string{"404", "404", "404", "404", "404", "410", "500", "500", "500", "503", "wait", "reset", "reset", "torn", "hang", "301", "301", "302",
	"away", "back", "login", "garbage", "changed", "changed", "empty"}

// dusk begins a night, in which nothing fails where all is mended.
func (s *faultySite) dusk(night int, mended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.night, s.asked, s.waits = night, map[string]int{}, map[string]bool{}
	s.down = ""
	if !mended {
		switch night % 20 {
		case 6, 7:
			s.down = "503"
		case 11:
			s.down = "reset"
		case 14:
			s.down = "robots 503"
		case 15:
			s.down = "robots reset"
		case 17:
			s.down = "rest"
		}
	}
	for i := range s.pages {
		p := &s.pages[i]
		if p.does == "changed" || p.until <= night || mended {
			if p.does == "changed" {
				p.version++
			}
			p.does = ""
		}
		if p.does == "" && !mended && i > 0 && s.random.IntN(25) == 0 {
			p.does, p.until, p.to = pageFaults[s.random.IntN(len(pageFaults))], night+1+s.random.IntN(10), s.random.IntN(len(s.pages))
			if slices.Contains([]string{"hang", "wait"}, p.does) {
				p.until = night + 1
			}
		}
	}
}

// dawn gives how often something was asked for in the night, and what was more than once: of the
// host of the archive, and of those that lead to it.
func (s *faultySite) dawn() (all int, twice []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for what, n := range s.asked {
		if all += n; n > 1 && !strings.HasPrefix(what, "www.mill-library.org/doc/") {
			twice = append(twice, fmt.Sprintf("%s (%s) %d times", what, s.doing(what), n))
		}
	}
	slices.Sort(twice)
	return all, twice
}

func (s *faultySite) doing(what string) string {
	_, path, _ := strings.Cut(what, "/")
	if i, err := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:]); err == nil && i < len(s.pages) {
		return s.pages[i].does
	}
	return ""
}

// ended ends a sweep.
func (s *faultySite) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.pages {
		s.pages[i].went = false
	}
}

// note counts a request. One that was answered with the wish to be asked again is another one.
func (s *faultySite) note(r *http.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := r.Host + r.URL.RequestURI()
	if s.waits[what] {
		what += " again"
	}
	s.asked[what]++
	return s.down
}

// ServeHTTP implements http.Handler.
func (s *faultySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	down := s.note(r)
	path := r.URL.Path
	i, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
	switch {
	case r.Host == "www.mill-library.org" && strings.HasPrefix(path, "/doc/"):
		lab.Text("text/html", fmt.Sprintf("<title>Document %d</title><p>The way to %s", i, path))(w, r)
	case r.Host == "www.mill-library.org" && strings.HasPrefix(path, "/back/"):
		lab.Redirect(http.StatusFound, fmt.Sprintf("http://guides.mill-library.org/%d", i))(w, r)
	case r.Host == "old.mill-library.org" && path != "/robots.txt":
		lab.Redirect(http.StatusMovedPermanently, fmt.Sprintf("http://guides.mill-library.org/%d", i))(w, r)
	case r.Host != "guides.mill-library.org":
		lab.NotFound(w, r)
	default:
		s.guide(w, r, i, down)
	}
}

func (s *faultySite) guide(w http.ResponseWriter, r *http.Request, i int, down string) {
	path, robots := r.URL.Path, r.URL.Path == "/robots.txt"
	reset := func() { panic(http.ErrAbortHandler) }
	switch {
	case down == "503" && !robots, down == "robots 503" && robots:
		lab.Status(503)(w, r)
	case down == "reset", down == "robots reset" && robots:
		reset()
	case down == "rest" && i > 20:
		lab.Status(503, "Retry-After", "3600")(w, r)
	case robots:
		lab.Text("text/plain", "User-agent: *\nDisallow: /hidden\nSitemap: /sitemap.xml")(w, r)
	case path == "/sitemap.xml":
		lab.Text("text/xml", "<urlset><url><loc>http://guides.mill-library.org/150</loc></url></urlset>")(w, r)
	case path == "/hidden":
		lab.Text("text/html", "hidden")(w, r)
	case strings.HasPrefix(path, "/r/"):
		lab.Redirect(http.StatusMovedPermanently, fmt.Sprintf("/%d", i))(w, r)
	case strings.HasPrefix(path, "/rr/"):
		lab.Redirect(http.StatusFound, fmt.Sprintf("/r/%d", i))(w, r)
	case strings.HasPrefix(path, "/away/"):
		lab.Redirect(http.StatusFound, fmt.Sprintf("http://www.mill-library.org/back/%d", i))(w, r)
	case path == "/login":
		lab.Text("text/html", "<title>Log in</title><form method=post><input name=user><input type=password name=pw></form>")(w, r)
	case path == "/" || path == fmt.Sprint("/", i) && i < len(s.pages):
		s.page(w, r, i)
	default:
		lab.NotFound(w, r)
	}
}

func (s *faultySite) page(w http.ResponseWriter, r *http.Request, i int) {
	s.mu.Lock()
	s.pages[i].went = s.pages[i].went || slices.Contains([]string{"404", "410", "301", "302"}, s.pages[i].does)
	p := s.pages[i]
	again := s.waits[r.Host+r.URL.RequestURI()]
	if p.does == "wait" {
		s.waits[r.Host+r.URL.RequestURI()] = true
	}
	s.mu.Unlock()
	text := s.text(i, &p)
	if again {
		p.does = ""
	}
	switch p.does {
	case "404":
		lab.NotFound(w, r)
	case "410":
		lab.Status(http.StatusGone)(w, r)
	case "500":
		lab.Status(500)(w, r)
	case "503":
		lab.Status(503, "Retry-After", "0")(w, r)
	case "wait":
		lab.Status(503, "Retry-After", "1")(w, r)
	case "reset":
		panic(http.ErrAbortHandler)
	case "torn":
		w.Header().Set("Content-Length", strconv.Itoa(len(text)+100))
		lab.Text("text/html", text)(w, r)
	case "hang":
		<-r.Context().Done()
	case "301":
		lab.Redirect(http.StatusMovedPermanently, fmt.Sprintf("/%d", p.to))(w, r)
	case "302":
		lab.Redirect(http.StatusFound, fmt.Sprintf("/rr/%d", p.to))(w, r)
	case "away":
		lab.Redirect(http.StatusFound, fmt.Sprintf("http://www.mill-library.org/doc/%d", p.to))(w, r)
	case "back":
		lab.Redirect(http.StatusFound, fmt.Sprintf("http://www.mill-library.org/back/%d", p.to))(w, r)
	case "login":
		lab.Redirect(http.StatusFound, "/login?next="+r.URL.Path)(w, r)
	case "garbage":
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			c.Write([]byte("garbage\r\n\r\n"))
			c.Close()
		}
	case "empty":
		lab.Text("text/html", "")(w, r)
	default:
		tag := fmt.Sprintf("%q", fmt.Sprint(i, "-", p.version))
		if i%3 == 0 { // a third of the pages has validators
			w.Header().Set("ETag", tag)
		}
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		lab.Text("text/html", text)(w, r)
	}
}

func (s *faultySite) text(i int, p *faultyPage) string {
	n := len(s.pages)
	links := ""
	for _, to := range []string{"", "r/", "rr/", "away/"} {
		links += fmt.Sprintf("<a href='/%s%d'>x</a>", to, (i*7+len(to)*5+1)%n)
	}
	links += fmt.Sprintf("<a href='/%d'>x</a><a href='/%d#part'>y</a><a href='http://www.mill-library.org/doc/%d'>d</a><a href='http://old.mill-library.org/%d'>o</a><a href='http://www.mill-library.org/back/%d'>b</a>",
		2*i%n, (2*i+1)%n, i, (i*11+3)%n, (i*13+5)%n)
	return fmt.Sprintf("<title>Guide %d</title><p>Page %d of %d words: %s<a href='/hidden'>h</a><a href='/sitemap.xml'>s</a>%s", i, i, 100*i+17, strings.Repeat(fmt.Sprint("grist", i, p.version, " "), 5+i%7), links)
}

// A site over 42 nights, asked by the walk that reads it and for the links that lead to it from a
// file beside it and from two hosts that redirect there: no address is asked for twice in a night but
// where the server asks for that, no document that the server has is retired, and what is
// there in the end is found alive.
func TestNightsOfFaults(t *testing.T) {
	for _, seed := range []uint64{1, 2} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if testing.Short() && seed > 1 {
				t.Skip("takes a minute")
			}
			t.Parallel() // most of it is waiting
			nightsOfFaults(t, seed)
		})
	}
}

func nightsOfFaults(t *testing.T, seed uint64) {
	l := newLibrary(t, nil)
	text := ""
	for i := 0; i < faultyPages; i += 4 {
		for _, address := range []string{"guides.mill-library.org", "guides.mill-library.org/r", "old.mill-library.org", "www.mill-library.org/back"} {
			text += fmt.Sprintf("<a href='http://%s/%d'>x</a>\n", address, i)
		}
	}
	l.write("a.html", text)
	s := &faultySite{random: rand.New(rand.NewPCG(seed, 7)), pages: make([]faultyPage, faultyPages)}
	l.serve(func(at net.Listener) error { return lab.HTTP(at, s) }, "guides.mill-library.org:80", "old.mill-library.org:80", "www.mill-library.org:80")
	const root = "http://guides.mill-library.org/"
	nights := 42
	if testing.Short() {
		nights = 14
	}
	total, stood := 0, map[int]bool{}
	for night := range nights {
		s.dusk(night, night >= nights-4)
		r := l.readRoot(float64(night), root, "--timeout", "1s", l.docs())
		all, twice := s.dawn()
		if total += all; len(twice) > 0 {
			t.Errorf("night %d %s: twice: %q", night, s.down, twice)
		}
		stands := l.faultyPages()
		for i := range stood {
			if !stands[i] && !s.pages[i].went {
				t.Errorf("night %d %s: page %d is retired: %+v\n%s", night, s.down, i, s.pages[i], r.err)
			}
		}
		if stood = stands; strings.HasPrefix(l.roots()["guides.mill-library.org"].Message, "whole") {
			s.ended()
		}
	}
	if len(stood) != faultyPages {
		t.Errorf("%d of %d pages stand in the end: %+v", len(stood), faultyPages, l.roots())
	}
	for url, link := range l.links() {
		if strings.HasPrefix(url, root) && (link.State == "failing" || link.State == "dead" && link.LastChecked > day(float64(nights-4))) {
			t.Errorf("it is there again: %+v", link)
		}
	}
	t.Logf("%d requests in %d nights", total, nights)
}

// faultyPages are the pages that stand, by the link that each has alone.
func (l *library) faultyPages() map[int]bool {
	stand := map[int]bool{}
	for _, row := range l.table() {
		if n, ok := strings.CutPrefix(row["url"], "http://www.mill-library.org/doc/"); ok {
			i, _ := strconv.Atoi(n)
			stand[i] = true
		}
	}
	return stand
}
