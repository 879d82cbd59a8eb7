package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"linkcheck/internal/lab"
)

// trapSite is a web site in which a program that follows links loses its way: some of its
// parts have pages without end. Its other pages are plain.
type trapSite struct {
	visitors atomic.Int64 // sessions that were given out
	pages    map[string]string
}

// newTrapSite is the site.
func newTrapSite() *trapSite {
	s := &trapSite{pages: map[string]string{}}
	s.plain()
	s.lists()
	s.mail()
	return s
}

// Pages are the paths that a careful reader reads, sorted: all that say something, each
// once. A page that only leads on to another is not among them.
func (s *trapSite) Pages() (paths []string) {
	for name := range s.pages {
		if !strings.HasPrefix(name, "/private/") && !strings.HasPrefix(name, "/hidden/") && !strings.Contains(name, "sitemap") && name != "/robots.txt" && !s.repeats(name) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths
}

// repeats says whether a page shows what another one has.
func (s *trapSite) repeats(name string) bool {
	folder, last := path.Split(name)
	return name == "/refresh.html" || strings.HasPrefix(folder, "/pipermail/wells/1") || folder == "/hypermail/" && slices.Contains([]string{"thread.html", "author.html", "subject.html"}, last)
}

// plain are pages that end.
func (s *trapSite) plain() {
	s.pages["/robots.txt"] = "User-agent: *\nDisallow: /private/\nSitemap: /not/absolute.xml\nSitemap: http://HOST/sitemap.xml\n"
	front := []string{"papers/", "calendar?year=2026&month=3", "table", "find", "shop/", "rel", "mirror/", "ring/1", "files/", "deep/", "private/1.html", "nofollow.html",
		"articles.html", "pipermail/wells/", "hypermail/", "feed.xml", "frames.html", "refresh.html", "now", "moved.html", "logo.gif", "style.css", "login?return=/", "map.html"}
	text := ""
	for _, to := range front {
		text += trapLink(to)
	}
	s.pages["/"] = text + `<a rel="nofollow" href="/hidden/2.html">not there</a>`
	s.pages["/papers/"] = trapLinks("%d.html", 60) + trapLink("/login?return=/papers/")
	for i := 1; i <= 60; i++ {
		s.pages[fmt.Sprintf("/papers/%d.html", i)] = fmt.Sprintf("Paper %d. %s%s", i, trapLink(fmt.Sprintf("/login?return=/papers/%d.html", i)), trapLink("../papers/#top"))
	}
	s.pages["/private/1.html"], s.pages["/hidden/1.html"], s.pages["/hidden/2.html"] = "private", "hidden", "hidden"
	s.pages["/nofollow.html"] = `<meta name="robots" content="nofollow">` + trapLink("/hidden/1.html")
	s.pages["/articles.html"] = trapLinks("article?id=%d&print=1", 5)
	for i := 1; i <= 5; i++ {
		s.pages[fmt.Sprintf("/article?id=%d", i)] = fmt.Sprintf("Article %d <link rel=\"canonical\" href=\"/article?id=%d\">", i, i)
		s.pages[fmt.Sprintf("/unlinked/%d.html", i)] = fmt.Sprintf("Page %d, to which nothing links", i)
		s.pages[fmt.Sprintf("/post/%d", i)] = fmt.Sprintf("Post %d", i)
	}
	s.pages["/frames.html"] = `<frameset><frame src="/frame/left.html"><frame src="/frame/right.html"></frameset>`
	s.pages["/frame/left.html"], s.pages["/frame/right.html"] = "left", "right"
	s.pages["/refresh.html"], s.pages["/refreshed.html"] = `<meta http-equiv="refresh" content="5; url=/refreshed.html">`, "refreshed"
	s.pages["/map.html"], s.pages["/area.html"] = `<map><area href="/area.html"></map>`, "an area"
	s.pages["/new.html"] = "It stood at moved.html."
	s.pages["/sitemap.xml"] = `<?xml version="1.0"?><sitemapindex><sitemap><loc>http://HOST/sitemap1.xml.gz</loc></sitemap><sitemap><loc>http://HOST/sitemap.xml</loc></sitemap></sitemapindex>`
}

// lists are a sitemap, a feed and the listings of folders.
func (s *trapSite) lists() {
	urls, items := "", ""
	for i := 1; i <= 5; i++ {
		urls += fmt.Sprintf("<url><loc>http://HOST/unlinked/%d.html</loc><lastmod>2026-0%d-01</lastmod></url>", i, i)
		items += fmt.Sprintf("<item><title>Post</title><link>http://HOST/post/%d</link></item>", i)
	}
	s.pages["/sitemap1.xml.gz"] = `<?xml version="1.0"?><urlset>` + urls + `</urlset>`
	s.pages["/feed.xml"] = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>` + items + `</channel></rss>`
	rows := func(names ...string) (b string) {
		for _, name := range names {
			b += fmt.Sprintf("<img src=\"/icons/text.gif\" alt=\"[TXT]\"> <a href=\"%[1]s\">%[1]s</a>    2026-01-05 12:00   30   \n", name)
		}
		return b
	}
	folder := func(at string, names ...string) {
		s.pages[at] = `<title>Index of ` + strings.TrimSuffix(at, "/") + `</title><pre><a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Last modified</a><hr><a href="` +
			path.Dir(strings.TrimSuffix(at, "/")) + `">Parent Directory</a>` + "\n" + rows(names...) + `<hr></pre></body></html>`
		for _, name := range names {
			if !strings.HasSuffix(name, "/") {
				s.pages[at+name] = "file " + name
			}
		}
	}
	folder("/files/", "a.txt", "b.txt", "old/", "photo.jpg")
	folder("/files/old/", "c.txt", "d.txt")
	delete(s.pages, "/files/photo.jpg")
}

