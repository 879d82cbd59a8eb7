package interop

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A site is a web server with a log of its own.
type site struct {
	at   string
	dir  string // what it serves
	log  string
	unit time.Duration // in which its log counts
	told int           // lines of the log that were looked at
}

// asked is a line of the log: when a request ended, how long it took, the number of its
// connection, how many were open ("-": the server does not say), status and path.
type asked struct {
	begin      time.Time
	connection string
	open       string
	status     int
	path       string
}

// inventedName is the page beside another that cannot exist, which is asked for once a
// directory in 30 days, in one visit with that page (OUTCOMES sections 1.3 and 5.1.17).
var inventedName = regexp.MustCompile(`/[a-z]{25}$`)

const invented = "/(none)" // in its place

// logEnd is asked for by the test: what stands before it in the log is complete, for both
// servers do one thing after another.
const logEnd = "/end-of-night"

// asked gives what was asked since the last time, in its order, "STATUS PATH".
func (s *site) asked(t *testing.T) (list []string) {
	t.Helper()
	resp, err := http.Get("http://" + s.at + logEnd)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	text, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(text)))
	var requests []asked
	for _, line := range lines[s.told:] {
		s.told++
		if r := s.parse(t, line); r.path != logEnd {
			requests = append(requests, r)
		}
	}
	polite(t, requests)
	for _, r := range requests {
		list = append(list, fmt.Sprint(r.status, " ", r.path))
	}
	return list
}

func (s *site) parse(t *testing.T, line string) (r asked) {
	t.Helper()
	var end, took float64
	var method string
	n, err := fmt.Sscan(line, &end, &took, &r.connection, &r.open, &r.status, &method, &r.path)
	if err != nil {
		t.Fatalf("%q: field %d: %v", line, n, err)
	}
	r.begin = time.Unix(0, int64((end-took)*float64(s.unit)))
	r.path = inventedName.ReplaceAllString(r.path, invented)
	return r
}

// polite checks that a night had one connection at a time and the gap between any two
// visits. What is measured is from beginning to beginning: a server has looked at the
// clock before it answers, and the gap is from the end of the answer.
func polite(t *testing.T, night []asked) {
	t.Helper()
	slices.SortStableFunc(night, func(x, y asked) int { return x.begin.Compare(y.begin) })
	ended := map[string]bool{}
	for i, r := range night {
		if r.open != "-" && r.open != "1" {
			t.Errorf("%s: %s connections are open", r.path, r.open)
		}
		if ended[r.connection] {
			t.Errorf("%s: two connections at a time", r.path)
		}
		if i == 0 {
			continue
		}
		if before := night[i-1]; before.connection != r.connection {
			ended[before.connection] = true
		}
		if gap := r.begin.Sub(night[i-1].begin); gap < hostDelay-slack && !strings.HasSuffix(r.path, invented) {
			t.Errorf("%s: %v after %s", r.path, gap, night[i-1].path)
		}
	}
}

// once checks that a night asked for these and nothing else, each of them once.
func once(t *testing.T, got []string, want ...string) {
	t.Helper()
	got = slices.Sorted(slices.Values(got))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("asked for\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// put writes a file of the site, with a time at which it was changed that no listing
// calls young.
func (s *site) put(t *testing.T, name, text string) {
	t.Helper()
	file := write(t, s.dir, name, text)
	at := time.Now().AddDate(0, -6, 0).Add(time.Duration(len(text)) * time.Hour)
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

func (s *site) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
		t.Fatal(err)
	}
}

// nginxSite serves a folder by nginx.
func nginxSite(t *testing.T, settings string) *site {
	t.Helper()
	path, dir, n := need(t, "nginx"), publicDir(t), port(t)
	s := &site{dir: filepath.Join(dir, "www"), log: filepath.Join(dir, "access.log"), unit: time.Second}
	write(t, dir, "tmp/x", "")
	write(t, dir, "logs/x", "")
	config := strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(n), "SETTINGS", settings).Replace(`daemon off; pid DIR/pid; error_log DIR/error.log; worker_processes 1; user root;
events {}
http {
  log_format told "$msec $request_time $connection $connections_active $status $request"; access_log DIR/access.log told;
  types { text/html html; text/plain txt; }
  client_body_temp_path DIR/tmp; proxy_temp_path DIR/tmp; fastcgi_temp_path DIR/tmp; uwsgi_temp_path DIR/tmp; scgi_temp_path DIR/tmp;
  server { listen 127.0.0.1:PORT; root DIR/www; SETTINGS }
}
`)
	if os.Getuid() != 0 {
		config = strings.Replace(config, "user root;", "", 1)
	}
	file := write(t, dir, "nginx.conf", config)
	s.at = daemon(t, n, command(path, "-c", file, "-p", dir, "-e", filepath.Join(dir, "error.log")))
	return s
}

