package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/lab"
)

// OUTCOMES section 6, story 5: success is not taken at its word.
func TestFalseSuccess(t *testing.T) {
	page := lab.Page("Annals of the Observatory", "Volume seven holds the positions of two hundred comets.")
	front := lab.Page("The Observatory", "Welcome. Here you find the annals and the way to the hill.")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() {
		served <- lab.HTTP(l, lab.Web{
			"soft.org":   {"*": lab.Sorry, "/robots.txt": lab.NotFound},
			"root.org":   {"/a/b": lab.Redirect(302, "/"), "/": front},
			"sink.org":   {"/1": lab.Redirect(302, "/new/x"), "/2": lab.Redirect(301, "/new/x"), "/3": lab.Redirect(302, "/new/x"), "/new/x": page},
			"parked.org": {"/a": lab.ParkedPage},
			"honest.org": {"/a/b": page, "/": front},
		})
	}()
	want := map[string]string{
		"http://soft.org/a/b":   "soft-404",
		"http://root.org/a/b":   "redirect-to-root",
		"http://sink.org/1":     "redirect-sink",
		"http://sink.org/2":     "redirect-sink",
		"http://sink.org/3":     "redirect-sink",
		"http://parked.org/a":   "parked",
		"http://honest.org/a/b": "http-200",
		"http://honest.org/":    "http-200",
	}
	dir := t.TempDir()
	var doc strings.Builder
	for u := range want {
		fmt.Fprintf(&doc, "<a href=%q>x</a>\n", u)
	}
	source := filepath.Join(dir, "links.html")
	if err := os.WriteFile(source, []byte(doc.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	store, table := filepath.Join(dir, "s.db"), filepath.Join(dir, "t.csv")
	for _, line := range [][]string{
		{"run", "--quiet", "--store", store, "--host-delay", "0", "--retry-delay", "0", "--connect-to", "::" + l.Addr().String(), source},
		{"report", "--store", store, "--csv", table},
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), line, strings.NewReader(""), &out, &errs); code > 1 {
			t.Fatalf("%v: exit %d, %s", line, code, errs.String())
		}
	}
	l.Close()
	<-served
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) != len(want)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		u, reason, state := row[column["url"]], row[column["reason"]], row[column["state"]]
		judged := "suspect"
		if want[u] == "http-200" {
			judged = "alive"
		}
		if reason != want[u] || state != judged {
			t.Errorf("%s: got %s (%s), want %s (%s)", u, reason, state, want[u], judged)
		}
	}
}
