package z3950

import (
	"bufio"
	"fmt"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// session is one Z39.50 association.
type session struct {
	conn *wire.Conn
	in   *bufio.Reader
	v3   bool
}

// end sends a Close APDU where version 3 was agreed on, and does not wait for the
// answer, which could change nothing.
func (s *session) end() {
	if s.v3 {
		s.conn.Write(closeRequest())
	}
}

func (s *session) init(v3 bool) (initResponse, error) {
	w, err := ask(s, initRequest(v3), apduInitResponse, parseInit)
	s.v3 = err == nil && w.accepted && w.v3 && v3
	return w, err
}

func (s *session) search(databases []string, docid string, structure bool) (searchResponse, error) {
	return ask(s, searchRequest(databases, docid, structure), apduSearchResponse, parseSearch)
}

// ask makes one exchange and parses the answer. After a failed exchange no Close is sent.
func ask[A any](s *session, request []byte, want int, parse func(*node) (A, bool)) (answer A, err error) {
	n, err := s.exchange(request, want)
	if err != nil {
		s.v3 = false
		return answer, err
	}
	answer, ok := parse(n)
	if !ok {
		return answer, errGarbled
	}
	return answer, nil
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