// mail are two archives of mailing lists.
func (s *trapSite) mail() {
	index := ""
	for _, month := range []string{"1996-March", "1996-April", "1997-January"} {
		texts := month + ".txt.gz"
		index += trapLink(month+"/thread.html") + trapLink(month+"/subject.html") + trapLink(month+"/author.html") + trapLink(month+"/date.html") + trapLink(texts)
		s.pages["/pipermail/wells/"+month+"/thread.html"] = trapLinks("00000%d.html", 9)
		for i := 1; i <= 9; i++ {
			s.pages[fmt.Sprintf("/pipermail/wells/%s/00000%d.html", month, i)] = "a message " + trapLink("thread.html")
		}
		s.pages["/pipermail/wells/"+texts] = "From hill at wells.example  Mon Mar  4 12:00:00 1996\nFrom: hill at wells.example (J. Hill)\nSubject: Comets\n\nSee http://www.wells.example/comets\n"
	}
	s.pages["/pipermail/wells/"] = index
	orders := trapLink("date.html") + trapLink("thread.html") + trapLink("subject.html") + trapLink("author.html")
	for _, order := range []string{"", "date.html", "thread.html", "subject.html", "author.html"} {
		s.pages["/hypermail/"+order] = "messages " + order + orders + trapLinks("000%d.html", 9)
	}
	for i := 1; i <= 9; i++ {
		s.pages[fmt.Sprintf("/hypermail/000%d.html", i)] = fmt.Sprintf("message %d %s", i, strings.ReplaceAll(orders, ".html\"", fmt.Sprintf(".html#%d\"", i)))
	}
}

// ServeHTTP implements http.Handler. Pages have no validators.
func (s *trapSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC).Format(http.TimeFormat))
	text, ok := s.pages[r.URL.RequestURI()]
	if !ok {
		text, ok = s.endless(w, r)
	}
	if !ok {
		lab.NotFound(w, r)
		return
	}
	if text == "" {
		return
	}
	text = strings.ReplaceAll(text, "HOST", r.Host)
	media := map[string]string{".txt": "text/plain", ".xml": "text/xml", ".gz": "application/gzip"}[path.Ext(r.URL.Path)]
	if media == "application/gzip" {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		text = b.String()
	}
	if media == "" {
		media = "text/html; charset=utf-8"
		text = "<!DOCTYPE html>\n<html><body>" + text + "</body></html>"
		if at := strings.Index(text, "<title>"); at >= 0 {
			text = strings.Replace(text, "<html><body>", "<html>", 1)
		}
		if strings.Contains(text, "<link rel") || strings.Contains(text, "<meta") || strings.Contains(text, "<frameset") {
			text = strings.Replace(text, "<body>", "<title>Wells</title>", 1)
		}
	}
	lab.Text(media, text)(w, r)
}

