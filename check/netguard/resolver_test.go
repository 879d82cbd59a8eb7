package netguard_test

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers questions for A by zone; other types have no data.
type nameServer struct {
	zone map[string]dnsmessage.RCode // of names without addresses; others are 8.8.8.8
}

func (s nameServer) serve(t *testing.T) string {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if reply := s.answer(buf[:n]); reply != nil {
				conn.WriteTo(reply, from)
			}
		}
	})
	t.Cleanup(func() { conn.Close(); wg.Wait() })
	return conn.LocalAddr().String()
}

func (s nameServer) answer(query []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	code, without := s.zone[q.Name.String()]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true, RCode: code},
		Questions: m.Questions,
	}
	if !without && q.Type == dnsmessage.TypeA {
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 60},
			Body:   &dnsmessage.AResource{A: [4]byte{8, 8, 8, 8}},
		}}
	}
	out, _ := reply.Pack()
	return out
}

func TestSystemResolver(t *testing.T) {
	r := netguard.SystemResolver{Server: nameServer{map[string]dnsmessage.RCode{
		"gone.org.":   dnsmessage.RCodeNameError,
		"empty.org.":  dnsmessage.RCodeSuccess,
		"broken.org.": dnsmessage.RCodeServerFailure,
	}}.serve(t)}
	addrs, err := r.Resolve(t.Context(), "here.org")
	if err != nil || len(addrs) != 1 || addrs[0].Unmap() != netip.MustParseAddr("8.8.8.8") {
		t.Errorf("here.org: %v, %v", addrs, err)
	}
	for name, want := range map[string]check.Reason{"gone.org": "dns-nxdomain", "empty.org": "dns-no-address", "broken.org": "dns-servfail"} {
		if _, err := r.Resolve(t.Context(), name); check.Classify(err).Reason != want {
			t.Errorf("%s: got %s for %v", name, check.Classify(err).Reason, err)
		}
	}
	mute, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = netguard.SystemResolver{Server: mute.LocalAddr().String()}.Resolve(ctx, "here.org")
	if got := check.Classify(err).Reason; got != "dns-timeout" {
		t.Errorf("silent server: got %s for %v", got, err)
	}
}
