package hostqueue_test

import (
	"fmt"
	"time"

	"linkcheck/crawl/hostqueue"
)

// Three links of two hosts, with two seconds between two probes of one host.
func Example() {
	const gap = 2 * time.Second
	q := hostqueue.New(1, gap)
	for id, name := range []string{"a.example.org", "a.example.org", "b.example.org"} {
		q.Add(q.Host(name, true), uint64(id))
	}
	start := time.Date(1996, 11, 1, 2, 0, 0, 0, time.UTC)
	for now := start; q.Len() > 0; {
		turn, wait, ok := q.Next(now)
		if !ok {
			now = now.Add(wait)
			continue
		}
		fmt.Printf("after %v: link %d of %s\n", now.Sub(start), turn.ID, turn.Host.Name)
		q.Done(turn, now, gap) // here it would be probed
	}
	// Output:
	// after 0s: link 0 of a.example.org
	// after 0s: link 2 of b.example.org
	// after 2s: link 1 of a.example.org
}
