package web

import (
	"cmp"
	"context"
	"hash/maphash"
	"net/http"
	"net/http/cookiejar"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/uri"
)

// maxCookies is how many octets of cookies a chain keeps.
const maxCookies = 8 << 10

// chain is a request and the redirects that it led through.
type chain struct {
	start, at  resource                                  // where it began and where it is
	before     int                                       // redirects of other protocols
	hops       []check.Hop                               // the redirects
	moved      resource                                  // where the permanent ones led that came before all others
	lasting    int                                       // how many those are
	end        answer                                    // the last answer, which decides unless there is a stop
	stop       *check.Result                             // why there is no such answer
	elsewhere  uri.URI                                   // where it goes on at another host; nil: it does not
	head       bool                                      // the last answer is one to HEAD
	had        bool                                      // the reader has what stands where it is
	heard      *check.Result                             // of where it is, in this run: the answer in place of end; nil: it is asked
	manner     manner                                    // in which requests are made
	mannered   bool                                      // they are made in that of a browser, though it is the first question
	asBrowsers func(address string) bool                 // as check.Target.AsBrowsers
	earlier    func(address string) (check.Result, bool) // as check.Target.Heard
	flags      []check.Flag                              // of TLS
	bytes      int64                                     // of all bodies
	limit      int64                                     // octets of a body; 0: Options.MaxBytes
	jar        *cookiejar.Jar
	cookies    int      // octets that were put into jar
	requests   []uint64 // those made: hashes of resource and cookies
	secrets    []string // that were sent, and must not be shown
	reading    *reading // what a reader wants; nil: it is a probe

	known  *likeness.Memory // of the text at the start
	afresh bool             // the text must be seen, whether it has changed or not
}

var nothingKnown likeness.Memory

func newChain(start resource) *chain {
	return &chain{start: start, at: start, known: &nothingKnown}
}

// follow asks for the resource at hand and follows redirects, up to one to another
// host. Every hop is a new request through the guard, and robots.txt is obeyed.
// Cookies live as long as the chain: a resource is a loop only when it comes again
// with the same ones.
func (p *Prober) follow(ctx context.Context, c *chain, prior *check.Result) {
	for {
		c.mannered = c.mannered || c.asBrowsers != nil && c.asBrowsers(c.at.String())
		if p.hears(c); c.heard != nil || c.elsewhere != nil || c.stop != nil {
			return
		}
		header := p.header(prior, c)
		if c.jar != nil {
			if cookies := c.jar.Cookies(c.at.base()); len(cookies) > 0 {
				header = withCookies(header, cookies)
			}
		}
		request := maphash.Comparable(p.seed, [...]string{c.at.scheme, c.at.host, c.at.path, c.at.query, header.Get("Cookie")})
		if slices.Contains(c.requests, request) {
			c.stop = new(check.New(check.Undetermined, check.ReasonRedirectLoop, c.end.line))
			return
		}
		c.requests = append(c.requests, request)
		if p.step(ctx, c, header); c.stop != nil || !p.goOn(ctx, c) {
			return
		}
	}
}

// keepCookies takes the cookies of the last answer, as far as there is room for them.
func (c *chain) keepCookies() {
	var taken []*http.Cookie
	for _, cookie := range (&http.Response{Header: c.end.header}).Cookies() {
		if c.cookies+len(cookie.Raw) <= maxCookies {
			c.cookies += len(cookie.Raw)
			taken = append(taken, cookie)
		}
	}
	if len(taken) == 0 {
		return
	}
	if c.jar == nil {
		c.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	}
	c.jar.SetCookies(c.at.base(), taken)
}

// withCookies adds cookies as they were written, in one field: RFC 6265 section 5.4.
func withCookies(h http.Header, cookies []*http.Cookie) http.Header {
	pairs := make([]string, len(cookies))
	for i, c := range cookies {
		if pairs[i] = c.Name + "=" + c.Value; c.Quoted {
			pairs[i] = c.Name + `="` + c.Value + `"`
		}
	}
	h = h.Clone()
	h.Set("Cookie", strings.Join(pairs, "; "))
	return h
}

// hop goes where the last answer points, or says why not.
func (p *Prober) hop(ctx context.Context, c *chain, location string) {
	next, to, why := c.at.redirectTo(location)
	leaves := why == check.ReasonRedirectScheme && to != nil && p.opt.Elsewhere != nil && p.opt.Follows(to.Scheme())
	if (why == "" || leaves) && c.before+len(c.hops) >= p.opt.MaxRedirects {
		why, leaves = check.ReasonRedirectTooMany, false
	}
	if leaves {
		c.leave(to)
		return
	}
	if why != "" {
		c.stop = new(check.New(check.Undetermined, why, c.end.line+" "+location))
		return
	}
	from := c.at.hostname()
	if c.advance(next); next.hostname() != from {
		c.elsewhere, c.end = to, answer{status: c.end.status, line: c.end.line}
		return
	}
	if r, no := p.forbidden(ctx, next, c.reading); no {
		c.stop = &r
		return
	}
	if c.reading != nil && c.reading.Had != nil && c.reading.Had(c.hidden(next.String())) {
		c.had, c.end = true, answer{status: http.StatusNotModified, line: c.end.line}
	}
}

// advance goes to where a redirect leads.
func (c *chain) advance(next resource) {
	if c.lasting == len(c.hops) && lasts(c.end.status) {
		c.moved = next
		c.lasting++
	}
	c.hops = append(c.hops, check.Hop{Code: c.end.status, URL: check.CutURL(next.String())}) // many chains may wait for their next host
	if c.at = next; next.origin() != c.start.origin() && c.reading != nil {
		c.reading.secret = ""
	}
}

