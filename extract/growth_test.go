package extract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// hostile are the options under which hostile documents cost most.
var hostile = doc.Options{Base: "http://h.example/d/", Comments: true}

// work is what the reading of a document took.
type work struct {
	candidates int64 // places tried, and octets that were read again
	objects    int64 // allocated
	octets     int64 // of them
	rows       int64 // octets of what was found
}

func workOf(h extracttest.Hostile, n int) (w work) {
	data := h.Document(n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // what lies in pools for the next document is gone: each makes its own
	runtime.ReadMemStats(&before)
	w.candidates = extract.Candidates(h.File, data, hostile, func(f extract.Found, _ error) {
		w.rows += int64(len(f.URI) + len(f.Raw) + len(f.Context) + len(f.Record) + len(f.Locator) + len(f.Member))
	})
	runtime.ReadMemStats(&after)
	w.objects, w.octets = int64(after.Mallocs-before.Mallocs), int64(after.TotalAlloc-before.TotalAlloc)
	return w
}

// Four times the document is at most eight times the work, whatever it repeats.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("counts what one goroutine does")
	}
	const size = 32 << 10
	for _, h := range extracttest.HostileDocuments(t) {
		n := max(size, 4*h.Least())
		once, more := workOf(h, n), workOf(h, 4*n)
		for _, m := range []struct {
			what  string
			n, n4 int64
			any   int64 // what any document may take: a bound may be met only by the longer ones
		}{
			{"candidates", once.candidates, more.candidates, int64(n)},
			{"objects", once.objects, more.objects, int64(4 * n)},
			{"octets of memory", once.octets, more.octets, 2 << 20},
			{"octets of rows", once.rows, more.rows, int64(4*n) + 100<<10}, // one link may be all of it
		} {
			if m.n4 > 8*m.n+m.any {
				t.Errorf("%s: %d and %d %s in documents of %d kB and four times that", h.Name, m.n, m.n4, m.what, n>>10)
			}
		}
	}
}

// A list is read whole however well it packs: a link of it takes few of the places that a
// file may have.
func TestPlacesOfList(t *testing.T) {
	if testing.Short() {
		t.Skip("counts what one goroutine does")
	}
	const links, most = 10_000, 16
	for _, line := range []string{
		"http://a.example/%d\n", "  http://a.example/%d\n", "%d http://a.example/%[1]d\n", "%d   http://a.example/%[1]d    A name\n",
		"* http://a.example/%d A name\n", "| http://a.example/%d | A name |\n", "<http://a.example/%d>\n", "a name: http://a.example/%d,\n",
		"> http://a.example/%d\n", "%d\thttp://a.example/%[1]d\tx\n", "Name  http://a.example/%d\n",
	} {
		var list bytes.Buffer
		for i := range links {
			fmt.Fprintf(&list, line, i)
		}
		found := 0
		places := extract.Candidates("a.txt", list.Bytes(), doc.Options{}, func(extract.Found, error) { found++ })
		if found != links || places > most*links {
			t.Errorf("%q %d times: %d links, %d places", line, links, found, places)
		}
	}
}

// costly are the rows of the table that gave most, and one of each kind of row.
var costly = []string{
	"html one codebase", "html long base", "html value ping commas", "html value srcset stars", "html one tag links", "html one tag mixed", "html long codebase",
	"html mail page links", "xml path", "xml marc id", "xml marc tag", "xml one record", "xml nest record", "bibtex long key", "ris long id", "mrk long id", "mail long id",
	"warc target", "marc long id", "marc field text", "json long id", "csv cells", "gophermap lone", "shortcut relative", "text quoted go", "text http://a", "mail header",
}

// Of a page or table of 1 MB there are at most 600,000 rows and 100 MB of them as JSON.
// LINKCHECK_HOSTILE=all reads all of the table.
func TestRowsOfMegabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	all := os.Getenv("LINKCHECK_HOSTILE") == "all"
	for _, h := range extracttest.HostileDocuments(t) {
		if !all && !slices.Contains(costly, h.Name) {
			continue
		}
		n, octets := 0, 0
		for f, err := range extract.Document(h.File, bytes.NewReader(h.Document(1<<20)), hostile) {
			if err != nil {
				continue
			}
			row, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			n, octets = n+1, octets+len(row)+1
		}
		if n > 600_000 || octets > 100<<20 {
			t.Errorf("%s: %d rows of %d MB", h.Name, n, octets>>20)
		}
	}
}
