package memento_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/memento"
	"linkcheck/store"
	"linkcheck/store/archived"
)

var (
	now  = time.Date(2026, time.November, 20, 7, 0, 0, 0, time.UTC)
	year = func(y int) time.Time { return time.Date(y, time.July, 1, 12, 0, 0, 0, time.UTC) }
)

const page = "http://www.mill.example/x"

func client() *memento.Client {
	return &memento.Client{Doer: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, UserAgent: "linkcheck/test"}
}

// serve is an archive that answers each path by its text; one that begins with a number has that
// status, and lines "Name: value" behind it are its header.
func serve(t *testing.T, answers map[string]string) (at string, asked *[]string) {
	asked = &[]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.RequestURI+" "+r.Header.Get("Accept-Datetime"))
		text, ok := answers[r.RequestURI]
		if !ok {
			http.NotFound(w, r)
			return
		}
		head, body, _ := strings.Cut(text, "\n\n")
		lines := strings.Split(head, "\n")
		for _, line := range lines[1:] {
			name, value, _ := strings.Cut(line, ": ")
			w.Header().Add(name, value)
		}
		status := 0
		fmt.Sscan(lines[0], &status)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// near gives the copies of an archive, the nearest first, without the address of the server.
func near(t *testing.T, a memento.Archive, page string, at time.Time, server string) (list []string, err error) {
	t.Helper()
	for c, err := range a.Near(t.Context(), page, at) {
		if err != nil {
			return list, err
		}
		made := "?"
		if !c.Made.IsZero() {
			made = c.Made.Format("2006")
		}
		list = append(list, made+" "+strings.TrimPrefix(c.URL, server))
	}
	return list, nil
}

// A TimeGate redirects to a copy, or is it (RFC 7089 section 4.1, patterns 1 and 2); what it names
// beside and lists in its TimeMap comes behind.
func TestTimeGate(t *testing.T) {
	at, asked := serve(t, map[string]string{
		"/gate/" + page:          "302\nVary: accept-datetime\nLocation: /copy/19970101000000/" + page + "\nLink: <" + page + ">; rel=\"original\", </map>; rel=timemap, </copy/19980101000000/" + page + ">;rel=\"next memento\"; datetime=\"Thu, 01 Jan 1998 00:00:00 GMT\"",
		"/map":                   "200\n\n<" + page + ">;rel=\"original\",\n</copy/19970101000000/" + page + ">;rel=\"first memento\";datetime=\"Wed, 01 Jan 1997 00:00:00 GMT\",\n</copy/2001/>;rel=memento;datetime=\"Mon, 01 Jan 2001 00:00:00 GMT\"",
		"/gate/http://same.test": "200\nMemento-Datetime: Tue, 20 Oct 1998 02:00:00 GMT\nContent-Location: /copy/x",
		"/gate/http://loop.test": "302\nLocation: /gate/http://loop.test",
		"/gate/http://away.test": "302\nVary: Accept-Datetime\nLocation: gopher://x.test/",
		"/gate/http://bad.test":  "500\n",
		"/gate/http://busy.test": "503\nRetry-After: 7200",
	})
	gate := memento.NewTimeGate(client(), at+"/gate")
	got, err := near(t, gate, page, year(1996), at)
	want := []string{"1997 /copy/19970101000000/" + page, "1998 /copy/19980101000000/" + page, "2001 /copy/2001/"}
	if err != nil || !slices.Equal(got, want) || (*asked)[0] != "HEAD /gate/"+page+" Mon, 01 Jul 1996 12:00:00 GMT" {
		t.Errorf("%q, %v, asked %q", got, err, *asked)
	}
	if got, err := near(t, gate, "http://same.test", year(1996), at); err != nil || !slices.Equal(got, []string{"1998 /copy/x"}) {
		t.Errorf("pattern 2: %q, %v", got, err)
	}
	if got, err := near(t, gate, "http://none.test", year(1996), at); err != nil || got != nil {
		t.Errorf("none: %q, %v", got, err)
	}
	for _, bad := range []string{"http://loop.test", "http://away.test", "http://bad.test"} {
		if got, err := near(t, gate, bad, year(1996), at); err == nil || got != nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
	_, err = near(t, gate, "http://busy.test", year(1996), at)
	if busy, ok := errors.AsType[*memento.BusyError](err); !ok || time.Until(busy.Until) < time.Hour {
		t.Errorf("busy: %v", err)
	}
}

// A TimeMap may have pages, and its dates may be none (RFC 7089 section 5).
func TestTimeMap(t *testing.T) {
	var many strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&many, "</copy/%d>; rel=\"memento\"; datetime=\"Thu, 01 Jan 1998 00:00:00 GMT\",\n", i)
	}
	at, asked := serve(t, map[string]string{
		"/map/" + page:           "200\n\n</map/2>; rel=\"timemap\", </b>; rel=\"last memento\"; datetime=\"Sat, 01 Jan 2005 00:00:00 GMT\", </c>; rel=memento; datetime=\"yesterday\"",
		"/map/2":                 "200\n\n</map/2>; rel=\"self timemap\", </a>; rel=\"memento\"; datetime=\"Wed, 01 Jan 1997 00:00:00 GMT\", <ftp://x/>; rel=memento, <",
		"/map/http://long.test":  "200\n\n" + many.String(),
		"/map/http://waste.test": "200\n\n" + strings.Repeat("<", 3<<20),
	})
	m := memento.NewTimeMap(client(), at+"/map/{url}")
	if got, err := near(t, m, page, year(1996), at); err != nil || !slices.Equal(got, []string{"1997 /a", "2005 /b", "? /c"}) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := near(t, m, page, year(2006), at); err != nil || got[0] != "2005 /b" || len(*asked) != 2 {
		t.Errorf("%q, %v, asked %q", got, err, *asked)
	}
	if got, err := near(t, m, "http://long.test", year(1996), at); err != nil || len(got) < 10_000 || len(got) > 20_000 {
		t.Errorf("a long one: %d, %v", len(got), err)
	}
	if got, err := near(t, m, "http://waste.test", year(1996), at); err != nil || got != nil {
		t.Errorf("rubbish: %d, %v", len(got), err)
	}
}