// apacheSite serves a folder by Apache.
func apacheSite(t *testing.T, settings string) *site {
	t.Helper()
	path, dir, n := need(t, "apache2"), publicDir(t), port(t)
	s := &site{dir: filepath.Join(dir, "www"), log: filepath.Join(dir, "access.log"), unit: time.Microsecond}
	modules, _ := filepath.Glob(filepath.Join(servers, "usr/lib/apache2/modules"))
	modules = append(modules, "/usr/lib/apache2/modules")
	modules[0], _ = filepath.Abs(modules[0])
	var load strings.Builder
	for _, name := range []string{"mpm_event", "authz_core", "autoindex", "dir", "mime"} {
		fmt.Fprintf(&load, "LoadModule %s_module %s/mod_%s.so\n", name, modules[0], name)
	}
	write(t, s.dir, "here", "")
	write(t, dir, "types", "text/html html\ntext/plain txt\n")
	config := strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(n), "SETTINGS", settings).Replace(load.String() + `
ServerName localhost
User daemon
Group daemon
Listen 127.0.0.1:PORT
PidFile DIR/pid
ErrorLog DIR/error.log
Mutex pthread
ServerLimit 1
StartServers 1
ThreadsPerChild 1
MaxRequestWorkers 1
TypesConfig DIR/types
LogFormat "%{end:usec}t %D %{remote}p - %>s %r" told
CustomLog DIR/access.log told
DocumentRoot DIR/www
<Directory DIR/www>
  Options Indexes
  Require all granted
</Directory>
SETTINGS
`)
	s.at = daemon(t, n, command(path, "-X", "-f", write(t, dir, "httpd.conf", config)))
	return s
}

// tree fills a folder of a site, and gives its folders and files as they are asked for.
func (s *site) tree(t *testing.T, at string) (folders, files []string) {
	t.Helper()
	page := "See http://" + s.at + "/outside/mill.html and http://" + s.at + at + "minutes.txt.\n"
	long := strings.Repeat("long-name-", 8) + ".txt" // longer than any listing shows
	s.put(t, "outside/mill.html", "<title>The mill</title><p>It stands where it stood, and its wheel turns.")
	s.put(t, at+"mill.png", "no document\n")
	for name, escaped := range map[string]string{"minutes.txt": "", "a#b?c.txt": "a%23b%3Fc.txt", long: "", "r\u00e4ume 1.txt": "r%C3%A4ume%201.txt",
		"old/a.txt": "", "old/deeper/b.txt": "", "old/deeper/stays.txt": "", "once/c.txt": ""} {
		s.put(t, at+name, page)
		files = append(files, at+cmp.Or(escaped, name))
	}
	return []string{at, at + "old/", at + "old/deeper/", at + "once/"}, files
}

// with puts a word before and behind each of a list.
func with(before string, list []string, behind string) (out []string) {
	for _, s := range list {
		out = append(out, before+s+behind)
	}
	return out
}

