package z3950

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// session is one Z39.50 association.
type session struct {
	conn *wire.Conn
	in   *bufio.Reader
	v3   bool
}

func dial(ctx context.Context, o check.Options, at uri.Endpoint) (*session, error) {
	conn, err := wire.Dial(ctx, o.Dialer, wire.Address(at), o.MaxBytes)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, in: bufio.NewReader(conn)}, nil
}

// close sends a Close APDU where version 3 was agreed on, and does not wait for the
// answer, which could change nothing.
func (s *session) close() {
	if s.v3 {
		s.conn.Write(closeRequest())
	}
	s.conn.Close()
}

func (s *session) init(v3 bool) (initResponse, error) {
	n, err := s.ask(initRequest(v3), apduInitResponse)
	if errors.Is(err, io.EOF) {
		return initResponse{}, check.ResultError(check.Temporary, check.ReasonClosed, "")
	}
	if err != nil {
		return initResponse{}, err
	}
	w, ok := parseInit(n)
	if !ok {
		return w, errGarbled
	}
	s.v3 = w.accepted && w.v3 && v3
	return w, nil
}

func (s *session) search(databases []string, docid string, structure bool) (searchResponse, error) {
	n, err := s.ask(searchRequest(databases, docid, structure), apduSearchResponse)
	if err != nil {
		return searchResponse{}, err
	}
	f, ok := parseSearch(n)
	if !ok {
		return f, errGarbled
	}
	return f, nil
}

// fetch presents the first record of the result set; the diagnostic is nil if it came.
func (s *session) fetch(elementSet, syntax string) (*diagnostic, error) {
	n, err := s.ask(presentRequest(elementSet, syntax), apduPresentReply)
	if err != nil {
		return nil, err
	}
	d, ok := parsePresent(n)
	if !ok {
		return nil, errGarbled
	}
	return d, nil
}

// ask makes one exchange. After an error no Close is sent.
func (s *session) ask(request []byte, want int) (*node, error) {
	n, err := s.exchange(request, want)
	if err != nil {
		s.v3 = false
	}
	return n, err
}

// exchange sends one APDU and reads one answer, which must be of the kind wanted.
func (s *session) exchange(request []byte, want int) (*node, error) {
	if _, err := s.conn.Write(request); err != nil {
		return nil, err
	}
	first, err := s.in.Peek(1)
	if err != nil {
		return nil, err
	}
	if first[0]&0xe0 != contextClass|0x20 {
		return nil, check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, wire.FirstWords(s.in))
	}
	n, err := readAPDU(s.in)
	switch {
	case err != nil:
		return nil, err
	case n.tag == want:
		return n, nil
	case n.tag == apduClose:
		return nil, closedBy(n)
	case n.tag == apduAccessControl:
		return nil, check.ResultError(check.Auth, check.ReasonZ3950AccessControl, "")
	}
	return nil, fmt.Errorf("%w: APDU %d", errGarbled, n.tag)
}

// closedBy reads a Close APDU in the place of an answer by its closeReason:
// security violation (5) refuses us, a protocol error (6) says nothing of the
// link, all others pass.
func closedBy(n *node) error {
	reason, ok := n.child(211).int()
	if !ok || reason < 0 || reason > 9 {
		reason = 9 // unspecified
	}
	outcome := check.Temporary
	switch reason {
	case 5:
		outcome = check.Blocked
	case 6:
		outcome = check.Undetermined
	}
	return check.ResultError(outcome, check.ReasonZ3950Close(int(reason)), n.child(3).text())
}
