// Package gemini asks Gemini servers (specification 0.24.1) for the page of a gemini URL, and
// reads the header of the answer alone. uri/generic.go reads the URLs.
package gemini

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"regexp"
	"strconv"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// header is the first line of an answer: a status, and what it says (section 3).
var header = regexp.MustCompile(`^([1-6]\d)(?: (.*))?$`)

// maxRequest is the length of a URL that a server has to take (section 2).
const maxRequest = 1024

// outcomes is what a status says, or those with the same first digit (sections 3.1 to 3.6).
var outcomes = map[int]check.Outcome{
	1:  check.OK, // wants a line of input: the page is there
	2:  check.OK,
	3:  check.Reachable, // leads elsewhere, which is not looked at
	4:  check.Temporary,
	5:  check.Undetermined, // 53 and 59 too: the server does not serve the host, or does not read the request
	51: check.Gone,
	52: check.Gone,
	6:  check.Auth, // wants a certificate of its reader
}

// New makes the prober of gemini URLs. A probe takes these steps:
//
//  1. connect and begin TLS; servers make their certificates themselves (section 4.2), so none is
//     doubted;
//  2. send the URL without its fragment;
//  3. judge the header of the answer and go without the page. A redirect is told, not followed.
func New(o check.Options) check.Prober {
	o = o.WithDefaults()
	return check.ProberOf(o, func(ctx context.Context, u *uri.Generic) check.Result {
		request := requestOf(u)
		if !wire.LineSafe(request) {
			return check.Classify(wire.ErrControl)
		}
		if len(request) > maxRequest {
			return check.New(check.Undetermined, check.ReasonTooLong, "")
		}
		return o.Converse(ctx, u.At, o.MaxBytes, func(c *wire.Conn) check.Result {
			t, _, err := check.StartTLS(ctx, c, u.At.Host)
			if err != nil {
				return check.Classify(err)
			}
			return ask(t, u, request)
		})
	})
}

// requestOf is the URL as servers want it: host in ASCII, no usual port, "/" for no path.
func requestOf(u *uri.Generic) string {
	host := u.At.Host
	if known, _ := uri.Lookup("gemini"); u.At.Port != known.DefaultPort {
		host = wire.Address(u.At)
	}
	s := "gemini://" + host + cmp.Or(u.Path, "/")
	if u.Query != nil {
		s += "?" + *u.Query
	}
	return s
}

func ask(c *tls.Conn, u *uri.Generic, request string) check.Result {
	if _, err := io.WriteString(c, request+"\r\n"); err != nil {
		return check.Classify(err)
	}
	line, err := wire.ReadLine(bufio.NewReaderSize(c, wire.MaxLine))
	if line == "" && err != nil {
		return check.ClassifyFirst(err)
	}
	if err != nil && err != io.EOF {
		return check.Classify(err)
	}
	return judge(u, line)
}

// judge says what the header of an answer means.
func judge(u *uri.Generic, line string) check.Result {
	m := header.FindStringSubmatch(line)
	if m == nil {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
	}
	code, _ := strconv.Atoi(m[1])
	r := check.New(cmp.Or(outcomes[code], outcomes[code/10]), check.ReasonGemini(code), line)
	if next, err := uri.Resolve(u.String(), m[2]); code/10 == 3 && err == nil { // section 3.3
		r.Hops, r.FinalURL = []check.Hop{{Code: code, URL: next}}, next
	}
	return r
}
