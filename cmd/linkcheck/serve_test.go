package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// TestServe asks the server as a browser would, and holds that it keeps no lock
// on the store while it shows it.
func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "s.db")
	docs := t.TempDir()
	testdoc.Write(t, filepath.Join(docs, "a.txt"), "info:lccn/85000002 and <http://www.example.com/>\n")
	night := func() int {
		return run(t.Context(), nil, []string{"run", "--config", "/dev/null", "--quiet", "--store", db, docs}, strings.NewReader(""), io.Discard, io.Discard)
	}
	if code := night(); code != exitOK {
		t.Fatalf("run: exit %d", code)
	}
	ctx, cancel := context.WithCancel(t.Context())
	said, stderr := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, nil, []string{"serve", "--config", "/dev/null", "--store", db, "--listen", "127.0.0.1:0"}, strings.NewReader(""), io.Discard, stderr)
		stderr.Close()
	}()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`http://\S+/`).FindString(string(line[:n]))
	if at == "" {
		t.Fatalf("no address in %q", line[:n])
	}
	for path, want := range map[string]string{"": "2 links", "links": "info:lccn/<wbr>85000002", "metrics": "linkcheck_links"} {
		res, err := http.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("/%s: %s without %q", path, res.Status, want)
		}
	}
	if code := night(); code != exitOK {
		t.Errorf("run while the report is served: exit %d", code)
	}
	cancel()
	if code := <-ended; code != exitOK {
		t.Errorf("serve: exit %d", code)
	}
}
