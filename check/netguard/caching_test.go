package netguard

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"
)

func TestCachingResolver(t *testing.T) {
	now := time.Unix(0, 0)
	asked := &dns{answers: [][]string{{"1.1.1.1"}, {"2.2.2.2"}}}
	r := NewCachingResolver(asked, func() time.Time { return now })
	for i, want := range []string{"1.1.1.1", "1.1.1.1", "2.2.2.2"} {
		if i == 2 {
			now = now.Add(keepFor)
		}
		got, err := r.Resolve(t.Context(), "A.org")
		if err != nil || len(got) != 1 || got[0].String() != want {
			t.Errorf("%d: got %v, %v, want %s", i, got, err, want)
		}
	}
	if asked.calls != 2 {
		t.Errorf("asked %d times", asked.calls)
	}
}

// A failure that passes is asked anew; a name that does not exist is not.
func TestCachingResolverFailures(t *testing.T) {
	for _, lasts := range []bool{false, true} {
		calls := 0
		r := NewCachingResolver(resolveFunc(func() ([]netip.Addr, error) {
			calls++
			return nil, &net.DNSError{IsNotFound: lasts, IsTemporary: !lasts}
		}), nil)
		r.Resolve(t.Context(), "a.org")
		r.Resolve(t.Context(), "a.org")
		if want := map[bool]int{true: 1, false: 2}[lasts]; calls != want {
			t.Errorf("lasts %v: asked %d times", lasts, calls)
		}
	}
}

type resolveFunc func() ([]netip.Addr, error)

func (f resolveFunc) Resolve(context.Context, string) ([]netip.Addr, error) { return f() }
