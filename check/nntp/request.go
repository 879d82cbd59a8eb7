package nntp

import (
	"net/url"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// question is what a URI asks of a server: an article by its id, a group, an
// article by its number in a group, a pattern of groups, or just the server.
type question struct {
	id     string // message-id without brackets
	group  string // or pattern
	number string
}

// questionOf reads a URI. at is nil where it names no server.
func questionOf(u uri.URI) (q question, at *uri.Endpoint, ok bool) {
	switch u := u.(type) {
	case *uri.NNTP:
		return question{group: u.Group, number: u.Article}, &u.At, true
	case *uri.News:
		switch u.Kind {
		case uri.NewsArticle:
			q.id = u.MessageID
		case uri.NewsGroup:
			q.group = u.Group
		}
		return q, u.At, true
	}
	return question{}, nil, false
}

// path is the question as the path of a news URL.
func (q question) path() string {
	if q.id != "" {
		return strings.ReplaceAll(url.PathEscape(q.id), "%40", "@")
	}
	return url.PathEscape(q.group)
}

func (q question) pattern() bool { return strings.ContainsAny(q.group, "*?[") }

// ask sends the commands of the question and judges the last reply.
func (q question) ask(s *session) check.Result {
	switch {
	case q.id != "":
		return q.article(s, "<"+q.id+">")
	case q.pattern():
		return q.groups(s)
	case q.group == "":
		return s.greeting.result(check.Reachable)
	}
	r, err := s.ask("GROUP " + q.group)
	if err == nil && r.code == 401 { // RFC 3977 section 5.3: MODE READER is to be sent first
		if _, err = s.ask("MODE READER"); err == nil {
			r, err = s.ask("GROUP " + q.group)
		}
	}
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code != 211 || q.number == "":
		return judgeLast(s, r)
	}
	return q.article(s, q.number)
}

// article sends STAT, or HEAD where the server does not know STAT.
func (q question) article(s *session, which string) check.Result {
	r, err := s.ask("STAT " + which)
	if err == nil && r.code == 500 {
		r, err = s.ask("HEAD " + which)
		if err == nil && r.code == 221 {
			s.lines() // skips the header; where that fails the session is closed
		}
	}
	if err != nil {
		return check.Classify(err)
	}
	return judgeLast(s, r)
}

// groups asks whether any group has a name of the pattern: RFC 3977 section
// 7.6.3. Only the beginning of the list is read.
func (q question) groups(s *session) check.Result {
	r, err := s.ask("LIST ACTIVE " + q.group)
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code == 503:
		return r.result(check.Reachable)
	case r.code != 215:
		return judgeLast(s, r)
	}
	first, err := wire.ReadLine(s.r)
	switch {
	case err != nil:
		return check.Classify(s.fail(err))
	case first == ".":
		return r.result(check.Gone)
	}
	s.spent = true // the rest may be megabytes
	found := r.result(check.OK)
	found.Reply = check.CleanReply(first)
	return found
}

// judgeLast judges r. After 400 and 502 the server closes.
func judgeLast(s *session, r reply) check.Result {
	if r.code == 400 || r.code == 502 {
		s.fail(errEnded)
	}
	return judge(r)
}
