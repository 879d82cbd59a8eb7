package telnet

import (
	"context"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

const (
	maxRead     = 1 << 10                // octets of a banner that are read
	defaultWait = 3 * time.Second        // for the host's first words: OUTCOMES 1.3
	quiet       = 500 * time.Millisecond // silence after the first words that ends the listening
)

// Options is what New needs.
type Options struct {
	check.Options
	Wait time.Duration // for the host's first words; 0: 3 s, and never over half the timeout
}

// New makes the prober of telnet, tn3270 and rlogin URLs.
func New(o Options) check.Prober {
	o.Options = o.WithDefaults()
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	o.Wait = min(o.Wait, o.Timeout/2)
	return check.ProberOf(o.Options, prober{o}.probe)
}

type prober struct{ o Options }

// probe takes these steps:
//
//  1. connect; for rlogin that is all, since more would be a login;
//  2. listen, and refuse each option once;
//  3. stop after a kilobyte, some silence after the first words, or no word in time;
//  4. any word of telnet or any text is an answer, but for the greetings of
//     SSH and HTTP; silence is a host that waits; closing at once is temporary.
func (p prober) probe(ctx context.Context, u *uri.Telnet) check.Result {
	r := p.ask(ctx, u)
	if u.User != nil && u.User.Password != nil {
		r = r.WithFlags(check.FlagCredentialsInURL)
	}
	return r
}

func (p prober) ask(ctx context.Context, u *uri.Telnet) check.Result {
	return p.o.Converse(ctx, u.At, maxRead, func(c *wire.Conn) check.Result {
		if u.Scheme() == "rlogin" {
			return check.New(check.Reachable, check.ReasonTCPAccepted, "")
		}
		var n negotiation
		err := n.listen(c, p.o.Wait)
		return n.judge(ctx, err)
	})
}

// listen reads and refuses until the silence, the end, or the limit.
func (n *negotiation) listen(c *wire.Conn, wait time.Duration) error {
	end := time.Now().Add(wait)
	buf := make([]byte, maxRead)
	for {
		left := time.Until(end)
		if n.answered() {
			left = min(left, quiet)
		}
		c.CapReadDeadline(time.Now().Add(left))
		k, err := c.Read(buf)
		if refusals := n.read(buf[:k]); len(refusals) > 0 {
			c.Write(refusals) // a host that does not read them has answered all the same
		}
		if err != nil {
			return err
		}
	}
}
