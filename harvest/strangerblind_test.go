package harvest_test

import (
	"fmt"
	"net/url"
	"strings"
)

// parish is the site of a record office: registers by year and page, families whose members lead to
// each other, an index of names by letter, and forms that go on without end.
func parish() *stranger {
	s := newStranger("/", "/registers/", "/families/", "/names?letter=A", "/events/2026-03", "/contact")
	s.robots = "User-agent: *\nDisallow: /bot-trap/\n"
	s.add("/", 5, "/contact", "/fees", "/bot-trap/"+word("bait", 0), "/guestbook?page=1")
	s.add("/contact", 4)
	s.add("/fees", 6)
	s.add("/registers/", 2)
	s.add("/families/", 1)
	for p := range 7 {
		parish := "/registers/" + word("parish", p) + "/"
		s.link("/registers/", parish)
		s.add(parish, 3)
		for _, kind := range []string{"baptisms", "marriages", "burials"} {
			for v := range 3 {
				volume := fmt.Sprintf("%s%s/%d-%d/", parish, kind, 1700+30*v, 1729+30*v)
				s.link(parish, volume)
				s.add(volume, 2, parish)
				for page := range 8 {
					at := fmt.Sprintf("%s%d", volume, page+1)
					if page == 0 {
						s.link(volume, at)
					}
					s.add(at, 4)
					if page < 7 {
						s.link(at, fmt.Sprintf("%s%d", volume, page+2))
					}
					s.link(at, at+"?zoom=2", at+"?zoom=4", "/order?page="+url.QueryEscape(at))
				}
			}
		}
	}
	const people = 360
	person := func(i int) string { return fmt.Sprintf("/families/person/I%04d", i) }
	for i := range people {
		s.add(person(i), 3)
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < people {
				s.link(person(i), person(child))
				s.link(person(child), person(i))
			}
		}
		s.link(person(i), fmt.Sprintf("/families/tree?root=I%04d&depth=3", i), fmt.Sprintf("/families/relation?a=I%04d&b=I%04d", i, sum("relation", "", i)%people))
	}
	s.link("/families/", person(0))
	for l := range 6 {
		for start := range 3 {
			at := "/names?letter=" + string(rune('A'+l))
			if start > 0 {
				at += fmt.Sprintf("&start=%d", 20*start)
			}
			s.add(at, 0)
			for i := range 20 {
				s.link(at, person(60*l+20*start+i))
			}
			for other := range 6 {
				s.link(at, "/names?letter="+string(rune('A'+other)))
			}
			if start < 2 {
				s.link(at, fmt.Sprintf("/names?letter=%c&start=%d", 'A'+l, 20*start+20))
			}
		}
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		var y, m int
		switch {
		case strings.HasPrefix(u.Path, "/events/"):
			if n, _ := fmt.Sscanf(u.Path, "/events/%d-%d", &y, &m); n < 2 || m < 1 || m > 12 {
				return ""
			}
			return "<p>There are no meetings of the society in this month at all.</p>" + anchors(fmt.Sprintf("/events/%d-%02d", y+m/12, m%12+1), fmt.Sprintf("/events/%d-%02d", y-(12-m)/11, (m+10)%12+1))
		case strings.HasPrefix(u.Path, "/bot-trap/"):
			return babble(u.Path, "/bot-trap/", 5)
		case u.Path == "/order":
			return "<form><p>Fill in this form to order a copy of the page that you have seen.</p></form>"
		case u.Path == "/guestbook":
			return "<p>Nobody has written into this book on this page until now.</p>" + anchors(fmt.Sprintf("/guestbook?page=%d", value(q, "page")+1))
		case u.Path == "/families/tree":
			text := "<p>The tree of the person and of all who come from that person.</p>"
			var n int
			fmt.Sscanf(q.Get("root"), "I%d", &n)
			for _, to := range []int{2*n + 1, 2*n + 2, (n - 1) / 2} {
				if to < people {
					text += anchors(person(to))
				}
			}
			return text + anchors(fmt.Sprintf("/families/tree?root=%s&depth=%d", q.Get("root"), value(q, "depth")+1))
		case u.Path == "/families/relation":
			return "<p>How these two persons of our tree are related to each other.</p>" + anchors(fmt.Sprintf("/families/relation?a=%s&b=I%04d", q.Get("b"), sum(u.RawQuery, "", 1)%people))
		case q.Has("zoom"):
			return s.pages[u.Path] + anchors(fmt.Sprintf("%s?zoom=%d", u.Path, 2*value(q, "zoom")))
		}
		return ""
	}
	s.foot = func(at string, visit int) string { return anchors("?hl=de", "?hl=fr") }
	others := s.others
	s.others = func(u *url.URL, visit int) string {
		if u.Query().Has("hl") {
			q := u.Query()
			q.Del("hl")
			plain := u.Path
			if len(q) > 0 {
				plain += "?" + q.Encode()
			}
			return s.pages[plain]
		}
		return others(u, visit)
	}
	return s
}

