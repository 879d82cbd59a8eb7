package webpage

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

const urlset = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

func TestSitemaps(t *testing.T) {
	entry := func(address string, more string) string { return "<url><loc>" + address + "</loc>" + more + "</url>" }
	for _, c := range []struct {
		name, text, want string
		index            bool
		fault            error
	}{
		{"urlset", urlset + entry("http://w.example/a?x=1&amp;y=2", "") + entry(" http://w.example/b\n", "") + "</urlset>", "http://w.example/a?x=1&y=2 http://w.example/b", false, nil},
		{"last changed first", urlset + entry("http://w.example/a", "") + entry("http://w.example/b", "<lastmod>2026-01-05</lastmod>") +
			entry("http://w.example/c", "<lastmod>2026-11-05T10:00:00Z</lastmod>") + "</urlset>", "http://w.example/c http://w.example/b http://w.example/a", false, nil},
		{"pictures", urlset + entry("http://w.example/a", "<image:image><image:loc>http://w.example/a.jpg</image:loc></image:image>") + "</urlset>", "http://w.example/a", false, nil},
		{"CDATA", urlset + entry("<![CDATA[http://w.example/a&b]]>", "") + "</urlset>", "http://w.example/a&b", false, nil},
		{"index", `<sitemapindex><sitemap><loc>http://w.example/1.xml.gz</loc></sitemap></sitemapindex>`, "http://w.example/1.xml.gz", true, nil},
		{"packed", zipped(urlset + entry("http://w.example/a", "") + "</urlset>"), "http://w.example/a", false, nil},
		{"text", "\ufeffhttp://w.example/a\r\n\nhttp://w.example/b", "http://w.example/a http://w.example/b", false, nil},
		{"half", urlset + entry("http://w.example/a", "") + "<url><loc>http://w.exa", "http://w.example/a", false, io.ErrUnexpectedEOF},
		{"a page", "<!DOCTYPE html><html><title>Sorry</title></html>", "", false, ErrNoSitemap},
		{"a feed", "<rss><channel><item><link>http://w.example/a</link></item></channel></rss>", "", false, ErrNoSitemap},
		{"nothing", "", "", false, ErrNoSitemap},
		{"garbage", "\x00\x01\x02", "", false, ErrNoSitemap},
		{"half of a packed one", zipped(urlset + entry("http://w.example/a", "") + "</urlset>")[:60], "", false, io.ErrUnexpectedEOF},
	} {
		s, err := ReadSitemap(strings.NewReader(c.text))
		var got []string
		for _, l := range s.Locs {
			got = append(got, l.Address)
		}
		if strings.Join(got, " ") != c.want || s.Index != c.index || !errors.Is(err, c.fault) {
			t.Errorf("%s: %q, index %v, %v", c.name, got, s.Index, err)
		}
	}
}

// TestSitemapBounds: 50,000 addresses and 50 MB, packed or not, are the protocol's limits.
func TestSitemapBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString(urlset)
	for i := range maxLocs + 1 {
		fmt.Fprintf(&b, "<url><loc>http://w.example/%d</loc></url>", i)
	}
	for _, text := range []string{b.String(), zipped(b.String())} {
		if s, err := ReadSitemap(strings.NewReader(text)); len(s.Locs) != maxLocs || err != ErrManyLocs {
			t.Errorf("%d addresses, %v", len(s.Locs), err)
		}
	}
}

// TestSitemapBomb: a small file that unpacks to more than the protocol allows.
func TestSitemapBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("50 MB are unpacked")
	}
	bomb := zipped(urlset + strings.Repeat(" ", MaxSitemap+1) + "</urlset>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ReadSitemap(strings.NewReader(bomb)); !errors.Is(err, ErrLong) {
		t.Errorf("%d octets that unpack to more than 50 MB: %v", len(bomb), err)
	}
	runtime.ReadMemStats(&after)
	t.Logf("%d MB for 50 MB of blanks", (after.TotalAlloc-before.TotalAlloc)>>20)
}

// FuzzSitemap: addresses are bounded, without blanks around them, and nothing panics.
func FuzzSitemap(f *testing.F) {
	f.Add([]byte(urlset + "<url><loc>http://w.example/</loc><lastmod>2026</lastmod></url></urlset>"))
	f.Add([]byte(zipped(urlset + "<url><loc>a</loc></url></urlset>")))
	f.Add([]byte("http://w.example/\nhttp://w.example/b"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, _ := ReadSitemap(bytes.NewReader(file))
		if len(s.Locs) > maxLocs {
			t.Errorf("%d addresses", len(s.Locs))
		}
		for _, l := range s.Locs {
			if l.Address == "" || len(l.Address) > maxLoc || l.Address != strings.TrimSpace(l.Address) {
				t.Errorf("%q is named", l.Address)
			}
		}
	})
}
