package lab

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Mail is a mail server with one mailbox, which anybody may read. It may be changed by Change
// while it serves.
type Mail struct {
	Mailbox  string            // its name; "": INBOX
	Validity uint32            // its UIDVALIDITY
	Messages map[uint32]string // by their UIDs

	Password string                              // of the user reader; "": none is wanted
	Answer   func(command string) (reply string) // in place of the usual one, its tag and end left out; nil or "": the usual one
	Heard    func(command string)                // each command but LOGIN; nil: not

	mu sync.Mutex
}

// Change changes the server between two requests.
func (m *Mail) Change(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

// Serve serves on l until it is closed.
func (m *Mail) Serve(l net.Listener) error {
	return serveLines(l, "* OK [CAPABILITY IMAP4rev1] lab mail server ready\r\n", func() func(string) string {
		return (&mailSession{server: m}).reply
	})
}

type mailSession struct {
	server *Mail
	known  bool // who asks
	open   bool // the mailbox
}

func (s *mailSession) reply(line string) string {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	tag, command, _ := strings.Cut(line, " ")
	if s.server.Heard != nil && !strings.HasPrefix(command, "LOGIN ") {
		s.server.Heard(command)
	}
	if s.server.Answer != nil {
		if reply := s.server.Answer(command); reply != "" {
			return strings.ReplaceAll(reply, "TAG", tag)
		}
	}
	data, end := s.answer(command)
	return data + tag + " " + end
}

// answer gives what comes before the end of a command, and the end.
func (s *mailSession) answer(command string) (data, end string) {
	verb, rest, _ := strings.Cut(command, " ")
	switch {
	case verb == "LOGIN" && s.server.Password != "" && rest != `"reader" "`+s.server.Password+`"`:
		return "", "NO [AUTHENTICATIONFAILED] Authentication failed."
	case verb == "LOGIN":
		s.known = true
		return "", "OK Logged in"
	case verb == "LOGOUT":
		return "* BYE Logging out\r\n", "OK Bye"
	case !s.known:
		return "", "BAD Log in first"
	case verb == "EXAMINE" && strings.Trim(rest, `"`) != cmp.Or(s.server.Mailbox, "INBOX"):
		s.open = false
		return "", "NO [NONEXISTENT] Mailbox doesn't exist: " + rest
	case verb == "EXAMINE":
		s.open = true
		return fmt.Sprintf("* %d EXISTS\r\n* OK [UIDVALIDITY %d] UIDs valid\r\n", len(s.server.Messages), s.server.Validity), "OK [READ-ONLY] Done"
	case s.open && command == "UID SEARCH ALL":
		return s.search(), "OK Done"
	case s.open && strings.HasPrefix(command, "UID FETCH "):
		return s.fetch(strings.TrimPrefix(command, "UID FETCH ")), "OK Done"
	}
	return "", "BAD What?"
}

func (s *mailSession) search() string {
	text := "* SEARCH"
	for _, uid := range slices.Sorted(maps.Keys(s.server.Messages)) {
		text += fmt.Sprintf(" %d", uid)
	}
	return text + "\r\n"
}

func (s *mailSession) fetch(rest string) string {
	number, _, _ := strings.Cut(rest, " ")
	uid, _ := strconv.ParseUint(number, 10, 32)
	text, ok := s.server.Messages[uint32(uid)]
	if !ok {
		return ""
	}
	return fmt.Sprintf("* 1 FETCH (UID %d BODY[] {%d}\r\n%s)\r\n", uid, len(text), text)
}
