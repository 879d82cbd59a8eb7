package harvest_test

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// trapped is a site of plain pages, which end, between parts that have no end.
type trapped struct {
	pages map[string]string // by path and query: what a careful reader reads
	on    map[string]bool   // the traps
}

// traps are the parts without end, by name: where they begin, and the page at an address, ""
// where there is none.
var traps = map[string]struct {
	from string
	page func(path string, query url.Values) string
}{
	"calendar": {"/cal?y=2026&m=3", func(_ string, q url.Values) string {
		y, m := value(q, "y"), value(q, "m")
		text := fmt.Sprintf("Nothing on %s of %d, %d", q.Get("d"), m, y) + anchor(fmt.Sprintf("/cal?y=%d&m=%d", y+m/12, m%12+1)) + anchor(fmt.Sprintf("/cal?y=%d&m=%d", y-1, m))
		for d := range 28 {
			text += anchor(fmt.Sprintf("/cal?y=%d&m=%d&d=%d", y, m, d+1))
		}
		return text
	}},
	"events": {"/events/2026/3/", func(path string, _ url.Values) string {
		var y, m, d int
		fmt.Sscanf(path, "/events/%d/%d/%d", &y, &m, &d)
		text := path + anchor(fmt.Sprintf("/events/%d/%d/", y+m/12, m%12+1)) + anchor(fmt.Sprintf("/events/%d/%d/", y-1, m))
		for d := range 28 {
			text += anchor(fmt.Sprintf("/events/%d/%d/%d/", y, m, d+1))
		}
		return text
	}},
	"table": {"/table", func(path string, q url.Values) (text string) {
		for _, sort := range []string{"name", "date", "size", "kind"} {
			for page := range 12 {
				text += anchor(fmt.Sprintf("/table?sort=%s&dir=%d&page=%d", sort, 1-value(q, "dir"), page))
			}
		}
		return "sorted " + q.Encode() + text
	}},
	"facets": {"/find", func(_ string, q url.Values) string {
		text := "found by " + q.Encode()
		for _, name := range []string{"colour", "size", "year", "maker", "price"} {
			for i := range 6 {
				if !q.Has(name) {
					text += anchor("/find?" + strings.TrimPrefix(fmt.Sprintf("%s&%s=%d", q.Encode(), name, i), "&"))
				}
			}
		}
		return text
	}},
	"sessions": {"/shop/1?sid=1", func(path string, q url.Values) string {
		text := "shop " + path
		for i := range 8 {
			n := sum(path, q.Encode(), i)
			text += anchor(fmt.Sprintf("/shop/%d?sid=%x", i, n)) + anchor(fmt.Sprintf("/shop/%d;jsessionid=%X", i, n)) + anchor(fmt.Sprintf("/shop/%d?PHPSESSID=%x", i, n)) + anchor(fmt.Sprintf("/shop/%d?visit=%x", i, n))
		}
		return text
	}},
	"slash": {"/rel/", func(path string, _ url.Values) string { return "here " + path + anchor("rel/") + anchor("docs/") }},
	"soft": {"/soft/", func(path string, _ url.Values) string {
		return "Not found: " + path + anchor("about/") + anchor("news/") + anchor("contact.html") + anchor("help/index.html")
	}},
	"random": {"/rnd/", func(path string, _ url.Values) string { return path + words(path, 10, "/rnd/%s") }},
	"nested": {"/nest/", func(path string, _ url.Values) string {
		return path + anchor("../") + words(path, 6, strings.TrimSuffix(path, "/")+"/%s/")
	}},
	"folders": {"/w/a/b", func(path string, _ url.Values) (text string) {
		for i := range 6 {
			text += anchor(fmt.Sprintf("/%s/%s/%s", word(path, i), word(path, i+10), word(path, i+20)))
		}
		return path + text
	}},
	"pageq": {"/all?page=1", func(_ string, q url.Values) string {
		return "page " + q.Get("page") + anchor(fmt.Sprintf("/all?page=%d", value(q, "page")+1))
	}},
	"pagep": {"/page/1", func(path string, _ url.Values) string {
		return path + anchor(fmt.Sprintf("/page/%d", last(path)+1)) + anchor(fmt.Sprintf("/page/%d", last(path)-1))
	}},
	"nexts": {"/next/begin", func(path string, _ url.Values) string { return path + words(path, 1, "/next/%s") }},
	"stream": {"/stream?from=1", func(_ string, q url.Values) string {
		return "stream" + q.Get("from") + words(q.Get("from"), 8, "/stream/%s") + anchor(fmt.Sprintf("/stream?from=%d", value(q, "from")+8))
	}},
	"search": {"/search?q=wells", func(_ string, q url.Values) string {
		return "results for " + q.Get("q") + words(q.Get("q"), 6, "/search?q=%s")
	}},
	"tags": {"/tag/a", func(path string, _ url.Values) string {
		text := path
		for c := 'a'; c < 'p'; c++ {
			if !strings.ContainsRune(path[5:], c) {
				text += anchor(path + "+" + string(c))
			}
		}
		return text
	}},
	"login": {"/login?return=/", func(_ string, q url.Values) string {
		return "Log in." + q.Get("return") + anchor("/login?return="+url.QueryEscape(q.Get("return")+"/x"))
	}},
	"posts": {"/reply?p=0", func(path string, q url.Values) string { return path + "to " + q.Encode() }},
	"print": {"/sections.html?print=1", nil},
	"wiki": {"/w.php?title=Main&action=edit", func(_ string, q url.Values) (text string) {
		for i := range 5 {
			text += anchor(fmt.Sprintf("/w.php?title=%s&action=diff&oldid=%d", q.Get("title"), sum(q.Get("title"), q.Get("oldid"), i)%1000))
		}
		return q.Encode() + text
	}},
	"mirror": {"/mirror/", nil},
}

