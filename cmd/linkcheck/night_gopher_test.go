package main

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A gopher server over some nights: its menus lead to its documents, what robots.txt keeps
// back and what is only searched is not asked for, and an outage loses nothing.
func TestNightsOfGopher(t *testing.T) {
	l := newLibrary(t, nil)
	item := func(line string) string {
		return strings.ReplaceAll(line, "|", "\t") + "\tgopher.mill-library.org\t70\r\n"
	}
	items := map[string]string{
		"robots.txt":     "User-agent: *\r\nDisallow: /private\r\n.\r\n",
		"":               item("iWelcome to the mill|") + item("1Guides|/guides") + item("0About|/about") + item("7Search|/search") + item("0Staff|/private/staff") + ".\r\n",
		"/guides":        item("0First|/guides/1") + item("0Second|/guides/2") + item("1Up|") + ".\r\n",
		"/guides/1":      "See http://www.mill-library.org/1 first.\r\n.\r\n",
		"/guides/2":      "See http://www.mill-library.org/2 then.\r\n.\r\n",
		"/about":         "Write to the mill.\r\n.\r\n",
		"/private/staff": "See http://www.mill-library.org/3 never.\r\n.\r\n",
	}
	web := lab.Site{"/1": lab.Text("text/html", "<title>here</title>"), "/2": lab.Text("text/html", "<title>here</title>")}
	l.serveWeb(lab.Web{"www.mill-library.org": web})
	var down atomic.Bool
	l.serve(func(at net.Listener) error {
		return lab.Gopher(refusing{at, &down}, items)
	}, "gopher.mill-library.org:70")
	night := func(day float64, code, documents int, message string) {
		t.Helper()
		s := l.readRoot(day, "gopher://gopher.mill-library.org/")
		row := l.roots()["gopher.mill-library.org"]
		if s.code != code || row.Documents != documents || !strings.Contains(row.Message, message) {
			t.Errorf("day %v: exit %d, want %d; %+v\n%s%s", day, s.code, code, row, s.out, s.err)
		}
	}
	night(0, exit.OK, 5, "")
	night(1, exit.OK, 5, "1 refused")
	down.Store(true)
	night(2, exit.Partial, 5, "outage")
	down.Store(false)
	night(3, exit.OK, 5, "")
	for n, known := range map[string]bool{"1": true, "2": true, "3": false} {
		if got := l.links()["http://www.mill-library.org/"+n]; (got.State == "alive") != known {
			t.Errorf("%s: %+v", n, got)
		}
	}
}

// refusing is a server that closes each connection at once while it is down.
type refusing struct {
	net.Listener
	down *atomic.Bool
}

// Accept implements net.Listener.
func (r refusing) Accept() (net.Conn, error) {
	for {
		c, err := r.Listener.Accept()
		if err != nil || !r.down.Load() {
			return c, err
		}
		c.Close()
	}
}

// Two roots of one gopher server, and one inside the other: the server is asked for nothing
// twice in a night, robots.txt among it, be it there, missing, or an item of a menu too.
func TestNightsOfGopherRoots(t *testing.T) {
	l := newLibrary(t, nil)
	row := func(line string) string {
		return strings.ReplaceAll(line, "|", "\t") + "\tgopher.mill-library.org\t70\r\n"
	}
	items := map[string]string{
		"robots.txt": "User-agent: *\r\nDisallow: /private\r\n.\r\n",
		"":           row("1Guides|/guides") + row("1Maps|/maps") + row("0Rules|robots.txt") + row("0Staff|/private") + ".\r\n",
		"/guides":    row("0First|/guides/1") + row("0Rules|robots.txt") + ".\r\n",
		"/guides/1":  "The first guide.\r\n.\r\n",
		"/maps":      row("0First|/maps/1") + ".\r\n",
		"/maps/1":    "The first map.\r\n.\r\n",
	}
	var log asked
	var missing atomic.Bool
	l.serve(func(at net.Listener) error {
		return lab.GopherOf(at, func(request string) map[string]string {
			if log.note(request); request == "robots.txt" && missing.Load() {
				return nil
			}
			return items
		})
	}, "gopher.mill-library.org:70")
	const server = "gopher://gopher.mill-library.org/"
	for night, roots := range [][]string{{server + "1/guides", server + "1/maps"}, {server, server + "1/maps"}, {server + "1/maps", server + "1/guides", server}} {
		for _, gone := range []bool{false, true} {
			missing.Store(gone)
			day := float64(2 * night)
			if gone {
				day++
			}
			s := l.readRoot(day, "--quiet", roots...)
			if all, more := log.twice(); s.code != exit.OK || len(more) > 0 || all < 5 {
				t.Errorf("day %v: exit %d, %d requests, twice: %q\n%s", day, s.code, all, more, s.err)
			}
		}
	}
}
