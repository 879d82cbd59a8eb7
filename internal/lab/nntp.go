package lab

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// NNTP serves newsgroups on l until it is closed: name to the message-ids of
// its articles, without brackets, numbered from 1.
func NNTP(l net.Listener, groups map[string][]string) error {
	return (&News{Groups: groups}).Serve(l)
}

// News is a news server. It may be changed by Change while it serves.
type News struct {
	Groups map[string][]string    // name to message-ids as of NNTP; "": an article that was cancelled
	Text   func(id string) string // of an article; nil: it says which it is

	mu sync.Mutex
}

// Change changes the server between two requests.
func (n *News) Change(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
}

// Serve serves on l until it is closed.
func (n *News) Serve(l net.Listener) error {
	return serveLines(l, "200 lab news server ready\r\n", func() func(string) string {
		return (&newsSession{server: n}).reply
	})
}

type newsSession struct {
	server *News
	group  string
}

func (s *newsSession) reply(line string) string {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
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
		return "101 Capability list:\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE\r\n."
	case verb == "LIST" && len(words) > 1 && strings.EqualFold(words[1], "ACTIVE"):
		return s.list(cmp.Or(strings.Join(words[2:], ""), "*"))
	case len(words) != 2:
		return "501 Syntax error"
	case verb == "GROUP":
		return s.enter(words[1])
	case verb == "OVER":
		return s.over(words[1])
	case (verb == "STAT" || verb == "ARTICLE") && strings.HasPrefix(words[1], "<"):
		return s.byID(verb, strings.Trim(words[1], "<>"))
	case verb == "STAT" || verb == "ARTICLE":
		return s.byNumber(verb, words[1])
	}
	return "500 What?"
}

// list shows the groups of a pattern.
func (s *newsSession) list(pattern string) string {
	text := "215 Groups follow\r\n"
	for _, group := range slices.Sorted(maps.Keys(s.server.Groups)) {
		if match, _ := path.Match(pattern, group); match {
			text += fmt.Sprintf("%s %d 1 n\r\n", group, len(s.server.Groups[group]))
		}
	}
	return text + "."
}

func (s *newsSession) enter(group string) string {
	ids, ok := s.server.Groups[group]
	if !ok {
		return "411 No such group " + group
	}
	s.group = group
	return fmt.Sprintf("211 %d %d %d %s", len(ids), min(1, len(ids)), len(ids), group)
}

// over shows the overview of a range.
func (s *newsSession) over(numbers string) string {
	first, last, _ := strings.Cut(numbers, "-")
	from, _ := strconv.Atoi(first)
	to, err := strconv.Atoi(last)
	text := "224 Overview follows\r\n"
	for i, id := range s.server.Groups[s.group] {
		if n := i + 1; id != "" && n >= from && (n <= to || err != nil) {
			text += fmt.Sprintf("%d\tAbout %s\treader@wells.test\t1 Mar 2026 03:00:00 +0000\t<%s>\t\t100\t3\r\n", n, id, id)
		}
	}
	return text + "."
}

func (s *newsSession) byID(verb, id string) string {
	for _, ids := range s.server.Groups {
		if slices.Contains(ids, id) {
			return s.article(verb, 0, id)
		}
	}
	return "430 No such article"
}

func (s *newsSession) byNumber(verb, number string) string {
	ids, ok := s.server.Groups[s.group]
	if !ok {
		return "412 Not in a newsgroup"
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(ids) || ids[n-1] == "" {
		return "423 No such article number " + number
	}
	return s.article(verb, n, ids[n-1])
}

func (s *newsSession) article(verb string, n int, id string) string {
	if verb == "STAT" {
		return fmt.Sprintf("223 %d <%s> status", n, id)
	}
	text := "This is " + id + "."
	if s.server.Text != nil {
		text = s.server.Text(id)
	}
	return fmt.Sprintf("220 %d <%s> article\r\nMessage-ID: <%s>\r\nFrom: reader@wells.test\r\nSubject: About %s\r\n\r\n%s\r\n.", n, id, id, id, text)
}
