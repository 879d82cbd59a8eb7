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
	var text strings.Builder
	var texts []string
	for i := range 500 {
		e := entry{id: uint64(i + 1), state: report.Standing(r.IntN(int(report.StandingCount))), failDays: int32(r.IntN(50)), host: uint32(ix.hosts.Number(fmt.Sprint("h", r.IntN(9)))),
			scheme: uint16(ix.schemes.Number([]string{"http", "ftp"}[r.IntN(2)])), reason: uint32(ix.reasons.Number(fmt.Sprint("r", r.IntN(5)))),
			collections: 1 << ix.collections.Number(fmt.Sprint("c", r.IntN(3))), changes: uint8(r.IntN(4)), from: uint32(text.Len())}
		line := fmt.Sprintf("http://h/%c%c\tb%d\n", 'a'+r.IntN(3), 'a'+r.IntN(3), r.IntN(40))
		text.WriteString(line)
		texts = append(texts, line)
		ix.entries = append(ix.entries, e)
	}
	ix.text = text.String()
	ix.sort(t.Context())
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
			by := ix.comparison(key)
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
	ix.text = "http://a.example/\tb1\n"
	ix.reasons.Number("http-404")
	if err := ix.sort(ctx); !errors.Is(err, context.Canceled) || ix.orders[0] != nil {
		t.Errorf("%v, an order of %d", err, len(ix.orders[0]))
	}
	if err := ix.sort(t.Context()); err != nil || len(ix.orders[len(sortKeys)-1]) != len(ix.entries) {
		t.Errorf("%v, %d in order", err, len(ix.orders[0]))
	}
}
