//go:build linux

package hardening

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/testdoc"
)

// What 1 MB says of its links, packed or not, fills neither the memory of a run nor the
// store: under 300 MB, and under 10 kB a link or 500 octets a place. A report of them costs no
// more than the run did.
func TestRuns(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name, file string
		doc        doc
		part       doc // a sixteenth of it, where the whole takes as long as the machine is busy with others
	}{
		{"hosts", "a.txt", numbered("http://h%d.example/\n", 45_000), nil},
		{"hosts, as many as 1 MB may name", "a.txt.xz", filled(mega, xzed(numbered("http://h%d.example/\n", 720_000))), numbered("http://h%d.example/\n", 45_000)},
		{"one link at many places, packed", "a.txt.gz", gz(repeat("http://a.example/\n", 8*mega)), nil},
		{"links of 4 kB, packed", "a.txt.gz", gz(numbered("http://a.example/%d/"+strings.Repeat("p", 4000)+"\n", 10_000)), nil},
		{"a title of 500 kB", "a.html", joined("<title>", repeat("t", mega/2), "</title>", numbered("<a href=http://a.example/%d>x</a>", 15_000)), nil},
		{"a base of 500 kB", "a.html", joined(`<base href="http://a.example/`, repeat("b", mega/2), `/">`, numbered("<a href=%d>x</a>", 25_000)), nil},
		{"a record id of 500 kB", "a.mrk", joined("=LDR  00000nam\n=001  ", repeat("i", mega/2), "\n", numbered("=856  40$uhttp://a.example/%d\n", 15_000)), nil},
		{"a title of 90 kB on a thousand links", "a.mrc", text(testdoc.Catalogued("1", strings.Repeat("t", 9000), slices.Repeat([]string{"|uhttp://a.example/x"}, 1000)...)), nil},
		{"a Message-ID of 500 kB", "a.eml", joined("From: a@b.example\nMessage-ID: <", repeat("i", mega/2), "@b>\n\n", numbered("http://a.example/%d\n", 20_000)), nil},
		{"a member name of 60 kB", "a.zip", zipped(strings.Repeat("n", 60_000), numbered("http://a.example/%d\n", 40_000)), nil},
		{"names in names", "a.zip", nested(8, numbered("http://a.example/%d\n", 20_000), func(d doc) doc { return zipped(strings.Repeat("n", 4000)+".zip", d) }), nil},
		{"a WARC target of 500 kB", "a.warc", warc("http://a.example/"+strings.Repeat("t", mega/2), "Content-Type: text/html\r\n", numbered("<a href=http://a.example/%d>", 15_000)), nil},
		{"a thousand messages that name one another", "a.mbox", func(w io.Writer) {
			for i := range 1000 {
				fmt.Fprintf(w, "From a@b Mon Jan  1 00:00:00 1996\nMessage-ID: <%d%s@b.example>\n\n%s\n", i, strings.Repeat("m", 300), strings.Repeat(fmt.Sprintf("mid:%d@b.example ", i), 30))
			}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.make("docs/"+c.file, c.doc)
			run := slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})
			before := timeOfSixteenth(t, c.part, run)
			ran := p.start(start{patience: 10 * time.Minute}, run...)
			p.within(ran, ceiling{codes: []int{0, 3}, memory: 300, cpu: max(45*time.Second, 40*before, 40*timeOfSixteenth(t, c.part, run))})
			var stats struct{ Links, Mentions int }
			o := p.run("store", "stats", "--store", "s.db")
			if err := json.Unmarshal([]byte(o.out.text(keptText)), &stats); err != nil || stats.Links == 0 {
				t.Fatalf("%v, %d links in %q", err, stats.Links, o.out.text(300))
			}
			info, err := os.Stat(p.path("s.db"))
			if err != nil {
				t.Fatal(err)
			}
			if most := max(64<<20, 10_000*stats.Links, 500*stats.Mentions); info.Size() > int64(most) {
				t.Errorf("the store of %d links at %d places has %d MB, at most %d is right", stats.Links, stats.Mentions, info.Size()>>20, most>>20)
			}
			p.within(p.run("report", "--store", "s.db", "--csv", "-"), ceiling{codes: []int{0}, memory: 350, output: 700 << 20, cpu: max(maxCPU, ran.cpu)})
		})
	}
}

// timeOfSixteenth is the processor time of a run over a part of a document; none: 0. The whole
// takes sixteen times as much, and half of that again where trees are deeper and pages come from
// the kernel; what grew with the square of the size would take 256 times as much.
func timeOfSixteenth(t *testing.T, part doc, run []string) time.Duration {
	if part == nil {
		return 0
	}
	p := newPlace(t, nil)
	p.make("docs/a.txt", part)
	o := p.run(run...)
	p.within(o, ceiling{codes: []int{0, 3}, cpu: 45 * time.Second})
	return o.cpu
}
