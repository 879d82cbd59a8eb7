package web

import (
	"slices"
	"strings"
	"sync"

	"linkcheck/check"
)

const (
	sinkFrom = 3       // different paths of a host that end on one page
	maxSinks = 200_000 // redirected links remembered in a run
)

// sinks remembers where the redirects of a run ended.
type sinks struct {
	mu    sync.Mutex
	ends  map[string]map[string][]string // host and end, path, URIs
	count int
}

// add remembers a chain that ended well elsewhere than it began.
func (s *sinks) add(raw string, c *chain) {
	if len(c.hops) == 0 {
		return
	}
	from, to := pathKey(c.start), pathKey(c.at)
	if from == to && c.start.bareHost() == c.at.bareHost() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count++; s.count > maxSinks {
		return
	}
	key := c.start.bareHost() + " " + c.at.String()
	if s.ends == nil {
		s.ends = map[string]map[string][]string{}
	}
	if s.ends[key] == nil {
		s.ends[key] = map[string][]string{}
	}
	s.ends[key][from] = append(s.ends[key][from], raw)
}

// finish lists the links of all sinks and begins anew.
func (s *sinks) finish() []check.Amendment {
	s.mu.Lock()
	ends := s.ends
	s.ends, s.count = nil, 0
	s.mu.Unlock()
	var found []string
	for _, paths := range ends {
		if len(paths) < sinkFrom {
			continue
		}
		for _, links := range paths {
			found = append(found, links...)
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
