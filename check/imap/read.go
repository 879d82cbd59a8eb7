// Package imap reads archives of mail: the messages of a mailbox on a server of IMAP
// (RFC 3501, RFC 9051), as imap and imaps URLs name them (RFC 5092). It opens mailboxes by
// EXAMINE and asks for BODY.PEEK[], so that nothing changes there, no flag either. Links
// are not asked about: they need an account.
//
// The client is our own: it reads nothing between two questions, its connections end with
// their context and their budget, and it keeps the words with which a server ends a session.
package imap

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// New makes the reader of imap and imaps URLs, which is a check.Reader. As a prober it says
// of each that it is not asked about.
func New(o check.Options) check.Prober { return &reader{o: o.WithDefaults()} }

type reader struct {
	o    check.Options
	idle wire.Sessions[key, *session]
}

// Probe implements check.Prober.
func (p *reader) Probe(ctx context.Context, _ check.Target) check.Result {
	return p.o.Run(ctx, func(context.Context) check.Result {
		return check.New(check.Unsupported, check.ReasonNoClient, "")
	})
}

// Hooks implements check.Prober.
func (p *reader) Hooks() check.Hooks {
	return check.Hooks{CloseIdle: func(host string) {
		p.idle.CloseWhere(func(k key) bool { return wire.SameHost(k.address, host) })
	}}
}

// Close ends the idle sessions.
func (p *reader) Close() error { return p.idle.Close() }

// Read implements check.Reader. What is brought is by what the URL names:
//
//	imap://host/box                          messages, by UID SEARCH: Name is
//	                                         imap://host/box;UIDVALIDITY=n/;UID=m, Version the UID
//	imap://host/box;UIDVALIDITY=n/;UID=m     the message: Body, of the type message/rfc822
//
// Of a mailbox Answer.Version is its UIDVALIDITY, and the UIDs come in order. A list that does
// not name as many messages as the server counts ends in an error. A message of another
// UIDVALIDITY than the mailbox has now, and one that did not come whole, is not handed on.
//
// Without a secret the login is that of anybody (RFC 5092 section 3.2). A password is sent in
// TLS with a certificate that holds alone, or to this machine.
func (p *reader) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	a, ok := addressOf(t.URI)
	b := &bringing{address: a, limit: wire.LargestList}
	if a.uid != 0 {
		b.limit = wire.Largest(w.MaxBytes)
	}
	defer b.body.Close()
	r := p.o.Run(check.WithTimeout(ctx, wire.ReadTime), func(ctx context.Context) check.Result {
		switch {
		case !ok:
			return check.New(check.Unsupported, check.ReasonNoClient, "it names no mailbox")
		case !wire.LineSafe(a.mailbox, w.Secret.User, w.Secret.Password):
			return check.Classify(wire.ErrControl)
		}
		wait := wire.NewPatience(ctx, p.o.Timeout)
		defer wait.End()
		return p.ask(wait, b, key{wire.Address(a.at), t.URI.Scheme() == "imaps", w.Secret}, b.limit+b.limit/8+p.o.MaxBytes)
	})
	if r.Outcome != check.OK {
		return r, nil
	}
	return r, take(b.answer(t.URI))
}

// address is what a URL names: a mailbox, or a message of it.
type address struct {
	at            uri.Endpoint
	mailbox       string // in UTF-8
	validity, uid uint32 // 0: the URL names none
}

// form is the path of a URL, RFC 5092 section 11: a mailbox, and a message of it.
var form = regexp.MustCompile(`(?i)^/([^;?]+)(?:;UIDVALIDITY=([0-9]{1,10})/;UID=([0-9]{1,10}))?$`)

func addressOf(u uri.URI) (a address, ok bool) {
	at, ok := u.Endpoint()
	path := u.Parts().Path
	parts := form.FindStringSubmatch(path)
	if !ok || parts == nil {
		return a, false
	}
	box, err := url.PathUnescape(parts[1])
	a = address{at, box, numberOf(parts[2]), numberOf(parts[3])}
	return a, err == nil && (parts[2] == "" || a.validity != 0 && a.uid != 0)
}

// numberOf reads a nz-number, RFC 3501 section 9; 0: it is none.
func numberOf(s string) uint32 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// ask asks over an idle session, or a new one. A session that the server closed meanwhile
// is replaced once.
func (p *reader) ask(ctx context.Context, b *bringing, k key, budget int64) check.Result {
	if s, ok := p.idle.Take(k); ok {
		s.answered = false
		s.conn.Reset(ctx, budget)
		if r := p.converse(s, b); s.failed == nil || s.answered || ctx.Err() != nil {
			return r
		}
	}
	s, err := dial(ctx, p.o, k, budget)
	if err != nil {
		return check.Classify(err)
	}
	return p.converse(s, b)
}

// converse asks over a session and puts it back into the pool, where it can go on.
func (p *reader) converse(s *session, b *bringing) check.Result {
	r, ready := s.login()
	if ready {
		r = b.ask(s)
	}
	if r.Bytes = s.conn.BytesRead(); s.flag != "" {
		r = r.WithFlags(s.flag)
	}
	if !ready || s.failed != nil || s.spent {
		_ = s.Close()
		return r
	}
	s.conn.Reset(context.Background(), 0)
	p.idle.Put(s.key, s)
	return r
}

// bringing is a Read under way.
type bringing struct {
	address
	limit int64      // octets of a message
	uids  []uint32   // of the mailbox, in order
	short error      // the list is not whole
	body  wire.Spool // the message
	cut   bool       // there is more
}

// answer is what is handed on.
func (b *bringing) answer(u uri.URI) *check.Answer {
	a := &check.Answer{URI: u, Cut: b.cut}
	if b.uid != 0 {
		a.Media, a.Body = "message/rfc822", b.body.Reader()
		return a
	}
	a.Version = fmt.Sprint(b.validity)
	a.Entries = func(yield func(check.Entry, error) bool) {
		for _, uid := range b.uids {
			number := strconv.FormatUint(uint64(uid), 10)
			if !yield(check.Entry{Name: u.String() + ";UIDVALIDITY=" + a.Version + "/;UID=" + number, Version: number}, nil) {
				return
			}
		}
		if b.short != nil {
			yield(check.Entry{}, b.short)
		}
	}
	return a
}
