package harvest_test

import (
	"fmt"
	"net/url"
	"strings"
)

var strangers = []struct {
	name  string
	site  func() *stranger
	pages int  // true ones, where they are counted without the site
	plain bool // there is nothing else
}{
	{name: "museum", site: museum},
	{name: "library without canonical", site: func() *stranger { return catalogueSite("") }},
	{name: "library, canonical without filters", site: func() *stranger { return catalogueSite("filters") }},
	{name: "library, canonical is the first page", site: func() *stranger { return catalogueSite("first") }},
	{name: "herbarium", site: herbarium},
	{name: "newspaper", site: newspaper},
	{name: "forum", site: forum},
	{name: "wiki", site: wikiSite},
	{name: "plain", site: plainSite, pages: 3000, plain: true},
	{name: "record office", site: parish},
	{name: "radio", site: radio},
	{name: "journal", site: func() *stranger { return journal(false) }, pages: 1075, plain: true},
	{name: "journal among traps", site: func() *stranger { return journal(true) }, pages: 1075},
	{name: "daily", site: func() *stranger { return daily(false) }, pages: 1923, plain: true},
	{name: "daily among traps", site: func() *stranger { return daily(true) }, pages: 1923},
}

// museum has halls, cases in them, and five labels in each case: 975 pages.
func museum() *stranger {
	s := newStranger("/", "/halls/", "/visit.html", "/events?month=2026-03", "/search?q=jug")
	s.mirror = "/mirror/"
	s.add("/", 6, "/visit.html", "/news/", "/about.html", "/mirror/", "/staff/private/index.html")
	s.add("/visit.html", 8)
	s.add("/about.html", 8, "http://society.example/")
	s.add("/halls/", 2)
	for h := range 13 {
		hall := "/halls/" + word("hall", h) + "/"
		s.link("/halls/", hall)
		s.add(hall, 5)
		for c := range 11 {
			one := fmt.Sprintf("%scase-%d/", hall, c+1)
			s.link(hall, one)
			s.add(one, 3, hall)
			for l := range 5 {
				label := fmt.Sprintf("%slabel-%d.html", one, l+1)
				s.link(one, label)
				s.add(label, 4, one)
			}
		}
	}
	s.add("/news/", 1)
	for n := len(s.pages); n < 975; n++ {
		name := "/news/" + word("news", n) + ".html"
		s.link("/news/", name)
		s.add(name, 6)
	}
	labels := func(q url.Values) (found []string) {
		x := sum(q.Encode(), "found", 0)
		for i := range 10 {
			h, c, l := (x>>i)%13, (x>>(i+3))%11, (x>>(i+7))%5
			found = append(found, fmt.Sprintf("/halls/%s/case-%d/label-%d.html", word("hall", int(h)), c+1, l+1))
		}
		return found
	}
	s.others = func(u *url.URL, visit int) string {
		switch q := u.Query(); {
		case u.Path == "/events":
			return monthsOf("/events", q)
		case u.Path == "/search":
			return refine("/search", q, map[string]int{"material": 6, "period": 5, "hall": 7}, labels(q)[:3+len(q)%4])
		case strings.HasPrefix(u.Path, "/staff/private/"):
			return babble(u.Path, "/staff/private/", 6)
		}
		if text, ok := s.pages[u.Path]; ok && u.Query().Has("PHPSESSID") {
			return text
		}
		return ""
	}
	s.foot = func(at string, visit int) string {
		return anchors(fmt.Sprintf("/visit.html?PHPSESSID=%032x", visit), fmt.Sprintf("/halls/?PHPSESSID=%032x", visit))
	}
	return s
}

