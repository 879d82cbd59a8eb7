//go:build linux

package hardening

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// damages are ways in which a store can be broken.
var damages = map[string]func(b []byte) []byte{
	"nothing":             func([]byte) []byte { return nil },
	"one octet":           func([]byte) []byte { return []byte{0} },
	"text":                func([]byte) []byte { return []byte(strings.Repeat("this is no store\n", 5000)) },
	"half":                func(b []byte) []byte { return b[:len(b)/2] },
	"two pages":           func(b []byte) []byte { return b[:8192] },
	"an odd end":          func(b []byte) []byte { return b[:len(b)-1000] },
	"more behind":         func(b []byte) []byte { return append(b, b...) },
	"no first head":       func(b []byte) []byte { clear(b[:4096]); return b },
	"no heads":            func(b []byte) []byte { clear(b[:8192]); return b },
	"a free list of ones": func(b []byte) []byte { return fill(b, 2*4096, 3*4096, 0xff) },
	"a page of ones":      func(b []byte) []byte { return fill(b, 5*4096, 6*4096, 0xff) },
	"pages of zeros":      func(b []byte) []byte { return fill(b, 3*4096, len(b), 0) },
	"page heads of ones": func(b []byte) []byte {
		for at := 8192; at+16 < len(b); at += 4096 {
			fill(b, at+8, at+16, 0xff)
		}
		return b
	},
	"counts of a million": func(b []byte) []byte {
		for at := 8192; at+16 < len(b); at += 4096 {
			copy(b[at+10:], "\xff\xff\x00\x00\x00\x00")
		}
		return b
	},
	"offsets outside": func(b []byte) []byte {
		for at := 8192; at+32 < len(b); at += 4096 {
			copy(b[at+16+4:], "\xff\xff\xff\x7f\xff\xff\xff\x7f")
		}
		return b
	},
	"pages that are one another": func(b []byte) []byte {
		for at := 3 * 4096; at+8192 <= len(b); at += 8192 {
			copy(b[at:at+4096], b[at+4096:at+8192])
		}
		return b
	},
	"a thousand octets": func(b []byte) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		for range 1000 {
			b[8192+r.IntN(len(b)-8192)] = byte(r.Uint32())
		}
		return b
	},
	"every bit": func(b []byte) []byte {
		for i := range b {
			b[i] = ^b[i]
		}
		return b
	},
}

func fill(b []byte, from, to int, c byte) []byte {
	for i := min(from, len(b)); i < min(to, len(b)); i++ {
		b[i] = c
	}
	return b
}

// A damaged store is told as such, by every verb: none crashes, hangs, or makes it worse.
func TestStores(t *testing.T) {
	long(t)
	whole := newPlace(t, nil)
	for i := range 200 {
		whole.write(fmt.Sprintf("docs/%d.txt", i), fmt.Sprintf("http://a%d.example/ ftp://b.example/%d\n", i, i))
	}
	whole.within(whole.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...), ceiling{codes: []int{0}})
	store := whole.read("s.db")
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := string(damage([]byte(store)))
			for _, args := range slices.Concat(tellers, [][]string{
				{"explain", "--store", "s.db", "http://a1.example/"}, {"mark", "--store", "s.db", "http://a1.example/", "alive", "--why", "x"}, {"store", "compact", "--store", "s.db"}, {"store", "backup", "--store", "s.db", "b.db"},
				{"store", "prune", "--store", "s.db", "--older", "1d"}, {"report", "--store", "s.db", "--xlsx", "r.xlsx"}, slices.Concat([]string{"check", "--store", "s.db", "--all"}, offline), slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"}),
			}) {
				p := newPlace(t, map[string]string{"docs/a.txt": "http://new.example/\n"})
				p.write("s.db", broken)
				o := p.start(start{patience: 20 * time.Second}, args...)
				p.within(o, ceiling{codes: []int{0, 2, 3, 4}, cpu: 5 * time.Second})
				writes := args[0] == "run" || args[0] == "mark" || args[0] == "check" || slices.Contains(args, "compact") || slices.Contains(args, "prune")
				if now, err := os.ReadFile(p.path("s.db")); err != nil || string(now) != broken && (!writes || o.code != 0) {
					t.Errorf("%q: exit %d, and the store has changed (%d octets, %d before): %q", args, o.code, len(now), len(broken), o.err.text(200))
				}
			}
		})
	}
}

// A hostile export fills no store with what the program would not have written.
func TestImports(t *testing.T) {
	long(t)
	p := newPlace(t, map[string]string{"docs/a.txt": "http://a.example/\n"})
	p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...)
	export := p.run("store", "export", "--store", "s.db").out.text(keptText)
	for name, d := range map[string]doc{
		"nothing": text(""), "brackets": repeat("[", mega), "objects": repeat(`{"a":`, mega), "zeros": zeros(mega), "a line of 64 MB": repeat("x", 64*mega), "half": text(export[:len(export)/2]),
		"numbers": text(strings.ReplaceAll(export, "1", "99999999999999999999")), "less than nothing": text(strings.ReplaceAll(export, ":1", ":-1")), "escapes": text(strings.ReplaceAll(export, "a.example", `a.\u001b[31m\u202e\n`+forged)),
		"twice": text(export + export), "no links": text(strings.ReplaceAll(export, "http", "\\u0000")), "strings of 1 MB": text(strings.ReplaceAll(export, "a.example", strings.Repeat("a", mega))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.make("x.jsonl", d)
			p.within(p.start(start{patience: 30 * time.Second}, "store", "import", "--store", "t.db", "x.jsonl"), ceiling{codes: []int{0, 2, 3, 4}, cpu: 5 * time.Second, memory: 500})
			if _, err := os.Stat(p.path("t.db")); err == nil {
				for _, args := range tellers {
					p.within(p.run(strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), "s.db", "t.db"), "\x00")...), ceiling{codes: []int{0, 3, 4}, memory: 500})
				}
			}
		})
	}
}
