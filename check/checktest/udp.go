package checktest

import (
	"bytes"
	"net"
	"sync"
	"testing"

	"linkcheck/check"
)

func runUDP(t *testing.T, c Case) {
	for _, s := range []struct {
		name   string
		answer func(net.PacketConn, net.Addr)
	}{
		{"silent", func(net.PacketConn, net.Addr) {}},
		{"empty", func(s net.PacketConn, to net.Addr) { s.WriteTo(nil, to) }},
		{"one octet", func(s net.PacketConn, to net.Addr) { s.WriteTo([]byte{0xff}, to) }},
		{"zeros", func(s net.PacketConn, to net.Addr) { s.WriteTo(make([]byte, 1200), to) }},
		{"ones", func(s net.PacketConn, to net.Addr) { s.WriteTo(bytes.Repeat([]byte{0xff}, 1200), to) }},
		{"half an answer", func(s net.PacketConn, to net.Addr) { s.WriteTo([]byte(c.Reply[:len(c.Reply)/2]), to) }},
		{"storm", func(s net.PacketConn, to net.Addr) {
			for range 2000 {
				s.WriteTo(bytes.Repeat([]byte("x"), 1200), to)
			}
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			unproven(t, probe(t, c, packets(t, s.answer), setup{}))
		})
	}
	for _, lie := range c.Lying {
		t.Run("lies "+check.CleanReply(lie[:min(len(lie), 20)]), func(t *testing.T) {
			probe(t, c, packets(t, func(s net.PacketConn, to net.Addr) { s.WriteTo([]byte(lie), to) }), setup{})
		})
	}
}

// packets answers every datagram by answer.
func packets(t *testing.T, answer func(net.PacketConn, net.Addr)) string {
	t.Helper()
	s, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 64<<10)
		for {
			_, from, err := s.ReadFrom(buf)
			if err != nil {
				return
			}
			answer(s, from)
		}
	})
	t.Cleanup(func() { s.Close(); wg.Wait() })
	return s.LocalAddr().String()
}
