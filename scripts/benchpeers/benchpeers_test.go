package main

import (
	"bufio"
	"encoding/xml"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/extract"
)

// TestTruth: the server is what it says of each link.
func TestTruth(t *testing.T) {
	s, err := serve(honestHost, softHost)
	if err != nil {
		t.Skip(err) // systems on which loopback has one address
	}
	defer s.close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ask := func(url string) (int, string) {
		t.Helper()
		resp, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	for is, want := range map[truth][2]int{live: {200, 200}, dead: {404, 404}, moved: {301, 301}, walled: {403, 403}, soft: {200, 200}, flapping: {503, 200}} {
		for k, status := range want {
			if got, _ := ask(s.at(is, 3).url); got != status {
				t.Errorf("%s, asked %d times: %d, want %d", is, k+1, got, status)
			}
		}
	}
	if s.requests.Load() != 12 || s.conns.Load() < 1 || s.quickDone() <= 0 {
		t.Errorf("%d requests, %d connections, %v", s.requests.Load(), s.conns.Load(), s.quickDone())
	}
	s.reset()
	if status, _ := ask(s.at(flapping, 3).url); status != 503 || s.requests.Load() != 1 {
		t.Error("who asked is not forgotten")
	}
	_, one := ask(s.at(soft, 1).url)
	_, other := ask(s.on(softHost, soft, 2).url)
	_, real := ask(s.on(softHost, live, 1).url)
	_, second := ask(s.at(live, 2).url)
	if one != other || one == real || real == second {
		t.Error("pages that are to differ are alike, or the other way round")
	}
	begin := time.Now()
	if status, _ := ask(s.at(slow, 1).url); status != 200 || time.Since(begin) < slowness {
		t.Errorf("slow: %d after %v", status, time.Since(begin))
	}
}

// TestOutputs reads what each program says of a link that is there, one that is not, and
// one that has moved; recorded from the versions that install.sh names.
func TestOutputs(t *testing.T) {
	const u = "http://127.0.0.1:8765/"
	all := map[string]verdict{u + "live1": good, u + "dead1": bad, u + "moved1": toUpdate}
	followed := map[string]verdict{u + "live1": good, u + "dead1": bad, u + "moved1": good}
	for _, c := range []struct {
		name, out string
		read      func([]byte) (map[string]verdict, error)
		want      map[string]verdict
	}{
		{"linkcheck", `{"url":"` + u + `live1","outcome":"ok"}` + "\n" + `{"url":"` + u + `dead1","outcome":"gone"}` + "\n" + `{"url":"` + u + `moved1","outcome":"moved"}` + "\n", ours, all},
		{"linkcheck, unsure", `{"url":"` + u + `a","outcome":"blocked"}` + "\n" + `{"url":"` + u + `b","outcome":"suspect"}` + "\n", ours, map[string]verdict{u + "a": uncertain, u + "b": uncertain}},
		{"linkinator", `{"links":[{"url":"` + u + `live1","status":200,"state":"OK"},{"url":"` + u + `dead1","status":404,"state":"BROKEN"},{"url":"` + u + `moved1","status":200,"state":"OK"}],"passed":false}`, linkinator, followed},
		{"hyperlink", "TAP version 13\nok 2 external-check " + u + "live1\nnot ok 4 external-redirect " + u + "moved1\n  ---\n    operator: external-redirect\n  ...\nok 5 external-check " + u + "moved1\nnot ok 6 external-check " + u + "dead1\n  ---\n    expected: \"200 " + u + "dead1\"\n", hyperlink, all},
		{"LinkChecker", "# created by LinkChecker at 2026-11-28 07:24:22+000\nurlname;parentname;base;result;warningstring;infostring;valid;url;line;column;name;dltime;size;checktime;cached;level;modified\n" +
			u + "moved1;" + u + "page;;200 OK;;Redirected to `" + u + "live1'.;True;" + u + "live1;3;1;x;-1;52;0.27;0;1;\n" +
			u + "dead1;" + u + "page;;404 Not Found;;;False;" + u + "dead1;2;1;x;-1;52;1.44;0;1;\n" +
			u + "live1;" + u + "page;;200 OK;;;True;" + u + "live1;1;42;x;-1;52;1.84;0;1;\n# Stopped checking at 2026-11-28 07:24:25+000 (2 seconds)\n", linkchecker, all},
		{"checklink", "\nChecking link " + u + "live1\nHEAD " + u + "live1  fetched in 1.00 seconds\n\nChecking link " + u + "moved1\n\nChecking link " + u + "dead1\n\nProcessed in 7.09 seconds.\n\n\nList of broken links and other issues:\n\n" +
			u + "dead1\t\n  Line: 2\n  Code: 404 Not Found\n To do: The link is broken.\n\nList of redirects\n\n" + u + "moved1\n-> " + u + "live1\t\n  Line: 3\n  Code: 301 -> 200 OK\nAnchors\n", checklink, all},
		{"curl", "200 " + u + "live1\n404 " + u + "dead1\n301 " + u + "moved1\n", statuses, all},
		{"curl, no answer", "000 " + u + "live1\n", statuses, map[string]verdict{u + "live1": bad}},
	} {
		got, err := c.read([]byte(c.out))
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for name, read := range map[string]func([]byte) (map[string]verdict, error){"linkcheck": ours, "linkinator": linkinator, "LinkChecker": linkchecker} {
		if _, err := read([]byte("<nonsense")); err == nil && name != "LinkChecker" {
			t.Errorf("%s: nonsense is read", name)
		}
	}
}

// TestScore: right, wrong and open, by truth; a link of which nothing is said is open.
func TestScore(t *testing.T) {
	links := []link{{"a", live}, {"b", dead}, {"c", moved}, {"d", walled}, {"e", soft}, {"f", flapping}, {"g", slow}}
	total, each := scoreOf(links, map[string]verdict{"a": good, "b": good, "c": good, "d": bad, "e": uncertain, "f": bad})
	if total != (score{right: 2, wrong: 3, all: 7}) || each[walled] != (score{0, 1, 1}) || each[moved] != (score{0, 0, 1}) || each[slow] != (score{0, 0, 1}) {
		t.Errorf("%+v, %+v", total, each)
	}
	f := foundOf(map[string]bool{"a": true, "b": true}, map[string]bool{"a": true, "x": true})
	if f.precision() != 50 || f.recall() != 50 || (found{}).recall() != 0 {
		t.Errorf("%+v", f)
	}
	costs := []cost{{wall: 3}, {wall: 1}, {wall: 2}}
	if median(costs).wall != 2 {
		t.Error("the median is another")
	}
}

// TestDocuments: the documents are of their formats, and have the links that are listed.
func TestDocuments(t *testing.T) {
	for name, fill := range map[string]func(d *document, w *bufio.Writer) error{
		"links.html": func(d *document, w *bufio.Writer) error { d.page(w, 50); return nil },
		"opac.mrc":   func(d *document, w *bufio.Writer) error { d.marc(w, 50); return nil },
		"list.mbox":  func(d *document, w *bufio.Writer) error { return d.mbox(w, 50_000) },
		"crawl.warc": func(d *document, w *bufio.Writer) error { return d.warc(w, 50_000) },
	} {
		var d document
		if err := d.write(filepath.Join(t.TempDir(), name), func(w *bufio.Writer) error { return fill(&d, w) }); err != nil {
			t.Fatal(err)
		}
		got := linksIn(t, d.file)
		if f := foundOf(d.links, got); f.all < 15 || f.recall() != 100 || f.precision() != 100 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestPaper writes the paper of a run in which one program failed.
func TestPaper(t *testing.T) {
	out := t.TempDir()
	b := &bench{size: sizes["tiny"], sizeName: "tiny", runs: 1, tools: []tool{{name: "linkcheck", version: "1"}, {name: "muffet", missing: "not given"}}}
	for _, work := range []string{workTruth, workLinks(0)} {
		b.results = append(b.results, result{work: work, tool: "linkcheck", cost: cost{wall: time.Second}, score: score{9, 1, 10}, each: map[truth]score{live: {9, 1, 10}}},
			result{work: work, tool: "curl", failed: "no | <b>\nway"})
	}
	if err := b.write(out, "0.10", "0.20"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"BENCHMARKS.md":   {"# Side by side\n", "| muffet | not compared: not given |", "| linkcheck | 9 | 1 | 10 | 9 (1) |", "| linkcheck | 1.00 s | 1.00 |", "| 90.0 % | 1 |", "| curl | failed: no / <b> way |", "0.10 before and 0.20 after"},
		"bench-truth.svg": {"9 right, 0 open, 1 wrong", "prefers-color-scheme: dark"},
		"bench-links.svg": {"1.00 s, 1 wrong"},
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, text)
			}
		}
		if strings.HasSuffix(name, ".svg") {
			if err := xml.Unmarshal(text, new(struct{ XMLName xml.Name })); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// linksIn are the links that linkcheck finds in a file.
func linksIn(t *testing.T, name string) map[string]bool {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	links := map[string]bool{}
	for found, err := range extract.Document(name, f, extract.Options{}) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		links[found.URI] = true
	}
	return links
}