// catalogueSite is a library: lists of records go on by page, of authors by start, and a quarter of
// the records stand in a search by one filter alone.
func catalogueSite(canonical string) *stranger {
	s := newStranger("/", "/list?page=1", "/authors?letter=a&start=0", "/search?subject="+word("subject", 0), "/login?back=/")
	s.add("/", 5, "/rules.html", "/hours.html", "/subjects.html", "/cal/2026/3/")
	s.add("/rules.html", 9)
	s.add("/hours.html", 9)
	s.add("/subjects.html", 1)
	record := func(i int) string { return fmt.Sprintf("/record?id=b%d", 1000+7*i) }
	const records, listed, perPage = 400, 300, 15
	for i := range records {
		s.add(record(i), 3, fmt.Sprintf("/author/%s.html", word("author", i%100)), "/search?subject="+word("subject", i%12))
	}
	for p := range listed / perPage {
		at := fmt.Sprintf("/list?page=%d", p+1)
		s.add(at, 0)
		for i := range perPage {
			s.link(at, record(p*perPage+i))
		}
		if p+1 < listed/perPage {
			s.link(at, fmt.Sprintf("/list?page=%d", p+2))
		}
	}
	for a := range 100 {
		s.add(fmt.Sprintf("/author/%s.html", word("author", a)), 4, "/search?author="+word("author", a))
	}
	for l := range 5 {
		letter := string(rune('a' + l))
		for start := range 2 {
			at := fmt.Sprintf("/authors?letter=%s&start=%d", letter, 10*start)
			s.add(at, 0, fmt.Sprintf("/authors?letter=%s&start=0", string(rune('a'+(l+1)%5))))
			for i := range 10 {
				s.link(at, fmt.Sprintf("/author/%s.html", word("author", l*20+start*10+i)))
			}
			s.link(at, fmt.Sprintf("/authors?letter=%s&start=%d", letter, 10-10*start))
		}
	}
	facets := map[string]int{"subject": 12, "lang": 5, "place": 6, "decade": 9}
	for i := range 12 {
		s.link("/subjects.html", "/search?subject="+word("subject", i))
	}
	search := func(q url.Values) string {
		var found []string
		for i := range records {
			ok := true
			for name, n := range facets {
				of := map[string]int{"subject": i, "lang": i / 3, "place": i / 5, "decade": i / 7}[name]
				ok = ok && (!q.Has(name) || q.Get(name) == word(name, of%n))
			}
			if ok && (!q.Has("author") || q.Get("author") == word("author", i%100)) {
				found = append(found, record(i))
			}
		}
		page := max(1, value(q, "page"))
		last := max(1, (len(found)+9)/10)
		if page > last {
			return ""
		}
		more := url.Values{}
		for name := range q {
			more.Set(name, q.Get(name))
		}
		text := ""
		for _, p := range []int{page - 1, page + 1} {
			if p >= 1 && p <= last {
				more.Set("page", fmt.Sprint(p))
				text += anchors("/search?" + more.Encode())
			}
		}
		more.Del("page")
		switch canonical {
		case "first":
			text = fmt.Sprintf(`<link rel="canonical" href="/search?%s">`, more.Encode()) + text
		case "filters":
			plain := url.Values{}
			for name := range q {
				if name != "sort" {
					plain.Set(name, q.Get(name))
				}
			}
			text = fmt.Sprintf(`<link rel="canonical" href="/search?%s">`, plain.Encode()) + text
		}
		return text + refine("/search", q, facets, found[10*(page-1):min(10*page, len(found))])
	}
	s.others = func(u *url.URL, _ int) string {
		switch {
		case u.Path == "/search":
			return search(u.Query())
		case u.Path == "/login":
			return "<form><p>Please log in with your card number and your password to go on.</p></form>"
		case strings.HasPrefix(u.Path, "/cal/"):
			return monthFolder("/cal", u.Path)
		}
		return ""
	}
	s.foot = func(at string, _ int) string { return anchors("/login?back=" + url.QueryEscape(at)) }
	return s
}

// monthFolder is a calendar of folders, which has nothing to say.
func monthFolder(top, path string) string {
	var y, m, d int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(path, top), "/%d/%d/%d/", &y, &m, &d); n == 3 {
		return "<p>Nothing is planned for this day, all the rooms are free.</p>" + anchors(fmt.Sprintf("%s/%d/%d/", top, y, m))
	} else if n < 2 || m < 1 || m > 12 {
		return ""
	}
	text := "<p>What is planned for this month in all the rooms of the house.</p>" + anchors(fmt.Sprintf("%s/%d/%d/", top, y+m/12, m%12+1), fmt.Sprintf("%s/%d/%d/", top, y-(12-m)/11, (m+10)%12+1))
	for day := range 28 {
		text += anchors(fmt.Sprintf("%s/%d/%d/%d/", top, y, m, day+1))
	}
	return text
}

