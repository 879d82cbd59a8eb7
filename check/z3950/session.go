package z3950

import (
	"bufio"
	"fmt"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// session is one Z39.50 association: what is said over one connection.
type session struct {
	conn     *wire.Conn
	in       *bufio.Reader
	sayClose bool // version 3 was agreed on, and no exchange has failed since
}

// end sends a Close APDU, which only version 3 has (PROTOCOLS 1.6). It does not wait for
// the answer, which could change nothing.
func (s *session) end() {
	if s.sayClose {
		s.conn.Write(closeRequest())
	}
}

// init offers versions 1 to 3, or without v3 versions 1 and 2, and messages of a size.
func (s *session) init(v3 bool, size int) (initResponse, error) {
	answer, err := ask(s, initRequest(v3, size), apduInitResponse, parseInit)
	s.sayClose = err == nil && answer.accepted && answer.v3 && v3
	return answer, err
}

// search asks how many records have the docid. With structure the query also says that
// the docid is a URx, as RFC 2056 wants; some servers know no such attribute.
func (s *session) search(databases []string, docid string, structure bool) (searchResponse, error) {
	return ask(s, searchRequest(databases, docid, structure), apduSearchResponse, parseSearch)
}

// ask makes one exchange and parses the answer. After a failed exchange no Close is
// sent: the connection is broken, or the server did not answer what was asked.
func ask[A any](s *session, request []byte, want int, parse func(*node) (A, bool)) (answer A, err error) {
	n, err := s.exchange(request, want)
	if err != nil {
		s.sayClose = false
		return answer, err
	}
	answer, ok := parse(n)
	if !ok {
		return answer, errGarbled
	}
	return answer, nil
}

// exchange sends one APDU and reads one answer, whose tag must be the one wanted. Every
// APDU begins with a constructed element of context class; what begins otherwise is
// another protocol.
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

// closedBy makes an error of a Close APDU that came in the place of an answer, by its
// closeReason (PROTOCOLS 1.4): with a security violation (5) the server refuses us, a
// protocol error (6) says nothing of the link, all others are temporary.
func closedBy(n *node) error {
	reason, ok := n.child(211).int() // closeReason
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
	return check.ResultError(outcome, check.ReasonZ3950Close(int(reason)), n.child(3).text()) // 3: diagnosticInformation
}
