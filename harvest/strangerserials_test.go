package harvest_test

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// journal is a learned journal: the home page names the current issue alone, each issue its articles and
// the issue before. 7 pages, 144 issues, 792 articles, and a supplement to each sixth article: 1,075.
func journal(among bool) *stranger {
	s := newStranger("/", "/about/", "/about/board.html", "/about/authors.html", "/about/ethics.html", "/contact.html", "/journal/v36n4/")
	for _, at := range s.nav[1:6] {
		s.add(at, 7)
	}
	s.add("/", 4, "/about/history.html", "http://press.example/")
	s.add("/about/history.html", 9)
	before, articles := "", 0
	for v := 1; v <= 36; v++ {
		for n := 1; n <= 4; n++ {
			issue := fmt.Sprintf("/journal/v%dn%d/", v, n)
			s.add(issue, 2)
			for i := range 4 + (v+n)%4 {
				at := issue + word(issue, i) + ".html"
				s.link(issue, at)
				s.add(at, 6, issue)
				if articles%6 == 0 {
					more := issue + "supplements/" + word(issue, i) + ".html"
					s.link(at, more)
					s.add(more, 3, at)
				}
				if articles++; among {
					of := url.QueryEscape(at)
					s.link(at, "/cite?of="+of+"&format=bibtex", "/cite?of="+of+"&format=ris", "/mail-article?of="+of, at+"?print=1",
						"/search?author="+word("author", articles%90), "/related/"+word(at, 40))
				}
			}
			if before != "" {
				s.link(issue, before)
			}
			before = issue
		}
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		switch {
		case !among:
		case u.Path == "/cite":
			return "<pre>@article{" + word(q.Get("of"), 1) + ", journal = {Proceedings of the Society}}</pre>"
		case u.Path == "/mail-article":
			return "<form><p>Send this article to a colleague by mail, with a word of your own.</p></form>"
		case u.Path == "/search":
			text := "<p>Articles that were found by the name of their author.</p>"
			for i := range 4 {
				text += anchors("/search?author=" + word("author", int(sum(u.RawQuery, "", i)%90)))
			}
			q.Set("page", fmt.Sprint(value(q, "page")+1))
			return text + anchors("/search?"+q.Encode())
		case strings.HasPrefix(u.Path, "/related/"):
			return "<p>These articles are close to the one that you have read.</p>" + anchors("/related/"+word(u.Path, 0), "/related/"+word(u.Path, 1))
		case u.RawQuery == "print=1":
			return s.pages[u.Path]
		}
		return ""
	}
	return s
}

// daily is the archive of a newspaper of 1907 to 1909, a page for each day but Sundays, and one for its
// second sheet. The calendar is that of those years, and ends. 4 pages, 3 years, 36 months, and of 940
// days two: 1,923.
func daily(among bool) *stranger {
	s := newStranger("/", "/archive/", "/history.html", "/help.html")
	s.add("/", 5)
	s.add("/archive/", 2)
	s.add("/history.html", 9)
	s.add("/help.html", 6)
	folder := func(day time.Time) string { return day.Format("/archive/2006/01/02/") }
	var before time.Time
	for day := time.Date(1907, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 1910; day = day.AddDate(0, 0, 1) {
		at := folder(day)
		month, year := at[:len("/archive/1907/01/")], at[:len("/archive/1907/")]
		if day.YearDay() == 1 {
			s.link("/archive/", year)
			s.add(year, 1, "/archive/")
		}
		if day.Day() == 1 {
			s.link(year, month)
			s.add(month, 1, year)
			if last := day.AddDate(0, -1, 0); last.Year() > 1906 {
				s.link(month, folder(last)[:len(month)])
				s.link(folder(last)[:len(month)], month)
			}
		}
		if day.Weekday() == time.Sunday {
			continue
		}
		s.link(month, at)
		s.add(at, 5, month, at+"sheet-2.html")
		s.add(at+"sheet-2.html", 5, at)
		if !before.IsZero() {
			s.link(at, folder(before))
			s.link(folder(before), at)
		}
		if before = day; among {
			s.link(at, "/clip?sheet="+url.QueryEscape(at), "/search?from="+day.Format("2006-01-02")+"&days=7", at+"?zoom=2", day.Format("/onthisday/1/2/"))
		}
	}
	s.others = func(u *url.URL, visit int) string {
		q := u.Query()
		var m, d int
		switch {
		case !among:
		case u.Path == "/clip":
			return "<form><p>Draw a frame around the part of the sheet that you want to keep.</p></form>" + anchors(fmt.Sprintf("/clip?id=%d", visit))
		case u.Path == "/search":
			from, err := time.Parse("2006-01-02", q.Get("from"))
			if err != nil {
				return ""
			}
			return "<p>What was printed in the days that you have asked for.</p>" + anchors("/search?from="+from.AddDate(0, 0, 7).Format("2006-01-02")+"&days=7", "/search?from="+q.Get("from")+fmt.Sprintf("&days=%d", 2*value(q, "days")))
		case q.Has("zoom"):
			return s.pages[u.Path] + anchors(fmt.Sprintf("%s?zoom=%d", u.Path, 2*value(q, "zoom")))
		case strings.HasPrefix(u.Path, "/onthisday/"):
			if n, _ := fmt.Sscanf(u.Path, "/onthisday/%d/%d/", &m, &d); n < 2 {
				return ""
			}
			return "<p>What happened on this day of the year, as far as we know of it.</p>" + anchors(fmt.Sprintf("/onthisday/%d/%d/", m, d%31+1), fmt.Sprintf("/onthisday/%d/%d/", m%12+1, d))
		}
		return ""
	}
	return s
}