// endless answers for the parts of the site that have no end. The text is "" where the
// answer is given already.
func (s *trapSite) endless(w http.ResponseWriter, r *http.Request) (text string, ok bool) {
	part, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch part {
	case "calendar":
		return trapCalendar(r), true
	case "table":
		return trapTable(r), true
	case "find":
		return trapFacets(r), true
	case "shop":
		return s.shop(w, r)
	case "rel":
		return "relative " + r.URL.Path + trapLink("rel/") + trapLink("rel/rel/"), true
	case "mirror":
		return "the same page" + trapLink("about/") + trapLink("news/") + trapLink("help/"), true
	case "deep":
		return "deep " + r.URL.Path + trapLink(strings.TrimSuffix(r.URL.Path, "/")+"/"+strconv.Itoa(strings.Count(r.URL.Path, "/"))+"/"), true
	case "ring":
		lab.Redirect(http.StatusFound, "/ring/"+strconv.Itoa(rand.IntN(3)))(w, r)
		return "", true
	case "now":
		return "it is late" + trapLink(fmt.Sprintf("/now?t=%d", rand.Int64())), true
	case "login":
		return "Members may read more." + trapLink("/login?return="+r.URL.Query().Get("return")+"/x"), true
	case "moved.html":
		lab.Redirect(http.StatusMovedPermanently, "/new.html")(w, r)
		return "", true
	case "article":
		if id := r.URL.Query().Get("id"); r.URL.Query().Has("print") && s.pages["/article?id="+id] != "" {
			return s.pages["/article?id="+id] + "for the printer", true
		}
	case "files": // a listing in another order
		if r.URL.RawQuery != "" {
			return s.pages[r.URL.Path], true
		}
	}
	return "", false
}

func trapNumber(r *http.Request, key string, otherwise int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(key)); err == nil {
		return n
	}
	return otherwise
}

// trapCalendar leads to the months beside one, and to its days.
func trapCalendar(r *http.Request) string {
	year, month := trapNumber(r, "year", 2026), trapNumber(r, "month", 1)
	text := fmt.Sprintf("Nothing on %d of %d, day %d", month, year, trapNumber(r, "day", 0))
	text += trapLink(fmt.Sprintf("/calendar?year=%d&month=%d", year+month/12, month%12+1)) + trapLink(fmt.Sprintf("/calendar?year=%d&month=%d", year-1, month))
	return text + trapLinks(fmt.Sprintf("/calendar?year=%d&month=%d&day=%%d", year, month), 28)
}

// trapTable leads to itself in other orders.
func trapTable(r *http.Request) string {
	text := "a table by " + r.URL.Query().Get("sort")
	for _, column := range []string{"name", "date", "size"} {
		for page := range 7 {
			text += trapLink(fmt.Sprintf("/table?sort=%s&page=%d", column, page)) + trapLink(fmt.Sprintf("/table?page=%d&sort=%s&down", page, column))
		}
	}
	return text
}

// trapFacets leads to narrower searches, which are spelled in the order of the clicks.
func trapFacets(r *http.Request) string {
	query := r.URL.RawQuery
	text := "what is found by " + query
	for _, name := range []string{"colour", "size", "year"} {
		for value := range 5 {
			if !strings.Contains(query, name+"=") {
				text += trapLink("/find?" + strings.TrimPrefix(fmt.Sprintf("%s&%s=%d", query, name, value), "&"))
			}
		}
	}
	return text
}

// shop takes its readers' cookies into its addresses: each has a session, which stands in
// all links.
func (s *trapSite) shop(w http.ResponseWriter, r *http.Request) (string, bool) {
	session := r.URL.Query().Get("sid")
	if session == "" {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: strconv.FormatInt(s.visitors.Add(1), 10)})
		lab.Redirect(http.StatusFound, fmt.Sprintf("%s?sid=%d", r.URL.Path, s.visitors.Load()))(w, r)
		return "", true
	}
	text := "shop " + r.URL.Path
	for i := range 5 {
		text += trapLink(fmt.Sprintf("/shop/%d?sid=%d", i, s.visitors.Add(1))) + trapLink(fmt.Sprintf("/shop/%d;jsessionid=%X?sid=%s", i, i, session))
	}
	return text, true
}

// trapLink is a link in the text of a page.
func trapLink(to string) string {
	return fmt.Sprintf("<a href=\"%[1]s\">%[1]s</a>\n", strings.ReplaceAll(to, "&", "&amp;"))
}

func trapLinks(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(trapLink(fmt.Sprintf(format, i+1)))
	}
	return b.String()
}
