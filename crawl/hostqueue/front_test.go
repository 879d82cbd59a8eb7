package hostqueue

import (
	"fmt"
	"testing"
	"time"
)

// The hosts of an address share one connection, those of a front ten, and those of a site never
// two (OUTCOMES 5.1.15).
func TestFront(t *testing.T) {
	for _, row := range []struct {
		what  string
		hosts int
		name  func(i int) string
		least int
		most  int // at a time
	}{
		{"100 sites", 100, func(i int) string { return fmt.Sprintf("www.site%d.example", i) }, 1, 1},
		{"1,000 hosts of one site", 1000, func(i int) string { return fmt.Sprintf("h%d.site.example", i) }, 1, 1},
		{"1,000 addresses", 1000, func(i int) string { return fmt.Sprintf("192.0.%d.%d", i/250, i%250) }, 10, 10},
		{"1,000 sites", 1000, func(i int) string { return fmt.Sprintf("www.site%d.example", i) }, 10, 10},
		{"1,000 sites of a host of blogs", 1000, func(i int) string { return fmt.Sprintf("b%d.github.io", i) }, 10, 10},
		{"1,000 sites of two hosts each", 2000, func(i int) string { return fmt.Sprintf("h%d.site%d.example", i, i/2) }, 10, 10},
	} {
		t.Run(row.what, func(t *testing.T) {
			q, now := New(1, 0), time.Unix(1e9, 0)
			for i := range row.hosts {
				q.Add(q.Host(row.name(i), false), uint64(2*i))
				q.Add(q.Host(row.name(i), false), uint64(2*i+1))
			}
			under, came, most := []Turn{}, 0, 0
			for q.Len() > 0 || len(under) > 0 {
				turn, wait, ok := q.Next(now)
				switch {
				case ok && !turn.Host.Located:
					q.Locate(turn, "192.0.2.1")
				case ok:
					if under = append(under, turn); len(under) > most {
						most = len(under)
					}
				case len(under) > 0: // all that may be under way is
					for _, turn := range under {
						q.Done(turn, now, 2*time.Second)
						came++
					}
					under = nil
				case wait <= 0:
					t.Fatalf("%d links wait and no queue will open", q.Len())
				default:
					now = now.Add(wait)
				}
			}
			if came != 2*row.hosts || most < row.least || most > row.most {
				t.Errorf("%d of %d links, %d at a time, want %d to %d", came, 2*row.hosts, most, row.least, row.most)
			}
		})
	}
}

// Where hosts of a site are found at different times, they wait in one queue.
func TestFrontKeepsASite(t *testing.T) {
	q := New(1, 0)
	keys := map[string]string{}
	for round := range 2 {
		for i := range 500 {
			key := q.share("192.0.2.1", fmt.Sprintf("h%d.site%d.example", round, i))
			site := fmt.Sprint(i)
			if before, ok := keys[site]; ok && before != key {
				t.Errorf("site %s has %q and %q", site, before, key)
			}
			keys[site] = key
		}
	}
	if q.share("", "a.example") != "" || q.share("192.0.2.2", "site499.example") != "192.0.2.2" {
		t.Error("hosts at no address, or at another one, share those of a front")
	}
}
