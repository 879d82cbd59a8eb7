package ingest_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/store"
)

// folder makes a folder of two documents.
func folder() string {
	dir, err := os.MkdirTemp("", "ingest")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"page.html": `<a href="gopher://gopher.example.org/1/">the old menu</a>`,
		"rfc.txt":   "See <ftp://ftp.example.org/pub/rfc.txt> and\n<gopher://gopher.example.org/1/>.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	return dir
}

func ExampleRead() {
	dir := folder()
	defer os.RemoveAll(dir)
	storePath := dir + ".db"
	defer os.Remove(storePath)
	st, err := store.Open(storePath, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer st.Close()
	for range 2 {
		sum, err := ingest.Read(context.Background(), st, []string{dir}, ingest.Options{Collection: "samples"})
		fmt.Printf("%d read, %d unchanged, %d new links, %d mentions; %v\n", sum.Read, sum.Unchanged, sum.NewLinks, sum.Mentions, err)
	}
	// Output:
	// 2 read, 0 unchanged, 2 new links, 3 mentions; <nil>
	// 0 read, 2 unchanged, 0 new links, 0 mentions; <nil>
}

func ExampleExtract() {
	dir := folder()
	defer os.RemoveAll(dir)
	for found, err := range ingest.Extract(context.Background(), []string{dir}, ingest.Selection{}, extract.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(filepath.Base(found.Source), found.Line, found.URI)
	}
	// Output:
	// page.html 1 gopher://gopher.example.org/1/
	// rfc.txt 1 ftp://ftp.example.org/pub/rfc.txt
	// rfc.txt 2 gopher://gopher.example.org/1/
}