// CDX servers answer in many layouts; what is no capture is passed over, unless there is nothing else.
func TestCDX(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"array with names": {`[["urlkey","timestamp","original","statuscode"],["x","20010101000000","` + page + `","200"],["x","19970101000000","` + page + `","200"],["x","19960701000000","` + page + `","404"]]`, []string{"1997", "2001"}},
		"array a line":     {`["x","20010101000000","` + page + `","text/html","200","D"]` + "\n" + `["x","19970101000000","` + page + `","text/html","200","D"]`, []string{"1997", "2001"}},
		"object a line":    {`{"timestamp":"20010101000000","url":"` + page + `"}` + "\n" + `{"timestamp":"19970101000000","url":"` + page + `","status":"200"}`, []string{"1997", "2001"}},
		"cdxj":             {`example,mill)/x 19970101000000 {"url":"` + page + `","status":"200"}`, []string{"1997"}},
		"fields":           {"example,mill)/x 19970101000000 " + page + " text/html 200 D - - 1 2 a.warc.gz", []string{"1997"}},
		"one bad":          {`{"timestamp":"19971301000000","url":"` + page + `"}` + "\n" + `{"timestamp":"19970101000000","url":"` + page + `"}`, []string{"1997"}},
		"none":             {"[]", nil},
		"empty":            {"", nil},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("url") != page || r.FormValue("closest") != "19960701120000" || r.FormValue("output") != "json" {
				t.Errorf("asked %s", r.RequestURI)
			}
			fmt.Fprint(w, tt.body)
		}))
		a, err := memento.NewCDX(client(), s.URL+"/coll/cdx")
		if err != nil {
			t.Fatal(err)
		}
		got, err := near(t, a, page, year(1996), s.URL)
		for i := range tt.want {
			tt.want[i] += " /coll/" + map[string]string{"1997": "19970101000000", "2001": "20010101000000"}[tt.want[i]] + "/" + page
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		s.Close()
	}
	for _, bad := range []string{`{"timestamp":"soon","url":"http://a.b/"}`, `{"timestamp":"19970101000000","url":"javascript:x"}`, "[[", "{", strings.Repeat("[", 2<<20)} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, bad) }))
		a, _ := memento.NewCDX(client(), s.URL+"/coll/cdx")
		if got, err := near(t, a, page, year(1996), s.URL); err == nil || got != nil {
			t.Errorf("%.40q: %q", bad, got)
		}
		s.Close()
	}
}

