package lab

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
)

// endless answers for the parts of the site that have no end. The text is "" where the
// answer is given already.
func (s *TrapSite) endless(w http.ResponseWriter, r *http.Request) (text string, ok bool) {
	part, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch part {
	case "calendar":
		return calendar(r), true
	case "table":
		return table(r), true
	case "find":
		return facets(r), true
	case "shop":
		return s.shop(w, r)
	case "rel":
		return "relative " + r.URL.Path + link("rel/") + link("rel/rel/"), true
	case "mirror":
		return "the same page" + link("about/") + link("news/") + link("help/"), true
	case "deep":
		return "deep " + r.URL.Path + link(strings.TrimSuffix(r.URL.Path, "/")+"/"+strconv.Itoa(strings.Count(r.URL.Path, "/"))+"/"), true
	case "ring":
		Redirect(http.StatusFound, "/ring/"+strconv.Itoa(rand.IntN(3)))(w, r)
		return "", true
	case "now":
		return "it is late" + link(fmt.Sprintf("/now?t=%d", rand.Int64())), true
	case "login":
		return "Members may read more." + link("/login?return="+r.URL.Query().Get("return")+"/x"), true
	case "moved.html":
		Redirect(http.StatusMovedPermanently, "/new.html")(w, r)
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

func number(r *http.Request, key string, otherwise int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(key)); err == nil {
		return n
	}
	return otherwise
}

// calendar leads to the months beside one, and to its days.
func calendar(r *http.Request) string {
	year, month := number(r, "year", 2026), number(r, "month", 1)
	text := fmt.Sprintf("Nothing on %d of %d, day %d", month, year, number(r, "day", 0))
	text += link(fmt.Sprintf("/calendar?year=%d&month=%d", year+month/12, month%12+1)) + link(fmt.Sprintf("/calendar?year=%d&month=%d", year-1, month))
	return text + links(fmt.Sprintf("/calendar?year=%d&month=%d&day=%%d", year, month), 28)
}

// table leads to itself in other orders.
func table(r *http.Request) string {
	text := "a table by " + r.URL.Query().Get("sort")
	for _, column := range []string{"name", "date", "size"} {
		for page := range 7 {
			text += link(fmt.Sprintf("/table?sort=%s&page=%d", column, page)) + link(fmt.Sprintf("/table?page=%d&sort=%s&down", page, column))
		}
	}
	return text
}

// facets leads to narrower searches, which are spelled in the order of the clicks.
func facets(r *http.Request) string {
	query := r.URL.RawQuery
	text := "what is found by " + query
	for _, name := range []string{"colour", "size", "year"} {
		for value := range 5 {
			if !strings.Contains(query, name+"=") {
				text += link("/find?" + strings.TrimPrefix(fmt.Sprintf("%s&%s=%d", query, name, value), "&"))
			}
		}
	}
	return text
}

// shop takes its readers' cookies into its addresses: each has a session, which stands in
// all links.
func (s *TrapSite) shop(w http.ResponseWriter, r *http.Request) (string, bool) {
	session := r.URL.Query().Get("sid")
	if session == "" {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: strconv.FormatInt(s.visitors.Add(1), 10)})
		Redirect(http.StatusFound, fmt.Sprintf("%s?sid=%d", r.URL.Path, s.visitors.Load()))(w, r)
		return "", true
	}
	text := "shop " + r.URL.Path
	for i := range 5 {
		text += link(fmt.Sprintf("/shop/%d?sid=%d", i, s.visitors.Add(1))) + link(fmt.Sprintf("/shop/%d;jsessionid=%X?sid=%s", i, i, session))
	}
	return text, true
}

// link is a link in the text of a page.
func link(to string) string {
	return fmt.Sprintf("<a href=\"%[1]s\">%[1]s</a>\n", strings.ReplaceAll(to, "&", "&amp;"))
}

func links(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(link(fmt.Sprintf(format, i+1)))
	}
	return b.String()
}
