// Package alive looks whether servers are there that a stranger may greet and no more: SSH
// (RFC 4253) and FTP in TLS by their first words, rsync daemons by their list of modules,
// directories (LDAP, RFC 4511) and file servers (NFS over ONC RPC, RFC 5531) by the one question
// that their protocols have for this. None logs in, and none changes anything.
//
// Files: this one, rsync.go and question.go.
package alive

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// conversation is what is said over a connection that stands.
type conversation func(ctx context.Context, c io.Writer, r *bufio.Reader, u *uri.Opaque) check.Result

// maxRead bounds what is read of one server.
const maxRead = 8 << 10

// proberOf makes a prober of one conversation, in TLS for those of secure.
func proberOf(o check.Options, secure string, talk conversation) check.Prober {
	o = o.WithDefaults()
	return check.ProberOf(o, func(ctx context.Context, u *uri.Opaque) check.Result {
		at, ok := u.Endpoint()
		if !ok {
			return check.New(check.NotDereferenceable, check.ReasonNamesOnly, "")
		}
		return o.Converse(ctx, at, o.MaxBytes, func(c *wire.Conn) check.Result {
			if u.Scheme() != secure {
				return talk(ctx, c, wire.NewReader(c), u)
			}
			t, flag, err := check.StartTLS(check.WithRoots(ctx, o.Roots), c, at.Host)
			if err != nil {
				return check.Classify(err)
			}
			r := talk(ctx, t, wire.NewReader(t), u)
			if flag != "" {
				r = r.WithFlags(flag)
			}
			return r
		})
	})
}

// SSH makes the prober of ssh and sftp URLs. The server speaks first, and may say other
// lines before its version (RFC 4253 section 4.2).
func SSH(o check.Options) check.Prober {
	return proberOf(o, "", func(_ context.Context, _ io.Writer, r *bufio.Reader, _ *uri.Opaque) check.Result {
		return greeted(r, func(line string) bool { return strings.HasPrefix(line, "SSH-") })
	})
}

// FTPS makes the prober of ftps URLs: FTP in TLS from the first octet, up to the greeting (RFC 959
// section 5.4). What lies on the server is asked for by ftp URLs alone.
func FTPS(o check.Options) check.Prober {
	return proberOf(o, "ftps", func(_ context.Context, c io.Writer, r *bufio.Reader, _ *uri.Opaque) check.Result {
		line, err := wire.ReadLine(r)
		if line == "" && err != nil {
			return check.ClassifyFirst(err)
		}
		io.WriteString(c, "QUIT\r\n") // whether it is heard matters no more
		code, _, ok := wire.ReplyCode(line)
		switch {
		case !ok:
			return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
		case code == 220:
			return check.New(check.Reachable, check.ReasonServerGreeting, line)
		case code == 120 || code == 421:
			return check.New(check.Temporary, check.ReasonFTP(code), line)
		}
		return check.New(check.Undetermined, check.ReasonFTP(code), line)
	})
}

// maxLines is how many lines may stand before a greeting.
const maxLines = 20

// greeted reads lines until one is the greeting of the protocol.
func greeted(r *bufio.Reader, is func(line string) bool) check.Result {
	var first string
	for n := range maxLines {
		line, err := wire.ReadLine(r)
		switch {
		case is(line):
			return check.New(check.Reachable, check.ReasonServerGreeting, line)
		case n == 0 && line == "" && err != nil:
			return check.ClassifyFirst(err)
		case err != nil && err != io.EOF:
			return check.Classify(err)
		}
		first = cmp.Or(first, line)
		if err != nil {
			break
		}
	}
	return check.New(check.Undetermined, check.ReasonProtocolMismatch, first)
}
