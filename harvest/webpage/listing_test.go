package webpage

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/uri"
)

// longName is cut in the text of a row, and whole in its address.
const longName = "long-name-long-name-long-name-long-name-long-name-long-name-long-name-.txt"

// TestListings reads what nginx 1.22 and Apache 2.4 sent, and pages in the manner of
// lighttpd and of Python's http.server.
func TestListings(t *testing.T) {
	rows := func(words func(size int) string) string {
		var b strings.Builder
		for i, name := range []string{"a%23b%3Fc.txt", longName, "rfc0001.txt", "rfc0001.txt.gz"} {
			fmt.Fprintf(&b, "%s|%s\n", name, words([]int{2, 1, 30, 62}[i]))
		}
		return b.String()
	}
	iso := rows(func(size int) string { return fmt.Sprintf("2026-01-05 12:00 %d", size) })
	for file, want := range map[string]string{
		"nginx":               rows(func(size int) string { return fmt.Sprintf("05-Jan-2026 12:00 %d", size) }),
		"nginx-empty":         "",
		"apache-fancy":        iso,
		"apache-fancy-sorted": iso,
		"apache-table":        iso,
		"apache-plain":        rows(func(int) string { return "" }),
		"lighttpd":            "sub/|/ 2026-Jan-05 12:00:00 - Directory\nmap.html|2026-Jan-05 12:00:00 1.2K text/html\n",
		"python":              "map.html|\nsub/|\n",
	} {
		page, err := os.ReadFile(filepath.Join("testdata", "listings", file+".html"))
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]string{"apache-table": "http://wells.example/table/rfc/", "apache-plain": "http://wells.example/plain/rfc/"}[file]
		at = cmp.Or(at, "http://wells.example/rfc/")
		l, ok := ReadListing(page, at, nameOf)
		if !ok || !l.Whole {
			t.Errorf("%s: a listing %v, whole %v", file, ok, l.Whole)
		}
		var got string
		for _, r := range l.Rows {
			got += strings.TrimPrefix(r.Name, at) + "|" + r.Words + "\n"
		}
		if sorted(got) != sorted(want) {
			t.Errorf("%s:\n%s, want\n%s", file, got, want)
		}
		if rest := string(l.Rest); strings.Contains(rest, "rfc0001.txt") || strings.Contains(rest, "C=N") || strings.Contains(rest, "Parent") || !strings.Contains(rest, "<title>") {
			t.Errorf("%s: beside the rows stands\n%s", file, rest)
		}
		if len(l.Rows) == 0 {
			continue
		}
		plain := slices.IndexFunc(l.Rows, func(r Row) bool { return !strings.Contains(r.Name, "%") })
		one := []byte(strings.TrimPrefix(l.Rows[plain].Name, at) + `"`)
		less := slices.DeleteFunc(bytes.SplitAfter(page, []byte("\n")), func(line []byte) bool { return bytes.Contains(line, one) })
		fewer, ok := ReadListing(bytes.Join(less, nil), at, nameOf)
		if !ok || len(fewer.Rows) != len(l.Rows)-1 || string(fewer.Rest) != string(l.Rest) {
			t.Errorf("%s: with a row less %d of %d rows, and\n%s\nfor\n%s", file, len(fewer.Rows), len(l.Rows), fewer.Rest, l.Rest)
		}
	}
}

// nameOf is the name of an address on the site of the tests.
func nameOf(address string) (string, bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	key, _, _ := strings.Cut(uri.SchemeKey(u), "#")
	return key, strings.HasPrefix(key, "http://wells.example/")
}

func sorted(lines string) string {
	list := strings.Split(lines, "\n")
	for i := range list {
		for j := range i {
			if list[i] < list[j] {
				list[i], list[j] = list[j], list[i]
			}
		}
	}
	return strings.Join(list, "\n")
}

func TestNoListing(t *testing.T) {
	for _, page := range []string{
		`<title>Index of names</title><a href="a.html">A</a></html>`,
		`<title>Index of /rfc</title><a href="a.html">A</a> see <a href="/b.html">B</a> <a href="c.html">C</a></html>`,
		`<title>Index of /rfc</title><a href="/b.html">B</a></html>`,
		`<title>Reports</title><a href="a.html">A</a></html>`,
		``,
	} {
		if _, ok := ReadListing([]byte(page), "http://wells.example/rfc/", nameOf); ok {
			t.Errorf("a listing: %s", page)
		}
	}
	Listing := `<title>Index of /rfc</title><a href="a.html">A</a></html>`
	if _, ok := ReadListing([]byte(Listing), "http://wells.example/rfc", nameOf); ok {
		t.Error("a listing that is no folder")
	}
	l, ok := ReadListing([]byte(`<title>Index of /rfc</title><a href="../">Up</a><a href="a.html">A</a> 05-Jan-2026 12:0`), "http://wells.example/rfc/", nameOf)
	if !ok || l.Whole || l.Rows[0].Words != "" {
		t.Errorf("half a listing: %v %+v", ok, l)
	}
	l, ok = ReadListing([]byte(`<title>Index of /rfc</title><a href="../">Up</a><a href="a.html">A</a></pre><p>See <a href="/about.html">us</a></html>`), "http://wells.example/rfc/", nameOf)
	if !ok || len(l.Rows) != 1 || !strings.Contains(string(l.Rest), "about.html") {
		t.Errorf("a listing with words below: %v %q", ok, l.Rest)
	}
}

func TestYoung(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 4, 30, 0, time.UTC)
	for words, want := range map[string]bool{
		"22-Nov-2026 12:04 30": true, "22-Nov-2026 12:02 30": true, "22-Nov-2026 12:00 30": false, "2026-11-22 14:03 2": true,
		"2026-11-22 03:34 2": true, "2026-11-22 03:40 2": false, "05-Jan-2026 12:00 30": false, "2031-01-01 00:00 1": true, "30": true, "2026-Nov-21 12:04:00": false,
	} {
		if IsYoung(words, now) != want {
			t.Errorf("%s is young: %v", words, !want)
		}
	}
}

// FuzzListing: rows are children by names of their own, and what is left is of the page.
func FuzzListing(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "listings", "*.html"))
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		const at = "http://wells.example/rfc/"
		l, ok := ReadListing(page, at, nameOf)
		if !ok {
			return
		}
		if len(l.Rest) > len(page) {
			t.Errorf("%d octets are left of %d", len(l.Rest), len(page))
		}
		for _, r := range l.Rows {
			below, child := strings.CutPrefix(r.Name, at)
			if !child || below == "" || strings.Contains(strings.TrimSuffix(below, "/"), "/") || strings.Contains(below, "?") {
				t.Errorf("%q is no child", r.Name)
			}
			if r.Words != "" && !IsWords(r.Words) || len(r.Words) > maxWords {
				t.Errorf("%q is no state of a file", r.Words)
			}
			IsYoung(r.Words, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		}
	})
}
