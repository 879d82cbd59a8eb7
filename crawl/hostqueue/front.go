package hostqueue

import (
	"hash/maphash"
	"slices"
	"strconv"

	"golang.org/x/net/publicsuffix"
)

// An address with the names of more than frontSites sites is a front: a network that delivers for
// others, a host of blogs. Its hosts wait in frontQueues parts of it (OUTCOMES 5.1.15).
const (
	frontSites  = 100
	frontQueues = 10
)

// Fronts knows which addresses are fronts, by the sites that were met there. The zero value
// knows none.
type Fronts struct {
	seed  maphash.Seed
	sites map[string][]uint32 // by address: hashes of the first frontSites sites there
}

// SiteOf is the site of a host: its registrable domain, else the host.
func SiteOf(host string) string {
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// Share gives where a site waits that was met at an address: there, or of a front in a part of it.
// That of a site stays the same: the sites that came before the address was known as a front have
// its first part. "" is no site, and waits there.
func (f *Fronts) Share(address, site string) string {
	if site == "" {
		return address
	}
	if f.sites == nil {
		f.seed, f.sites = maphash.MakeSeed(), map[string][]uint32{}
	}
	hash := uint32(maphash.String(f.seed, site))
	known := f.sites[address]
	if slices.Contains(known, hash) {
		return address
	}
	if len(known) < frontSites {
		f.sites[address] = append(known, hash)
		return address
	}
	if n := hash % frontQueues; n > 0 {
		return address + " " + strconv.Itoa(int(n))
	}
	return address
}

// Has says whether an address is full of sites: others that are met there make it a front.
func (f *Fronts) Has(address string) bool { return len(f.sites[address]) == frontSites }

// Forget forgets the sites at an address that is no front.
func (f *Fronts) Forget(address string) {
	if !f.Has(address) {
		delete(f.sites, address)
	}
}

// share is the key of the queue of a host that was found at an address.
func (q *Queues) share(address, host string) string {
	if address == "" || q.Whole {
		return address
	}
	return q.fronts.Share(address, SiteOf(host))
}
