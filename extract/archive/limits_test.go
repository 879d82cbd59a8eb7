package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"linkcheck/extract/doc"
)

// readContainers reads gzip and tar only; in everything else there is nothing to find.
func readContainers(d *doc.Document, format string) error {
	head, _ := d.In.Peek(doc.SniffSize)
	switch p := (doc.Peek{Name: d.Name, Head: head}); {
	case p.Begins("\x1f\x8b"):
		return ReadGzip(d)
	case SniffTar(p):
		return ReadTar(d)
	}
	_, err := io.Copy(io.Discard, d.In)
	return err
}

// lastError reads a container of which something was read before, and gives the
// last error.
func lastError(name string, data []byte, before doc.Content) (last error) {
	d := doc.New(name, bytes.NewReader(data), doc.Options{}, readContainers, func(_ doc.Found, err error) bool {
		last = err
		return true
	})
	*d.Content = before
	d.Read()
	return last
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

func TestContainerBombs(t *testing.T) {
	double := gz(gz(make([]byte, 2*ratioGrace)))
	deep := []byte("text")
	for range 18 {
		deep = gz(deep)
	}
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"ratio": {double, errRatio},
		"depth": {deep, doc.ErrTooDeep},
	} {
		t.Run(name, func(t *testing.T) {
			if got := lastError("a.gz", c.data, doc.Content{}); !errors.Is(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// All that one source unfolds to is bounded, over all its levels.
func TestContainerTotals(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range map[string]string{"a.txt": strings.Repeat("text ", 1<<16), "b.txt": "text"} {
		w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))})
		io.WriteString(w, text)
	}
	w.Close()
	for _, c := range []struct {
		before doc.Content
		want   error
	}{{doc.Content{Bytes: maxUnpack - 1000}, errUnpack}, {doc.Content{Members: maxMembers - 1}, errMembers}} {
		if got := lastError("a.tgz", gz(b.Bytes()), c.before); !errors.Is(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}
