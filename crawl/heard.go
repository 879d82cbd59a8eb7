package crawl

import (
	"sync"

	"linkcheck/check"
	"linkcheck/uri"
)

// Heard is what readings of archives heard of addresses in a night, for Options.Heard. The
// zero value is ready. It is safe for concurrent use.
type Heard struct {
	mu    sync.Mutex
	byKey map[string]check.Result
}

// Keep takes what was heard of an address.
func (h *Heard) Keep(address string, r check.Result) {
	u, err := uri.Parse(address)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byKey == nil {
		h.byKey = map[string]check.Result{}
	}
	h.byKey[uri.SchemeKey(u)] = r
}

// Find gives what was heard of an address, in whatever spelling.
func (h *Heard) Find(address string) (r check.Result, ok bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return r, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok = h.byKey[uri.SchemeKey(u)]
	return r, ok
}
