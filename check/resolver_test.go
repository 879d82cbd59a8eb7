package check

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

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
	r := SystemResolver{Server: nameServer{map[string]dnsmessage.RCode{
		"gone.org.":   dnsmessage.RCodeNameError,
		"empty.org.":  dnsmessage.RCodeSuccess,
		"broken.org.": dnsmessage.RCodeServerFailure,
	}}.serve(t)}
	addrs, err := r.Resolve(t.Context(), "here.org")
	if err != nil || len(addrs) != 1 || addrs[0].Unmap() != netip.MustParseAddr("8.8.8.8") {
		t.Errorf("here.org: %v, %v", addrs, err)
	}
	for name, want := range map[string]Reason{"gone.org": "dns-nxdomain", "empty.org": "dns-no-address", "broken.org": "dns-servfail"} {
		if _, err := r.Resolve(t.Context(), name); Classify(err).Reason != want {
			t.Errorf("%s: got %s for %v", name, Classify(err).Reason, err)
		}
	}
	mute, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = SystemResolver{Server: mute.LocalAddr().String()}.Resolve(ctx, "here.org")
	if got := Classify(err).Reason; got != "dns-timeout" {
		t.Errorf("silent server: got %s for %v", got, err)
	}
}

func TestRemembering(t *testing.T) {
	now := time.Unix(0, 0)
	asked := &dns{answers: [][]string{{"1.1.1.1"}, {"2.2.2.2"}}}
	r := NewCachingResolver(asked, func() time.Time { return now })
	for i, want := range []string{"1.1.1.1", "1.1.1.1", "2.2.2.2"} {
		if i == 2 {
			now = now.Add(remember)
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
func TestRememberingFailures(t *testing.T) {
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