// warc is a file of records.
func warc(records ...[4]string) []byte {
	var b bytes.Buffer
	for _, r := range records {
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", r[0], r[1], r[2], len(r[3]), r[3])
	}
	return b.Bytes()
}

// Collections on the disk: WARC packed or not, WACZ, CDXJ; with a template their copies have
// addresses.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ok := "HTTP/1.1 200 OK\r\n\r\nhello"
	put("a.warc", warc([4]string{"warcinfo", "", "1996-01-01T00:00:00Z", "x"}, [4]string{"response", page, "1996-11-05T10:00:00Z", ok},
		[4]string{"response", page, "1996-11-06T10:00:00Z", "HTTP/1.1 404 Not Found\r\n\r\n"}, [4]string{"request", page, "1996-11-05T10:00:00Z", "GET / HTTP/1.1\r\n\r\n"}))
	var z bytes.Buffer
	for _, y := range []string{"1999", "2001"} { // a member a record
		w := gzip.NewWriter(&z)
		w.Write(warc([4]string{"response", "HTTP://Mill.example:80/x/", y + "-01-01T00:00:00Z", ok}))
		w.Close()
	}
	put("b.warc.gz", z.Bytes())
	var wacz bytes.Buffer
	zw := zip.NewWriter(&wacz)
	m, _ := zw.Create("archive/data.warc.gz")
	m.Write(z.Bytes()[:z.Len()/2])
	zw.Close()
	put("c.wacz", wacz.Bytes())
	put("d.cdxj", []byte("!meta {}\nexample,mill)/x 20030101000000 {\"url\":\""+page+"\",\"status\":\"200\",\"filename\":\"e.warc.gz\",\"offset\":\"77\"}\nrubbish\nexample,mill)/x 20040101000000 {\"url\":\""+page+"\",\"status\":\"404\"}\n"))
	got, err := near(t, memento.NewOwn(dir, ""), page, year(1996), dir)
	want := []string{"1996 /a.warc at ", "1999 /b.warc.gz at 0", "1999 /c.wacz!archive/data.warc.gz at 0", "2001 /b.warc.gz at ", "2003 /e.warc.gz at 77"}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%q, %v", got, err)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	shown, err := near(t, memento.NewOwn(dir, "https://web.library.example/{timestamp}/{url}"), page, year(1996), "")
	if err != nil || shown[0] != "1996 https://web.library.example/19961105100000/"+page {
		t.Errorf("%q, %v", shown, err)
	}
	if got, err := near(t, memento.NewOwn(filepath.Join(dir, "none"), ""), page, year(1996), dir); err == nil {
		t.Errorf("no folder: %q", got)
	}
}

// linked is a store with one link in documents of some days.
func linked(t *testing.T, days ...string) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), &store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	in, err := st.BeginIngest(now)
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Mention
	for i, day := range days {
		list = append(list, store.Mention{Collection: "c", Line: i + 1, Record: fmt.Sprint(i), Raw: page, URL: page, How: "bare", Date: day, DateFrom: "mail"})
	}
	err = in.Add(store.Step{Whole: []store.Source{{Path: "/m.mbox", Collection: "c", Root: "/", Size: 1, Mentions: len(list)}}, Batches: []*store.Batch{store.Prepare("/m.mbox", list, nil)}})
	if err == nil {
		_, err = in.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// jobs are those of all links of a store.
func jobs(t *testing.T, st *store.Store) (list []memento.Job) {
	for e, err := range st.Scan(store.Pick{Mentions: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if j, ok := memento.JobOf(&e.Link, e.LiveMentions); ok {
			list = append(list, j)
		}
	}
	if len(list) == 0 {
		t.Fatal("no link")
	}
	return list
}

// A link of many days costs few questions: between two days with the same nearest copy it is that
// of all days.
func TestManyDays(t *testing.T) {
	var days []string
	for d := range 365 * 10 {
		days = append(days, year(1996).AddDate(0, 0, d).Format(time.DateOnly))
	}
	st := linked(t, days...)
	captures := []time.Time{year(1997), year(2000), year(2004)}
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		at, _ := http.ParseTime(r.Header.Get("Accept-Datetime"))
		best := slices.MinFunc(captures, func(a, b time.Time) int { return int(a.Sub(at).Abs()/time.Second) - int(b.Sub(at).Abs()/time.Second) })
		w.Header().Set("Vary", "accept-datetime")
		w.Header().Set("Location", "/copy/"+best.Format("20060102150405")+"/"+page)
		w.WriteHeader(http.StatusFound)
	}))
	defer s.Close()
	c := &memento.Campaign{Store: st, Client: client(), Now: func() time.Time { return now }}
	c.Archives = []memento.Archive{memento.NewTimeGate(c.Client, s.URL+"/gate/")}
	sum, err := c.Run(t.Context(), jobs(t, st))
	if err != nil || sum.Words() != "asked about 1 of 1 links, 0 known already; 1 with a copy, 0 without; 0 left" || asked > 40 {
		t.Errorf("%s, %v, %d questions", sum.Words(), err, asked)
	}
	for _, day := range days {
		a, ok := archived.Get(st, page, day)
		at, _ := time.Parse(time.DateOnly, day)
		at = at.Add(12 * time.Hour)
		for _, made := range captures {
			if !ok || made.Sub(at).Abs() < a.Made.Sub(at).Abs() {
				t.Fatalf("%s: %+v, %v; %s is nearer", day, a, ok, made)
			}
		}
	}
}

