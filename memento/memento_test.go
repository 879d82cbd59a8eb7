package memento_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/memento"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// timeGate is an archive of our own that speaks RFC 7089 section 4.1 and CDX.
func timeGate(t *testing.T, asked *[]string) *httptest.Server {
	mux := rawMux{}
	note := func(r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.RequestURI+" "+r.Header.Get("Accept-Datetime"))
	}
	mux.HandleFunc("/gate/", func(w http.ResponseWriter, r *http.Request) {
		note(r)
		page := strings.TrimPrefix(r.RequestURI, "/gate/")
		w.Header().Set("Vary", "accept-datetime")
		w.Header().Set("Link", "<"+page+`>; rel="original"`)
		switch {
		case strings.Contains(page, "gone"):
			w.Header().Set("Location", "/copy/20200101000000/"+page)
			w.WriteHeader(http.StatusFound)
		case strings.Contains(page, "old"):
			w.Header().Set("Memento-Datetime", "Tue, 20 Oct 2026 02:00:00 GMT")
			w.Header().Set("Content-Location", "/copy/x/"+page)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	mux.HandleFunc("/wayback/cdx", func(w http.ResponseWriter, r *http.Request) {
		note(r)
		if strings.Contains(r.FormValue("url"), "gone") {
			fmt.Fprintf(w, `[["urlkey","timestamp","original"],["x","%s","%s"]]`, r.FormValue("closest"), r.FormValue("url"))
		}
	})
	mux.HandleFunc("/busy/", func(w http.ResponseWriter, r *http.Request) { note(r); w.WriteHeader(http.StatusTooManyRequests) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// rawMux routes by the first word of the path and leaves the rest as it came:
// http.ServeMux would make one slash of two.
type rawMux map[string]http.HandlerFunc

func (m rawMux) HandleFunc(prefix string, f http.HandlerFunc) { m[prefix] = f }

func (m rawMux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for prefix, f := range m {
		if strings.HasPrefix(r.RequestURI, prefix) {
			f(w, r)
			return
		}
	}
	http.NotFound(w, r)
}

func noRedirects() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

var now = time.Date(2026, time.November, 20, 7, 0, 0, 0, time.UTC)

// links is a store with dead, moved and healthy links, last seen whole 30 days ago.
func links() *sample.Source {
	src := &sample.Source{}
	for _, l := range []store.Link{
		{URL: "gopher://gopher.old.example/00/a", State: judge.Dead}, // no archive holds gopher
		{URL: "http://gone.example/x", State: judge.Dead},
		{URL: "http://old.example/one", State: judge.Moved},
		{URL: "http://doi.example/10.1/x", State: judge.Moved},
		{URL: "http://me:pw@gone.example/", State: judge.Dead},
		{URL: "http://back.example/", State: judge.Alive},
	} {
		l.Key, l.LastOK = l.URL, now.AddDate(0, 0, -30).Add(-5*time.Hour)
		src.Extra = append(src.Extra, store.Entry{Link: l, LiveMentions: []store.Mention{{URL: l.URL}}})
	}
	return src
}

func noCopies(t *testing.T) *memento.Copies {
	t.Helper()
	copies, err := memento.ReadCopies(strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	return copies
}

// TestMemento asks an archive once for every dead and moved link and never again
// while the answer is fresh.
func TestMemento(t *testing.T) {
	var asked []string
	s := timeGate(t, &asked)
	src, copies := links(), noCopies(t)
	m := &memento.Client{URL: s.URL + "/gate/", Doer: noRedirects(), UserAgent: "linkcheck/test", Gap: time.Nanosecond}
	if err := m.Ask(t.Context(), src, copies, now); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"http://gone.example/x":            s.URL + "/copy/20200101000000/http://gone.example/x",
		"http://old.example/one":           s.URL + "/copy/x/http://old.example/one",
		"http://doi.example/10.1/x":        "",
		"gopher://gopher.old.example/00/a": "",
	} {
		if got := copies.Copy(url); got != want {
			t.Errorf("copy of %s is %q, want %q", url, got, want)
		}
	}
	if len(asked) != 3 || asked[0] != "HEAD /gate/http://gone.example/x Wed, 21 Oct 2026 02:00:00 GMT" {
		t.Errorf("asked %q", asked)
	}
	if strings.Contains(strings.Join(asked, " "), "pw") {
		t.Error("a password went to the archive")
	}
	var saved bytes.Buffer
	if err := copies.Write(&saved); err != nil {
		t.Fatal(err)
	}
	again, err := memento.ReadCopies(&saved)
	if err != nil {
		t.Fatal(err)
	}
	asked = nil
	if err := m.Ask(t.Context(), src, again, now.AddDate(0, 0, 3)); err != nil || len(asked) != 0 {
		t.Errorf("asked again for %q (%v)", asked, err)
	}
}

// TestCDX asks a CDX server.
func TestCDX(t *testing.T) {
	var asked []string
	s := timeGate(t, &asked)
	copies := noCopies(t)
	m := &memento.Client{URL: s.URL + "/wayback/cdx", Doer: noRedirects(), Gap: time.Nanosecond}
	if err := m.Ask(t.Context(), links(), copies, now); err != nil {
		t.Fatal(err)
	}
	if got, want := copies.Copy("http://gone.example/x"), s.URL+"/wayback/20261021020000/http://gone.example/x"; got != want {
		t.Errorf("copy %q, want %q", got, want)
	}
}

// TestBusy stops at the first answer that asks to be left alone.
func TestBusy(t *testing.T) {
	var asked []string
	s := timeGate(t, &asked)
	copies := noCopies(t)
	m := &memento.Client{URL: s.URL + "/busy/", Doer: noRedirects(), Gap: time.Nanosecond}
	if err := m.Ask(t.Context(), links(), copies, now); !errors.Is(err, memento.ErrBusy) || len(asked) != 1 {
		t.Errorf("%d questions, error %v", len(asked), err)
	}
}

// An archive is asked for a copy of the only dead link of a store.
func ExampleClient_Ask() {
	archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "accept-datetime")
		w.Header().Set("Location", "http://archive.example/2026/"+strings.TrimPrefix(r.RequestURI, "/timegate/"))
		w.WriteHeader(http.StatusFound)
	}))
	defer archive.Close()
	src := &sample.Source{Extra: []store.Entry{{
		Link:         store.Link{URL: "http://gone.example/x", State: judge.Dead, LastOK: now},
		LiveMentions: []store.Mention{{URL: "http://gone.example/x"}},
	}}}
	copies, _ := memento.ReadCopies(strings.NewReader(""))
	client := &memento.Client{URL: archive.URL + "/timegate/", Doer: noRedirects(), Gap: time.Nanosecond}
	if err := client.Ask(context.Background(), src, copies, now); err != nil {
		fmt.Println(err)
	}
	fmt.Println(copies.Copy("http://gone.example/x"))
	// Output: http://archive.example/2026/http://gone.example/x
}

// An archive on a private address is asked only where the operator allowed it, and so is
// the address to which one redirects; a proxy is not.
func TestNewDoer(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
	var asked []string
	archive := timeGate(t, &asked)
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
	if err := ask(loop, archive.URL+"/gate/http://a.org/gone"); err != nil || len(asked) != 1 {
		t.Errorf("an allowed archive: %v, asked %q", err, asked)
	}
	for _, at := range []string{archive.URL + "/gate/http://a.org/gone", "http://169.254.169.254/latest", "http://localhost:80/", "http://8.8.8.8:25/"} {
		if refusal, ok := errors.AsType[*netguard.Refusal](ask(&netguard.Guard{}, at)); !ok || len(asked) != 1 {
			t.Errorf("%s: %v, asked %q", at, refusal, asked)
		}
	}
}
