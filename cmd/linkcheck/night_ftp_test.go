package main

import (
	"fmt"
	"testing"

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
		night(0, exitOK, 12, 10, "whole")
		night(1, exitOK, 12, 10, "whole")
		files.Change(func() { delete(files.Files, "/pub/3.txt") })
		night(2, exitOK, 11, 9, "whole")
		files.Change(func() { files.Files["/pub/5.txt"] = "See http://www.mill-library.org/1 again, and more.\n" })
		night(3, exitOK, 12, 9, "whole")
		if got := l.links()["http://www.mill-library.org/old4"]; got.State != "alive" {
			t.Errorf("%+v", got)
		}
	}
}