// What an archive that wants to be left alone was not asked stays not asked, and the next
// campaign leaves it alone for as long as it said; Ctrl-C keeps what was learned.
func TestBusyAndInterrupted(t *testing.T) {
	st := linked(t, "1996-11-05", "2010-03-05")
	mode, asked := "busy", 0
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		at, _ := http.ParseTime(r.Header.Get("Accept-Datetime"))
		switch {
		case mode == "busy":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case mode == "interrupted" && at.Year() > 2000:
			cancel()
			<-r.Context().Done()
			return
		}
		w.Header().Set("Vary", "accept-datetime")
		w.Header().Set("Location", at.Format("/copy/20060102150405/")+page)
		w.WriteHeader(http.StatusFound)
	}))
	defer s.Close()
	clock := time.Now()
	run := func(ctx context.Context) (string, error) {
		c := &memento.Campaign{Store: st, Client: client(), Now: func() time.Time { return clock }}
		c.Archives = []memento.Archive{memento.NewTimeGate(c.Client, s.URL+"/gate/"), &memento.Named{}}
		sum, err := c.Run(ctx, jobs(t, st))
		return sum.Words(), err
	}
	left := "asked about 0 of 1 links, 0 known already; 0 with a copy, 0 without; 1 left"
	if words, err := run(ctx); err != nil || words != left || asked != 1 {
		t.Errorf("busy: %s, %v, %d questions", words, err, asked)
	}
	mode = "interrupted"
	if words, err := run(ctx); err != nil || words != left || asked != 1 {
		t.Errorf("at rest: %s, %v, %d questions", words, err, asked)
	}
	clock = clock.Add(2 * time.Hour)
	if words, err := run(ctx); !errors.Is(err, context.Canceled) || words != left || asked != 3 {
		t.Errorf("interrupted: %s, %v, %d questions", words, err, asked)
	}
	mode = ""
	if words, err := run(t.Context()); err != nil || words != "asked about 1 of 1 links, 0 known already; 1 with a copy, 0 without; 0 left" || asked != 4 {
		t.Errorf("resumed: %s, %v, %d questions", words, err, asked)
	}
}

// Archives are asked in their order, and the first that has a copy is believed; links of the
// documents to archives count where none has.
func TestOrder(t *testing.T) {
	st := linked(t, "1996-11-05")
	none, _ := serve(t, nil)
	has, asked := serve(t, map[string]string{"/map/" + page: "200\n\n</a>; rel=\"memento\"; datetime=\"Wed, 01 Jan 1997 00:00:00 GMT\""})
	named := &memento.Named{}
	named.Add("https://web.archive.org/web/19961106000000/"+page, "", time.Time{})
	named.Add("https://perma.cc/AB12-CD34", "https://mill.example/x/", year(2001))
	for _, tt := range []struct {
		archives func(c *memento.Client) []memento.Archive
		want     string
	}{
		{func(c *memento.Client) []memento.Archive {
			return []memento.Archive{memento.NewTimeGate(c, none+"/gate/"), memento.NewTimeMap(c, has+"/map/"), named}
		}, has + "/a"},
		{func(c *memento.Client) []memento.Archive {
			return []memento.Archive{memento.NewTimeGate(c, none+"/gate/"), named}
		}, "https://web.archive.org/web/19961106000000/" + page},
	} {
		c := &memento.Campaign{Store: st, Client: client(), Now: func() time.Time { return now }}
		c.Archives = tt.archives(c.Client)
		_, err := c.Run(t.Context(), jobs(t, st))
		a, ok := archived.Get(st, page, "1996-11-05")
		if err != nil || !ok || a.Copy != tt.want {
			t.Errorf("%+v, %v, want %s", a, err, tt.want)
		}
		now = now.AddDate(0, 0, 181)
	}
	if len(*asked) != 1 {
		t.Errorf("asked %q", *asked)
	}
	if list, _ := near(t, named, page, year(2003), ""); len(list) != 2 || list[0] != "2001 https://perma.cc/AB12-CD34" {
		t.Errorf("%q", list)
	}
}

