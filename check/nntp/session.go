package nntp

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const maxLines = 500 // of a multi-line answer that is read to its end

// reply is one response line: RFC 3977 section 3.2.
type reply struct {
	code int
	line string
}

// session is one conversation with a server, used by one probe at a time.
type session struct {
	key      key
	conn     *wire.Conn
	peer     net.Conn // conn, or TLS upon it
	r        *bufio.Reader
	flag     check.Flag // what is wrong with the certificate
	secure   bool
	reused   bool
	answered bool // this question, with other than 400
	greeting reply
	group    string // that was entered last
	inGroup         // what came of it
	spent    bool   // to be closed after this probe
	failed   error  // the conversation cannot go on
}

// inGroup is what the server said of the group in which a session is.
type inGroup struct {
	entered reply    // to GROUP
	numbers []string // to LISTGROUP without a range; nil: it was not sent
	same    bool     // numbers that the caller knows mean what they meant
}

// key is the same for sessions of which any can be used.
type key struct {
	address string // "host:port"
	tls     bool   // from the first octet
}

// dial connects and reads nothing yet.
func dial(ctx context.Context, o check.Options, k key, budget int64) (*session, error) {
	c, err := wire.Dial(ctx, o.Dialer, k.address, budget)
	if err != nil {
		return nil, err
	}
	s := &session{key: k, conn: c, peer: c, r: wire.NewReader(c)}
	if k.tls {
		if err := s.startTLS(ctx); err != nil {
			c.Close()
			return nil, err
		}
	}
	return s, nil
}

// startTLS puts TLS upon the connection. What came ahead in clear is dropped:
// RFC 4642 section 2.2.2.
func (s *session) startTLS(ctx context.Context) error {
	host, _, _ := net.SplitHostPort(s.key.address)
	c, flag, err := check.StartTLS(ctx, s.conn, host)
	if err != nil {
		return s.fail(err)
	}
	s.peer, s.r, s.flag, s.secure, s.group = c, wire.NewReader(c), flag, true, ""
	return nil
}

// ask sends one command and reads its response line.
func (s *session) ask(command string) (reply, error) {
	if !wire.LineSafe(command) {
		return reply{}, wire.ErrControl
	}
	if s.failed != nil {
		return reply{}, s.failed
	}
	if _, err := io.WriteString(s.peer, command+"\r\n"); err != nil {
		return reply{}, s.fail(err)
	}
	return s.read()
}

// read reads one response line. What came of it is returned beside an error.
func (s *session) read() (reply, error) {
	line, err := wire.ReadLine(s.r)
	r := reply{line: line}
	if err != nil {
		return r, s.fail(err)
	}
	code, text, ok := wire.ReplyCode(line)
	if !ok || code > 599 || text != "" && text[0] != ' ' {
		return reply{}, s.fail(check.ResultError(check.Undetermined, check.ReasonGarbled, line))
	}
	r.code = code
	s.answered = s.answered || code != 400
	return r, nil
}

// lines reads what follows a response up to the "." line: RFC 3977 section 3.1.1.
func (s *session) lines() ([]string, error) {
	var all []string
	for range maxLines {
		line, err := wire.ReadLine(s.r)
		switch {
		case err != nil:
			return all, s.fail(err)
		case line == ".":
			return all, nil
		}
		all = append(all, strings.TrimPrefix(line, "."))
	}
	return all, s.fail(wire.ErrTooLong)
}

func (s *session) fail(err error) error {
	s.failed = cmp.Or(s.failed, err)
	return err
}

// Close sends QUIT, unless the conversation is broken: RFC 3977 section 5.4.
func (s *session) Close() error {
	if s.failed == nil && !s.spent {
		s.conn.Goodbye(s.peer, s.r, 205)
	}
	return s.conn.Close()
}
