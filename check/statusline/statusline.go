// Package statusline asks servers that answer with a status line of HTTP's form and are no
// web servers: those of RTSP (RFC 2326) for the description of a recording, and those of
// WebSocket (RFC 6455) for the beginning of a connection, which is then closed unused.
package statusline

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// line is a status line: the protocol, a code, its words (RFC 2326 section 7.1, RFC 9112 section 4).
var line = regexp.MustCompile(`^(RTSP|HTTP)/\d\.\d ([1-9]\d\d)( |$)`)

// outcomes is what a status means that both protocols have; any other is undetermined.
var outcomes = map[int]check.Outcome{
	401: check.Auth, 403: check.Blocked, 404: check.Gone, 407: check.Auth, 408: check.Temporary, 410: check.Gone, 429: check.Temporary,
	453: check.Temporary, // RTSP: not enough bandwidth
	500: check.Temporary, 502: check.Temporary, 503: check.Temporary, 504: check.Temporary,
}

// protocol is what makes the two differ.
type protocol struct {
	name    string // in the status line
	good    int    // the status that proves the thing
	request func(host string, u *uri.Generic, agent string) string
	secure  string // the scheme that is in TLS
}

// RTSP makes the prober of rtsp URLs: DESCRIBE, of which the answer's first line is read. A
// URL without a path names the server: OPTIONS.
func RTSP(o check.Options) check.Prober {
	return protocol{name: "RTSP", good: 200, request: func(host string, u *uri.Generic, agent string) string {
		method := "DESCRIBE"
		if strings.Trim(u.Path, "/") == "" {
			method = "OPTIONS"
		}
		return fmt.Sprintf("%s rtsp://%s%s RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\nUser-Agent: %s\r\n\r\n", method, host, target(u, ""), agent)
	}}.prober(o)
}

// WebSocket makes the prober of ws and wss URLs: the opening handshake (section 4.1). The key is
// no secret: it shows that the answer is no stored one, which is of no matter here.
func WebSocket(o check.Options) check.Prober {
	return protocol{name: "HTTP", good: 101, secure: "wss", request: func(host string, u *uri.Generic, agent string) string {
		return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
			"Sec-WebSocket-Key: bGlua2NoZWNrIGFza3MgIQ==\r\nSec-WebSocket-Version: 13\r\nUser-Agent: %s\r\n\r\n", target(u, "/"), host, agent)
	}}.prober(o)
}

// target is path and query, as they stand in a request.
func target(u *uri.Generic, empty string) string {
	path := cmp.Or(u.Path, empty)
	if u.Query != nil {
		path += "?" + *u.Query
	}
	return path
}

func (p protocol) prober(o check.Options) check.Prober {
	o = o.WithDefaults()
	return check.ProberOf(o, func(ctx context.Context, u *uri.Generic) check.Result {
		host := u.At.Host
		if known, _ := uri.Lookup(u.Scheme()); u.At.Port != known.DefaultPort {
			host = wire.Address(u.At)
		}
		request := p.request(host, u, o.UserAgent)
		if !wire.LineSafe(target(u, ""), host, o.UserAgent) {
			return check.Classify(wire.ErrControl)
		}
		return o.Converse(ctx, u.At, o.MaxBytes, func(c *wire.Conn) check.Result {
			if u.Scheme() != p.secure {
				return p.ask(c, wire.NewReader(c), request)
			}
			t, flag, err := check.StartTLS(check.WithRoots(ctx, o.Roots), c, u.At.Host)
			if err != nil {
				return check.Classify(err)
			}
			r := p.ask(t, wire.NewReader(t), request)
			if flag != "" {
				r = r.WithFlags(flag)
			}
			return r
		})
	})
}

func (p protocol) ask(c io.Writer, r *bufio.Reader, request string) check.Result {
	if _, err := io.WriteString(c, request); err != nil {
		return check.Classify(err)
	}
	first, err := wire.ReadLine(r)
	if first == "" && err != nil {
		return check.ClassifyFirst(err)
	}
	if err != nil && err != io.EOF {
		return check.Classify(err)
	}
	m := line.FindStringSubmatch(first)
	if m == nil || m[1] != p.name {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, first)
	}
	code, _ := strconv.Atoi(m[2])
	outcome := cmp.Or(outcomes[code], check.Undetermined)
	if code == p.good {
		outcome = check.OK
	}
	reason := check.ReasonHTTP(code)
	if p.name == "RTSP" {
		reason = check.ReasonRTSP(code)
	}
	return check.New(outcome, reason, first)
}
