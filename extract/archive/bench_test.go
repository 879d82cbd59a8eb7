package archive_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// An empty member costs little more than its header.
func BenchmarkEmptyMembers(b *testing.B) {
	const members = 10000
	var t bytes.Buffer
	w := tar.NewWriter(&t)
	for i := range members {
		w.WriteHeader(&tar.Header{Name: fmt.Sprintf("f%d", i), Typeflag: tar.TypeReg})
	}
	w.Close()
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range extract.Document("a.tar", bytes.NewReader(t.Bytes()), doc.Options{}) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/members, "ns/member")
}