// herbarium is a tree five deep: families, genera, species, and sheets in folders of their dates.
func herbarium() *stranger {
	s := newStranger("/", "/herbarium/", "/diary/2026/5/", "/help/")
	s.add("/", 7, "/about/history.html", "/about/people.html", "/tags/"+word("tag", 0))
	s.add("/about/history.html", 12)
	s.add("/about/people.html", 12, "http://botany.example/")
	s.add("/herbarium/", 3)
	s.add("/help/", 3, "search.html")
	s.add("/help/search.html", 9)
	for f := range 9 {
		family := "/herbarium/" + word("family", f) + "aceae/"
		s.link("/herbarium/", family)
		s.add(family, 3)
		for g := range 3 + f%3 {
			genus := family + word(family, g) + "/"
			s.link(family, genus)
			s.add(genus, 3)
			for n := range 3 + (f+g)%3 {
				species := genus + word(genus, n) + "/"
				s.link(genus, species)
				s.add(species, 4)
				for i := range 1 + int(sum(species, "sheets", 0)%6) {
					x := sum(species, "sheet", i)
					sheet := fmt.Sprintf("%s%d/%02d/sheet-%d.html", species, 1850+x%90, 4+x%6, x%10000)
					s.link(species, sheet)
					s.add(sheet, 3, species)
				}
			}
		}
	}
	s.others = func(u *url.URL, visit int) string {
		switch {
		case strings.HasPrefix(u.Path, "/diary/"):
			return monthFolder("/diary", u.Path)
		case strings.HasPrefix(u.Path, "/tags/"):
			text := "<p>Pictures with these tags in the order of their dates.</p>"
			for i := range 12 {
				if tag := word("tag", i); !strings.Contains(u.Path, tag) {
					text += anchors(u.Path + "+" + tag)
				}
			}
			return text
		case strings.HasPrefix(u.Path, "/basket/"):
			return "<p>The sheet was added to the list of those that you want to order.</p>" + anchors(fmt.Sprintf("/basket/%x", sum("basket", "", visit)))
		}
		if text, ok := s.pages[u.Path]; ok && (u.RawQuery == "print=1" || strings.HasPrefix(u.RawQuery, "lang=")) {
			return text
		}
		return ""
	}
	s.foot = func(at string, visit int) string {
		at, _, _ = strings.Cut(at, "?")
		if strings.Contains(at, "sheet-") {
			return anchors(at+"?print=1", at+"?lang=la", fmt.Sprintf("/basket/%x", sum("basket", "", visit)))
		}
		return anchors(at+"?lang=la", at+"?lang=de")
	}
	return s
}

// newspaper has its articles in folders of dates, in which an endless calendar lies too.
func newspaper() *stranger {
	s := newStranger("/", "/section/town?page=1", "/section/harbour?page=1", "/2026/03/", "/imprint.html")
	s.add("/", 4, "/subscribe.html")
	s.add("/imprint.html", 8)
	s.add("/subscribe.html", 8)
	var articles []string
	of := map[string][]string{} // by month
	for i := range 640 {
		y, m, d := 2024+i*27/640/12, i*27/640%12+1, 1+int(sum("day", "", i)%28)
		at := fmt.Sprintf("/%d/%02d/%02d/%s-%s", y, m, d, word("article", i), word("of", i%40))
		month := fmt.Sprintf("/%d/%02d/", y, m)
		articles = append(articles, at)
		of[month] = append(of[month], at)
	}
	sections := []string{"town", "harbour", "sport", "letters"}
	for i, at := range articles {
		s.add(at, 7, articles[max(0, i-1)], articles[min(i+1, len(articles)-1)], at[:9], at[:12])
		s.link(at, at+"?print=1", "/share?url="+url.QueryEscape(at))
		if i%4 == 0 {
			s.link(at, fmt.Sprintf("http://source%d.example/", i))
		}
	}
	for k, section := range sections {
		for p := 1; p <= 4; p++ { // the newest alone
			at := fmt.Sprintf("/section/%s?page=%d", section, p)
			s.add(at, 0, fmt.Sprintf("/section/%s?page=%d", section, min(p+1, 4)), fmt.Sprintf("/section/%s?page=1", sections[(k+1)%4]))
			for i := range 10 {
				s.link(at, articles[len(articles)-1-(k+4*(10*(p-1)+i))])
			}
		}
	}
	s.others = func(u *url.URL, visit int) string {
		if u.Path == "/share" {
			return "<form><p>Send this article to a friend by mail, or show it to all of them.</p></form>"
		}
		if text, ok := s.pages[u.Path]; ok && u.RawQuery == "print=1" {
			return text
		}
		var y, m, d int
		n, _ := fmt.Sscanf(u.Path, "/%d/%d/%d/", &y, &m, &d)
		if n < 2 || m < 1 || m > 12 || strings.Trim(u.Path, "/0123456789") != "" {
			return ""
		}
		month := fmt.Sprintf("/%d/%02d/", y, m)
		if n == 3 {
			text := "<p>All that was printed on this day in our paper.</p>"
			for _, at := range of[month] {
				if strings.HasPrefix(at, u.Path) {
					text += anchors(at)
				}
			}
			return text + anchors(month)
		}
		text := "<p>All that was printed in this month in our paper.</p>" + anchors(of[month]...)
		for day := range 28 {
			text += anchors(fmt.Sprintf("%s%02d/", month, day+1))
		}
		return text + anchors(fmt.Sprintf("/%d/%02d/", y+m/12, m%12+1), fmt.Sprintf("/%d/%02d/", y-(12-m)/11, (m+10)%12+1))
	}
	return s
}

