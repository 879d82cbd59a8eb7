package wais

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// New makes the prober of wais URLs.
func New(o check.Options) check.Prober {
	return check.ProberOf(o, prober{o.WithDefaults()}.probe)
}

type prober struct{ o check.Options }

// probe takes these steps:
//
//  1. connect and send Init;
//  2. accepted: ask on the same connection. Refused, closed or silent: ask
//     without Init on a new one, as browsers of the time did;
//  3. a database is asked for its description, by a search without words; a
//     search is made too once the database is there; of a document 64 octets
//     are fetched;
//  4. a document whose retrieval ends the connection after a good Init may lie
//     in a database that is gone: ask for that;
//  5. where nothing answers, a Z39.50 Init tells whether it is another protocol.
func (p prober) probe(ctx context.Context, u *uri.WAIS) (r check.Result) {
	if !wire.LineSafe(values(u)...) {
		return check.Classify(wire.ErrControl)
	}
	c := &session{o: p.o, at: u.At}
	defer func() {
		c.hangUp()
		r.Bytes = c.bytes
	}()
	return c.ask(ctx, u)
}

// ask is the sequence that REAL-SERVERS section A recommends.
func (c *session) ask(ctx context.Context, u *uri.WAIS) check.Result {
	if err := c.dial(ctx, 3); err != nil {
		return check.Classify(err)
	}
	accepted, err := c.init()
	switch {
	case err == nil && accepted:
		return c.afterInit(ctx, u)
	case errors.Is(err, errNAK):
		return c.withoutInit(ctx, u, check.Classify(err))
	case err == nil:
		return c.withoutInit(ctx, u, understood())
	case !nothingCame(err) || !wire.LineSafe(framed(u)...): // it has not spoken WAIS, and may be a server of lines
		return check.Classify(err)
	}
	r := c.withoutInit(ctx, u, check.Classify(err))
	if r.Outcome == check.Temporary && c.speaksZ3950(ctx) {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, "a Z39.50 server")
	}
	return r
}

// afterInit asks on the connection whose Init was accepted.
func (c *session) afterInit(ctx context.Context, u *uri.WAIS) check.Result {
	c.bytes += c.conn.BytesRead()
	c.conn.Reset(ctx, c.o.MaxBytes)
	r, err := c.question(u)
	switch {
	case err == nil:
		return r
	case !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET):
		return check.Classify(err)
	case !isDocument(u): // the server lives and speaks WAIS: REAL-SERVERS A14
		return check.New(check.Reachable, check.ReasonClosed, "connection closed at the search")
	}
	if err := c.dial(ctx, 1); err == nil {
		if r, err := c.database(u.Database); err == nil && (r.Outcome == check.Gone || r.Outcome == check.Auth) {
			return r
		}
	}
	return check.New(check.Undetermined, check.ReasonClosed, "connection closed at the retrieval")
}

// withoutInit asks on a new connection; if nothing answers either, otherwise
// is the result.
func (c *session) withoutInit(ctx context.Context, u *uri.WAIS, otherwise check.Result) check.Result {
	if err := c.dial(ctx, 2); err != nil {
		return otherwise
	}
	r, err := c.question(u)
	switch {
	case err == nil:
		return r
	case nothingCame(err):
		return otherwise
	}
	return check.Classify(err)
}

// question asks what the URL is about.
func (c *session) question(u *uri.WAIS) (check.Result, error) {
	if docid, ok := docidOf(u.RawPath, u.Path); ok && isDocument(u) {
		a, err := c.exchange(retrievalRequest(u.Database, u.Type, docid))
		return judgeDocument(a), err
	}
	r, err := c.database(u.Database)
	switch {
	case err != nil || r.Outcome != check.OK:
		return r, err
	case isDocument(u): // an id that is not understood is not sent: REAL-SERVERS A14
		return check.New(check.Reachable, r.Reason, r.Reply).WithFlags(check.FlagDocIDUnverified), nil
	case u.Form == uri.WAISSearch && u.Search != "":
		words := strings.ReplaceAll(u.Search, "+", " ") // PROTOCOLS 2.4
		if a, err := c.exchange(searchRequest(u.Database, words)); err == nil {
			return judgeWords(a), nil
		}
	}
	return r, nil
}

// database asks for the description of a database.
func (c *session) database(name string) (check.Result, error) {
	a, err := c.exchange(searchRequest(name, ""))
	return judgeDatabase(a), err
}

func isDocument(u *uri.WAIS) bool {
	return u.Form == uri.WAISDocument || u.Form == uri.WAISUDIDocument
}

// nothingCame reports whether a connection was closed or silent before any octet came.
func nothingCame(err error) bool { return check.Classify(err).Outcome == check.Temporary }
