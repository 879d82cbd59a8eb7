// Package cso looks whether a CSO phone book (the ph protocol of RFC 2378) is
// there: for cso and ph URLs, and for items of type 2 in Gopher menus. It says
// goodbye at once and reads the answer; it looks nobody up.
package cso

import (
	"context"
	"io"
	"regexp"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// reply is the form of a reply line, RFC 2378 section 2.3: a code, negative in
// lines that are continued, and a colon.
var reply = regexp.MustCompile(`^-?[1-6]\d\d:`)

// New makes the prober of cso and ph URLs: it sends quit and reads one line.
func New(o check.Options) check.Prober {
	return check.ProberOf(o, func(ctx context.Context, u uri.URI) check.Result {
		at, ok := u.Endpoint()
		if !ok {
			return check.New(check.NotDereferenceable, check.ReasonNamesOnly, "")
		}
		return o.Converse(ctx, at, wire.MaxLine, func(c *wire.Conn) check.Result {
			if _, err := io.WriteString(c, "quit\r\n"); err != nil {
				return check.Classify(err)
			}
			return judge(wire.ReadLine(wire.NewReader(c)))
		})
	})
}

func judge(line string, err error) check.Result {
	switch {
	case line == "" && err != nil:
		return check.ClassifyFirst(err)
	case err != nil && err != io.EOF:
		return check.Classify(err)
	case reply.MatchString(line):
		return check.New(check.Reachable, check.ReasonCSOAnswer, line)
	}
	return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
}
