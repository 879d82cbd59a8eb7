package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"linkcheck/internal/lab"
)

// lineServer is a server of a line protocol: a greeting, then an answer to each line.
func lineServer(greeting string, answer func(line string) string) func(net.Listener) error {
	return eachConn(func(c net.Conn) {
		fmt.Fprint(c, greeting+"\r\n")
		for in := bufio.NewScanner(c); in.Scan(); {
			if strings.EqualFold(in.Text(), "QUIT") {
				fmt.Fprint(c, "221 bye\r\n")
				return
			}
			fmt.Fprint(c, answer(in.Text())+"\r\n")
		}
	})
}

// eachConn is a server that talks on every connection and then closes it.
func eachConn(talk func(net.Conn)) func(net.Listener) error {
	return func(l net.Listener) error {
		var wg sync.WaitGroup
		defer wg.Wait()
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return nil
			} else if err != nil {
				return err
			}
			wg.Go(func() {
				defer c.Close()
				talk(c)
			})
		}
	}
}

func always(s string) func(string) string { return func(string) string { return s } }

// OUTCOMES section 6, story 4: sixty nights of refusals, and nothing is ever dead.
func TestRefusalsNeverMeanDead(t *testing.T) {
	const wait = 5 // days, in the Retry-After of later.test
	l := newLibrary(t, map[string]string{"a.txt": strings.Join([]string{
		"http://forbidden.test/x", "http://later.test/x", "http://later.test/y", "http://busy.test/x", "http://legal.test/x",
		"http://wall.test/x", "http://robots.test/x", "http://login.test/x", "ftp://ftp.mill.test/x", "nntp://auth.mill.test/mill.news/1",
		"nntp://closed.mill.test/mill.news/1", "http://linkedin.test/x"}, "\n")})
	web := l.serveWeb(lab.Web{
		"forbidden.test": {"/x": lab.Status(403)},
		"later.test":     {"*": lab.Status(429, "Retry-After", fmt.Sprint(wait*86400)), "/robots.txt": lab.NotFound},
		"busy.test":      {"/x": lab.Status(429)},
		"legal.test":     {"/x": lab.Status(451)},
		"wall.test":      {"/x": lab.Status(403, "cf-mitigated", "challenge")},
		"robots.test":    {"/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /\n"), "/x": lab.Status(404)},
		"login.test":     {"/x": lab.Status(401, "WWW-Authenticate", `Basic realm="mill"`)},
		"linkedin.test":  {"/x": lab.Status(999)},
	})
	l.serve(lineServer("220 ready", always("530 Not logged in")), "ftp.mill.test:21")
	l.serve(lineServer("200 ready", always("480 Authentication required")), "auth.mill.test:119")
	l.serve(lineServer("502 You have no permission to talk. Goodbye.", always("502 no")), "closed.mill.test:119")

	nights := map[string][]int{}
	for night := range 60 {
		l.runWell(float64(night))
		for _, asked := range web.requests() {
			if asked == "GET robots.test/x" {
				t.Fatalf("day %d: robots.txt was not heeded", night)
			}
			host, path, _ := strings.Cut(strings.TrimPrefix(asked, "GET "), "/")
			if path != "robots.txt" || host == "robots.test" {
				nights[host] = append(nights[host], night)
			}
		}
		for url, got := range l.links() {
			want := "restricted"
			if url == "http://later.test/y" && night <= wait {
				want = "new" // its host asked to be left alone before its turn came
			}
			if got.State != want || got.FailStreak != 0 {
				t.Errorf("day %d: %s: %+v", night, url, got)
			}
		}
	}
	for host, want := range map[string][]int{
		"forbidden.test": {0, 14}, "legal.test": {0, 14}, "wall.test": {0, 14}, "login.test": {0, 14}, "robots.test": {0, 14}, "linkedin.test": {0, 14},
	} {
		if !slices.Equal(nights[host], want) {
			t.Errorf("%s was asked on %v, want %v", host, nights[host], want)
		}
	}
	later := nights["later.test"]
	if len(later) < 10 {
		t.Errorf("later.test was asked on %v only", later)
	}
	for i, night := range later {
		if i > 0 && night-later[i-1] < wait {
			t.Errorf("later.test asked for %d days of rest and was asked on %v", wait, later)
		}
	}
	if want := []int{0, 1, 3, 7, 15, 23, 31, 39, 47, 55}; !slices.Equal(nights["busy.test"], want) { // 1, 2, 4, 8 nights
		t.Errorf("429 without Retry-After was asked on %v, want %v", nights["busy.test"], want)
	}
}

// The reasons and outcomes of the refusals (OUTCOMES section 1.3).
func TestReasonsOfRefusals(t *testing.T) {
	l := newLibrary(t, nil)
	l.serveWeb(lab.Web{
		"forbidden.test": {"/x": lab.Status(403)}, "later.test": {"/x": lab.Status(429, "Retry-After", "86400")},
		"legal.test": {"/x": lab.Status(451)}, "wall.test": {"/x": lab.Status(503, "cf-mitigated", "challenge")},
		"robots.test": {"/robots.txt": lab.Text("text/plain", "User-agent: linkcheck\nDisallow: /x\n")}, "login.test": {"/x": lab.Status(401)},
	})
	l.serve(lineServer("220 ready", always("530 Not logged in")), "ftp.mill.test:21")
	l.serve(lineServer("200 ready", always("480 Authentication required")), "auth.mill.test:119")
	l.serve(lineServer("200 ready", always("502 no permission")), "denied.mill.test:119")
	for _, row := range []struct{ uri, outcome, reason string }{
		{"http://forbidden.test/x", "blocked", "http-403"},
		{"http://later.test/x", "blocked", "http-429"},
		{"http://legal.test/x", "blocked", "http-451"},
		{"http://wall.test/x", "blocked", "challenge"},
		{"http://robots.test/x", "blocked", "robots"},
		{"http://login.test/x", "auth", "http-401"},
		{"ftp://ftp.mill.test/x", "auth", "ftp-530"},
		{"nntp://auth.mill.test/mill.news/1", "auth", "nntp-480"},
		{"nntp://denied.mill.test/mill.news/1", "blocked", "nntp-502"},
	} {
		got := l.check(row.uri)
		if got.Outcome != row.outcome || got.Reason != row.reason {
			t.Errorf("%s: %+v, want %s %s", row.uri, got, row.outcome, row.reason)
		}
	}
}
