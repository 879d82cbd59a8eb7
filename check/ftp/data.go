package ftp

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"

	"linkcheck/check/wire"
)

// transfer is what came of a command that is answered over a data connection.
type transfer struct {
	last   reply // the refusal, or the reply at the end
	began  bool
	more   bool  // than was wanted
	broken error // it ended in an error
}

// whole says whether all came that the server has.
func (t *transfer) whole() bool { return t.broken == nil && !t.more && t.last.code/100 == 2 }

// fetch sends a command and keeps what comes over the data connection, at most limit
// octets. The error is a broken conversation, or our own.
func (s *session) fetch(command string, to *wire.Spool, limit int64) (t transfer, err error) {
	if err := to.Close(); err != nil {
		return t, errors.Join(wire.ErrSpool, err)
	}
	c, r, err := s.passive(limit)
	if c == nil {
		t.last = r
		return t, err
	}
	defer c.Close()
	if t.last, err = s.control.ask(command); err != nil || t.last.code/100 != 1 {
		return t, err
	}
	t.began = true
	t.more, err = to.Fill(c, limit)
	s.octets += to.Size()
	switch {
	case errors.Is(err, wire.ErrSpool):
		return t, err
	case t.more:
		s.user = "" // the server is in the midst of it: no other question has its answer next
		return t, nil
	}
	t.broken = err
	c.Close()
	if t.last, err = s.control.await(); err != nil && t.broken == nil {
		t.broken = err
	}
	return t, nil
}

// passive opens a data connection to the server, whatever address it says; nil where it
// refuses by a reply.
func (s *session) passive(limit int64) (net.Conn, reply, error) {
	port, r, err := s.passivePort()
	if err != nil || port == 0 {
		return nil, r, err
	}
	host, _, err := net.SplitHostPort(s.control.RemoteAddr().String())
	if err != nil {
		return nil, r, err
	}
	c, err := s.dialData(net.JoinHostPort(host, strconv.Itoa(port)), limit+limit/8+wire.MaxLine)
	return c, r, err
}

// passivePort asks for a port: RFC 2428 section 3, else RFC 959 section 4.1.2.
func (s *session) passivePort() (port int, r reply, err error) {
	if !s.withoutEPSV {
		r, err = s.control.ask("EPSV")
		if m := extendedPort.FindStringSubmatch(r.text); err == nil && r.code == 229 && m != nil {
			port, err = strconv.Atoi(m[1])
			return port, r, err
		}
		if err != nil {
			return 0, r, err
		}
		s.withoutEPSV = true
	}
	r, err = s.control.ask("PASV")
	if err != nil || r.code != 227 {
		return 0, r, err
	}
	var a [6]int
	m := passiveAddress.FindString(r.text)
	if n, _ := fmt.Sscanf(m, "%d,%d,%d,%d,%d,%d", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]); n < 6 || a[4] > 255 || a[5] > 255 {
		return 0, r, nil
	}
	return a[4]<<8 | a[5], r, nil
}

var (
	extendedPort   = regexp.MustCompile(`\([!-~]{3}(\d{1,5})[!-~]\)`)
	passiveAddress = regexp.MustCompile(`\d{1,3}(,\d{1,3}){5}`)
)
