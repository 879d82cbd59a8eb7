package hostqueue

import (
	"hash/maphash"
	"slices"
	"strconv"

	"golang.org/x/net/publicsuffix"
)

// An address with the names of more than frontSites sites is a front: a network that delivers for
// others, a host of blogs. Its hosts have frontQueues queues instead of one (OUTCOMES 5.1.15).
const (
	frontSites  = 100
	frontQueues = 10
)

// share is the key of the queue of a host that was found at an address. That of a site stays the
// same: the sites that came before the address was known as a front have its first queue.
func (q *Queues) share(address, host string) string {
	if address == "" {
		return ""
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		site = host
	}
	hash := uint32(maphash.String(q.seed, site))
	known := q.sites[address]
	if slices.Contains(known, hash) {
		return address
	}
	if len(known) < frontSites {
		q.sites[address] = append(known, hash)
		return address
	}
	if n := hash % frontQueues; n > 0 {
		return address + " " + strconv.Itoa(int(n))
	}
	return address
}
