package extracttest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

func Tar(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: files[i], Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[i+1]))}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func Zip(t testing.TB, files ...string) []byte {
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
	return b.Bytes()
}

func Xz(t testing.TB, s string) []byte {
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

func Zstd(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

func Gzip(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// LZW compresses as compress(1) does; it clears the table whenever it is full if clear is set.
func LZW(text []byte, maxBits int, clear bool) []byte {
	out := []byte("\x1f\x9d" + string(rune(maxBits)))
	first := 256
	if clear {
		out[2] |= 0x80
		first = 257
	}
	var group uint64
	var held, codes int
	bits, free := 9, first
	table := map[string]int{}
	put := func(code int) {
		group |= uint64(code) << held
		for held += bits; held >= 8; held -= 8 {
			out = append(out, byte(group))
			group >>= 8
		}
		codes++
	}
	pad := func() { // to the end of the group of eight codes
		for codes%8 != 0 {
			put(0)
		}
	}
	code := func(s string) int {
		if len(s) == 1 {
			return int(s[0])
		}
		return table[s]
	}
	s := ""
	for _, c := range text {
		next := s + string([]byte{c})
		if _, known := table[next]; known || len(next) == 1 {
			s = next
			continue
		}
		put(code(s))
		s = string([]byte{c})
		if free < 1<<maxBits {
			table[next] = free
			free++
			if free > 1<<bits && bits < maxBits {
				pad()
				bits, codes = bits+1, 0
			}
		} else if clear {
			put(256)
			pad()
			bits, codes, free, table = 9, 0, first, map[string]int{}
		}
	}
	if s != "" {
		put(code(s))
	}
	if held > 0 {
		out = append(out, byte(group))
	}
	return out
}
