package archive_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestContainers(t *testing.T) {
	const page = "\n<a href=http://a.example/>x</a>"
	inner := testdoc.Tar(t, "d/p.html", page, "n.txt", "x\nhttp://b.example/")
	for _, c := range []struct {
		name string
		data []byte
		want []string // member, line, URI
	}{
		{"p.html.gz", []byte(testdoc.Gzip(page)), []string{"|2|http://a.example/"}},
		{"p.html.bz2", []byte("BZh91AY&SY\x82\xb08G\x00\x00\x00Y\x80\x00\x10@\x01\x80\x17#FT@ \x00\"&\x835\r4z\x854\xc8\xc4\xc4\xc4p\x8d\x97\x12D\x06eLO\xb9\xaeLh\x93U#\xe2\xeeH\xa7\n\x12\x10V\x07\x08\xe0"), []string{"|2|http://a.example/"}},
		{"1997-April.txt.gz", []byte(testdoc.Gzip("From a at b.example  Tue Apr  1 10:35:48 1997\nMessage-ID: <1@a>\n\nhttp://a.example/\n")), []string{"|4|http://a.example/"}},
		{"p.html.Z", testdoc.LZW([]byte(page), 16, true), []string{"|2|http://a.example/"}},
		{"p.html.xz", xzOf(t, page), []string{"|2|http://a.example/"}},
		{"p.html.zst", zstdOf(t, page), []string{"|2|http://a.example/"}},
		{"a.tar", []byte(inner), []string{"d/p.html|2|http://a.example/", "n.txt|2|http://b.example/"}},
		{"a.tgz", []byte(testdoc.Gzip(inner)), []string{"d/p.html|2|http://a.example/", "n.txt|2|http://b.example/"}},
		{"a.zip", []byte(testdoc.Zip(t, "in/a.tar", inner, "../../etc/x.txt.gz", testdoc.Gzip("http://c.example/"))), []string{
			"in/a.tar!d/p.html|2|http://a.example/", "in/a.tar!n.txt|2|http://b.example/", "etc/x.txt.gz|1|http://c.example/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for f, err := range extract.Document(c.name, bytes.NewReader(c.data), doc.Options{}) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, strings.Join([]string{f.Member, string(rune('0' + f.Line)), f.URI}, "|"))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// What a truncated stream still gives is read; the damage is told once.
func TestContainerDamage(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		text.WriteString("see http://h.example/" + strings.Repeat(string(rune('a'+i%26)), i%50) + " and others\n")
	}
	whole := []byte(testdoc.Gzip(text.String()))
	found, damage := 0, 0
	for f, err := range extract.Document("a.txt.gz", bytes.NewReader(whole[:len(whole)/2]), doc.Options{}) {
		var d *doc.Damage
		switch {
		case errors.As(err, &d):
			damage++
			if d.Source != "a.txt.gz" || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("damage: %v", d)
			}
		case f.URI != "":
			found++
		}
	}
	if found < 1000 || damage != 1 {
		t.Errorf("%d found, %d damages", found, damage)
	}
}

func TestSymlinkInTar(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "http://a.example/"})
	w.Close()
	if got := extracttest.Rows("a.tar", b.String(), doc.Options{}); got != nil {
		t.Errorf("got %q", got)
	}
}

// Messages not yet delivered are not read, in whatever order an archive has them.
func TestMaildirInTar(t *testing.T) {
	mail := "From: a@b\nSubject: x\n\nhttp://no.example/\n"
	for _, names := range [][]string{{"box/cur/1", "box/tmp/1"}, {"box/tmp/1112223334.12_0.host.example", "box/new/2"}, {"tmp/1112223334.M1P2.host", "cur/1"}} {
		var text []string
		for _, n := range names {
			body := mail
			if !strings.Contains(n, "tmp") {
				body = strings.Replace(mail, "no", "yes", 1)
			}
			text = append(text, n, body)
		}
		text = append(text, "docs/tmp/readme.txt", "http://other.example/")
		var got []string
		for f, err := range extract.Document("a.tar", strings.NewReader(testdoc.Tar(t, text...)), doc.Options{}) {
			if err != nil {
				t.Error(err)
			}
			got = append(got, f.URI)
		}
		if want := []string{"http://yes.example/", "http://other.example/"}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", names, got, want)
		}
	}
}

func TestOldTar(t *testing.T) {
	b := []byte(testdoc.Tar(t, "a.txt", "http://a.example/"))
	copy(b[257:265], make([]byte, 8)) // as written before POSIX
	sum := int64(8 * ' ')
	for i, c := range b[:512] {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
	if got := extracttest.Rows("a.tar", string(b), doc.Options{}); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func xzOf(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, s)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstdOf(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

// The limit on depth holds for members; what a record archived is part of its file.
func TestDeepest(t *testing.T) {
	nested := func(name, text string, depth int) []string {
		for range depth {
			name, text = "t.tar", testdoc.Tar(t, name, text)
		}
		return extracttest.Findings(name, text, doc.Options{}, func(f *doc.Found) string { return f.How })
	}
	record := testdoc.WARC("resource", "x:y", "text/plain", "http://a.example/")
	batch := "#! gunbatch\n" + testdoc.Gzip("#! rnews 34\nFrom: a@b\nDate: x\n\nhttp://a.example/\n")
	for _, c := range []struct {
		name, text string
		depth      int
	}{{"a.txt", "http://a.example/", 16}, {"a.warc", record, 16}, {"batch", batch, 15}} {
		if got := nested(c.name, c.text, c.depth); !slices.Equal(got, []string{"url-prefix http://a.example/"}) && !slices.Equal(got, []string{"bare http://a.example/"}) {
			t.Errorf("%s in %d archives: %q", c.name, c.depth, got)
		}
		if got := nested(c.name, c.text, c.depth+1); len(got) != 1 || !strings.HasSuffix(got[0], ": nested too deep") {
			t.Errorf("%s in %d archives: %q", c.name, c.depth+1, got)
		}
	}
}
