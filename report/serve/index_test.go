package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"linkcheck/report"
)

// TestPick compares the server's choice with a plain one over every filter.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ix := &index{}
	var texts []string
	for i := range 500 {
		e := entry{id: uint64(i + 1), state: report.Standing(r.IntN(int(report.StandingCount))), failDays: int32(r.IntN(50)), host: uint32(ix.hosts.Number(fmt.Sprint("h", r.IntN(9)))),
			scheme: uint16(ix.schemes.Number([]string{"http", "ftp"}[r.IntN(2)])), reason: uint32(ix.reasons.Number(fmt.Sprint("r", r.IntN(5)))),
			collections: 1 << ix.collections.Number(fmt.Sprint("c", r.IntN(3))), changes: uint8(r.IntN(4))}
		texts = append(texts, fmt.Sprintf("http://h/%c%c\tb%d", 'a'+r.IntN(3), 'a'+r.IntN(3), r.IntN(40)))
		ix.entries = append(ix.entries, e)
	}
	ix.sort(t.Context(), texts)
	ix.text = packLines(slices.Clone(texts))
	for _, w := range []selection{{}, {Text: "ab"}, {Text: "B1"}, {Text: "h/a", Group: "fix"}, {Text: "nowhere"}, {Text: "\t\n"}, {State: "dead"}, {Host: "h3", Reason: "r1"},
		{Scheme: "ftp"}, {Collection: "c2"}, {Collection: "none"}, {Change: "newly-dead"}, {Change: "none"}, {Host: "none"}} {
		for _, key := range sortKeys {
			w.Sort, w.Page = "-"+key, 1
			part, total := ix.pick(&w, 1000)
			var want []uint32
			for i := range ix.entries {
				word := strings.Map(printable, strings.ToLower(w.Text))
				if strings.Contains(texts[i], word) && ix.matcher(&w)(&ix.entries[i]) {
					want = append(want, uint32(i))
				}
			}
			by := ix.comparison(key, texts)
			if !slices.IsSortedFunc(part, func(a, b uint32) int { return by(b, a) }) {
				t.Errorf("%+v is not sorted", w)
			}
			got := slices.Sorted(slices.Values(part))
			if total != len(want) || !slices.Equal(got, want) {
				t.Errorf("%+v: %d of %d, want %d", w, len(got), total, len(want))
			}
			w.Page = 2
			if second, _ := ix.pick(&w, 7); total > 14 && !slices.Equal(second, part[7:14]) {
				t.Errorf("%+v: the second page is %v, want %v", w, second, part[7:14])
			}
		}
	}
}

// The sort of an index ends with its context: a few comparisons later the text of no
// link is looked at any more.
func TestInterruptedSort(t *testing.T) {
	const n = 1 << 17
	ctx, cancel := context.WithCancel(t.Context())
	compared := 0
	by := ending(ctx, func(i, k uint32) int {
		if compared++; compared == n {
			cancel()
		}
		return cmp.Compare(i*2654435761, k*2654435761)
	})
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	slices.SortFunc(list, by)
	if compared < n || compared > n+comparisons {
		t.Errorf("%d comparisons, the context ended at %d", compared, n)
	}
	ix := &index{entries: make([]entry, 3*comparisons)}
	lines := slices.Repeat([]string{"http://a.example/\tb1"}, len(ix.entries))
	ix.reasons.Number("http-404")
	if err := ix.sort(ctx, lines); !errors.Is(err, context.Canceled) || ix.orders[0] != nil {
		t.Errorf("%v, an order of %d", err, len(ix.orders[0]))
	}
	if err := ix.sort(t.Context(), lines); err != nil || len(ix.orders[len(sortKeys)-1]) != len(ix.entries) {
		t.Errorf("%v, %d in order", err, len(ix.orders[0]))
	}
}

// FuzzPackedText: a word is found in the lines that contain it, however they are cut into blocks.
func FuzzPackedText(f *testing.F) {
	f.Add("http://a.example/\tb1 psalms\nftp://b.example/\tb2\n\n", "b", uint16(3))
	f.Add("ab", "b\u00e4", uint16(60000))
	f.Add("\xff\xfe", "\xfe", uint16(1))
	f.Fuzz(func(t *testing.T, text, word string, times uint16) {
		if word = strings.Map(printable, word); word == "" || len(text) > 1<<10 {
			return
		}
		lines := slices.Repeat(strings.Split(text, "\n"), 1+int(times)%(1<<9))
		packed := packLines(slices.Clone(lines))
		marks := make([]bool, len(lines))
		packed.search(word, marks)
		for i := range lines {
			if marks[i] != strings.Contains(lines[i], word) {
				t.Fatalf("line %d, %q, and %q: %v", i, lines[i], word, marks[i])
			}
		}
	})
}

// Lines of all lengths are packed, also such as are longer than a block, and those around them.
func TestPackedText(t *testing.T) {
	long := strings.Repeat("0123456789", blockSize/5)
	lines := []string{"", "first", long + "needle", long, "", "needle", long, "last needle needle"}
	lines = append(lines, slices.Repeat([]string{strings.Repeat("x", 100), "a needle"}, 2000)...)
	packed := packLines(slices.Clone(lines))
	if len(packed) < 6 {
		t.Fatalf("%d blocks", len(packed))
	}
	marks := make([]bool, len(lines))
	packed.search("needle", marks)
	found := 0
	for i := range lines {
		if marks[i] {
			found++
		}
		if marks[i] != strings.Contains(lines[i], "needle") {
			t.Errorf("line %d of %d octets: %v", i, len(lines[i]), marks[i])
		}
	}
	if found != 2003 {
		t.Errorf("%d lines found", found)
	}
}
