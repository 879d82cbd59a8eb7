package serve

import "testing"

// The Host of a request is a name by which this server is known, with a port that is a
// number or none: a page of another site that resolves to this address has its own name.
func TestKnownHosts(t *testing.T) {
	s := &Server{hosts: []string{"127.0.0.1", "localhost", "::1"}}
	for host, known := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:8427": true, "LocalHost:1": true, "[::1]:8427": true, "": false, "evil.example": false, "evil.example:8427": false,
		"127.0.0.1:8427.evil.example": false, "127.0.0.1.evil.example": false, "localhost.evil.example:1": false, "127.0.0.1:-1": false, "127.0.0.1:99999": false, "[::1]evil:1": false,
	} {
		if s.knowsHost(host) != known {
			t.Errorf("%q: known %v", host, !known)
		}
	}
}