func newTrapped(on ...string) *trapped {
	s := &trapped{map[string]string{}, map[string]bool{}}
	for _, trap := range on {
		s.on[trap] = true
	}
	p := s.pages
	front := anchor("/sections.html") + anchor("/wiki/Main") + anchor("/blog/"+word("post", 0)) + anchor("/archive/") + anchor("/files/") + anchor("/news?page=1") + anchor("/items?page=1") + anchor("/forum?start=0") + anchor("/hops/1.html")
	for _, trap := range on {
		front += anchor(traps[trap].from)
	}
	p["/"] = front
	sections := ""
	for i := range 9 {
		section := fmt.Sprintf("/%s/", word("section", i))
		sections += anchor(section)
		names := ""
		for j := range 20 {
			name := section + word(section, j) + ".html"
			names += anchor(name)
			p[name] = "page " + name + s.around(name)
		}
		p[section] = "section" + names + s.around(section)
	}
	p["/sections.html"] = sections + s.around("/sections.html")
	for i := range 400 {
		text := ""
		for j := range 5 {
			text += anchor("/wiki/" + wikiName(int(sum("wiki", fmt.Sprint(i), j)%400)))
		}
		text += anchor("/wiki/" + wikiName((i+1)%400))
		if s.on["wiki"] {
			for _, action := range []string{"edit", "history", "info", "diff&oldid=" + fmt.Sprint(i)} {
				text += anchor("/w.php?title=" + wikiName(i) + "&action=" + action)
			}
		}
		p["/wiki/"+wikiName(i)] = "On " + wikiName(i) + text
	}
	for i := range 40 {
		text := "post " + fmt.Sprint(i)
		if i > 0 {
			text += anchor(word("post", i-1))
		}
		if i < 39 {
			text += anchor(word("post", i+1))
		}
		p["/blog/"+word("post", i)] = text + s.around("/blog/"+word("post", i))
	}
	index := ""
	for i := range 300 {
		name := fmt.Sprintf("msg%05d.html", i)
		index += anchor(name)
		p["/archive/"+name] = "message " + name + anchor(fmt.Sprintf("msg%05d.html", min(i+1, 299))) + anchor(fmt.Sprintf("msg%05d.html", max(i-1, 0)))
	}
	p["/archive/"] = index
	var rows []string
	for i := range 800 {
		rows = append(rows, fmt.Sprintf("%s.txt|%s", word("file", i), old))
		p["/files/"+word("file", i)+".txt"] = "file " + fmt.Sprint(i)
	}
	p["/files/"] = listing("/files/", rows...)
	for i := 1; i <= 6; i++ {
		text := "news " + fmt.Sprint(i)
		for j := range 5 {
			name := "/news/" + word("news", 5*i+j)
			text += anchor(name)
			p[name] = "News " + name + s.around(name)
		}
		if i < 6 {
			text += anchor(fmt.Sprintf("/news?page=%d", i+1))
		}
		p[fmt.Sprintf("/news?page=%d", i)] = text
	}
	for i := 1; i <= 15; i++ {
		text := "items " + fmt.Sprint(i)
		for j := range 20 {
			id := 20*(i-1) + j
			name := fmt.Sprintf("/index.php?id=%d", id)
			text += anchor(name)
			p[name] = "item " + name + anchor(fmt.Sprintf("/index.php?id=%d", min(id+1, 299))) + s.around(name)
		}
		if i < 15 {
			text += anchor(fmt.Sprintf("/items?page=%d", i+1))
		}
		p[fmt.Sprintf("/items?page=%d", i)] = text
	}
	for start := 0; start < 60; start += 20 {
		text := "forum " + fmt.Sprint(start)
		for t := start; t < start+20; t++ {
			name := fmt.Sprintf("/topic?t=%d", t)
			text += anchor(name)
			p[name] = "topic " + fmt.Sprint(t)
			for post := range 5 {
				for _, what := range []string{"/reply?p=%d", "/quote?p=%d", "/report?p=%d", "/print?p=%d"} {
					if s.on["posts"] {
						p[name] += anchor(fmt.Sprintf(what, 5*t+post))
					}
				}
			}
			for _, order := range []string{"date", "name", "votes"} {
				if s.on["posts"] {
					p[name] += anchor(name + "&sort=" + order)
				}
			}
		}
		if start < 40 {
			text += anchor(fmt.Sprintf("/forum?start=%d", start+20))
		}
		p[fmt.Sprintf("/forum?start=%d", start)] = text
	}
	for i := 1; i <= 25; i++ {
		p[fmt.Sprintf("/hops/%d.html", i)] = "hop " + fmt.Sprint(i) + s.around("/hops")
		if i < 25 {
			p[fmt.Sprintf("/hops/%d.html", i)] += anchor(fmt.Sprintf("/hops/%d.html", i+1))
		}
	}
	for i := range 20 {
		p[fmt.Sprintf("/unlinked/%d.html", i)] = "unlinked " + fmt.Sprint(i)
	}
	return s
}