// forum has topics of several pages, profiles, print views, and a search for each author.
func forum() *stranger {
	s := newStranger("/", "/faq.php", "/memberlist.php", "/search.php?search_id=active")
	s.add("/", 1)
	s.add("/faq.php", 20)
	s.add("/memberlist.php", 0)
	posts := 0
	for f := range 8 {
		topics := 25 + 5*f
		for start := 0; start < topics; start += 20 {
			at := fmt.Sprintf("/viewforum.php?f=%d", f+2)
			if start == 0 {
				s.link("/", at)
			} else {
				at += fmt.Sprintf("&start=%d", start)
			}
			s.add(at, 0)
			for next := 20; next < topics; next += 20 {
				s.link(at, fmt.Sprintf("/viewforum.php?f=%d&start=%d", f+2, next))
			}
			for _, sort := range []string{"sk=t&sd=a", "sk=a&sd=d", "sk=r&sd=a", "st=7"} {
				s.link(at, at+"&"+sort)
			}
			for n := start; n < min(start+20, topics); n++ {
				topic := fmt.Sprintf("/viewtopic.php?f=%d&t=%d", f+2, 100*(f+1)+n)
				s.link(at, topic)
				for page := range 1 + int(sum(topic, "pages", 0)%3) {
					here := topic
					if page > 0 {
						here += fmt.Sprintf("&start=%d", 10*page)
						s.link(topic, here)
					}
					s.add(here, 8, at)
					for range 4 {
						posts++
						s.link(here, fmt.Sprintf("/memberlist.php?mode=viewprofile&u=%d", sum(here, "user", posts)%90+2))
						s.link(here, fmt.Sprintf("/posting.php?mode=quote&f=%d&p=%d", f+2, posts), fmt.Sprintf("/viewtopic.php?p=%d", posts))
					}
					s.link(here, here+"&view=print", topic+"&view=next", topic+"&view=previous", fmt.Sprintf("/posting.php?mode=reply&f=%d&t=%d", f+2, 100*(f+1)+n))
				}
			}
		}
	}
	for u := range 90 {
		at := fmt.Sprintf("/memberlist.php?mode=viewprofile&u=%d", u+2)
		s.add(at, 3, fmt.Sprintf("/search.php?author_id=%d&sr=posts", u+2), fmt.Sprintf("/ucp.php?i=pm&mode=compose&u=%d", u+2))
		s.link("/memberlist.php", at)
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		switch {
		case u.Path == "/posting.php" || u.Path == "/ucp.php":
			return "<form><p>You must be a member and logged in to write to this board.</p></form>" + anchors(fmt.Sprintf("/ucp.php?mode=login&redirect=%s&t=%d", u.Query().Get("t"), visit))
		case u.Path == "/search.php":
			text := "<p>The search found so many posts that fit your words.</p>"
			for i := range 5 {
				text += anchors(fmt.Sprintf("/viewtopic.php?p=%d", sum(u.RawQuery, "hit", i)%uint64(posts)+1), fmt.Sprintf("/search.php?keywords=%s", word(u.RawQuery, i)))
			}
			q.Set("start", fmt.Sprint(value(q, "start")+10))
			return text + anchors("/search.php?"+q.Encode())
		case u.Path == "/viewforum.php":
			plain := fmt.Sprintf("/viewforum.php?f=%s", q.Get("f"))
			if q.Has("start") {
				plain += "&start=" + q.Get("start")
			}
			return s.pages[plain]
		case u.Path == "/viewtopic.php" && q.Has("p"):
			n := value(q, "p")
			if n < 1 || n > posts {
				return ""
			}
			f := n % 8
			return s.pages[fmt.Sprintf("/viewtopic.php?f=%d&t=%d", f+2, 100*(f+1)+n%25)]
		case u.Path == "/viewtopic.php":
			plain := fmt.Sprintf("/viewtopic.php?f=%s&t=%s", q.Get("f"), q.Get("t"))
			if q.Has("start") {
				plain += "&start=" + q.Get("start")
			}
			return s.pages[plain]
		}
		return ""
	}
	s.foot = func(at string, visit int) string {
		return anchors(fmt.Sprintf("/faq.php?sid=%032x", visit), fmt.Sprintf("/ucp.php?mode=login&sid=%032x", visit))
	}
	return s
}

