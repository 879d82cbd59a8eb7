package nntp

import (
	"context"
	"errors"
	"io"
	"strconv"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Read implements check.Reader for URIs with a server. What is brought is by what they name:
//
//	news://host/id@domain      the article: Body, of the type message/rfc822
//	nntp://host/group/number   the same
//	news://host/group          articles, by GROUP and OVER: Name is news://host/id@domain,
//	                           Version the number in the group
//	nntp://host/group          articles, by LISTGROUP: Name is nntp://host/group/number,
//	                           Version the number
//	news://host/pattern        groups, by LIST ACTIVE: Name is news://host/group, Folder is
//	                           set, Version is "high low status"
//	news://host/ and .../*     all groups
//
// Of a group Answer.Version is "count low high" as GROUP says them: an estimate, the first
// and the last number. Wanted.After is a number: entries are those behind it, and with
// Wanted.Most those of so many numbers (some of which may hold no article), counted from the
// first number of the group. Numbers come in the order of the server, which is upwards.
// Behind the last number nothing is asked for, nor where that is not above the last one in
// Wanted.Version: it may be wrong, but grows with each article.
//
// Where a server knows neither OVER, XOVER nor HDR, the Message-IDs are asked for by STAT or
// HEAD, number by number, but for those that Wanted.Same knows; of many only the first, and
// Answer.Cut is set. For these, where a server gives no Message-ID, and for one that makes no
// URI, Name is nntp://host/group/number. A list that did not come whole ends in an error.
//
// An article does not change: with any Wanted.Version it is asked by STAT whether it is
// there, and nothing is handed on.
func (p *prober) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	q, at, ok := questionOf(t.URI)
	b := &bringing{question: q, uri: t.URI, wanted: w, limit: wire.LargestList}
	if after, err := strconv.ParseUint(w.After, 10, 63); err == nil {
		b.first = after + 1
	}
	if b.one() {
		b.limit = wire.Largest(w.MaxBytes)
	}
	defer b.body.Close()
	r := p.o.Run(check.WithTimeout(ctx, wire.ReadTime), func(ctx context.Context) check.Result {
		switch {
		case !ok:
			return check.New(check.Internal, check.ReasonInternalError, "not a news URI")
		case !wire.LineSafe(q.group, q.id, q.number):
			return check.Classify(wire.ErrControl)
		case at == nil:
			return check.New(check.NotDereferenceable, check.ReasonNoNewsServer, "no server in it")
		}
		b.at = *at
		k := key{wire.Address(*at), tlsScheme(t.URI.Scheme())}
		b.habits = p.memory.of(k, p.o.Now())
		defer func() {
			if !b.passing {
				p.memory.keep(k, b.habits, p.o.Now())
			}
		}()
		wait := wire.NewPatience(ctx, p.o.Timeout)
		defer wait.End()
		return p.askServer(wait, b.ask, k, b.limit+b.limit/8+p.o.MaxBytes)
	})
	if r.Outcome != check.OK || b.bring == nil {
		return r, nil
	}
	return r, take(b.answer())
}

// bringing is a Read under way.
type bringing struct {
	question
	uri    uri.URI
	at     uri.Endpoint
	wanted check.Wanted
	limit  int64 // octets of what comes
	habits habits

	bring   func(line string) (check.Entry, bool) // makes the entries of a list; for an article as good as none
	first   uint64                                // number that is wanted
	last    uint64                                // the same; 0: no bound
	version string
	body    wire.Spool // what came, without the dots of the protocol
	cut     bool       // there is more
	more    bool       // the same, of a list as far as it was asked for
	passing bool       // the server says that it does for now not know what it knew
	broken  error      // it ended in an error
}

// one says whether an article is wanted.
func (b *bringing) one() bool { return b.id != "" || b.number != "" }

// ask is the conversation.
func (b *bringing) ask(s *session) check.Result {
	b.bring, b.broken, b.cut, b.more = nil, nil, false, false
	if err := b.body.Close(); err != nil {
		return check.Classify(errors.Join(wire.ErrSpool, err))
	}
	switch {
	case b.id != "" && b.wanted.Version != "":
		return b.there(s, "<"+b.id+">")
	case b.id != "":
		return b.fetch(s, "ARTICLE <"+b.id+">", 220, noEntry)
	case b.group == "":
		return b.fetch(s, "LIST ACTIVE", 215, b.groupEntry)
	case b.pattern():
		return b.fetch(s, "LIST ACTIVE "+b.group, 215, b.groupEntry)
	}
	r, err := s.in(b.group)
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code != 211:
		return judgeLast(s, r)
	case b.number != "" && b.wanted.Version != "":
		return b.there(s, b.number)
	case b.number != "":
		return b.fetch(s, "ARTICLE "+b.number, 220, noEntry)
	}
	return b.list(s, r)
}

// fetch sends a command, and keeps the lines that follow its reply if that has the code.
func (b *bringing) fetch(s *session, command string, code int, bring func(string) (check.Entry, bool)) check.Result {
	r, err := s.ask(command)
	switch {
	case err != nil:
		return check.Classify(err)
	case r.code != code:
		return judgeLast(s, r)
	}
	if err := b.keep(s); errors.Is(err, wire.ErrSpool) {
		return check.Classify(err)
	}
	if code == 215 && b.pattern() && b.body.Size() == 0 && b.broken == nil {
		return r.result(check.Gone) // as a probe has it
	}
	b.bring = bring
	return r.result(check.OK)
}

// answer is what is handed on.
func (b *bringing) answer() *check.Answer {
	a := &check.Answer{URI: b.uri, Version: b.version, Cut: b.cut || b.more}
	if b.one() {
		a.Media, a.Body = "message/rfc822", b.body.Reader()
		if b.broken != nil {
			a.Body = io.MultiReader(a.Body, failing{b.broken})
		}
		return a
	}
	a.Entries = b.entries
	return a
}

// failing is the end of what did not come whole.
type failing struct{ error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.error }