// around are the links to traps that stand on a plain page.
func (s *trapped) around(name string) (text string) {
	more := "?"
	if strings.Contains(name, "?") {
		more = "&"
	}
	for trap, links := range map[string][]string{
		"login": {"/login?return=" + url.QueryEscape(name)}, "print": {name + more + "print=1", name + more + "lang=de", name + more + "lang=fr", name + more + "utm_source=x"},
		"calendar": {traps["calendar"].from}, "search": {"/search?q=" + word(name, 1)}, "tags": {"/tag/" + string('a'+rune(sum(name, "", 1)%15))},
	} {
		for _, to := range links {
			if s.on[trap] {
				text += anchor(to)
			}
		}
	}
	return text
}

func (s *trapped) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := r.URL.RequestURI()
	w.Header().Set("Content-Type", "text/html")
	if r.URL.Path == "/robots.txt" {
		fmt.Fprintf(w, "Sitemap: http://%s/sitemap.txt\n", r.Host)
		return
	}
	if r.URL.Path == "/sitemap.txt" {
		for i := range 20 {
			fmt.Fprintf(w, "http://%s/unlinked/%d.html\n", r.Host, i)
		}
		return
	}
	if s.on["mirror"] {
		for strings.HasPrefix(at, "/mirror/") {
			at = at[len("/mirror"):]
		}
	}
	if text, ok := s.pages[at]; ok {
		if at != r.URL.RequestURI() {
			text = strings.ReplaceAll(text, `href="/`, `href="`+strings.TrimSuffix(r.URL.RequestURI(), at)+"/")
		} else if s.on["mirror"] {
			text += `<a href="/mirror` + at + `"></a>`
		}
		fmt.Fprint(w, "<html><body>"+text)
		return
	}
	u, _ := url.Parse(at)
	query := u.Query()
	if s.on["print"] && (query.Has("print") || query.Has("lang")) {
		what := "print" + query.Get("print") + query.Get("lang")
		query.Del("print")
		query.Del("lang")
		u.RawQuery = query.Encode()
		if text, ok := s.pages[u.String()]; ok {
			fmt.Fprint(w, what+text)
			return
		}
	}
	if s.on["posts"] && (query.Has("p") || query.Has("sort") && u.Path == "/topic") {
		fmt.Fprint(w, traps["posts"].page(u.Path, query))
		return
	}
	for trap := range s.on {
		from, _, _ := strings.Cut(traps[trap].from, "?")
		top := strings.SplitAfterN(from, "/", 3)[1]
		if in := strings.TrimPrefix(u.Path, "/"); traps[trap].page != nil && trap != "posts" && (strings.HasPrefix(in+"/", strings.TrimSuffix(top, "/")+"/") || trap == "folders" && isWord(in)) {
			fmt.Fprint(w, "<html><body>"+traps[trap].page(u.Path, query))
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// isWord says whether a path begins with one of the random words.
func isWord(path string) bool {
	first, _, more := strings.Cut(path, "/")
	return more && len(first) == 8 && !slices.ContainsFunc([]rune(first), func(c rune) bool { return c < 'a' || c > 'z' })
}

func anchor(to string) string {
	return fmt.Sprintf("<a href=\"%s\">x</a>\n", strings.ReplaceAll(to, "&", "&amp;"))
}

func sum(a, b string, n int) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, a, "/", b, "/", n)
	x := h.Sum64()
	x ^= x >> 29
	return x * 0x9e3779b97f4a7c15 >> 8
}

// word is a name of eight letters.
func word(of string, n int) string {
	x := sum(of, "", n)
	var b strings.Builder
	for range 8 {
		b.WriteByte(byte('a' + x%26))
		x /= 26
	}
	return b.String()
}

func words(of string, n int, format string) (text string) {
	for i := range n {
		text += anchor(fmt.Sprintf(format, word(of, i)))
	}
	return text
}

func wikiName(i int) string {
	if i == 0 {
		return "Main"
	}
	return strings.ToUpper(word("wiki", i)[:1]) + word("wiki", i)[1:]
}

func value(q url.Values, key string) int {
	n, _ := strconv.Atoi(q.Get(key))
	return n
}

func last(path string) int {
	n, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
	return n
}
