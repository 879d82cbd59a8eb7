package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
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

// TestProxy: run and check go through a proxy, by flag, environment and [[host]]; its
// password is shown nowhere, and its failures are no link's.
func TestProxy(t *testing.T) {
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	go lab.HTTP(web, lab.Web{"www.mill.org": {"/a": lab.Page("The mill", "It stands where it stood, and its wheel turns.")}})
	relay := &lab.Relay{User: "ann", Password: "hs3cretword", Reach: func(string) (net.Conn, error) { return net.Dial("tcp", web.Addr().String()) }}
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	go relay.HTTP(at)
	url := "http://ann:hs3cretword@" + at.Addr().String()
	conf := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(conf, []byte("[[host]]\nmatch = \"www.mill.org\"\nproxy = \""+url+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		args []string
		want string
		env  string
	}{
		{[]string{"--proxy", url}, "ok", ""}, {[]string{"--config", conf}, "ok", ""}, {[]string{"--config", conf, "--proxy", "http://127.0.0.1:1"}, "ok", ""}, {[]string{"--proxy-from-environment"}, "ok", url},
		{[]string{"--proxy", strings.Replace(url, "hs3cretword", "hs3cretother", 1)}, "internal", ""}, {[]string{"--proxy", "socks5://ann:hs3cretword@127.0.0.1:1"}, "internal", ""},
	} {
		t.Setenv("HTTP_PROXY", tt.env)
		s := call(t.Context(), "", slices.Concat([]string{"check", "--no-soft404", "--resolver", "127.0.0.1:1", "--timeout", "5s"}, tt.args, []string{"http://www.mill.org/a"})...)
		if !strings.HasPrefix(s.out, tt.want+" ") || strings.Contains(s.out+s.err, "hs3cret") {
			t.Errorf("%d: %+v", i, s)
		}
	}
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.org/a\n"})
	s := call(t.Context(), "", "run", "--store", l.store(), "--proxy", url, "--resolver", "127.0.0.1:1", l.docs())
	if s.code != 0 || strings.Contains(s.out+s.err, "hs3cret") || !strings.Contains(l.ok("report", "--csv", "-"), "alive") {
		t.Errorf("%+v", s)
	}
	for _, args := range [][]string{{"--proxy", "hs3cret"}, {"--proxy", "ftp://u:hs3cret@h"}, {"--proxy", url, "--proxy-from-environment"}} {
		if s := call(t.Context(), "", slices.Concat([]string{"check"}, args, []string{"http://www.mill.org/a"})...); s.code != exit.BadUsage || strings.Contains(s.out+s.err, "hs3cretword") || strings.Contains(s.err, "u:hs3cret") {
			t.Errorf("%q: %+v", args, s)
		}
	}
	b, err := os.ReadFile(l.store())
	if err != nil || strings.Contains(string(b), "hs3cret") {
		t.Errorf("%v, or the store holds a secret", err)
	}
}
