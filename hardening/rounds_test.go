//go:build linux

package hardening

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounds is how many damages TestDamageRounds makes.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("LINKCHECK_ROUNDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 8
	}
	return 40
}

// randomDamage changes octets of a store at random, and says how. before is the store as it
// was some runs ago.
func randomDamage(r *rand.Rand, b, before []byte) string {
	const page, sector = 4096, 512
	at := r.IntN(len(b))
	switch r.IntN(7) {
	case 0, 1:
		b[at] ^= 1 << r.IntN(8)
		return fmt.Sprintf("a bit of octet %d", at)
	case 2:
		at -= at % sector
		clear(b[at:min(at+sector, len(b))])
		return fmt.Sprintf("sector %d cleared", at/sector)
	case 3:
		for i := range 64 {
			b[min(at+i, len(b)-1)] = byte(r.Uint32())
		}
		return fmt.Sprintf("64 octets from %d", at)
	case 4:
		from := r.IntN(len(b)/page) * page
		to := r.IntN(len(b)/page) * page
		copy(b[to:to+page], b[from:from+page])
		return fmt.Sprintf("page %d is a copy of %d", to/page, from/page)
	case 5:
		at = min(at, len(before)-page)
		at -= at % page
		copy(b[max(at, 2*page):], before[max(at, 2*page):max(at, 2*page)+page]) // a write that never came to the disk
		return fmt.Sprintf("page %d as it was", max(at, 2*page)/page)
	}
	clear(b[at:])
	return fmt.Sprintf("nothing behind %d", at)
}

// TestDamageRounds damages a store at random. Either every verb refuses it with 4 and leaves
// it as it is, or the damage is where nothing stands: then the export is the same.
func TestDamageRounds(t *testing.T) {
	whole := newPlace(t, nil)
	for i := range 300 {
		whole.write(fmt.Sprintf("docs/%d.txt", i), fmt.Sprintf("http://a%d.example/ ftp://b.example/%d\n", i, i))
	}
	run := slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})
	var before string
	for night := range 4 {
		if night > 0 {
			before = whole.read("s.db")
		}
		whole.write(fmt.Sprintf("docs/%d.txt", night), fmt.Sprintf("http://new%d.example/\n", night))
		whole.within(whole.run(run...), ceiling{codes: []int{0}})
	}
	store, want := whole.read("s.db"), whole.run("store", "export", "--store", "s.db").out.text(keptText)
	rng := rand.New(rand.NewPCG(8, 16))
	found, harmless := 0, 0
	for range rounds() {
		broken := []byte(store)
		what := randomDamage(rng, broken, []byte(before))
		if string(broken) == store {
			continue
		}
		p := newPlace(t, map[string]string{"docs/a.txt": "http://new.example/\n"})
		p.write("s.db", string(broken))
		verify := p.run("store", "verify", "--store", "s.db")
		if verify.code == 0 {
			harmless++
			if got := p.run("store", "export", "--store", "s.db").out.text(keptText); got != want {
				t.Errorf("%s: not noticed, and the export is another", what)
			}
			continue
		}
		found++
		p.write("b.db", store)
		for _, args := range [][]string{{"store", "verify", "--store", "s.db"}, run, {"report", "--store", "s.db"}, {"store", "compact", "--store", "s.db"},
			{"store", "backup", "--store", "s.db", "b.db"}, {"store", "export", "--store", "s.db", "e.jsonl"}} {
			o := p.run(args...)
			if o.code != 4 && !(o.code == 2 && strings.Contains(o.err.text(300), "not a linkcheck store")) {
				t.Errorf("%s: %q: exit %d, %s", what, args, o.code, o.err.text(300))
			}
		}
		if p.read("s.db") != string(broken) || p.read("b.db") != store {
			t.Errorf("%s: the store or its backup was changed", what)
		}
		if _, err := os.Stat(p.path("e.jsonl")); err == nil {
			t.Errorf("%s: half an export was left", what)
		}
	}
	t.Logf("%d damages noticed, %d where nothing stands", found, harmless)
	if found == 0 {
		t.Error("no damage was noticed")
	}
}
