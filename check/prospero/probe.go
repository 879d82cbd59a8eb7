package prospero

import (
	"context"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

const (
	defaultPort = 1525
	maxHops     = 2    // of FORWARDED
	maxRequest  = 1200 // octets of a datagram that everyone can take

	// Connection ids have two equal octets: a server repeats an answer with
	// its own byte order (REAL-SERVERS B9). The second question has one of its
	// own, so that a late answer to the first is not taken for one to it.
	firstID, secondID = 0x4c4c, 0x4d4d
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
//  2. take the first packet of the right connection id from the server's
//     address, whatever its port;
//  3. attributes prove the object, a failure says what is wrong;
//  4. where the server has none of the attributes, ask for the names in it: a
//     directory may have none;
//  5. a server that says where the object is now is believed: ask there.
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

// ask sends one or two requests to one server.
func (p prober) ask(ctx context.Context, u *uri.Prospero) (answer, int64) {
	version := "0"
	for _, f := range u.Fields {
		if strings.EqualFold(f.Name, "object-version") {
			if version = f.Value; strings.Trim(version, "0123456789") != "" {
				version = quote(version)
			}
		}
	}
	name := quote(u.HSOName)
	first := "VERSION\nGET-OBJECT-INFO ACCESS-METHOD+SIZE+LAST-MODIFIED ASCII " + name + " " + version + "\n"
	switch {
	case !wire.LineSafe(name, version):
		return answer{result: check.Classify(wire.ErrControl)}, 0
	case len(first) > maxRequest:
		return decidedBy(check.Undetermined, check.ReasonTooLong, "the name does not fit into one packet"), 0
	case u.HSOName == "", strings.HasPrefix(u.HSOName, "ARCHIE/"): // PROTOCOLS 3.5
		first = "VERSION\n"
	}
	l, err := p.listen(ctx, u.At)
	if err != nil {
		return answer{result: check.Classify(err)}, 0
	}
	defer l.close()
	v := l.question(request(firstID, first), firstID)
	if v.noneFound {
		v = l.question(request(secondID, "VERSION\nDIRECTORY ASCII "+name+"\nLIST COMPONENTS\n"), secondID)
		if v.noneFound {
			v = decidedBy(check.OK, check.ReasonProsperoObject, "an empty directory")
		}
		if v.result.Outcome == check.Gone { // the two answers contradict each other
			v.result = v.result.WithEvidence(check.Weak)
		}
	}
	return v, l.bytes
}