// above are the folders in which folders stand, each once.
func above(folders []string) (list []string) {
	for _, f := range folders {
		f = strings.TrimSuffix(f, "/")
		list = append(list, f[:strings.LastIndexByte(f, '/')])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// testListings walks over a tree of listings: all files are found, on the second night
// the listings alone are asked for, what they name no more is gone, and one that is empty
// at once is doubted. dated says that listings show when a file was changed; without that
// each file is asked whether it did, and is gone when it was not found on two nights.
func testListings(t *testing.T, program string, s *site, at string, dated bool) {
	folders, files := s.tree(t, at)
	a := newArchive(t, program, "http://"+s.at+at)
	listings := slices.Concat([]string{"404 /robots.txt"}, with("200 ", folders, ""))
	again := func(files []string) []string {
		if dated {
			return nil
		}
		return with("304 ", files, "")
	}

	a.night(0).is(t, len(folders)+len(files), len(folders)+len(files), 0, 0, "whole")
	once(t, s.asked(t), slices.Concat(listings, with("200 ", files, ""), []string{"200 /outside/mill.html"},
		with("404 ", above(folders), invented), []string{"404 /outside" + invented})...)
	want := slices.Sorted(slices.Values([]string{"alive http://" + s.at + "/outside/mill.html", "alive http://" + s.at + at + "minutes.txt"}))
	if got := a.urls(); !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}

	a.night(0).is(t, len(folders)+len(files), 0, 0, 0, "whole")
	once(t, s.asked(t), slices.Concat(listings, again(files))...)

	s.remove(t, at+"old/deeper/b.txt")
	s.remove(t, at+"once/c.txt")
	s.put(t, at+"old/a.txt", "It has another link, http://"+s.at+"/outside/mill.html#wheel, and one no more.\n")
	changed := slices.Concat(listings, []string{"200 " + at + "old/a.txt", "404 " + at + "once/c.txt", "200 /outside/mill.html"})
	if dated {
		a.night(0).is(t, len(folders)+len(files)-1, 0, 1, 1, "doubted: the listing http://"+s.at+at+"once/ is empty")
		once(t, s.asked(t), changed...)
		a.night(0).is(t, len(folders)+len(files)-2, 0, 0, 1, "whole") // not found on two nights
		s.asked(t)
		return
	}
	rest := slices.DeleteFunc(files, func(name string) bool {
		return slices.Contains([]string{at + "old/a.txt", at + "old/deeper/b.txt", at + "once/c.txt"}, name)
	})
	a.night(0).is(t, len(folders)+len(files), 0, 1, 0, "whole")
	once(t, s.asked(t), slices.Concat(changed, []string{"404 " + at + "old/deeper/b.txt"}, again(rest))...)
	a.night(0).is(t, len(folders)+len(files)-2, 0, 0, 2, "whole")
	s.asked(t)
}

// testPages walks over pages that lead to each other: they have validators, so that on the
// second night no page is sent, and the one that changed alone on the third.
func testPages(t *testing.T, program string, s *site) {
	page := func(name string, links ...string) {
		text := "<title>" + name + "</title><p>The minutes of the mill."
		for _, link := range links {
			text += " <a href='" + link + "'>more</a>"
		}
		s.put(t, "guides/"+name, text)
	}
	page("index.html", "a.html", "b/c.html", "../outside/mill.html")
	page("a.html", "index.html", "b/c.html", "none.html")
	page("b/c.html", "../a.html#mill", "/guides/")
	s.put(t, "outside/mill.html", "<title>The mill</title><p>It stands where it stood, and its wheel turns.")
	s.put(t, "robots.txt", "User-agent: *\nDisallow: /guides/private/\n")
	a := newArchive(t, program, "http://"+s.at+"/guides/")
	names := []string{"/guides/", "/guides/a.html", "/guides/b/c.html", "/guides/index.html"}
	a.night(0).is(t, 4, 4, 0, 0, "whole")
	once(t, s.asked(t), slices.Concat(with("200 ", names, ""), []string{"200 /robots.txt", "200 /outside/mill.html", "404 /guides/none.html",
		"404 " + invented, "404 /guides" + invented, "404 /guides/b" + invented, "404 /outside" + invented})...)
	if got := a.urls(); len(got) != 7 || !strings.HasPrefix(got[6], "failing ") || !strings.HasSuffix(got[6], "/guides/none.html") {
		t.Errorf("links %q", got)
	}
	a.night(0).is(t, 4, 0, 0, 0, "whole")
	again := []string{"200 /robots.txt", "404 /guides/none.html"}
	once(t, s.asked(t), slices.Concat(with("304 ", names, ""), again)...)
	page("b/c.html", "../a.html#mill", "/guides/", "d.html")
	page("b/d.html", "c.html")
	a.night(0).is(t, 5, 1, 1, 0, "whole")
	got := s.asked(t)
	names = slices.DeleteFunc(names, func(name string) bool { return name == "/guides/b/c.html" })
	once(t, got, slices.Concat(with("304 ", names, ""), again, []string{"200 /guides/b/c.html", "200 /guides/b/d.html"})...)
}
