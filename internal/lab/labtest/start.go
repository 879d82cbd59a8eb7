package labtest

import (
	"net"
	"testing"
)

// Start runs serve, a server of the lab, on the loopback until the test ends, and
// returns its "host:port". serve must return nil then.
func Start(t testing.TB, serve func(net.Listener) error) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serve(l) }()
	t.Cleanup(func() {
		l.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}
