package fleet_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"linkcheck/fleet"
)

// A server that does not know the header which names the subject of a fence is refused.
func TestTooOldServer(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, MaxPayload: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("not ready")
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, letsIn := range []bool{false, true} {
		stop := pretend(t, conn, letsIn)
		n, err := fleet.Dial(t.Context(), s.ClientURL(), fleet.Set{Name: "t", TTL: time.Second, Replicas: 1})
		if letsIn != (err != nil && strings.Contains(err.Error(), "too old")) {
			t.Errorf("lets in %t: %v", letsIn, err)
		}
		if err == nil {
			n.Close()
		}
		stop()
	}
}

// pretend answers as a server with streams does; one that lets in ignores what it does not
// know.
func pretend(t *testing.T, conn *nats.Conn, letsIn bool) (stop func()) {
	var all []*nats.Subscription
	answer := func(subject string, f func(m *nats.Msg) string) {
		sub, err := conn.Subscribe(subject, func(m *nats.Msg) { _ = m.Respond([]byte(f(m))) })
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sub)
	}
	answer("$JS.API.STREAM.INFO.*", func(m *nats.Msg) string {
		_, name, _ := strings.Cut(m.Subject, "INFO.")
		b, _ := json.Marshal(map[string]any{"config": map[string]any{"name": name, "duplicate_window": 2 * time.Minute}})
		return string(b)
	})
	answer("lc.t.>", func(m *nats.Msg) string {
		if !letsIn && m.Header.Get("Nats-Expected-Last-Subject-Sequence-Subject") != "" {
			return `{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 1"}}`
		}
		return `{"stream":"s","seq":1}`
	})
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	return func() {
		for _, sub := range all {
			_ = sub.Unsubscribe()
		}
	}
}
