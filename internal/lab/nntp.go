package lab

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// NNTP serves newsgroups on l until it is closed: name to the message-ids of
// its articles, without brackets, numbered from 1.
func NNTP(l net.Listener, groups map[string][]string) error {
	return serveLines(l, "200 lab news server ready\r\n", func() func(string) string {
		return (&newsSession{groups: groups}).reply
	})
}

type newsSession struct {
	groups map[string][]string
	group  string
}

func (s *newsSession) reply(line string) string {
	words := strings.Fields(line)
	if len(words) == 0 {
		return "500 What?"
	}
	switch verb := strings.ToUpper(words[0]); {
	case verb == "QUIT":
		return "205 Bye"
	case verb == "MODE":
		return "201 Reader, no posting"
	case verb == "CAPABILITIES":
		return "101 Capability list:\r\nVERSION 2\r\nREADER\r\n."
	case len(words) != 2:
		return "501 Syntax error"
	case verb == "GROUP":
		return s.enter(words[1])
	case verb == "STAT" && strings.HasPrefix(words[1], "<"):
		return s.byID(strings.Trim(words[1], "<>"))
	case verb == "STAT":
		return s.byNumber(words[1])
	}
	return "500 What?"
}

func (s *newsSession) enter(group string) string {
	ids, ok := s.groups[group]
	if !ok {
		return "411 No such group " + group
	}
	s.group = group
	return fmt.Sprintf("211 %d %d %d %s", len(ids), min(1, len(ids)), len(ids), group)
}

func (s *newsSession) byID(id string) string {
	for _, ids := range s.groups {
		if slices.Contains(ids, id) {
			return fmt.Sprintf("223 0 <%s> status", id)
		}
	}
	return "430 No such article"
}

func (s *newsSession) byNumber(number string) string {
	ids, ok := s.groups[s.group]
	if !ok {
		return "412 Not in a newsgroup"
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(ids) {
		return "423 No such article number " + number
	}
	return fmt.Sprintf("223 %d <%s> status", n, ids[n-1])
}
