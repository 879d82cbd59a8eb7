package web

import (
	"slices"
	"strings"
	"sync"

	"linkcheck/check"
)

const (
	sinkFrom = 3        // different paths of a host that end on one page
	maxSinks = 200_000  // redirected links remembered in a run
	maxSunk  = 64 << 20 // octets of them
)

// sinks remembers where the redirects of a run ended.
type sinks struct {
	mu   sync.Mutex
	all  []redirected
	size int // octets of all
}

// redirected is a link, the path that it names, and its host with the page it ended on.
type redirected struct{ link, path, end string }

// add remembers a chain that ended well elsewhere than it began.
func (s *sinks) add(raw string, c *chain) {
	from, to := pathKey(c.start), pathKey(c.at)
	if from == to && c.start.bareHost() == c.at.bareHost() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := redirected{raw, from, c.start.bareHost() + " " + c.at.String()}
	if s.size += len(r.link) + len(r.path) + len(r.end); len(s.all) < maxSinks && s.size <= maxSunk {
		s.all = append(s.all, r)
	}
}

// finish lists the links of all sinks and begins anew.
func (s *sinks) finish() []check.Amendment {
	s.mu.Lock()
	all := s.all
	s.all, s.size = nil, 0
	s.mu.Unlock()
	seen, paths := map[redirected]bool{}, map[string]int{} // paths: how many, by end
	for _, r := range all {
		if r.link = ""; !seen[r] {
			seen[r] = true
			paths[r.end]++
		}
	}
	var found []string
	for _, r := range all {
		if paths[r.end] >= sinkFrom {
			found = append(found, r.link)
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	out := make([]check.Amendment, len(found))
	for i, u := range found {
		out[i] = check.Amendment{URI: u, Outcome: check.Suspect, Reason: check.ReasonRedirectSink, Evidence: check.Weak}
	}
	return out
}

// pathKey makes one of the spellings of a path that servers redirect among.
func pathKey(p resource) string {
	path := strings.TrimSuffix(p.path, "/")
	if i := strings.LastIndexByte(path, '/'); i >= 0 && indexName.MatchString(path[i+1:]) {
		path = path[:i]
	}
	return strings.ToLower(path)
}