// radio is a station's site: programmes with episodes, playlists by day, a shop, tags, and comments.
func radio() *stranger {
	s := newStranger("/", "/programmes", "/playlist/2026-02-28", "/shop", "/blog/", "/tag/"+word("genre", 0))
	s.mirror = "/m/"
	s.add("/", 3, "/about/team", "/about/studio", "/m/")
	s.add("/about/team", 7)
	s.add("/about/studio", 7)
	s.add("/programmes", 1)
	for p := range 18 {
		programme := "/programmes/" + word("programme", p)
		s.link("/programmes", programme)
		s.add(programme, 4)
		for e := range 22 {
			at := fmt.Sprintf("%s/episodes/%d-%s", programme, 100+e, word(programme, e))
			s.add(at, 5, programme, "/tag/"+word("genre", e%14))
			s.link(at, fmt.Sprintf("/comment?to=%s&t=%d", url.QueryEscape(at), e), "/listen/"+word(at, 7))
			if e%6 == 0 {
				s.link(at, "http://guest.example/"+word(at, 1))
			}
			page := programme
			if e >= 10 {
				page = fmt.Sprintf("%s?page=%d", programme, e/10+1)
				s.add(page, 0)
				s.link(programme, page)
			}
			s.link(page, at)
		}
	}
	s.add("/shop", 1)
	for c := range 5 {
		category := "/shop/" + word("shop", c) + "/"
		s.link("/shop", category)
		s.add(category, 1)
		for i := range 24 {
			at := fmt.Sprintf("%sitem-%d.html", category, 10*c+i)
			s.link(category, at)
			s.add(at, 3, category)
		}
		for _, sort := range []string{"price", "name", "new"} {
			for _, dir := range []string{"asc", "desc"} {
				s.link(category, category+"?sort="+sort+"&dir="+dir)
			}
		}
	}
	s.add("/blog/", 1)
	for i := range 150 {
		at := fmt.Sprintf("/blog/%d/%02d/%s/", 2022+i/48, i/4%12+1, word("blog", i))
		if i >= 140 {
			s.link("/blog/", at)
		}
		s.add(at, 6)
		if i > 0 {
			s.link(at, fmt.Sprintf("/blog/%d/%02d/%s/", 2022+(i-1)/48, (i-1)/4%12+1, word("blog", i-1)))
		}
		s.link(at, at+"?replytocom="+fmt.Sprint(i), at+"feed/", fmt.Sprintf("/blog/%d/%02d/", 2022+i/48, i/4%12+1))
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		var y, m, d int
		switch {
		case strings.HasPrefix(u.Path, "/playlist/"):
			if n, _ := fmt.Sscanf(u.Path, "/playlist/%d-%d-%d", &y, &m, &d); n < 3 || m < 1 || m > 12 || d < 1 || d > 28 {
				return ""
			}
			text := "<p>The music of the day was not written down for this date.</p>"
			for hour := range 6 {
				text += anchors(fmt.Sprintf("%s?hour=%d", u.Path, 4*hour))
			}
			return text + anchors(fmt.Sprintf("/playlist/%d-%02d-%02d", y, m, d%28+1), fmt.Sprintf("/playlist/%d-%02d-%02d", y+m/12, m%12+1, d), fmt.Sprintf("/playlist/%d-%02d-%02d", y-(12-m)/11, (m+10)%12+1, d))
		case strings.HasPrefix(u.Path, "/tag/"):
			text := "<p>All that we have said about this, and about what is close to it.</p>"
			for i := range 14 {
				if tag := word("genre", i); !strings.Contains(u.Path, tag) {
					text += anchors(u.Path + "/" + tag)
				}
			}
			return text
		case u.Path == "/comment":
			return "<form><p>Write what you think about the programme that you have heard.</p></form>" + anchors("/captcha/"+word("captcha", visit))
		case strings.HasPrefix(u.Path, "/captcha/"):
			return "<form><p>Write the letters that you can see in the picture below.</p></form>" + anchors("/captcha/"+word("captcha", visit))
		case strings.HasPrefix(u.Path, "/listen/"):
			return "<p>The player cannot be shown without scripts in your browser.</p>"
		case strings.HasPrefix(u.Path, "/shop/") && q.Has("sort"):
			return s.pages[u.Path]
		case q.Has("replytocom"):
			return s.pages[u.Path]
		case strings.HasPrefix(u.Path, "/blog/"):
			if n, _ := fmt.Sscanf(u.Path, "/blog/%d/%d/", &y, &m); n == 2 && strings.Count(u.Path, "/") == 4 && m > 0 && m < 13 {
				return "<p>What was written in this month can be found on this page.</p>" + anchors(fmt.Sprintf("/blog/%d/%02d/", y+m/12, m%12+1))
			}
		}
		return ""
	}
	s.foot = func(at string, visit int) string {
		return anchors("/shop/cart?add="+word(at, 4)+"&token="+word("token", visit), fmt.Sprintf("/about/studio;jsessionid=%032X", visit))
	}
	return s
}
