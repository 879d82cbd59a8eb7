package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A tree of FTP over some nights, by either command that lists it: what has not changed is
// not fetched again, what is gone goes at once, for its folder and the server both say so.
func TestNightsOfFTP(t *testing.T) {
	for _, noMLS := range []bool{false, true} {
		l := newLibrary(t, nil)
		files := &lab.Files{NoMLS: noMLS, Files: map[string]string{"/etc/motd": "See http://www.mill-library.org/9"}}
		web := lab.Site{}
		for i := range 5 {
			files.Files[fmt.Sprintf("/pub/%d.txt", i)] = fmt.Sprintf("See http://www.mill-library.org/%d here.\n", i)
			files.Files[fmt.Sprintf("/pub/old/%d.txt", i)] = fmt.Sprintf("See http://www.mill-library.org/old%d here.\n", i)
			web[fmt.Sprintf("/%d", i)], web[fmt.Sprintf("/old%d", i)] = lab.Text("text/html", "<title>here</title>"), lab.Text("text/html", "<title>here</title>")
		}
		l.serveWeb(lab.Web{"www.mill-library.org": web})
		l.serve(files.Serve, "ftp.mill-library.org:21")
		night := func(day float64, code, documents, links int, message string) {
			t.Helper()
			l.night(day, "ftp://ftp.mill-library.org/pub/", code, documents, links, message)
		}
		night(0, exit.OK, 12, 10, "whole")
		night(1, exit.OK, 12, 10, "whole")
		files.Change(func() { delete(files.Files, "/pub/3.txt") })
		night(2, exit.OK, 11, 9, "whole")
		files.Change(func() { files.Files["/pub/5.txt"] = "See http://www.mill-library.org/1 again, and more.\n" })
		night(3, exit.OK, 12, 9, "whole")
		if got := l.links()["http://www.mill-library.org/old4"]; got.State != "alive" {
			t.Errorf("%+v", got)
		}
	}
}

// Links on an FTP server, to folders and to files, and references to folders without their
// slash: once it is seen what is there, the listing answers for a folder, each night; a file
// is read again when it has changed, whatever the row of the link says.
func TestNightsOfFTPLinks(t *testing.T) {
	for _, noMLS := range []bool{false, true} {
		l := newLibrary(t, nil)
		var log asked
		files := &lab.Files{NoMLS: noMLS, Asked: log.note, Files: map[string]string{
			"/pub/a.html":     "<title>Here</title><a href=old>o</a> <a href=loop>l</a> <a href=ftp://ftp.mill-library.org/pub/new>n</a>",
			"/pub/old/1.txt":  "See http://www.mill-library.org/1 there.",
			"/data/today.txt": "See http://www.mill-library.org/2 there.",
		}, Links: map[string]string{"/pub/loop": "/pub", "/pub/new": "/pub/old", "/pub/news.txt": "/data/today.txt", "/pub/lost.txt": "/data/later.txt"}}
		web := lab.Site{"/1": lab.Page("here", "one"), "/2": lab.Page("here", "two"), "/3": lab.Page("here", "three"), "/4": lab.Page("here", "four")}
		l.serveWeb(lab.Web{"www.mill-library.org": web})
		l.serve(files.Serve, "ftp.mill-library.org:21")
		for night := range 10 {
			switch night {
			case 3:
				files.Change(func() { files.Files["/data/today.txt"] = "See http://www.mill-library.org/3 there, and more." })
			case 6:
				files.Change(func() { files.Files["/data/later.txt"] = "See http://www.mill-library.org/4 there." })
			}
			s := l.readRoot(float64(night), "ftp://ftp.mill-library.org/pub/")
			brought := slices.DeleteFunc(slices.Clone(log.list), func(s string) bool { return !strings.HasPrefix(s, "RETR ") })
			if _, more := log.twice(); s.code != exit.OK || len(more) > 0 {
				t.Errorf("%v, night %d: exit %d, twice: %q\n%s", noMLS, night, s.code, more, s.err)
			}
			slices.Sort(brought)
			for _, folder := range []string{"RETR /pub/loop", "RETR /pub/new", "RETR /pub/old"} {
				if (night > 0 || folder == "RETR /pub/old") && slices.Contains(brought, folder) {
					t.Errorf("%v, night %d: %q", noMLS, night, brought)
				}
			}
			links := l.links()
			for url, from := range map[string]int{"http://www.mill-library.org/1": 0, "http://www.mill-library.org/3": 3, "http://www.mill-library.org/4": 6,
				"ftp://ftp.mill-library.org/pub/old": 0, "ftp://ftp.mill-library.org/pub/loop": 0, "ftp://ftp.mill-library.org/pub/new": 0} {
				if links[url].State == "alive" != (night >= from) {
					t.Errorf("%v, night %d: %s: %+v", noMLS, night, url, links[url])
				}
			}
		}
	}
}

// A server that says of files which it lists that they are not there, night after night, as
// where a disk is broken, has not lost them.
func TestNightsOfFTPContradicted(t *testing.T) {
	l := newLibrary(t, nil)
	files := &lab.Files{Files: map[string]string{}}
	web := lab.Site{}
	for i := range 6 {
		files.Files[fmt.Sprintf("/pub/%d.txt", i)] = fmt.Sprintf("See http://www.mill-library.org/%d here.\n", i)
		web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
	}
	l.serveWeb(lab.Web{"www.mill-library.org": web})
	l.serve(files.Serve, "ftp.mill-library.org:21")
	const root = "ftp://ftp.mill-library.org/pub/"
	l.night(0, root, exit.OK, 7, 6, "whole")
	files.Change(func() {
		files.Lost = true
		files.Files["/pub/0.txt"], files.Files["/pub/1.txt"] = "Now see http://www.mill-library.org/0 there.\n", "Now see http://www.mill-library.org/1 there.\n"
	})
	for night := range 9 {
		l.night(float64(1+night), root, exit.OK, 7, 6, "2 not read")
	}
	files.Change(func() { delete(files.Files, "/pub/0.txt") })
	l.night(10, root, exit.OK, 6, 5, "1 not read")
	files.Change(func() { files.Lost = false })
	l.night(11, root, exit.OK, 6, 5, "whole")
}
