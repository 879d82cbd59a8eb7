package z3950

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

const (
	mostRecords = 100 // that are asked for by one Present
	usualSyntax = "usmarc"
)

// allRecords is the query for all that have a control number: Use 12, Relation 103
// (always matches).
const allRecords = `@attr 1=12 @attr 2=103 ""`

// Read implements check.Reader for databases: it gives the records that a query in PQF
// finds (Wanted.Query, "": allRecords), in the form that the URL names or as USmarc, from
// behind the place Wanted.After, at most Wanted.Most. Answer.Version is how many are found
// in all. The name of an Entry is its place; one without Data did not come, and its Version
// says why.
func (p prober) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, ok := t.URI.(*uri.Z3950)
	if !ok {
		return check.New(check.Internal, check.ReasonInternalError, "not a Z39.50 URL"), nil
	}
	if u.DocID != nil || len(u.Databases) == 0 {
		return check.New(check.Unsupported, check.ReasonNoClient, "no database by its URL"), nil
	}
	rpn, err := parsePQF(cmp.Or(w.Query, allRecords))
	if err != nil {
		return check.New(check.Invalid, check.ReasonURI("z3950-query"), err.Error()), nil
	}
	after, err := strconv.Atoi(cmp.Or(w.After, "0"))
	if err != nil || after < 0 {
		return check.New(check.Internal, check.ReasonInternalError, "a place that is no number"), nil
	}
	got := &found{databases: u.Databases, rpn: rpn, next: after + 1, most: w.Most, syntax: syntaxOID(append(u.Syntaxes, usualSyntax))}
	if u.ElementSet != nil {
		got.elementSet = *u.ElementSet
	}
	r := p.o.Run(check.WithTimeout(ctx, wire.ReadTime), func(ctx context.Context) check.Result {
		wait := wire.NewPatience(ctx, p.o.Timeout)
		defer wait.End()
		if !wire.LineSafe(u.Databases...) || !wire.LineSafe(got.elementSet) {
			return check.Classify(wire.ErrControl)
		}
		return p.o.Converse(wait, u.At, wire.Largest(w.MaxBytes), func(c *wire.Conn) check.Result {
			s := &session{conn: c, in: bufio.NewReader(c)}
			defer s.end()
			return s.read(got)
		})
	})
	if r.Outcome != check.OK {
		return r, nil
	}
	return r, take(&check.Answer{URI: u, Media: got.media(), Version: strconv.FormatInt(got.hits, 10), Entries: got.all()})
}

// found is what a query finds, and what of it is asked for.
type found struct {
	databases          []string
	rpn                []byte
	elementSet, syntax string
	next, most         int

	hits    int64
	entries []check.Entry
	broken  error // in place of the rest
}

// media is the type of the records.
func (f *found) media() string {
	switch f.syntax {
	case syntaxOID([]string{"xml"}):
		return "application/xml"
	case syntaxOID([]string{"usmarc"}):
		return "application/marc"
	}
	return ""
}

func (f *found) all() iter.Seq2[check.Entry, error] {
	return func(yield func(check.Entry, error) bool) {
		for _, e := range f.entries {
			if !yield(e, nil) {
				return
			}
		}
		if f.broken != nil {
			yield(check.Entry{}, f.broken)
		}
	}
}

// read searches, and asks for the records in portions. It never asks beyond the number
// that was counted: servers then give none.
func (s *session) read(f *found) check.Result {
	w, err := s.init(true, manyRecords)
	switch {
	case err != nil:
		return check.ClassifyFirst(err)
	case !w.accepted:
		return refused(w)
	}
	answer, err := ask(s, queryRequest(f.databases, f.rpn), apduSearchResponse, parseSearch)
	switch {
	case err != nil:
		return check.Classify(err)
	case answer.diag != nil:
		return diagnosed(answer.diag)
	}
	f.hits = answer.hits
	last := f.hits
	if f.most > 0 {
		last = min(last, int64(f.next)+int64(f.most)-1)
	}
	good := check.New(check.OK, check.ReasonZ3950Hit, fmt.Sprintf("%d records", f.hits))
	for int64(f.next) <= last {
		r, err := s.portion(f, int(min(last-int64(f.next)+1, mostRecords)))
		switch {
		case err == nil:
		case len(f.entries) == 0:
			return r
		default:
			f.broken = err
			return good
		}
	}
	return good
}

// portion asks for n records. A server that gives fewer has reached the size of a message:
// what is behind them is the next portion.
func (s *session) portion(f *found, n int) (check.Result, error) {
	got, err := ask(s, presentRequest(f.next, n, f.elementSet, f.syntax), apduPresentReply, parseRecords)
	if err != nil {
		return check.Classify(err), err
	}
	if got.diag != nil {
		r := diagnosed(got.diag)
		return r, errors.New(r.Reply)
	}
	if len(got.records) == 0 || len(got.records) > n {
		return check.Classify(errGarbled), fmt.Errorf("%w: %d records, where %d were asked for", errGarbled, len(got.records), n)
	}
	for _, e := range got.records {
		e.Name = strconv.Itoa(f.next)
		f.entries = append(f.entries, e)
		f.next++
	}
	return check.Result{}, nil
}

// presented is what we keep of a Present response.
type presented struct {
	records []check.Entry
	diag    *diagnostic
}

// parseRecords reads the records of a Present response (Z39.50-1995 section 3.2.3.1.6).
func parseRecords(n *node) (p presented, ok bool) {
	for _, tag := range []int{130, 205} {
		if k := n.child(tag); k != nil {
			p.diag = cmp.Or(findDiagnostic(k), &diagnostic{})
			return p, true
		}
	}
	records := n.child(28)
	if records == nil {
		return p, true
	}
	for i := range records.children {
		var e check.Entry
		record := records.children[i].child(1)
		if external := record.child(1); external != nil && len(external.children) > 0 {
			e.Data = octetsOf(&external.children[0])
		}
		if surrogate := record.child(2); surrogate != nil {
			e.Version = diagnosed(cmp.Or(findDiagnostic(surrogate), &diagnostic{})).Reply
		} else if e.Data == nil {
			e.Version = "a record in a form that is not read"
		}
		p.records = append(p.records, e)
	}
	return p, true
}

// octetsOf is what an EXTERNAL holds: octet-aligned [1], or an octet string as a single
// type [0].
func octetsOf(external *node) []byte {
	if aligned := external.child(1); aligned != nil {
		return []byte(aligned.text())
	}
	if single := external.child(0); single != nil && len(single.children) == 1 && !single.children[0].constructed {
		return single.children[0].data
	}
	return nil
}
