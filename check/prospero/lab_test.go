package prospero

import (
	"net"
	"sync"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab"
)

// The lab's server and this client agree; every URL is read by uri.Parse.
func TestLab(t *testing.T) {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		objects := map[string]string{"/papers": "", "/papers/one": "AFTP INTERNET-D lab ASCII /one BINARY", "/empty": "", "/it's": "LOCAL '' '' '' ''"}
		if err := lab.Prospero(c, objects); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { c.Close(); wg.Wait() })
	checktest.Agree(t, New(check.Options{Dialer: checktest.Loopback()}), c.LocalAddr().String(), map[string]check.Reason{
		"prospero://{at}//papers/one": "prospero-object",
		"prospero://{at}//papers":     "prospero-object",
		"prospero://{at}//empty":      "prospero-object",
		"prospero://{at}//it's":       "prospero-object",
		"prospero://{at}//nope":       "prospero-not-found",
		"prospero://{at}/":            "prospero-answer",
	})
}
