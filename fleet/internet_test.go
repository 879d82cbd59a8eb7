package fleet_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linkcheck/check"

	"github.com/cespare/xxhash/v2"
)

// internet is servers that watch who comes, by the name and by the address: no two at a
// time, and a gap between two.
type internet struct {
	Gap   time.Duration // that has to lie between two visits
	Visit time.Duration // how long an answer takes, half more or less
	Idle  time.Duration // for so long a worker keeps a session after a visit, if it does not leave

	mu     sync.Mutex
	places map[string]*visits
	manners
	asked map[string]int // by URL
}

// manners are what an internet has seen.
type manners struct {
	Visits, Overlaps, Short int
	Repeated                int // questions that had been answered before
}

type visits struct {
	now     int
	last    time.Time // when the last one ended
	session string    // worker that holds one open since then
}

// address is that of a host: three names share one.
func address(host string) string {
	n := 0
	_, _ = fmt.Sscanf(host, "h%d.", &n)
	return fmt.Sprintf("192.0.2.%d", n/3)
}

// Ask asks a host about a URL. ctx cuts the connection.
func (n *internet) Ask(ctx context.Context, worker, host, url string) (check.Result, error) {
	n.come(worker, host, url)
	defer n.through(worker, host)
	select {
	case <-time.After(n.Visit/2 + n.Visit*time.Duration(xxhash.Sum64String(url)%100)/100):
		return answer(url), nil
	case <-ctx.Done():
		return check.Result{}, ctx.Err()
	}
}

func (n *internet) come(worker, host, url string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.places == nil {
		n.places, n.asked = map[string]*visits{}, map[string]int{}
	}
	n.Visits++
	if n.asked[url]++; n.asked[url] > 1 {
		n.Repeated++
	}
	overlap, short := false, false
	for _, name := range []string{host, address(host)} {
		p := n.places[name]
		if p == nil {
			p = &visits{}
			n.places[name] = p
		}
		overlap = overlap || p.now > 0 || p.session != "" && p.session != worker && time.Since(p.last) < n.Idle
		short = short || !p.last.IsZero() && time.Since(p.last) < n.Gap
		p.now++
	}
	if overlap {
		n.Overlaps++
	} else if short {
		n.Short++
	}
}

func (n *internet) through(worker, host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range []string{host, address(host)} {
		n.places[name].now--
		n.places[name].last = time.Now()
	}
	n.places[address(host)].session = worker
}

// Leave ends the session of a worker at an address.
func (n *internet) Leave(address string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.places[address].session = ""
}

// LeaveAll ends the sessions of a worker.
func (n *internet) LeaveAll(worker string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.places {
		if p.session == worker {
			p.session = ""
		}
	}
}

// Seen gives what was seen so far.
func (n *internet) Seen() manners {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.manners
}

// answer is what is always said of a URL.
func answer(url string) check.Result {
	r := check.Result{
		Outcome: check.OK, Evidence: check.Strong, Reason: "http-200", Reply: "HTTP/1.1 200 OK", At: epoch, Attempts: 1,
		ContentType: "text/html", Title: "Of " + url, ETag: fmt.Sprintf("%x", xxhash.Sum64String(url)),
	}
	switch xxhash.Sum64String(url) % 20 {
	case 0:
		r.Outcome, r.Reason, r.Reply = check.Gone, "http-404", "HTTP/1.1 404 Not Found"
	case 1:
		r.Outcome, r.Evidence, r.Reason, r.Reply = check.Temporary, check.Weak, "http-503", "HTTP/1.1 503 Service Unavailable"
	}
	return r
}
