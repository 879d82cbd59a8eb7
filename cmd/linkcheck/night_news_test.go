package main

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// Newsgroups over a month: an article is read once, one in two groups is one document, what
// is cancelled goes within a week, and a server in outage loses nothing.
func TestNightsOfNews(t *testing.T) {
	l := newLibrary(t, nil)
	news := &lab.News{
		Groups: map[string][]string{"mill.talk": {"1@mill.test", "2@mill.test", "3@mill.test"}, "mill.maps": {"2@mill.test", "4@mill.test"}, "other": {"5@mill.test"}},
		Text: func(id string) string {
			return fmt.Sprintf("See http://www.mill-library.org/%s about it.", strings.TrimSuffix(id, "@mill.test"))
		},
	}
	web := lab.Site{}
	for i := range 9 {
		web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
	}
	l.serveWeb(lab.Web{"www.mill-library.org": web})
	l.serve(news.Serve, "news.mill-library.org:119")
	night := func(day float64, code, documents int, message string) {
		t.Helper()
		l.night(day, "news://news.mill-library.org/mill.*", code, documents, documents, message)
	}
	night(0, exit.OK, 4, "whole")
	night(1, exit.OK, 4, "whole")
	news.Change(func() {
		news.Groups["mill.talk"] = append(news.Groups["mill.talk"], "6@mill.test")
		news.Groups["mill.talk"][0] = ""
	})
	night(2, exit.OK, 5, "whole")
	news.Change(func() { news.Groups["mill.talk"][1] = "" }) // it is in the other group
	night(9, exit.OK, 4, "whole")
	whole := news.Groups
	news.Change(func() { news.Groups = map[string][]string{"mill.talk": nil, "mill.maps": nil} })
	night(17, exit.OK, 4, "")
	news.Change(func() { news.Groups = whole })
	night(25, exit.OK, 4, "whole")
	for _, n := range []string{"2", "3", "4", "6"} {
		if got := l.links()["http://www.mill-library.org/"+n]; got.State != "alive" {
			t.Errorf("%s: %+v", n, got)
		}
	}
}
