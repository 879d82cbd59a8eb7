package report_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/serve"
	"linkcheck/report/text"
)

func server(t testing.TB, src serve.Source, o report.Options) *serve.Server {
	t.Helper()
	s, err := serve.New(t.Context(), src, o, "links.library.example")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends one request as a browser on the same machine would.
func ask(t testing.TB, h http.Handler, method, target, host string) (int, http.Header, string) {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

// TestServe walks all pages and holds them to what a read-only server may do.
func TestServe(t *testing.T) {
	h := server(t, smallArchive(), options())
	for _, tt := range []struct {
		method, target, host string
		code                 int
		has                  string
	}{
		{"GET", "/", "localhost:8080", 200, "<strong>16 links</strong>"},
		{"GET", "/", "127.0.0.1:8080", 200, "Do first"},
		{"GET", "/", "[::1]:8080", 200, "Coverage"},
		{"GET", "/", "links.library.example", 200, "Bulk changes"},
		{"GET", "/", "evil.example", 421, "not known"},
		{"GET", "/", "", 421, "not known"},
		{"POST", "/", "localhost", 405, "only shows"},
		{"DELETE", "/links", "localhost", 405, "only shows"},
		{"GET", "/links", "localhost", 200, "16 links"},
		{"GET", "/links?group=fix", "localhost", 200, "4 links"},
		{"GET", "/links?state=moved&sort=-url", "localhost", 200, "4 links"},
		{"GET", "/links?host=gopher.old.example&reason=gopher-error-item", "localhost", 200, "2 links"},
		{"GET", "/links?host=info:", "localhost", 200, "1 link"},
		{"GET", "/links?change=newly-dead", "localhost", 200, "2 links"},
		{"GET", "/links?collection=RFCs", "localhost", 200, "2 links"},
		{"GET", "/links?q=B10", "localhost", 200, "1 link"},
		{"GET", "/links?q=%22%3E%3Cscript%3E", "localhost", 200, "&#34;&gt;&lt;script&gt;"},
		{"GET", "/links?page=99&sort=nonsense", "localhost", 200, "16 links"},
		{"GET", "/links?page=-1", "localhost", 200, "1–16 of 16"},
		{"GET", "/link/1", "localhost", 200, "gopher://gopher.old.example/00/a"},
		{"GET", "/link/999", "localhost", 404, ""},
		{"GET", "/link/x", "localhost", 404, ""},
		{"GET", "/../etc/passwd", "localhost", 404, ""},
		{"GET", "/metrics", "localhost", 200, `linkcheck_links{state="dead"} 3`},
	} {
		code, head, body := ask(t, h, tt.method, tt.target, tt.host)
		if code != tt.code || !strings.Contains(body, tt.has) {
			t.Errorf("%s %s of %q: %d, want %d and %q in\n%.600s", tt.method, tt.target, tt.host, code, tt.code, tt.has, body)
		}
		if !strings.HasPrefix(head.Get("Content-Security-Policy"), "default-src 'none'") || head.Get("Set-Cookie") != "" || head.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", tt.target, head)
		}
		if strings.Contains(body, "secret") || strings.Contains(body, "<script") {
			t.Errorf("%s: a password or a script", tt.target)
		}
	}
}

// TestServeLinks follows every link of every page: none is broken.
func TestServeLinks(t *testing.T) {
	h := server(t, smallArchive(), options())
	href := regexp.MustCompile(`(?:href|action)="([^"#][^"]*)"`)
	seen := map[string]bool{}
	todo := []string{"/"}
	for len(todo) > 0 && len(seen) < 400 {
		at := todo[0]
		todo = todo[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		code, _, body := ask(t, h, "GET", at, "localhost")
		if code != 200 {
			t.Errorf("%s answers %d", at, code)
		}
		base := httptest.NewRequest("GET", at, nil).URL
		for _, m := range href.FindAllStringSubmatch(body, -1) {
			u, err := base.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			if err != nil {
				t.Errorf("%s links to %q: %v", at, m[1], err)
			} else if u.Host == "" && u.Scheme == "" {
				todo = append(todo, u.String())
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d pages walked", len(seen))
	}
}

// TestRefresh shows new figures after the store has changed.
func TestRefresh(t *testing.T) {
	src := smallArchive()
	h := server(t, src, options())
	src.add("http://late.example/", judge.Dead, check.Result{Outcome: check.Gone, Reason: "http-404"}, judge.NoChange, inRecord("http://late.example/", "b77"))
	if _, _, body := ask(t, h, "GET", "/links", "localhost"); !strings.Contains(body, "16 links") {
		t.Error("the page changed by itself")
	}
	if err := h.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, body := ask(t, h, "GET", "/links", "localhost"); !strings.Contains(body, "17 links") {
		t.Error("the page did not change after Refresh")
	}
}

// TestMetrics holds the figures to their golden.
func TestMetrics(t *testing.T) {
	r := build(t, smallArchive(), options())
	golden(t, "metrics.txt", output(t, of(r, text.WriteMetrics)))
}

// BenchmarkServe asks for pages of a million links. Each should take under 100 ms.
func BenchmarkServe(b *testing.B) {
	h := server(b, &sample.Source{N: 1_000_000}, options())
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.Logf("read; %d MB on the heap, at the most %d MB resident", m.HeapAlloc>>20, resident()>>20)
	for _, target := range []string{"/links", "/links?group=fix&sort=-fail_days", "/links?q=psalms", "/links?q=b1000495", "/links?q=nowhere-at-all", "/links?sort=url&page=4000", "/"} {
		b.Run(target, func(b *testing.B) {
			begun, n := time.Now(), 0
			for b.Loop() {
				ask(b, h, "GET", target, "localhost")
				n++
			}
			b.Logf("%s: %.0f ms", target, time.Since(begun).Seconds()*1000/float64(n))
		})
	}
}

// The words by which links are chosen are those under which they are listed: a doubt that
// stands beside a good state is one of them.
func TestServeChoosesByStanding(t *testing.T) {
	f := &fixture{}
	f.add("http://a.example/", judge.Alive, check.Result{Outcome: check.OK}, judge.NoChange, inRecord("http://a.example/", "b1"))
	f.add("http://b.example/", judge.Alive, check.Result{Outcome: check.OK}, judge.NoChange, inRecord("http://b.example/", "b1")).PageDoubt = check.FlagDrift
	h := server(t, f, options())
	_, _, body := ask(t, h, "GET", "/links?state=drift", "localhost")
	for _, want := range []string{`<option value="drift" selected>another text</option>`, `<option value="alive">`, "http://b.example/"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %.3000s", want, body)
		}
	}
	if strings.Contains(body, `<option value="dead">`) || strings.Contains(body, "http://a.example/") {
		t.Errorf("too much in %.3000s", body)
	}
}
