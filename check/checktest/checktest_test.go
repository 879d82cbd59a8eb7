package checktest

import (
	"context"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// hello is a protocol of one line each way, and the least prober for it.
func hello(o check.Options) check.Prober {
	o = o.WithDefaults()
	return check.ProbeFunc(func(ctx context.Context, t check.Target) check.Result {
		return o.Run(ctx, func(ctx context.Context) check.Result {
			u := t.URI.(*uri.Opaque)
			if !wire.LineSafe(u.Rest) {
				return check.Classify(wire.ErrControl)
			}
			c, err := wire.Dial(ctx, o.Dialer, wire.Address(*u.At), o.MaxBytes)
			if err != nil {
				return check.Classify(err)
			}
			defer c.Close()
			if _, err := c.Write([]byte(u.Rest + "\r\n")); err != nil {
				return check.Classify(err)
			}
			line, err := wire.ReadLine(wire.NewReader(c))
			switch {
			case err != nil:
				return check.Classify(err)
			case strings.HasPrefix(line, "hello "):
				return check.New(check.OK, "http-200", line)
			}
			return check.New(check.Undetermined, "protocol-mismatch", line)
		})
	})
}

func TestHello(t *testing.T) {
	Run(t, Case{
		New:     hello,
		URL:     "finger://{at}/who",
		Reply:   "hello world\r\n",
		Lying:   []string{"hello 9999999999\r\n"},
		Never:   []string{"sesame"},
		Control: []uri.URI{&uri.Opaque{Rest: "a\r\nQUIT", At: &uri.Endpoint{Host: "127.0.0.1", Port: 1}}},
	})
}
