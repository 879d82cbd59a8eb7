package crawl

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/crawl/hostqueue"
	"linkcheck/store"
	"linkcheck/uri"
)

// newQueues makes the queues of all hosts.
func newQueues(o Options) *hostqueue.Queues {
	q := hostqueue.New(max(o.PerHost, 1), o.HostDelay)
	q.Limit, q.Whole = o.PerHostOf, o.Gates != nil
	return q
}

// host finds the host of a name in queues, or makes it.
func (o *Options) host(q *hostqueue.Queues, name string) *hostqueue.Host {
	return q.Host(name, o.Route == nil || isNameless(name))
}

// nameless begins the name of the queue of links without a host, one for each scheme:
// a server may be configured for them. No host has such a name.
const nameless = "\x00"

func namelessHost(scheme string) string { return nameless + strings.ToLower(scheme) }

func isNameless(host string) bool { return strings.HasPrefix(host, nameless) }

// hostName is the name of the queue in which a URI waits.
func hostName(u uri.URI) string {
	if at, ok := u.Endpoint(); ok && at.Host != "" {
		return at.Host
	}
	return namelessHost(u.Scheme())
}

// address finds the lowest address of a server, by which names that share a
// server are known. One set by the operator, or none, gives "".
func (o *Options) address(ctx context.Context, at uri.Endpoint) string {
	if at == (uri.Endpoint{}) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	ctx = netguard.WithOwnPorts(ctx, at.Port) // it is only looked up: the probe says whose port it is
	route, err := o.Route(ctx, net.JoinHostPort(strings.Trim(at.Host, "[]"), strconv.Itoa(at.Port)))
	if err != nil || route.ByRule || len(route.Addrs) == 0 {
		return ""
	}
	low := slices.MinFunc(route.Addrs, func(a, b netip.AddrPort) int { return a.Addr().Compare(b.Addr()) })
	return low.Addr().String()
}

// takeOver notes which server has the connection of a queue, and gives the host of the one
// that had it, whose sessions end now: a queue has one connection at a time.
func takeOver(q *hostqueue.Queue, server uri.Endpoint) (before string) {
	if !q.Alone() || server == (uri.Endpoint{Host: q.AskedHost, Port: int(q.AskedPort)}) {
		return ""
	}
	before, q.AskedHost, q.AskedPort = q.AskedHost, server.Host, int32(server.Port)
	return before
}

// gapAfter is the time that the host of a URI wants to be left alone after an answer.
func (o *Options) gapAfter(u uri.URI) time.Duration {
	if gap := o.Prober.Hooks().Gap; gap != nil {
		return gap(u, o.HostDelay)
	}
	return o.HostDelay
}

// gap is the time that the host of a job wants before the next probe: 0 if it was
// not asked anything.
func (o *Options) gap(of *outcome) time.Duration {
	asked := of.known == nil && mayHaveAsked(&of.result)
	if of.known == nil && of.continuation != nil {
		asked = len(of.result.Hops) > 0 || of.result.Outcome != check.Unknown
	}
	if !asked {
		return 0
	}
	return o.gapAfter(of.target.URI)
}

// isArticle says whether a URI names an article of a news server, or a message of a mailbox.
func isArticle(u uri.URI) bool {
	switch u := u.(type) {
	case *uri.News:
		return u.Kind == uri.NewsArticle
	case *uri.NNTP:
		return u.Article != ""
	case *uri.Opaque:
		return strings.HasPrefix(u.Scheme(), "imap") && strings.Contains(u.Rest, "/;UID=") // RFC 5092 section 11
	}
	return false
}

// leftAlone is the time until which a host asked to be left alone.
func leftAlone(st *store.Store, host string) time.Time {
	until, _ := st.BackOff(host, nil) // what is only asked for cannot fail
	return until
}
