package extract

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/internal/lzw"
)

// compressLZW compresses as compress(1) does; it clears the table whenever it is full if clear is set.
func compressLZW(text []byte, maxBits int, clear bool) []byte {
	out := []byte(lzw.Magic + string(rune(maxBits)))
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

func TestUnlzw(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var long bytes.Buffer
	for i := range 9000 {
		fmt.Fprintf(&long, "line %d of %x\n", i, rnd.Uint32())
	}
	for _, text := range []string{"", "a", "aaaaaaaaaaaaaaaaaaaaaaaa", strings.Repeat("ab", 500), long.String()} {
		for bits := 9; bits <= 16; bits++ {
			for _, clear := range []bool{false, true} {
				z, err := lzw.NewReader(bytes.NewReader(compressLZW([]byte(text), bits, clear)))
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

func FuzzUnlzw(f *testing.F) {
	f.Add([]byte("some text some text"), compressLZW([]byte("some text some text"), 12, true)[3:])
	f.Fuzz(func(t *testing.T, text, codes []byte) {
		z, err := lzw.NewReader(bytes.NewReader(compressLZW(text, 10, true)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q, %v", got, err)
		}
		laws(t, "a.Z", append([]byte(lzw.Magic+"\x90"), codes...), doc.Options{})
	})
}
