package nntp

import (
	"net/url"
	"path"
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
		case uri.NewsGroup, uri.NewsWildmat:
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
	r, err := s.enter(q.group)
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code != 211 || q.number == "":
		return judgeLast(s, r)
	}
	return q.article(s, q.number)
}

// enter sends GROUP.
func (s *session) enter(group string) (reply, error) {
	r, err := s.ask("GROUP " + group)
	if err == nil && r.code == 401 { // RFC 3977 section 5.3: MODE READER is to be sent first
		if _, err = s.ask("MODE READER"); err == nil {
			r, err = s.ask("GROUP " + group)
		}
	}
	if err == nil && r.code == 211 {
		s.group, s.inGroup = group, inGroup{entered: r}
	}
	return r, err
}

// in is enter, where the session is not in the group.
func (s *session) in(group string) (reply, error) {
	if s.group == group {
		return s.entered, nil
	}
	return s.enter(group)
}

// article sends STAT, or HEAD where the server does not know STAT.
func (q question) article(s *session, which string) check.Result {
	r, err := s.ask("STAT " + which)
	if err == nil && r.code == 500 {
		r, err = s.head(which)
	}
	if err != nil {
		return check.Classify(err)
	}
	return judgeLast(s, r)
}

// head sends HEAD.
func (s *session) head(which string) (reply, error) {
	r, err := s.ask("HEAD " + which)
	if err == nil && r.code == 221 {
		s.lines() // skips the header; where that fails the session is closed
	}
	return r, err
}

// groups asks whether any group has a name of the pattern: RFC 3977 section
// 7.6.3. Only the beginning of the list is read. Some servers pass over the pattern
// and list all groups: a list without a name that matches proves that there is none
// only where it was read to its end.
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
	for n := range maxLines {
		line, err := wire.ReadLine(s.r)
		name, _, _ := strings.Cut(line, " ")
		switch {
		case err != nil && n == 0:
			return check.Classify(s.fail(err))
		case err != nil:
			s.fail(err)
			return r.result(check.Reachable)
		case line == "." && n == 0:
			return r.result(check.Gone)
		case line == ".":
			return r.result(check.Gone).WithEvidence(check.Weak)
		case matches(q.group, name):
			s.spent = true // the rest may be megabytes
			found := r.result(check.OK)
			found.Reply = check.CleanReply(line)
			return found
		}
	}
	s.spent = true
	return r.result(check.Reachable)
}

// matches reports whether a wildmat takes a name: of its patterns, which commas
// separate, the last one that fits decides, and "!" before it says no (RFC 3977
// section 4.2). A pattern that cannot be read takes every name, as the server did.
func matches(wildmat, name string) bool {
	slash := strings.NewReplacer("/", "\x00") // to path.Match it separates
	taken := false
	for pattern := range strings.SplitSeq(wildmat, ",") {
		pattern, not := strings.CutPrefix(pattern, "!")
		if fits, err := path.Match(slash.Replace(pattern), slash.Replace(name)); fits || err != nil {
			taken = !not
		}
	}
	return taken
}

// judgeLast judges r. After 400 the server closes (RFC 3977 section 3.2.1).
func judgeLast(s *session, r reply) check.Result {
	if r.code == 400 {
		s.fail(errEnded)
	}
	return judge(r)
}