// The answers of a file of older programs are taken over; that there is no copy holds for any
// day.
func TestOldCopies(t *testing.T) {
	st := linked(t, "1996-11-05")
	old, err := memento.ReadCopies(strings.NewReader(`{"url":"` + page + `","copy":"","at":"2026-10-01T00:00:00Z"}` + "\n" +
		`{"url":"http://other.example/","copy":"https://web.archive.org/web/20200101000000/http://other.example/","at":"2026-10-01T00:00:00Z"}`))
	if err == nil {
		err = old.Keep(st)
	}
	if err != nil {
		t.Fatal(err)
	}
	at, asked := serve(t, nil)
	c := &memento.Campaign{Store: st, Client: client(), Now: func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }}
	c.Archives = []memento.Archive{memento.NewTimeGate(c.Client, at)}
	if sum, err := c.Run(t.Context(), jobs(t, st)); err != nil || sum.Known != 1 || len(*asked) != 0 {
		t.Errorf("%+v, %v, %q", sum, err, *asked)
	}
	url, made := archived.Known{Store: st}.Copy(&store.Link{URL: "http://other.example/"}, &store.Mention{Date: "1996"})
	if url == "" || made.Year() != 2020 {
		t.Errorf("%s, %s", url, made)
	}
	if _, err := memento.ReadCopies(strings.NewReader("{")); err == nil {
		t.Error("half a line is read")
	}
}

// An archive is asked to keep pages by an address or a form, with a key; one that is busy ends it.
func TestSave(t *testing.T) {
	st := linked(t, "1996-11-05")
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path+" "+r.FormValue("url")+" "+r.Header.Get("Authorization"))
		if len(asked) == 3 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer s.Close()
	pages := []string{"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"}
	post := &memento.Saver{Client: client(), URL: s.URL + "/save", Key: "LOW a:b"}
	failed := 0
	saved, err := post.SaveAll(t.Context(), st, pages, now, func(string, error) { failed++ })
	if err != nil || saved != 2 || failed != 1 || len(asked) != 3 || asked[0] != "POST /save http://a.example/ LOW a:b" {
		t.Errorf("%d saved, %d failed, %v, asked %q", saved, failed, err, asked)
	}
	if !memento.Saved(st, pages[1], now) || memento.Saved(st, pages[2], now) || memento.Saved(st, pages[1], now.AddDate(0, 0, 181)) {
		t.Error("what was saved is not known")
	}
	get := &memento.Saver{Client: client(), URL: s.URL + "/save/{url}"}
	if err := get.Save(t.Context(), "http://d.example/x"); err != nil || !strings.HasPrefix(asked[3], "GET /save/http") {
		t.Errorf("%v, %q", err, asked)
	}
}

// An archive on a private address is asked only where the operator allowed it, and so is
// the address to which one redirects; a proxy is not.
func TestNewDoer(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
	at, asked := serve(t, nil)
	ask := func(guard *netguard.Guard, at string) error {
		req, err := http.NewRequest(http.MethodHead, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := memento.NewDoer(guard).Do(req)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	loop := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	if err := ask(loop, at+"/gate/"); err != nil || len(*asked) != 1 {
		t.Errorf("an allowed archive: %v, asked %q", err, *asked)
	}
	for _, at := range []string{at + "/gate/", "http://169.254.169.254/latest", "http://localhost:80/", "http://8.8.8.8:25/"} {
		if refusal, ok := errors.AsType[*netguard.Refusal](ask(&netguard.Guard{}, at)); !ok || len(*asked) != 1 {
			t.Errorf("%s: %v, asked %q", at, refusal, *asked)
		}
	}
}
