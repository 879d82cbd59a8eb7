// Package checktest is the suite that every prober passes: against silent, slow,
// flooding, lying and foreign servers a probe ends in time, reads little, leaves
// no goroutine or connection behind, and never says that a thing is gone.
package checktest

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

const (
	timeout   = 200 * time.Millisecond // of one probe
	waitLimit = 5 * time.Second        // within which a probe with that timeout has ended, on a busy machine
	maxBytes  = 8 << 10                // Options.MaxBytes
	maxRead   = 256 << 10              // Case.MaxRead, where it is 0
	maxConns  = 2                      // connections of one probe at a time: one to talk on, one for data
)

// Case is one prober and what the suite must know about its protocol.
type Case struct {
	New func(check.Options) check.Prober
	// URL is one that a probe would go through the whole protocol for; {at} stands
	// for the host and port of the server.
	URL string

	UDP      bool      // the protocol uses datagrams
	Speaks   string    // "ftp", "http", "ssh" ...: the foreign greeting that is not foreign here
	Greeting string    // what a server says first; "" if the client begins
	Reply    string    // a whole good answer to the first request; cut short, dripped and followed by a reset
	Lying    []string  // answers to the first request with false lengths, nestings and counts
	Endless  string    // a line to repeat for ever; "": "220-hello\r\n"
	MaxRead  int       // octets that a probe may take from the network in all, buffers included
	SilentOK bool      // a server that accepts and says nothing counts as an answer
	Connects bool      // the prober only connects: it says nothing and waits for nothing
	Never    []string  // what must never be sent: the password of URL, say
	Control  []uri.URI // URIs with NUL, CR or LF in a decoded part: skipped, and nothing is sent
}

// Run runs the suite.
func Run(t *testing.T, c Case) {
	if c.New == nil || c.URL == "" {
		t.Fatal("checktest: Case needs New and URL")
	}
	c.MaxRead = cmp.Or(c.MaxRead, maxRead)
	c.Endless = cmp.Or(c.Endless, "220-hello\r\n")
	c.SilentOK = c.SilentOK || c.Connects
	if c.UDP {
		runUDP(t, c)
	} else {
		runTCP(t, c)
	}
	if !c.Connects {
		t.Run("cancel", func(t *testing.T) { cancelled(t, c) })
	}
	t.Run("forbidden address", func(t *testing.T) {
		r := probe(t, c, "192.168.1.1:7777", setup{refuse: true})
		want(t, r, check.Skipped, check.ReasonPrivateAddress)
	})
	t.Run("control characters", func(t *testing.T) {
		for _, u := range c.Control {
			r := probe(t, c, "127.0.0.1:1", setup{uri: u, mute: true})
			want(t, r, check.Skipped, check.ReasonControlCharacter)
		}
	})
	t.Run("cancelled before it began", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := probe(t, c, "127.0.0.1:1", setup{ctx: ctx})
		want(t, r, check.Internal, check.ReasonCancelled)
	})
}

// cancelled ends the probe from outside while the server keeps silent.
func cancelled(t *testing.T, c Case) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var addr string
	if c.UDP {
		addr = packets(t, func(net.PacketConn, net.Addr) { cancel() })
	} else {
		addr = listen(t, func(conn *net.TCPConn) { cancel(); readOnly(conn) })
	}
	want(t, probe(t, c, addr, setup{ctx: ctx}), check.Internal, check.ReasonCancelled)
}

// Row is a scripted server (labtest.Serve) and what a prober must say of it.
type Row struct {
	Name, URL, Script string // {at} in the URL stands for the server
	Outcome           check.Outcome
	Reason            check.Reason
	Reply             string // "": any
}