// wikiSite has articles, talk, categories and users, each with a history without end.
func wikiSite() *stranger {
	s := newStranger("/", "/wiki/Special:RecentChanges", "/wiki/Special:AllPages", "/wiki/Help:Contents", "/wiki/Special:Random")
	name := func(i int) string {
		return strings.ToUpper(word("article", i)[:1]) + word("article", i)[1:] + "_" + word("second", i%50)
	}
	s.add("/", 4, "/wiki/"+name(0), "/wiki/Category:"+word("category", 0))
	s.add("/wiki/Help:Contents", 9)
	for i := range 560 {
		at := "/wiki/" + name(i)
		s.add(at, 8, "/wiki/"+name((i+1)%560), "/wiki/Category:"+word("category", i%20))
		for j := range 3 {
			s.link(at, "/wiki/"+name(int(sum(at, "link", j)%560)))
		}
		if i%10 == 0 {
			talk := "/wiki/Talk:" + name(i)
			s.link(at, talk)
			s.add(talk, 5, at, "/wiki/User:"+word("user", i%30))
			s.link(at, "http://cited.example/"+word(at, 9))
		}
	}
	for c := range 20 {
		at := "/wiki/Category:" + word("category", c)
		s.add(at, 1, "/wiki/Category:"+word("category", (c+1)%20))
		for i := c; i < 560; i += 20 {
			s.link(at, "/wiki/"+name(i))
		}
	}
	for u := range 30 {
		if u%10 == 0 {
			s.add("/wiki/User:"+word("user", u), 4)
		}
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		title := q.Get("title")
		page := strings.TrimPrefix(u.Path, "/wiki/Special:")
		switch {
		case u.Path == "/index.php" && q.Get("action") == "edit":
			return "<form><p>You are not logged in, your address will be shown in the history of the page.</p></form>"
		case u.Path == "/index.php" && q.Get("action") == "history":
			text := "<p>Differences between versions of the page can be chosen below.</p>"
			for i := range 8 {
				id := sum(title, "rev", value(q, "offset")+i) % 1000000
				text += anchors(fmt.Sprintf("/index.php?title=%s&oldid=%d", title, id), fmt.Sprintf("/index.php?title=%s&diff=prev&oldid=%d", title, id), "/wiki/User:"+word("user", i), fmt.Sprintf("/wiki/Special:Contributions/%s", word("user", i)))
			}
			return text + anchors(fmt.Sprintf("/index.php?title=%s&action=history&offset=%d&limit=8", title, value(q, "offset")+8))
		case u.Path == "/index.php":
			text := s.pages["/wiki/"+title]
			return "<p>This is an old version of the page, which may differ from that of today.</p>" + text + anchors(fmt.Sprintf("/index.php?title=%s&oldid=%d", title, sum(title, u.RawQuery, 1)%1000000), fmt.Sprintf("/index.php?title=%s&diff=next&oldid=%d", title, sum(title, u.RawQuery, 1)%1000000))
		case strings.HasPrefix(page, "RecentChanges"):
			text := "<p>The newest changes to the pages of this wiki are listed here.</p>"
			for i := range 10 {
				x := int(sum(page, u.RawQuery, i) % 560)
				text += anchors("/wiki/"+name(x), fmt.Sprintf("/index.php?title=%s&diff=%d&oldid=%d", name(x), visit*10+i, visit*10+i-1))
			}
			for _, days := range []int{1, 3, 7, 14} {
				for _, limit := range []int{50, 100, 500} {
					text += anchors(fmt.Sprintf("/wiki/Special:RecentChanges?days=%d&limit=%d&from=%d", days, limit, visit))
				}
			}
			return text
		case page == "AllPages":
			text := ""
			from := max(0, value(q, "from"))
			for i := from; i < min(from+100, 560); i++ {
				text += anchors("/wiki/" + name(i))
			}
			return text + anchors(fmt.Sprintf("/wiki/Special:AllPages?from=%d", min(from+100, 500)))
		case strings.HasPrefix(page, "WhatLinksHere/"), strings.HasPrefix(page, "Contributions/"):
			text := "<p>The pages that are listed here were chosen by the wiki itself.</p>"
			for i := range 5 {
				text += anchors("/wiki/" + name(int(sum(page, u.RawQuery, i)%560)))
			}
			return text + anchors(u.Path+fmt.Sprintf("?offset=%d", value(q, "offset")+5))
		case page == "Random":
			return s.pages["/wiki/"+name(int(sum("random", "", visit)%560))]
		}
		return ""
	}
	s.foot = func(at string, _ int) string {
		title, ok := strings.CutPrefix(at, "/wiki/")
		if !ok || strings.HasPrefix(title, "Special:") {
			return ""
		}
		return anchors("/index.php?title="+title+"&action=edit", "/index.php?title="+title+"&action=history", "/wiki/Special:WhatLinksHere/"+title, fmt.Sprintf("/index.php?title=%s&oldid=%d", title, sum(title, "old", 0)%1000000))
	}
	return s
}

