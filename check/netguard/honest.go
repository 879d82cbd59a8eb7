package netguard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
)

// ErrInvented says that a name server gave for a name what it gives for names that nobody
// has: it leads everyone to a page of its own, as networks do that want a login, and as
// some providers do with names that do not exist. Nothing is known of the host.
var ErrInvented = errors.New("the name server invents addresses")

const triesToInvent = 3 // questions for a name that nobody has, while they fail

// HonestResolver is a Resolver that asks another, and believes no address that this one
// gives for a name that nobody has.
type HonestResolver struct {
	ask      Resolver
	mu       sync.Mutex
	tries    int // questions left; 0: what is invented is known
	invented []netip.Addr
}

// NewHonestResolver makes a HonestResolver of r.
func NewHonestResolver(r Resolver) *HonestResolver {
	return &HonestResolver{ask: r, tries: triesToInvent}
}

// Resolve implements [Resolver]. The error is ErrInvented where all addresses are invented.
func (r *HonestResolver) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	addrs, err := r.ask.Resolve(ctx, host)
	if err != nil {
		return addrs, err
	}
	invented := r.inventions(ctx)
	honest := slices.DeleteFunc(slices.Clone(addrs), func(a netip.Addr) bool { return slices.Contains(invented, a) })
	if len(honest) == 0 && len(addrs) > 0 {
		return nil, fmt.Errorf("%w: %s for %s, as for names that nobody has", ErrInvented, addrs[0], host)
	}
	return honest, nil
}

// inventions asks for a name that nobody has, once, or again where that failed.
func (r *HonestResolver) inventions(ctx context.Context) []netip.Addr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tries == 0 {
		return r.invented
	}
	name := make([]byte, 24)
	for i := range name {
		name[i] = 'a' + byte(rand.IntN(26))
	}
	addrs, err := r.ask.Resolve(ctx, string(name)+".com")
	r.tries--
	if e, ok := errors.AsType[*net.DNSError](err); err == nil || ok && e.IsNotFound {
		r.tries, r.invented = 0, addrs
	}
	return r.invented
}
