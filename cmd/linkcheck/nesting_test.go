package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// message is a mail whose link stands in line 5.
func message(id, host string) string {
	return fmt.Sprintf("From: a@b.example\nMessage-ID: <%s>\nSubject: x\n\nsee http://%s/ now\n", id, host)
}

// Whatever a document lies in, the row names the file, the path inside and the
// line there (EXTRACTION.md, line and member).
func TestExtractNested(t *testing.T) {
	inner := testdoc.Tar(t,
		"docs/page.html", "<p>\n<a href='http://page.example/'>x</a>\n",
		"docs/link.html", "-> page.html",
		"mail/box.gz", testdoc.Gzip("From a@b Mon Jan  1 00:00:00 1996\n"+message("m1@b.example", "box.example")),
		"md/cur/1:2,S", message("m2@b.example", "cur.example"), "md/tmp/2", message("m3@b.example", "tmp.example"),
		"tmp/x.txt", "http://notes.example/\n")
	lib := newLibrary(t, map[string]string{
		"Maildir/cur/1:2,S": message("m4@b.example", "read.example"), "Maildir/new/2": message("m5@b.example", "new.example"),
		"Maildir/tmp/3": message("m6@b.example", "tmp.example"),
		"list.txt.gz":   testdoc.Gzip("a\nb\nhttp://list.example/\n"),
		"outer.zip":     testdoc.Zip(t, "a/inner.tar.gz", testdoc.Gzip(inner), "a/readme.txt", "one\ntwo http://readme.example/\n"),
		"../out.txt":    "http://outside.example/\n",
	})
	if err := os.Symlink("../out.txt", filepath.Join(lib.docs(), "link.txt")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	got := call(t.Context(), "", "extract", "--jsonl", lib.docs())
	if got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	var rows []string
	for line := range strings.Lines(linkRows(t, got.out)) {
		var row struct {
			URI, Source, Member, Record string
			Line                        int
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		source, _ := filepath.Rel(lib.docs(), row.Source)
		rows = append(rows, fmt.Sprintf("%s|%s|%d|%s|%s", filepath.ToSlash(source), row.Member, row.Line, row.Record, row.URI))
	}
	want := []string{
		"Maildir/new/2||5|m5@b.example|http://new.example/", // before cur: what is moved there meanwhile is met
		"Maildir/cur/1:2,S||5|m4@b.example|http://read.example/",
		"list.txt.gz||3||http://list.example/",
		"outer.zip|a/inner.tar.gz!docs/page.html|2||http://page.example/",
		"outer.zip|a/inner.tar.gz!mail/box.gz|6|m1@b.example|http://box.example/",
		"outer.zip|a/inner.tar.gz!md/cur/1:2,S|5|m2@b.example|http://cur.example/",
		"outer.zip|a/inner.tar.gz!tmp/x.txt|1||http://notes.example/",
		"outer.zip|a/readme.txt|2||http://readme.example/",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}
