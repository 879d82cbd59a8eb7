package z3950

import (
	"bufio"
	"context"
	"errors"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// maxDatabases bounds the searches of a URL whose server wants its databases
// one at a time.
const maxDatabases = 8

// New makes the prober and reader of z39.50r and z39.50s URLs.
func New(o check.Options) check.Prober {
	p := prober{o: o.WithDefaults()}
	p.ProbeFunc = check.ProberOf(o, p.probe)
	return p
}

type prober struct {
	check.ProbeFunc
	o check.Options
}

// probe takes these steps:
//
//  1. connect and send Init, versions 1 to 3, search and present;
//  2. without a docid stop here: RFC 2056 has no operation for "is the database
//     there", and the rest of such a URL are hints;
//  3. search the docid (Use 1032, Structure 104) and ask for the number of hits
//     alone; where the server dislikes the form of the query, without Structure,
//     in version 2, or in one database at a time;
//  4. exactly one hit is success; with esn or rs present that record too;
//  5. say Close in version 3.
func (p prober) probe(ctx context.Context, u *uri.Z3950) check.Result {
	if !wire.LineSafe(u.Databases...) || u.DocID != nil && !wire.LineSafe(*u.DocID) || u.ElementSet != nil && !wire.LineSafe(*u.ElementSet) {
		return check.Classify(wire.ErrControl)
	}
	r, again := p.converse(ctx, u, true)
	if again {
		before := r.Bytes
		r, _ = p.converse(ctx, u, false)
		r.Bytes += before
	}
	return r
}

// converse makes one connection. again says that the server cannot read our
// version 3 search, so that version 2 is worth a try.
func (p prober) converse(ctx context.Context, u *uri.Z3950, v3 bool) (r check.Result, again bool) {
	r = p.o.Converse(ctx, u.At, p.o.MaxBytes, func(c *wire.Conn) (r check.Result) {
		s := &session{conn: c, in: bufio.NewReader(c)}
		defer s.end()
		r, again = s.probe(u, v3)
		return r
	})
	return r, again
}

func (s *session) probe(u *uri.Z3950, v3 bool) (r check.Result, again bool) {
	w, err := s.init(v3, oneRecord)
	switch {
	case err != nil:
		return check.ClassifyFirst(err), false
	case !w.accepted:
		return refused(w), false
	case u.DocID == nil:
		return opened(w, u.Retrieval), false
	}
	f, err := s.find(u.Databases, *u.DocID, v3)
	switch {
	case err != nil:
		return check.Classify(err), false
	case v3 && f.diag.in(badQuery, badAPDU):
		return diagnosed(f.diag), true
	case f.diag != nil:
		return diagnosed(f.diag), false
	case f.hits != 1:
		return counted(f.hits), false
	}
	return s.present(u), false
}

// find searches the docid, and asks more simply where the server dislikes the
// form of the question (PROTOCOLS 1.4).
func (s *session) find(databases []string, docid string, structure bool) (searchResponse, error) {
	f, err := s.search(databases, docid, structure)
	if err == nil && structure && f.diag.unsupportedAttribute() {
		f, err = s.search(databases, docid, false)
	}
	if err != nil || !f.diag.in(combination, tooManyDatabases) || len(databases) < 2 || len(databases) > maxDatabases {
		return f, err
	}
	var sum searchResponse
	for i := range databases {
		f, err := s.find(databases[i:i+1], docid, structure)
		if err != nil {
			return f, err
		}
		sum.hits += f.hits
		if f.diag != nil && (sum.diag == nil || sum.diag.outcome() == check.Gone) {
			sum.diag = f.diag
		}
	}
	if sum.hits > 0 {
		sum.diag = nil
	}
	return sum, nil
}

// present asks for the one record in the form that the URL names. A server
// that has the record in other forms only has it nonetheless.
func (s *session) present(u *uri.Z3950) check.Result {
	elementSet, syntax := "", syntaxOID(u.Syntaxes)
	if u.ElementSet != nil {
		elementSet = *u.ElementSet
	}
	r := counted(1)
	if elementSet == "" && syntax == "" {
		return r
	}
	d, err := ask(s, presentRequest(1, 1, elementSet, syntax), apduPresentReply, parsePresent)
	switch {
	case errors.Is(err, wire.ErrTooLong): // it comes, and it is long
		return r
	case err != nil:
		return check.Classify(err)
	case d.unsupportedForm():
		return r.WithFlags(check.FlagFormRefused)
	case d != nil:
		return diagnosed(d)
	}
	return r
}
