package fleet_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store"
)

// zipfSizes gives how many of n links each host has, the largest first: the share of the host of a
// rank is that of rank^-exponent, and one host has ten links in the mean.
func zipfSizes(n int, exponent float64) (sizes []int) {
	hosts, sum := max(n/10, 1), 0.0
	for rank := 1; rank <= hosts; rank++ {
		sum += math.Pow(float64(rank), -exponent)
	}
	given, so := 0, 0.0
	for rank := 1; rank <= hosts; rank++ {
		so += math.Pow(float64(rank), -exponent)
		to := int(math.Round(so / sum * float64(n)))
		sizes = append(sizes, to-given)
		given = to
	}
	return sizes
}

// zipfMentions are those of n links on such hosts that stand in a shard.
func zipfMentions(n int, exponent float64, shard, shards int) (list []store.Mention) {
	i := 0
	for rank, size := range zipfSizes(n, exponent) {
		h := fmt.Sprintf("r%d.example.net", rank)
		for k := range size {
			if i++; xxhash.Sum64String(h)%uint64(shards) == uint64(shard) {
				u := fmt.Sprintf("http://%s/doc/%d.html", h, k)
				list = append(list, store.Mention{Collection: "c", Record: fmt.Sprint(i / 20), Line: i, Raw: u, URL: u, How: "bare"})
			}
		}
	}
	return list
}

// Of hosts whose sizes are by Zipf a night sees what their gates let through, to a
// fiftieth of it: each host as often as visits and gaps go into the night. With
// LINKCHECK_SIMULATION_LINKS it is one of as many links.
func TestZipfNight(t *testing.T) {
	if testing.Short() {
		t.Skip("a figure, of workers that TestSimulation has too")
	}
	links := 20_000
	if told := os.Getenv("LINKCHECK_SIMULATION_LINKS"); told != "" {
		var err error
		if links, err = strconv.Atoi(told); err != nil {
			t.Fatal(err)
		}
	}
	for _, exponent := range []float64{0.8, 1.0} {
		t.Run(fmt.Sprintf("exponent=%.1f", exponent), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scene{links: links, shards: 16, slots: 200, visit: 500 * time.Millisecond, zipf: exponent, gap: 2 * time.Second, most: 10 * time.Minute}
				s.slots = max(s.slots, links/400)
				each, want, long := int(s.most/(s.visit+s.gap)), 0, 0
				for _, size := range zipfSizes(links, exponent) {
					if want += min(size, each); size > each {
						long++
					}
				}
				c := s.fleet(t, 3)
				t.Logf("%d links: %d hosts are longer than the night, which sees %d of %d that it can; %.0f MiB, %s of processor", links, long, c.checked, want, c.peak, c.cpu.Round(time.Second))
				if long == 0 || c.checked < want*98/100 || c.checked > want*102/100 {
					t.Errorf("%d were checked, and %d can be", c.checked, want)
				}
			})
		})
	}
}