// Rows checks a prober against its decision table. Whatever host a URL names, the script is played.
func Rows(t *testing.T, newProber func(check.Options) check.Prober, rows []Row) {
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			s := labtest.Serve(t, row.Script)
			u := s.URI(row.URL)
			at, _ := u.Endpoint()
			p := newProber(check.Options{Dialer: s.Dialer(wire.Address(at)), Timeout: 2 * time.Second})
			got := p.Probe(t.Context(), check.Target{URI: u})
			want(t, got, row.Outcome, row.Reason)
			if row.Reply != "" && got.Reply != row.Reply {
				t.Errorf("reply %q, want %q", got.Reply, row.Reply)
			}
		})
	}
}

// setup is what one probe differs in.
type setup struct {
	ctx    context.Context // nil: that of the test
	uri    uri.URI         // nil: Case.URL of the address
	refuse bool            // the dialer refuses
	mute   bool            // nothing may be sent
}

// probe makes one probe and checks what must be true whatever the server does.
func probe(t *testing.T, c Case, addr string, b setup) check.Result {
	t.Helper()
	b.ctx = cmp.Or(b.ctx, t.Context())
	if b.uri == nil {
		b.uri = labtest.URI(t, addr, c.URL)
	}
	leak := goleak.IgnoreCurrent()
	m := newMeter(b.refuse)
	p := c.New(check.Options{Dialer: m, Timeout: timeout, MaxBytes: maxBytes})
	begin := time.Now()
	r := p.Probe(b.ctx, check.Target{URI: b.uri})
	took := time.Since(begin)
	if err := p.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if took > waitLimit {
		t.Errorf("took %v", took)
	}
	m.checkEnd(t, c)
	seen := m.soFar()
	if seen.read > c.MaxRead {
		t.Errorf("read %d octets", seen.read)
	}
	if seen.most > maxConns {
		t.Errorf("%d connections at a time", seen.most)
	}
	if (b.mute || c.Connects) && len(seen.sent) > 0 {
		t.Errorf("sent %q", seen.sent)
	}
	if err := goleak.Find(leak); err != nil {
		t.Error(err)
	}
	checkLaws(t, r)
	return r
}

// Agree checks that a prober understands a server of the lab at addr: want has the
// reason of each URL, in which {at} stands for addr.
func Agree(t *testing.T, p check.Prober, addr string, want map[string]check.Reason) {
	t.Helper()
	for url, reason := range want {
		if r := p.Probe(t.Context(), check.Target{URI: labtest.URI(t, addr, url)}); r.Reason != reason {
			t.Errorf("%s: %v(%s) %q, want %s", url, r.Outcome, r.Reason, r.Reply, reason)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// Loopback dials addresses of the loopback too.
func Loopback() netguard.Dialer {
	return &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

// checkLaws checks what is true of every result.
func checkLaws(t *testing.T, r check.Result) {
	t.Helper()
	if r.Outcome == check.Unknown || r.Outcome.String() == "" {
		t.Errorf("no outcome: %+v", r)
	}
	if _, ok := r.Reason.Meaning(); !ok {
		t.Errorf("reason %q is not on the list", r.Reason)
	}
	if r.Reason == check.ReasonPanic || r.Reason == check.ReasonInternalError {
		t.Errorf("%s: %q", r.Reason, r.Reply)
	}
	if r.At.IsZero() || r.Attempts < 1 {
		t.Errorf("At %v, Attempts %d", r.At, r.Attempts)
	}
	if len(r.Reply) > 512 || !utf8.ValidString(r.Reply) || r.Reply != check.CleanReply(r.Reply) {
		t.Errorf("reply %q", r.Reply)
	}
}

func want(t *testing.T, r check.Result, o check.Outcome, reason check.Reason) {
	t.Helper()
	if r.Outcome != o || r.Reason != reason {
		t.Errorf("got %s(%s) %q, want %s(%s)", r.Outcome, r.Reason, r.Reply, o, reason)
	}
}

// unproven checks that a broken server proved neither presence nor absence.
func unproven(t *testing.T, r check.Result) {
	t.Helper()
	switch r.Outcome {
	case check.OK, check.Moved, check.Gone, check.Invalid, check.Internal:
		t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
	}
}
