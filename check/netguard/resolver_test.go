package netguard_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers questions by zone.
type nameServer struct {
	zone map[string]records // of other names A is 8.8.8.8, and AAAA has no data
}

// records is what a name server says of a name: a code, silence, or an address.
type records struct{ four, six dnsmessage.RCode }

// Answers that are no codes of the DNS.
const (
	address dnsmessage.RCode = 100 + iota
	silence
)

func both(code dnsmessage.RCode) records { return records{code, code} }

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
	of, known := s.zone[q.Name.String()]
	if !known {
		of = records{address, dnsmessage.RCodeSuccess}
	}
	code, body := of.four, dnsmessage.ResourceBody(&dnsmessage.AResource{A: [4]byte{8, 8, 8, 8}})
	if q.Type == dnsmessage.TypeAAAA {
		code, body = of.six, &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr("2001:4860::8").As16()}
	}
	if code == silence {
		return nil
	}
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true, RCode: code},
		Questions: m.Questions,
	}
	if code == address {
		reply.RCode = dnsmessage.RCodeSuccess
		reply.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 60}, Body: body}}
	}
	out, _ := reply.Pack()
	return out
}

func TestSystemResolver(t *testing.T) {
	const (
		none = dnsmessage.RCodeSuccess
		nx   = dnsmessage.RCodeNameError
		fail = dnsmessage.RCodeServerFailure
		bad  = dnsmessage.RCodeFormatError
		no   = dnsmessage.RCodeRefused
	)
	rows := map[string]struct {
		says records
		want string // addresses, or the reason of the failure
	}{
		"here.org.":    {records{address, none}, "8.8.8.8"},
		"six.org.":     {records{none, address}, "2001:4860::8"},
		"two.org.":     {records{address, address}, "8.8.8.8 2001:4860::8"},
		"gone.org.":    {both(nx), "dns-nxdomain"},
		"empty.org.":   {both(none), "dns-no-address"},
		"broken.org.":  {both(fail), "dns-servfail"},
		"refused.org.": {both(no), "dns-servfail"},
		// RFC 4074 section 4.2: name servers that deny the name when asked for AAAA.
		"denies6.org.": {records{address, nx}, "8.8.8.8"},
		"denies4.org.": {records{nx, address}, "2001:4860::8"},
		"half.org.":    {records{none, nx}, "dns-no-address"},
		// A failure beats a denial: servers asked in vain, records that were tampered with.
		"fail4nx6.org.":   {records{fail, nx}, "dns-servfail"},
		"fail4none6.org.": {records{fail, none}, "dns-servfail"},
		"nx4fail6.org.":   {records{nx, fail}, "dns-servfail"},
		"none4fail6.org.": {records{none, fail}, "dns-servfail"},
		"none4bad6.org.":  {records{none, bad}, "dns-servfail"}, // RFC 4074 section 4.3
		// An address beats a failure.
		"fails6.org.": {records{address, fail}, "8.8.8.8"},
		"fails4.org.": {records{fail, address}, "2001:4860::8"},
	}
	zone := map[string]records{}
	for name, row := range rows {
		zone[name] = row.says
	}
	r := netguard.SystemResolver{Server: nameServer{zone}.serve(t)}
	for name, row := range rows {
		addrs, err := r.Resolve(t.Context(), strings.TrimSuffix(name, "."))
		got := ""
		for _, a := range addrs {
			got = strings.TrimSpace(got + " " + a.Unmap().String())
		}
		if err != nil {
			got += string(check.Classify(err).Reason)
		}
		if got != row.want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, row.want)
		}
	}
}

// A server that is silent about one family, as some are about AAAA (RFC 4074 section
// 4.1): what the other one says holds only where it is an address.
func TestSilenceOfOneFamily(t *testing.T) {
	for name, row := range map[string]struct {
		says records
		want check.Reason // "": an address
	}{
		"neither.org.":  {both(silence), "dns-timeout"},
		"four.org.":     {records{address, silence}, ""},
		"six.org.":      {records{silence, address}, ""},
		"denied.org.":   {records{silence, dnsmessage.RCodeNameError}, "dns-timeout"},
		"denied6.org.":  {records{dnsmessage.RCodeNameError, silence}, "dns-timeout"},
		"nothing6.org.": {records{dnsmessage.RCodeSuccess, silence}, "dns-timeout"},
	} {
		r := netguard.SystemResolver{Server: nameServer{map[string]records{name: row.says}}.serve(t)}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		addrs, err := r.Resolve(ctx, strings.TrimSuffix(name, "."))
		cancel()
		if err == nil && (row.want != "" || len(addrs) != 1) || err != nil && check.Classify(err).Reason != row.want {
			t.Errorf("%s: %v, %v, want %q", name, addrs, err, row.want)
		}
	}
}
