package hostsettings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// read makes a table of a configuration.
func read(t *testing.T, text string) (*Table, error) {
	t.Helper()
	var file struct{ Host []map[string]any }
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	var list []Source
	for i, values := range file.Host {
		list = append(list, Source{values, func(key string) string { return fmt.Sprintf("f.toml:%d:%s", i, key) }})
	}
	return Parse(list)
}

func TestRefused(t *testing.T) {
	for _, c := range [][2]string{
		{`gap = "1s"`, "[[host]] match: is missing"},
		{"match = \"a.org\"\ngpa = \"1s\"", `f.toml:0:gpa: unknown key "gpa" of [[host]]`},
		{`match = 5`, "match: a text in quotes"},
		{`match = "http://a.org/"`, "match: \"http://a.org/\" is no host"},
		{`match = "*"`, "is no host"}, {`match = "a..org"`, "is no host"}, {`match = "a.org:0"`, "is no host"}, {`match = "a.org:http"`, "is no host"}, {`match = "a*.org"`, "is no host"},
		{"match = \"a.org\"\ngap = 5", "gap: a time in quotes"}, {"match = \"a.org\"\ngap = \"-1s\"", "is no time"}, {"match = \"a.org\"\ntimeout = \"0s\"", "is no time"}, {"match = \"a.org\"\ntimeout = \"11m\"", "is no time"},
		{"match = \"a.org\"\nconnections = 0", "from 1 to 16"}, {"match = \"a.org\"\nconnections = \"2\"", "from 1 to 16"}, {"match = \"a.org:80\"\nconnections = 2", "names a port"},
		{"match = \"a.org\"\nrobots = \"off\"", "true or false"}, {"match = \"a.org\"\nrobots = false", "wants robots-reason"}, {"match = \"a.org\"\nrobots-reason = \"x\"", "is for robots = false"},
		{"match = \"a.org\"\nverdict = \"alive\"", "is wanted"}, {"match = \"a.org\"\nverdict = { 403 = \"dead\" }", "403: one of alive, blocked, gone, temporary"}, {"match = \"a.org\"\nverdict = { 99 = \"gone\" }", "no status"},
		{"match = \"a.org\"\nverdict = { 301 = \"gone\" }", "is a redirect"}, {"match = \"a.org\"\nskip = \"\"", "not empty"}, {"match = \"a.org\"\nskip = true", "a text in quotes"}, {"match = \"a.org\"\nuser-agent = \"a\\nb\"", "one line"},
		{"match = \"a.org\"\nclient-cert = \"x\"", "belong together"}, {"match = \"a.org\"\nbearer-env = \"A\"\nbearer-file = \"b\"", "a table has one of"},
		{"match = \"*.org\"\nbearer-env = \"A\"", "many owners"}, {"match = \"*.co.uk\"\nheaders-file = \"A\"", "many owners"},
	} {
		if _, err := read(t, "[[host]]\n"+c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		match, host string
		port        int
		want        bool
	}{
		{"a.org", "a.org", 80, true}, {"A.org.", "a.org", 443, true}, {"a.org", "A.ORG.", 443, true}, {"a.org", "b.a.org", 80, false}, {"a.org", "ba.org", 80, false},
		{"*.a.org", "b.a.org", 80, true}, {"*.a.org", "c.b.a.org", 80, true}, {"*.a.org", "a.org", 80, false}, {"*.a.org", "ba.org", 80, false},
		{"a.org:8080", "a.org", 8080, true}, {"a.org:8080", "a.org", 80, false}, {"*.a.org:8080", "b.a.org", 8080, true},
		{"bücher.de", "xn--bcher-kva.de", 80, true}, {"xn--bcher-kva.de", "bücher.de", 80, true}, {"*.bücher.de", "www.xn--bcher-kva.de", 80, true},
		{"192.0.2.1", "192.0.2.1", 80, true}, {"::1", "[::1]", 80, true}, {"[::1]:81", "[::1]", 81, true}, {"[::1]:81", "[::1]", 80, false},
	} {
		table, err := read(t, "[[host]]\nmatch = \""+c.match+"\"\ngap = \"1s\"")
		if err != nil {
			t.Errorf("%s: %v", c.match, err)
		} else if got := table.For("http", c.host, c.port) != nil; got != c.want {
			t.Errorf("%s, %s port %d: %v", c.match, c.host, c.port, got)
		}
	}
}

// TestLast: each key has the value of the last table that sets it.
func TestLast(t *testing.T) {
	table, err := read(t, `
[[host]]
match = ["*.a.org", "a.org"]
gap = "5s"
timeout = "1m"
verdict = { 403 = "alive" }
[[host]]
match = "www.a.org"
gap = "0s"
robots = false
robots-reason = "asked"
[[host]]
match = "*.a.org"
timeout = "2s"
robots = true
`)
	if err != nil {
		t.Fatal(err)
	}
	if s := table.For("http", "www.a.org", 80); *s.Gap != 0 || s.Timeout.String() != "2s" || s.IgnoresRobots() || s.Verdict[403] != "alive" {
		t.Errorf("%+v", s)
	}
	if s := table.For("http", "a.org", 80); s.Gap.String() != "5s" || s.Timeout.String() != "1m0s" {
		t.Errorf("%+v", s)
	}
	if s := table.For("http", "b.org", 80); s != nil {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(table.Unheeded(), "\n"); got != "robots.txt is not heeded on www.a.org: asked" {
		t.Error(got)
	}
}

// TestSecrets: they are for https at its port, or for the port that is named.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	table, err := read(t, `
[[host]]
match = "a.org"
basic-auth-file = "`+put("basic", "ann:hidden:word\n", 0o600)+`"
headers-file = "`+put("headers", "# ours\nX-Key: hiddenkey\n\n", 0o644)+`"
[[host]]
match = "a.org:80"
bearer-env = "TOKEN"
`)
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	err = table.Load(t.Context(), func(name string) string { return map[string]string{"TOKEN": "hiddentoken"}[name] }, func(s string) { warnings = append(warnings, s) })
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(warnings, "\n"); len(warnings) != 2 || !strings.Contains(all, "headers holds a secret") || !strings.Contains(all, "without encryption") || strings.Contains(all, "hidden") {
		t.Error(all)
	}
	for _, c := range []struct {
		scheme string
		port   int
		want   string
	}{{"https", 443, "Basic YW5uOmhpZGRlbjp3b3Jk hiddenkey"}, {"http", 80, "Bearer hiddentoken "}, {"https", 8443, " "}, {"http", 443, " "}, {"https", 80, "Bearer hiddentoken "}} {
		s := table.For(c.scheme, "a.org", c.port)
		if got := s.Header.Get("Authorization") + " " + s.Header.Get("X-Key"); got != c.want {
			t.Errorf("%s %d: %s, want %s", c.scheme, c.port, got, c.want)
		}
	}
	for key, text := range map[string]string{"basic-auth-file": "hiddenword", "bearer-file": "hidden word", "headers-file": "X-Key hidden", "ca-file": "hidden"} {
		table, err := read(t, "[[host]]\nmatch = \"a.org\"\n"+key+" = \""+put(key, text, 0o600)+"\"")
		if err == nil {
			err = table.Load(t.Context(), os.Getenv, func(string) {})
		}
		if err == nil || strings.Contains(strings.ReplaceAll(err.Error(), dir, ""), "hidden") || !strings.Contains(err.Error(), "f.toml:0:"+key) {
			t.Errorf("%s: %v", key, err)
		}
	}
	for _, text := range []string{"bearer-env = \"NONE\"", "bearer-file = \"" + dir + "/none\"", "headers-file = \"" + put("h", "Cookie: a=b", 0o600) + "\"", "client-cert = \"" + dir + "/headers\"\nclient-key = \"" + dir + "/basic\""} {
		table, err := read(t, "[[host]]\nmatch = \"a.org\"\n"+text)
		if err == nil {
			err = table.Load(t.Context(), func(string) string { return "" }, func(string) {})
		}
		if err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