// leave ends the chain at a redirect out of the web.
func (c *chain) leave(to uri.URI) {
	if c.lasting == len(c.hops) && lasts(c.end.status) {
		c.lasting++
	}
	c.hops = append(c.hops, check.Hop{Code: c.end.status, URL: check.CutURL(to.String())})
	c.elsewhere = to
}

// step makes one request of the chain: HEAD first where the path names a large
// binary, GET unless that was a clean 200. A server that does not answer HEAD
// leaves time for GET: HEAD alone proves nothing against a link (OUTCOMES 1.3).
func (p *Prober) step(ctx context.Context, c *chain, header http.Header) {
	if largeFile(c.at.path) && c.manner == asProgram && !c.mannered && c.reading == nil {
		part, cancel := context.WithTimeout(ctx, p.timeout(c.at.origin())/3)
		defer cancel()
		a, err := p.fetch(part, c, http.MethodHead, header)
		switch {
		case err != nil && notConnected(classify(err)) && (!timedOutConnecting(classify(err)) || ctx.Err() != nil):
			c.stop = new(classify(err))
			return
		case err == nil && a.status == http.StatusOK && !a.html() && a.header.Get("Content-Length") != "0":
			c.end, c.head = a, true
			return
		}
	}
	a, err := p.fetch(ctx, c, http.MethodGet, header)
	if err != nil {
		c.stop = new(classify(err))
	}
	c.end = a
}

// fetch makes one request. Where TLS fails it is made once more without
// verification and without secrets, and the failure becomes a flag; the origin is known by it from
// then on, so that no second connection is tried beside the one that works.
func (p *Prober) fetch(ctx context.Context, c *chain, method string, header http.Header) (a answer, err error) {
	defer func() { c.bytes += a.bytes }()
	if c.manner == byBrowser {
		return p.askBrowser(ctx, c.at, header)
	}
	s := p.settings(c.at.origin())
	header = p.withUserAgent(header, s)
	flag, known := p.flawed.peek(c.at.origin())
	if !known {
		a, err = p.ask(ctx, p.strict, method, c, c.withSecrets(header, s))
		if flag = tlsFlag(err); flag == "" {
			return a, err
		}
	}
	b, again := p.ask(ctx, p.lax, method, c, header)
	switch {
	case again == nil:
		p.flawed.get(ctx, c.at.origin(), func() (check.Flag, bool) { return flag, true })
		c.flags = append(c.flags, flag)
		return b, nil
	case known:
		return b, again
	}
	return a, err
}

// ask makes one request by a client.
func (p *Prober) ask(ctx context.Context, by *client, method string, c *chain, header http.Header) (answer, error) {
	if c.reading != nil {
		return p.askWhole(ctx, by, c, header)
	}
	return by.ask(ctx, method, c.at, header, cmp.Or(c.limit, p.opt.MaxBytes))
}

// tlsFlag names what keeps the strict client from a server, or "".
func tlsFlag(err error) check.Flag {
	if err == nil {
		return ""
	}
	switch r := classify(err).Reason; r {
	case check.ReasonTLSExpired, check.ReasonTLSName, check.ReasonTLSUntrusted:
		return check.Flag(r)
	case check.ReasonTLSHandshake:
		return check.FlagTLSOld
	}
	return ""
}

// header gives the fields of a request, not to be changed. The validators of an
// earlier good answer go along, but not behind a redirect, and only where the text that
// they stand for is the one that is known.
func (p *Prober) header(prior *check.Result, c *chain) http.Header {
	fields := p.fields
	if c.likeBrowsers() {
		fields = p.browser
	}
	if c.reading != nil {
		return c.reading.header(fields, c)
	}
	if c.likeBrowsers() {
		return fields
	}
	if c.manner == byBrowser || prior == nil || p.opt.Fragments || prior.Outcome != check.OK || prior.FinalURL != "" || len(c.hops) > 0 || c.afresh {
		return p.fields
	}
	h := p.fields.Clone()
	if prior.ETag != "" {
		h.Set("If-None-Match", prior.ETag)
	}
	if prior.LastModified != "" {
		h.Set("If-Modified-Since", prior.LastModified)
	}
	return h
}

// fieldsOf makes what every request says. From is sent only where the operator
// gave an address.
func fieldsOf(o check.Options) http.Header {
	h := http.Header{"User-Agent": {o.UserAgent}, "Accept": {"*/*"}, "Accept-Encoding": {"gzip"}}
	if !strings.HasSuffix(o.Contact, ".invalid") {
		h.Set("From", o.Contact)
	}
	return h
}

// lasts says whether a status sends the reader elsewhere for good. A page that does so
// by a Refresh is not meant to be read (OUTCOMES section 1.5).
func lasts(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect || status == http.StatusOK
}

func redirects(a answer) bool {
	return slices.Contains([]int{301, 302, 303, 307, 308}, a.status)
}

// largeFile says whether the path names a large file of a kind that is no page.
func largeFile(p string) bool {
	_, found := slices.BinarySearch(largeFiles, strings.ToLower(strings.TrimPrefix(path.Ext(p), ".")))
	return found
}

var largeFiles = []string{"7z", "arj", "avi", "bin", "bz2", "deb", "dmg", "exe", "gz", "hqx", "img", "iso", "jar",
	"lha", "lzh", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "ogg", "pkg", "rar", "rpm", "sit", "tar", "tbz",
	"tgz", "tif", "tiff", "txz", "wav", "webm", "xz", "z", "zip", "zoo", "zst"}
