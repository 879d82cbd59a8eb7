package lzw_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"linkcheck/internal/lzw"
	"linkcheck/internal/testdoc"
)

func TestReader(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var long bytes.Buffer
	for i := range 9000 {
		fmt.Fprintf(&long, "line %d of %x\n", i, rnd.Uint32())
	}
	for _, text := range []string{"", "a", "aaaaaaaaaaaaaaaaaaaaaaaa", strings.Repeat("ab", 500), long.String()} {
		for bits := 9; bits <= 16; bits++ {
			for _, clear := range []bool{false, true} {
				z, err := lzw.NewReader(bytes.NewReader(testdoc.LZW([]byte(text), bits, clear)))
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(z)
				if err != nil || string(got) != text {
					t.Errorf("%d bytes in codes of %d bits, clear %v: %d bytes, %v", len(text), bits, clear, len(got), err)
				}
			}
		}
	}
	for _, bad := range []string{"", "\x1f", "\x1f\x9d", "\x1f\x9d\x08x", "\x1f\x9d\x1fx", "\x1f\x9d\x90\xff\xff\xff"} {
		z, err := lzw.NewReader(strings.NewReader(bad))
		if err == nil {
			_, err = io.ReadAll(z)
		}
		if err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
