package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// scriptedArchive is a web archive of our own: a CDX server, a TimeGate and TimeMaps over the same
// captures, and the pages of these.
type scriptedArchive struct {
	*httptest.Server
	captures map[string][]string // page to times, 14 digits
	pages    map[string]string   // time to text, where it is not the usual one
	status   map[string]int      // time to status
	busy     int                 // questions after which it answers 503; 0: none

	mu    sync.Mutex
	asked []string
}

func newArchive(t *testing.T, captures map[string][]string) *scriptedArchive {
	a := &scriptedArchive{captures: captures, pages: map[string]string{}, status: map[string]int{}}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *scriptedArchive) questions() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked)
}

func (a *scriptedArchive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, r.RequestURI)
	n := len(a.asked)
	a.mu.Unlock()
	if a.busy > 0 && n > a.busy {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if page, ok := strings.CutPrefix(r.RequestURI, "/gate/"); ok {
		a.gate(w, r, page)
		return
	}
	if page, ok := strings.CutPrefix(r.RequestURI, "/map/"); ok {
		a.timeMap(w, page)
		return
	}
	if r.URL.Path == "/coll/cdx" {
		for _, stamp := range a.captures[r.FormValue("url")] {
			fmt.Fprintf(w, `{"urlkey":"x","timestamp":"%s","url":"%s","status":"200"}`+"\n", stamp, r.FormValue("url"))
		}
		return
	}
	stamp, page, _ := strings.Cut(strings.TrimPrefix(r.RequestURI, "/coll/"), "/")
	if status := a.status[stamp]; status != 0 {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	text := a.pages[stamp]
	if text == "" {
		text = "<title>The mill</title><p>" + millText
	}
	fmt.Fprintf(w, "%s <!-- %s %s -->", text, page, stamp)
}

func (a *scriptedArchive) gate(w http.ResponseWriter, r *http.Request, page string) {
	at, _ := http.ParseTime(r.Header.Get("Accept-Datetime"))
	best, far := "", time.Duration(1<<63-1)
	for _, stamp := range a.captures[page] {
		made, _ := time.Parse("20060102150405", stamp)
		if d := made.Sub(at).Abs(); d < far {
			best, far = stamp, d
		}
	}
	w.Header().Set("Vary", "accept-datetime")
	w.Header().Set("Link", "<"+page+`>; rel="original", <`+a.URL+"/map/"+page+`>; rel="timemap"; type="application/link-format"`)
	if best == "" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Location", "/coll/"+best+"/"+page)
	w.WriteHeader(http.StatusFound)
}

func (a *scriptedArchive) timeMap(w http.ResponseWriter, page string) {
	fmt.Fprintf(w, "<%s>;rel=\"original\"", page)
	for _, stamp := range a.captures[page] {
		made, _ := time.Parse("20060102150405", stamp)
		fmt.Fprintf(w, ",\n<%s/coll/%s/%s>; rel=\"memento\"; datetime=\"%s\"", a.URL, stamp, page, made.Format(http.TimeFormat))
	}
}

var millText = strings.Repeat("The mill stands at the river and the miller grinds the corn of the village. ", 12)

const millBox = `From a@b.example Tue Nov  5 10:00:00 1996
From: a@b.example
Date: Tue, 5 Nov 1996 10:00:00 +0000
Message-ID: <1996@b.example>
Subject: The mill

See http://www.mill-library.org/mill

From a@b.example Fri Mar  5 10:00:00 2010
From: a@b.example
Date: Fri, 5 Mar 2010 10:00:00 +0000
Message-ID: <2010@b.example>
Subject: The mill again

Still http://www.mill-library.org/mill
and http://www.mill-library.org/never

`

// deadMill is a library whose mailbox of 1996 and 2010 names pages that are gone.
func deadMill(t *testing.T) *library {
	l := newLibrary(t, nil)
	l.serveWeb(lab.Web{"www.mill-library.org": lab.Site{"/": lab.Text("text/html", "<title>Mill</title><p>"+millText)}})
	l.write("list.mbox", millBox)
	for night := range 4 {
		l.runWell(float64(7*night), "--all")
	}
	for url, link := range l.links() {
		if link.State != "dead" {
			t.Fatalf("%s is %s", url, link.State)
		}
	}
	return l
}

func (l *library) archive(at float64, more ...string) result {
	args := append([]string{"archive", "--store", l.store(), "--now", day(at), "--allow-private", "127.0.0.0/8", "--gap", "1ms"}, more...)
	return call(l.t.Context(), "", args...)
}

// copies are the archived copies by record.
func (l *library) copies() map[string]string {
	list := map[string]string{}
	for _, row := range l.table() {
		list[row["record_id"]+" "+filepath.Base(row["url"])] = row["archive_url"]
	}
	return list
}

// The archivist's story: a link in a mail of 1996 gets the copy nearest to 1996, the same
// link in a mail of 2010 another one; whichever way the archive is asked.
func TestArchiveOfMailbox(t *testing.T) {
	page := "http://www.mill-library.org/mill"
	for _, way := range []string{"--timegate URL/gate/", "--timemap URL/map/", "--cdx URL/coll/cdx"} {
		t.Run(way, func(t *testing.T) {
			l := deadMill(t)
			a := newArchive(t, map[string][]string{page: {"19961224120000", "20030101000000", "20100401000000", "20260101000000"}})
			args := strings.Fields(strings.Replace(way, "URL", a.URL, 1))
			s := l.archive(30, args...)
			if s.code != exit.OK || !strings.Contains(s.out+s.err, "asked about 2 of 2 links, 0 known already; 1 with a copy, 1 without; 0 left") {
				t.Fatalf("exit %d\n%s%s", s.code, s.out, s.err)
			}
			want := map[string]string{
				"1996@b.example mill":  a.URL + "/coll/19961224120000/" + page,
				"2010@b.example mill":  a.URL + "/coll/20100401000000/" + page,
				"2010@b.example never": "",
			}
			if got := l.copies(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			explained := l.ok("explain", page)
			for _, words := range []string{"dated 1996-11-05 (mail)", "archived copy of 1996-12-24: ", "dated 2010-03-05 (mail)", "archived copy of 2010-04-01: "} {
				if !strings.Contains(explained, words) {
					t.Errorf("explain does not say %q:\n%s", words, explained)
				}
			}
			before := a.questions()
			if s = l.archive(200, args...); s.code != exit.OK || a.questions() != before || !strings.Contains(s.out+s.err, "asked about 0 of 2 links, 2 known already") {
				t.Errorf("asked again: %d questions\n%s%s", a.questions()-before, s.out, s.err)
			}
			a.captures = nil // the archive has lost it
			if s = l.archive(215, args...); !strings.Contains(s.out+s.err, "0 with a copy, 2 without (1 lost again); 0 left") {
				t.Errorf("after 180 days:\n%s%s", s.out, s.err)
			}
		})
	}
}

// A copy that is an error page, a soft 404, or unlike what we saw is passed over for the next
// nearest.
func TestArchiveLooksAtCopies(t *testing.T) {
	page := "http://www.mill-library.org/once"
	l := newLibrary(t, nil)
	gone := false
	l.serveWeb(lab.Web{"www.mill-library.org": lab.Site{"/once": func(w http.ResponseWriter, r *http.Request) {
		if gone {
			lab.NotFound(w, r)
			return
		}
		lab.Text("text/html", "<title>The mill</title><p>"+millText)(w, r)
	}}})
	l.write("memo.txt", "See "+page+" there.\n")
	for night := range 8 {
		gone = night > 2
		l.runWell(float64(7*night), "--all")
	}
	casino := "<title>Casino</title><p>" + strings.Repeat("Play roulette and poker with a bonus for new players, win tonight without any deposit. ", 12)
	stamps := []string{day(1), day(2), day(3), day(300)}
	for i := range stamps {
		stamps[i] = strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(stamps[i])
	}
	a := newArchive(t, map[string][]string{page: stamps})
	a.status[stamps[0]] = http.StatusNotFound
	a.pages[stamps[1]] = "<title>404 Not Found</title><h1>Not Found</h1><p>The page was not found."
	a.pages[stamps[2]] = casino
	s := l.archive(60, "--timegate", a.URL+"/gate/")
	if s.code != exit.OK || !strings.Contains(s.out+s.err, "1 with a copy") {
		t.Fatalf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	want := a.URL + "/coll/" + stamps[3] + "/" + page
	for _, row := range l.table() {
		if row["archive_url"] != want {
			t.Errorf("%s, want %s; asked %q", row["archive_url"], want, a.asked)
		}
	}
}

// An archive that answers 503 is not asked any more; the exit code says that links are left, and
// the next campaign goes on. --limit leaves links too, and is no failure.
func TestArchiveBusyAndLimit(t *testing.T) {
	page := "http://www.mill-library.org/mill"
	l := deadMill(t)
	a := newArchive(t, map[string][]string{page: {"19961224120000"}})
	a.busy = 1
	s := l.archive(30, "--timegate", a.URL+"/gate/")
	if s.code != exit.Partial || !strings.Contains(s.out+s.err, "2 left") || !strings.Contains(s.err, "503; it is not asked any more") {
		t.Errorf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	a.busy = 0
	if s = l.archive(31, "--timegate", a.URL+"/gate/", "--limit", "1"); s.code != exit.OK || !strings.Contains(s.out+s.err, "asked about 1 of 2 links") || !strings.Contains(s.out+s.err, "1 left") {
		t.Errorf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	if s = l.archive(31, "--timegate", a.URL+"/gate/"); s.code != exit.OK || !strings.Contains(s.out+s.err, "asked about 1 of 2 links, 1 known already") {
		t.Errorf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	if s = l.archive(31, "--timegate", a.URL+"/gate/", "--only", "alive"); s.code != exit.OK || !strings.Contains(s.out+s.err, "asked about 0 of 0 links") {
		t.Errorf("exit %d\n%s%s", s.code, s.out, s.err)
	}
}

// report --memento is the short form: it keeps to --only, and what it learned stays.
func TestReportMemento(t *testing.T) {
	page := "http://www.mill-library.org/mill"
	l := deadMill(t)
	a := newArchive(t, map[string][]string{page: {"19961224120000"}})
	args := []string{"report", "--store", l.store(), "--now", day(30), "--allow-private", "127.0.0.0/8", "--memento", a.URL + "/gate/", "--jsonl", "-"}
	if s := call(t.Context(), "", append(args, "--only", "moved")...); s.code != exit.OK || a.questions() != 0 {
		t.Errorf("--only moved: exit %d, %d questions\n%s", s.code, a.questions(), s.err)
	}
	s := call(t.Context(), "", args...)
	if s.code != exit.OK || !strings.Contains(s.out, a.URL+"/coll/19961224120000/"+page) {
		t.Errorf("exit %d\n%s%s", s.code, s.out, s.err)
	}
	if got := l.copies()["2010@b.example mill"]; got == "" {
		t.Error("what it learned is gone")
	}
}
