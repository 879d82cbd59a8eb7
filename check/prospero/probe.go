package prospero

import (
	"context"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

const (
	defaultPort    = 1525
	privilegedPort = 191  // from which servers answer too (REAL-SERVERS B)
	maxHops        = 2    // of FORWARDED
	maxRequest     = 1200 // octets of a datagram that everyone can take
)

// New makes the prober of prospero URLs.
func New(o check.Options) check.Prober {
	return check.ProberOf(o, prober{o.WithDefaults()}.probe)
}

type prober struct{ o check.Options }

// probe takes these steps:
//
//  1. send VERSION and GET-OBJECT-INFO in one datagram; for an archie query, or
//     without a name, VERSION alone;
//  2. take the first packet of the right connection id from the server's address
//     and a port of it;
//  3. attributes prove the object, a failure says what is wrong;
//  4. where the server has none of the attributes, ask for the names in it: a
//     directory may have none;
//  5. ask once more, since anyone may send a datagram: strong evidence takes two
//     answers that agree;
//  6. a server that says where the object is now is believed: ask there.
func (p prober) probe(ctx context.Context, u *uri.Prospero) check.Result {
	var hops []check.Hop
	var bytes int64
	for {
		v, n := p.ask(ctx, u)
		bytes += n
		if v.forwarded == nil || len(hops) == maxHops {
			v.result.Bytes = bytes
			return withHops(v.result, hops)
		}
		u = v.forwarded
		hops = append(hops, check.Hop{URL: address(u)})
	}
}

// withHops adds the redirects to the result at their end.
func withHops(r check.Result, hops []check.Hop) check.Result {
	if len(hops) == 0 {
		return r
	}
	r.Hops, r.FinalURL = hops, hops[len(hops)-1].URL
	if r.Outcome == check.OK {
		r.Outcome, r.Reason, r.SuggestedURL = check.Moved, check.ReasonProsperoForwarded, r.FinalURL
	}
	return r
}

// ask sends up to three requests to one server.
func (p prober) ask(ctx context.Context, u *uri.Prospero) (v answer, bytes int64) {
	version := "0"
	for _, f := range u.Fields {
		if strings.EqualFold(f.Name, "object-version") {
			if version = f.Value; strings.Trim(version, "0123456789") != "" {
				version = quote(version)
			}
		}
	}
	name := quote(u.HSOName)
	text := "VERSION\nGET-OBJECT-INFO ACCESS-METHOD+SIZE+LAST-MODIFIED ASCII " + name + " " + version + "\n"
	switch {
	case !wire.LineSafe(name, version):
		return answer{result: check.Classify(wire.ErrControl)}, 0
	case len(text) > maxRequest:
		return decidedBy(check.Undetermined, check.ReasonTooLong, "the name does not fit into one packet"), 0
	case u.HSOName == "", strings.HasPrefix(u.HSOName, "ARCHIE/"): // PROTOCOLS 3.5
		text = "VERSION\n"
	}
	question := func() answer {
		v, n := p.question(ctx, u.At, text)
		bytes += n
		return v
	}
	v = question()
	listed := v.noneFound
	if listed {
		text = "VERSION\nDIRECTORY ASCII " + name + "\nLIST COMPONENTS\n"
		v = question()
	}
	if listed && v.result.Outcome == check.Gone { // that contradicts the first answer
		v.result = v.result.WithEvidence(check.Weak)
	}
	if v.result.Evidence == check.Strong {
		v = v.confirmedBy(question())
	}
	if listed && v.noneFound {
		v.result = check.New(check.OK, check.ReasonProsperoObject, "an empty directory").WithEvidence(v.result.Evidence)
	}
	return v, bytes
}

// confirmedBy is the answer after the same question was asked again.
func (v answer) confirmedBy(again answer) answer {
	switch {
	case again.result.Evidence != check.Strong: // none came, or none that says anything
		v.result, v.forwarded = v.result.WithEvidence(check.Weak), nil
	case again.result.Reason != v.result.Reason || again.noneFound != v.noneFound || !sameObject(again.forwarded, v.forwarded):
		return decidedBy(check.Undetermined, check.ReasonProsperoAnswer, "two answers differ: "+v.result.Reply)
	}
	return v
}

// sameObject compares two places to which a server forwards; nil is none.
func sameObject(a, b *uri.Prospero) bool {
	return a == nil && b == nil || a != nil && b != nil && a.At == b.At && a.HSOName == b.HSOName
}
