package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"linkcheck/extract"
	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
)

// whole counts the links of a document, all of which must be read.
func whole(t *testing.T, name string, r io.Reader, o doc.Options) (links int) {
	t.Helper()
	for _, err := range extract.Document(name, r, o) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		links++
	}
	return links
}

// A mailbox of 1 GB that compresses well is read whole: a quarter of it, with a quarter of
// what any file may have. The rest of each limit comes with the size of the file.
func TestHonestMailbox(t *testing.T) {
	if testing.Short() {
		t.Skip("reads mailboxes of 256 MB")
	}
	limits := budget.Default()
	for _, n := range []*int64{&limits.Unfolded, &limits.Members, &limits.Links, &limits.PageLinks, &limits.Candidates, (*int64)(&limits.Time)} {
		*n /= 4
	}
	for _, c := range []struct{ lines, links int }{{1, 1}, {24, 1}} { // some 20:1 and 90:1
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		size, messages := 0, 0
		for ; size < 1<<30/4; messages++ {
			n, _ := fmt.Fprintf(w, "From a@b.example Tue Apr  1 10:35:48 1997\nMessage-ID: <%x@b.example>\nSubject: x\n\nhttp://www.example.org/%d\n%s\n", messages*7919, messages,
				strings.Repeat("and the same words again, which somebody else had written before\n", c.lines))
			size += n
		}
		w.Close()
		t.Logf("%d messages at %d:1", messages, size/packed.Len())
		if got := whole(t, "a.mbox.gz", bytes.NewReader(packed.Bytes()), doc.Options{Size: int64(packed.Len()), Limits: limits}); got != messages {
			t.Errorf("%d links of %d", got, messages)
		}
	}
}

// Archives of 100,000 small members are read whole, also where they compress to little.
func TestHonestMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("writes two archives of 100,000 members")
	}
	const members = 100_000
	const text = "http://a.example/"
	var tarred, zipped bytes.Buffer
	squeezed := gzip.NewWriter(&tarred)
	tw, zw := tar.NewWriter(squeezed), zip.NewWriter(&zipped)
	for i := range members {
		name := fmt.Sprintf("f%d.txt", i)
		tw.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644})
		io.WriteString(tw, text)
		f, _ := zw.Create(name)
		io.WriteString(f, text)
	}
	tw.Close()
	zw.Close()
	squeezed.Close()
	for name, data := range map[string][]byte{"a.tar.gz": tarred.Bytes(), "a.zip": zipped.Bytes()} {
		if got := whole(t, name, bytes.NewReader(data), doc.Options{Size: int64(len(data))}); got != members {
			t.Errorf("%s: %d links", name, got)
		}
	}
}

// A member of a zip has the mode of what it was made from: zip(1) reads pipes too.
func TestZipModes(t *testing.T) {
	for mode, want := range map[fs.FileMode]int{0o644: 1, fs.ModeNamedPipe | 0o600: 1, fs.ModeSocket: 1, fs.ModeSymlink | 0o777: 0, fs.ModeDir | 0o755: 0} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: "-"}
		h.SetMode(mode)
		f, _ := w.CreateHeader(h)
		io.WriteString(f, "http://a.example/")
		w.Close()
		if got := whole(t, "a.zip", &b, doc.Options{}); got != want {
			t.Errorf("%v: %d links, want %d", mode, got, want)
		}
	}
}
