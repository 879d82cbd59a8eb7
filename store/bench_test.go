package store

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/linkkey"
)

// The measures of the store, as benchmarks: go test -run '^$' -bench Life ./store
// prints a table of figures with a column for each size; -links 1000000 sets the
// largest.
var (
	largest = flag.Int("links", 100000, "links in the largest store of the benchmarks")
	shards  = flag.Int("shards", 0, "files of the store of BenchmarkImport and BenchmarkNight; 0: it is no set")
)

func sizes() (list []int) {
	for n := 10000; n < *largest; n *= 10 {
		list = append(list, n)
	}
	return append(list, *largest)
}

// benchURL is link i of an archive of a thousand hosts, about 55 octets long.
func benchURL(i int) string {
	return fmt.Sprintf("http://www.host%03d.example%d.net/archive/rfc/%d/item-%07d.html", i*7919%1000, i%7, i%40, i)
}

// benchResult is a result with about 300 octets of strings.
func benchResult(rng *rand.Rand, i int, at time.Time) check.Result {
	r := check.Result{
		Outcome: check.OK, Evidence: check.Strong, Reason: "http-200", Reply: "HTTP/1.1 200 OK", At: at,
		Took: 87 * time.Millisecond, Bytes: 18211, Attempts: 1, ContentType: "text/html; charset=iso-8859-1",
		Title:        fmt.Sprintf("Request for Comments %d: an old protocol of the Internet", i),
		Digest:       fmt.Sprintf("%016x%016x%016x%016x", rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()),
		ETag:         fmt.Sprintf("%x-%x", rng.Uint64(), i),
		LastModified: "Tue, 14 Mar 1995 08:12:31 GMT",
		FinalURL:     "",
	}
	return r
}

const benchBatch = 5000

// importLinks reads n links as sources of 10,000 mentions.
func importLinks(b *testing.B, s *Store, n int) {
	in, err := s.BeginIngest(epoch)
	if err != nil {
		b.Fatal(err)
	}
	ready := make(chan *Batch, 1)
	go func() {
		defer close(ready)
		for from := 0; from < n; from += benchBatch {
			list := make([]Mention, 0, benchBatch)
			for i := from; i < min(from+benchBatch, n); i++ {
				u := benchURL(i)
				list = append(list, Mention{Collection: "rfc", Record: strconv.Itoa(i / 20), Locator: "856[1]$u", Line: i, Raw: u, URL: u, How: "856u"})
			}
			ready <- Prepare(fmt.Sprintf("part%d.mrc", from/benchBatch), list, nil)
		}
	}()
	for batch := range ready {
		if err := in.Add(Step{Whole: []Source{{Path: batch.source, Collection: "rfc", Mentions: len(batch.items)}}, Batches: []*Batch{batch}}); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := in.Finish(); err != nil {
		b.Fatal(err)
	}
	if err := s.flush(b.Context()); err != nil { // the night that follows reads first
		b.Fatal(err)
	}
}

// identifyLinks is the part of an import that is not the store's: the keys.
func identifyLinks(n int) {
	for i := range n {
		linkkey.Of(benchURL(i))
	}
}

// nightOrder is the i-th link of a night, as breadth first over hosts would have it.
func nightOrder(i, n int) int { return i * 61 % n }

// night records a result for every link, in an order as hosts take turns; of a
// changed part the result differs.
func night(b *testing.B, s *Store, n int, at time.Time, changed float64) {
	run, err := s.StartRun(Run{Started: at})
	if err != nil {
		b.Fatal(err)
	}
	ids := make([]uint64, 0, n) // in a set they have gaps
	for at := range s.shards {
		first := uint64(at) << shardBits
		for id := range linksIn(b, s.shards[at]) - first {
			ids = append(ids, first+id+1)
		}
	}
	batch := make([]Checked, 0, 5000)
	for i := range n {
		id := nightOrder(i, n)
		rng := rand.New(rand.NewPCG(uint64(id), 1))
		r := benchResult(rng, id, at)
		if changed > 0 && float64(id%1000) < changed*1000 {
			r.Outcome, r.Reason, r.Reply = check.Gone, "http-404", "HTTP/1.1 404 Not Found"
		}
		batch = append(batch, Checked{ids[id], r})
		if len(batch) == cap(batch) || i == n-1 {
			if err := s.Record(run, judge.Policy{Splay: 0.2}, batch); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	if _, err := s.Tally(run); err != nil { // every run ends so
		b.Fatal(err)
	}
}

// linksIn is the number of the last link in a file.
func linksIn(b *testing.B, s *Store) (last uint64) {
	err := s.file.View(func(tx *boltfile.Tx) error { last = tx.Bucket(bucketLink).Sequence(); return nil })
	if err != nil {
		b.Fatal(err)
	}
	return last
}

func benchStore(b *testing.B) *Store {
	s, err := Open(filepath.Join(b.TempDir(), "bench.db"), &Options{Shards: *shards})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// BenchmarkImport is the import alone.
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		s := benchStore(b)
		importLinks(b, s, *largest)
		s.Close()
	}
	b.ReportMetric(float64(*largest*b.N)/b.Elapsed().Seconds(), "links/s")
}

// BenchmarkNight is a night with 5 % changed, alone.
func BenchmarkNight(b *testing.B) {
	s := benchStore(b)
	importLinks(b, s, *largest)
	night(b, s, *largest, epoch, 0)
	at := epoch
	for b.Loop() {
		at = at.Add(8 * day)
		night(b, s, *largest, at, 0.05)
	}
	b.ReportMetric(float64(*largest*b.N)/b.Elapsed().Seconds(), "results/s")
}
