package extract_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// A disguise is another way to store the same document: its references stay
// what they are and move by known lines. shift of a body that is encoded is -1.
type disguise struct {
	name  string
	shift int
	wrap  func(b []byte, kind string) []byte
}

var disguises = []disguise{
	{"crlf", 0, func(b []byte, _ string) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
	{"gz", 0, func(b []byte, _ string) []byte { return pressed(b) }},
	{"eml", 7, func(b []byte, kind string) []byte { return letterOf(kind, "8bit", b) }},
	{"qp.eml", -1, func(b []byte, kind string) []byte { return letterOf(kind, "quoted-printable", quotedPrintable(b)) }},
	{"b64.eml", -1, func(b []byte, kind string) []byte {
		return letterOf(kind, "base64", []byte(base64.StdEncoding.EncodeToString(b)))
	}},
	{"mbox", 8, func(b []byte, kind string) []byte {
		b = bytes.ReplaceAll(b, []byte("\nFrom "), []byte("\n>From "))
		return slices.Concat([]byte("From a@b.example Thu Jan  1 00:00:00 1998\n"), letterOf(kind, "8bit", b), []byte("\n\n"))
	}},
	{"warc", 10, func(b []byte, kind string) []byte {
		body := slices.Concat([]byte("HTTP/1.0 200 OK\r\nContent-Type: "+kind+"\r\n\r\n"), b)
		return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2000-01-01T00:00:00Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)
	}},
}

func letterOf(kind, encoding string, body []byte) []byte {
	return slices.Concat([]byte("From: a@b.example\nSubject: x\nMessage-ID: <1@b.example>\nMIME-Version: 1.0\nContent-Type: "+kind+
		"; charset=iso-8859-1\nContent-Transfer-Encoding: "+encoding+"\n\n"), body)
}

func pressed(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func quotedPrintable(b []byte) []byte {
	var out bytes.Buffer
	w := quotedprintable.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// locationsOf gives what is found, sorted, with its line less shift; without lines
// where shift is -1.
func locationsOf(t *testing.T, name string, b []byte, shift int) (found []string) {
	t.Helper()
	for f, err := range extract.Document(name, bytes.NewReader(b), doc.Options{}) {
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case shift < 0:
			found = append(found, f.URI+" "+f.Raw)
		default:
			found = append(found, fmt.Sprint(f.URI, " ", strings.ReplaceAll(f.Raw, "\r", ""), " ", f.Line-shift))
		}
	}
	slices.Sort(found)
	return found
}

func TestDisguises(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpus many times")
	}
	seen := 0
	for _, dir := range []string{"rfc", "drafts", "text", "html"} {
		paths := extracttest.CorpusFiles(t, dir, func(p string) bool { return dir != "html" && !strings.HasSuffix(p, ".gz") || extracttest.IsPage(p) })
		for i := 0; i < len(paths); i += 1 + len(paths)/15 {
			b, err := os.ReadFile(paths[i])
			if err != nil {
				t.Fatal(err)
			}
			b, kind, ext := bytes.ReplaceAll(b, []byte("\r"), nil), "text/plain", ".txt"
			if dir == "html" {
				kind, ext = "text/html", ".html"
			}
			for _, d := range disguises {
				name := filepath.Base(paths[i]) + ext
				want := locationsOf(t, name, b, min(d.shift, 0))
				if d.name != "crlf" {
					name += "." + d.name
				}
				if got := locationsOf(t, name, d.wrap(b, kind), d.shift); !slices.Equal(got, want) {
					t.Errorf("%s as %s: %d references, not %d: %q", paths[i], d.name, len(got), len(want), firstDifference(got, want))
				}
				seen += len(want)
			}
		}
	}
	if seen == 0 {
		t.Error("nothing read")
	}
	t.Logf("%d references", seen)
}

func firstDifference(a, b []string) [2]string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return [2]string{a[i], b[i]}
		}
	}
	return [2]string{}
}
