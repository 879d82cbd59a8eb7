package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/lab"
)

// TestHostSecretsNowhere: no verb shows or keeps the secrets of [[host]], though servers
// repeat them.
func TestHostSecretsNowhere(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a\nhttp://www.mill.test/moved\nhttp://www.mill.test/gone\nhttp://www.mill.test/skip\n"})
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	told := 0
	echo := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			if password == "hs3cretword" && r.Header.Get("X-Key") == "hs3cretkey" {
				told++
			}
			said := fmt.Sprintf("%s:%s %s %s", user, password, r.Header.Get("Authorization"), r.Header.Get("X-Key"))
			w.Header().Set("ETag", `"`+r.Header.Get("X-Key")+`"`)
			w.Header().Set("Location", "http://www.weir.test/?k="+r.Header.Get("X-Key"))
			w.WriteHeader(status)
			fmt.Fprintf(w, "<title>you said %s</title><p>a page that is there", said)
		}
	}
	l.serveWeb(lab.Web{"www.mill.test": {"/a": echo(200), "/moved": echo(301), "/gone": echo(404), "/skip": lab.Redirect(302, "http://skip.test/")},
		"www.weir.test": {"*": func(_ http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization")+r.Header.Get("X-Key") != "" {
				t.Errorf("www.weir.test was told %v", r.Header)
			}
		}}})
	conf := put("c.toml", `
[[host]]
match = "www.mill.test:80"
basic-auth-file = "`+put("basic", "ann:hs3cretword\n")+`"
headers-file = "`+put("headers", "X-Key: hs3cretkey\n")+`"
[[host]]
match = "skip.test"
skip = "it is ours"
`)
	net := l.netArgs(0)
	in := func(verb string, args ...string) []string {
		return slices.Concat(strings.Fields(verb), []string{"--store", l.store(), "--config", conf}, args)
	}
	link := "http://www.mill.test/a"
	all := ""
	for _, args := range [][]string{
		slices.Concat(in("run", "--log-json", "--metrics", dir+"/metrics"), net, []string{l.docs()}),
		slices.Concat([]string{"check", "--config", conf, "--json"}, net, []string{link, "http://www.mill.test/moved", "http://www.mill.test/skip"}),
		slices.Concat([]string{"check", "--config", conf}, net, []string{link}),
		in("report"), in("report", "--csv", "-"), in("report", "--jsonl", "-"), in("report", "--html", "-"), in("report", "--summary"), in("report", "--fixes", "-"),
		in("dupes", "--by", "final"), in("explain", link), in("store export", "--show-secrets"), in("store stats"), in("store verify"),
	} {
		s := call(t.Context(), "", args...)
		all += s.out + s.err
		if i := strings.Index(s.out+s.err, "hs3cret"); i >= 0 || strings.Contains(s.out+s.err, "YW5uOmhzM2NyZXR3b3Jk") {
			t.Errorf("%q shows a secret: %.200q", args[:2], (s.out + s.err)[max(0, i-100):])
		}
	}
	if told < 5 || !strings.Contains(all, "you said ann:*** Basic *** ***") {
		t.Errorf("the secrets came %d times", told)
	}
	if !strings.Contains(all, "without encryption") || !strings.Contains(all, "by your setting for skip.test: it is ours") {
		t.Error(all)
	}
	for _, name := range []string{l.store(), dir + "/metrics"} {
		b, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(b), "hs3cret") || strings.Contains(string(b), "YW5uOmhzM2NyZXR3b3Jk") {
			t.Errorf("%s: %v, or it holds a secret", name, err)
		}
	}
}
