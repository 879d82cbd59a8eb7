package extract_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// damageTime is the variable that makes TestCorpusDamaged go on for a while,
// such as 10m.
const damageTime = "LINKCHECK_DAMAGE"

// Every document of the corpus, cut short and with bits flipped, is read to an
// end: by the reader that its beginning asks for, and by one taken at random.
func TestCorpusDamaged(t *testing.T) {
	files := extracttest.CorpusFiles(t, "", func(string) bool { return true })
	long, _ := time.ParseDuration(os.Getenv(damageTime))
	until := time.Now().Add(long)
	var d damager
	for round := uint64(1); round == 1 || time.Now().Before(until); round++ {
		d.rnd = rand.New(rand.NewPCG(round, 2))
		for _, p := range files {
			if testing.Short() && d.rnd.IntN(10) > 0 || round > 1 && time.Now().After(until) {
				continue
			}
			d.file(t, p)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	if d.documents == 0 {
		t.Fatal("no documents")
	}
	t.Logf("%d damaged documents, the slowest %v (%s), at most %d MB held", d.documents, d.slowest.Round(time.Millisecond), d.slow, d.high>>20)
}

// damager spoils documents and has them read.
type damager struct {
	rnd       *rand.Rand
	documents int
	slowest   time.Duration
	slow      string
	high      uint64
}

func (d *damager) file(t *testing.T, p string) {
	t.Helper()
	data, err := os.ReadFile(p)
	if err != nil || len(data) == 0 {
		return
	}
	name := filepath.Base(p)
	for range extract.Document(name, bytes.NewReader(data), doc.Options{}) {
		break // nothing may come after the caller had enough
	}
	d.read(t, name, data[:d.rnd.IntN(len(data))], doc.Options{})
	for range 1 + len(data)/(1+d.rnd.IntN(4000)) {
		data[d.rnd.IntN(len(data))] ^= 1 << d.rnd.IntN(8)
	}
	d.read(t, name, data, doc.Options{Comments: true, Base: "http://h.example/"})
	formats := extract.FormatNames()
	d.read(t, name, data, doc.Options{Input: formats[d.rnd.IntN(len(formats))]})
}

func (d *damager) read(t *testing.T, name string, data []byte, o doc.Options) {
	t.Helper()
	begin := time.Now()
	extracttest.Laws(t, name, data, o)
	if took := time.Since(begin); took > d.slowest {
		d.slowest, d.slow = took, name+" as "+max(o.Input, "auto")
	}
	if d.documents++; d.documents%64 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		d.high = max(d.high, m.HeapInuse)
	}
}

// A source that breaks in the midst is read up to there by every reader, and
// the error is told: truncated compression ends so.
func TestReadErrors(t *testing.T) {
	broken := errors.New("broken disk")
	for _, format := range extract.FormatNames() {
		if format == "image" || format == "foreign" || format == "binary" {
			continue // not read at all
		}
		for _, text := range []string{
			"", "http://a.example/ ", "{\"a\": \"b http://a.example/", "<a href=\"http://a.example/", "<a>http://a.example/ <!-- ",
			"\"http://a.example/,", "#! rnews 9\nFrom: a\n\nhttp://a.example/", "#! rnews 90", "From a@b Sat Jan  3 01:05:34 1996\n\nx",
			"WARC/1.0\r\nContent-Length: 99\r\n\r\nx", "WARC/1.0\r\nWARC-Type: response\r\n\r\nx", "WARC/1.0\r\n", "@a{b, c={http://a.example/", "iA\tb\tc\t70\n1x",
			"=LDR  x\n=856  $uhttp", "00024nam a2200025   450024500100000\x1e", "TY  - x\nUR  - http://a.example/",
		} {
			if format == "rnews" && !strings.HasPrefix(text, "#!") {
				continue // says that it is none
			}
			told := false
			for _, err := range extract.Document("a", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), doc.Options{Input: format}) {
				told = told || errors.Is(err, broken)
			}
			if !told {
				t.Errorf("%s says nothing of the error behind %q", format, text)
			}
		}
	}
}
