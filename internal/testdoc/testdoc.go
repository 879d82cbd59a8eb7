// Package testdoc makes documents for tests: files, archives, catalogue records. It
// finds those beside the project (shared.go).
package testdoc

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes a file, with the folders that lead to it, and returns its path.
func Write(t testing.TB, path, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return path
}

// Tar makes an archive of files, given as names and texts in turn. A text "-> name"
// makes a symbolic link.
func Tar(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		head, text := &tar.Header{Name: files[i], Typeflag: tar.TypeReg, Mode: 0o644}, files[i+1]
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			head, text = &tar.Header{Name: files[i], Typeflag: tar.TypeSymlink, Linkname: to}, ""
		}
		head.Size = int64(len(text))
		if err := w.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Zip makes an archive of files, given as names and texts in turn.
func Zip(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, files[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Gzip compresses a text.
func Gzip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// Catalogued makes a MARC record with a control number, a title and 856 fields, whose
// data are written as in MARC.
func Catalogued(id, title string, urls ...string) string {
	fields := []string{"001" + id, "24510|a" + title}
	for _, u := range urls {
		fields = append(fields, "85640"+u)
	}
	return MARC(fields...)
}