// plainSite has 3,000 pages and no trap.
func plainSite() *stranger {
	s := newStranger("/", "/articles/", "/photos/", "/records?page=1", "/archive/")
	s.add("/", 5)
	s.add("/articles/", 1)
	s.add("/photos/", 1)
	s.add("/archive/", 1)
	for i := range 700 {
		at := fmt.Sprintf("/articles/%s.html", word("plain", i))
		s.link("/articles/", at)
		s.add(at, 8, fmt.Sprintf("/articles/%s.html", word("plain", int(sum(at, "see", 0)%700))))
	}
	for a := range 40 {
		album := fmt.Sprintf("/photos/%s/", word("album", a))
		s.link("/photos/", album)
		s.add(album, 2)
		for p := range 20 {
			at := fmt.Sprintf("%s%d.html", album, p+1)
			s.link(album, at)
			s.add(at, 2, album, fmt.Sprintf("%s%d.html", album, min(p+2, 20)))
		}
	}
	for p := range 40 {
		at := fmt.Sprintf("/records?page=%d", p+1)
		s.add(at, 0, fmt.Sprintf("/records?page=%d", min(p+2, 40)))
		for i := range 20 {
			record := fmt.Sprintf("/record?id=%d", 20*p+i)
			s.link(at, record)
			s.add(record, 3)
			if i%5 == 0 {
				s.link(record, fmt.Sprintf("/record?id=%d", sum(record, "see", 0)%800))
			}
		}
	}
	for y := range 10 {
		year := fmt.Sprintf("/archive/%d/", 1996+y)
		s.link("/archive/", year)
		s.add(year, 1)
		for m := range 12 {
			month := fmt.Sprintf("%s%02d/", year, m+1)
			s.link(year, month)
			s.add(month, 1, year)
			for n := range 4 {
				at := fmt.Sprintf("%s%s.html", month, word(month, n))
				s.link(month, at)
				s.add(at, 6)
			}
		}
	}
	for n := 0; len(s.pages) < 3000; n++ {
		at := fmt.Sprintf("/notes/note-%d.html", n)
		s.link("/archive/", at)
		s.add(at, 4)
	}
	return s
}
