package web

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check"
	"linkcheck/uri"
)

// walk is a request and the redirects it led through.
type walk struct {
	start, at place         // where it began and where it is
	hops      []check.Hop   // the redirects, and in trail the place after each
	trail     []place       // as long as hops
	end       answer        // the last answer, to be judged unless there is a stop
	stop      *check.Result // why there is no such answer
	onward    uri.URI       // it goes on here, at another host; nil: it does not
	head      bool          // the last answer is one to HEAD
	flags     []check.Flag  // of TLS
	bytes     int64         // of all bodies
	jar       *cookiejar.Jar
	seen      []string // requests made
}

func (w *walk) halt(r check.Result) { w.stop = &r }

// walk asks for the page at hand and follows redirects, up to one to another
// host. Every hop is a new request through the guard, and robots.txt is obeyed.
// Cookies live as long as the walk: a place is a loop only when it comes again
// with the same ones.
func (p *Prober) walk(ctx context.Context, w *walk, prior *check.Result) {
	for {
		header := p.header(prior, w)
		if w.jar != nil {
			if cookies := w.jar.Cookies(w.at.base()); len(cookies) > 0 {
				header = withCookies(header, cookies)
			}
		}
		if len(w.seen) > 0 && slices.Contains(w.seen, markOf(w.at, header)) {
			w.halt(check.New(check.Undetermined, check.ReasonRedirectLoop, w.end.line))
			return
		}
		p.step(ctx, w, header)
		if w.stop != nil || !redirects(w.end) {
			return
		}
		w.seen = append(w.seen, markOf(w.at, header))
		if cookies := readCookies(w.end.header); len(cookies) > 0 {
			if w.jar == nil {
				w.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
			}
			w.jar.SetCookies(w.at.base(), cookies)
		}
		if p.hop(ctx, w); w.stop != nil || w.onward != nil {
			return
		}
	}
}

// markOf is what makes a request another one than before.
func markOf(at place, header http.Header) string { return at.String() + "\n" + header.Get("Cookie") }

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
func (p *Prober) hop(ctx context.Context, w *walk) {
	next, to, why := w.at.follow(w.end.header.Get("Location"))
	if why == "" && len(w.hops) == maxHops {
		why = check.ReasonRedirectTooMany
	}
	if why != "" {
		w.halt(check.New(check.Undetermined, why, w.end.line+" "+w.end.header.Get("Location")))
		return
	}
	from := w.at.hostname()
	w.hops = append(w.hops, check.Hop{Code: w.end.status, URL: next.String()})
	w.trail = append(w.trail, next)
	w.at = next
	if next.hostname() != from {
		w.onward, w.end.body, w.end.folded, w.end.text = to, "", "", nil
		return
	}
	if r, no := p.forbidden(ctx, next); no {
		w.halt(r)
	}
}

// step makes one request of the walk: HEAD first where the path names a large
// binary, GET unless that was a clean 200. A server that does not answer HEAD
// leaves time for GET: nothing is judged by HEAD alone (OUTCOMES 1.3).
func (p *Prober) step(ctx context.Context, w *walk, header http.Header) {
	if largeFile(w.at.path) {
		part, cancel := context.WithTimeout(ctx, p.opt.Timeout/3)
		defer cancel()
		a, err := p.fetch(part, w, http.MethodHead, header)
		switch {
		case err != nil && unreached(classify(err)) && (!late(classify(err)) || ctx.Err() != nil):
			w.halt(classify(err))
			return
		case err == nil && a.status == http.StatusOK && !a.html() && a.header.Get("Content-Length") != "0":
			w.end, w.head = a, true
			return
		}
	}
	a, err := p.fetch(ctx, w, http.MethodGet, header)
	if err != nil {
		w.halt(classify(err))
	}
	w.end = a
}

// fetch makes one request. Where TLS fails it is made once more without
// verification, and the failure becomes a flag; the site is known by it from
// then on, so that no second connection is tried beside the one that works.
func (p *Prober) fetch(ctx context.Context, w *walk, method string, header http.Header) (a answer, err error) {
	defer func() { w.bytes += a.bytes }()
	flag, known := p.flawed.peek(w.at.site())
	if !known {
		a, err = p.strict.ask(ctx, method, w.at, header, p.opt.MaxBytes)
		if flag = tlsFlag(err); flag == "" {
			return a, err
		}
	}
	b, again := p.lax.ask(ctx, method, w.at, header, p.opt.MaxBytes)
	switch {
	case again == nil:
		p.flawed.get(ctx, w.at.site(), func() (check.Flag, bool) { return flag, true })
		w.flags = append(w.flags, flag)
		return b, nil
	case known:
		return b, again
	}
	return a, err
}

// tlsFlag names what keeps a server from the strict lane, or "".
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
// earlier good answer go along, but not behind a redirect.
func (p *Prober) header(prior *check.Result, w *walk) http.Header {
	if prior == nil || prior.Outcome != check.OK || prior.FinalURL != "" || len(w.hops) > 0 {
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

func redirects(a answer) bool {
	switch a.status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

func readCookies(h http.Header) []*http.Cookie {
	return (&http.Response{Header: h}).Cookies()
}

// largeFile says whether the path names a large file of a kind that is no page.
func largeFile(p string) bool {
	_, found := slices.BinarySearch(largeFiles, strings.ToLower(strings.TrimPrefix(path.Ext(p), ".")))
	return found
}

var largeFiles = []string{"7z", "arj", "avi", "bin", "bz2", "deb", "dmg", "exe", "gz", "hqx", "img", "iso", "jar",
	"lha", "lzh", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "ogg", "pkg", "rar", "rpm", "sit", "tar", "tbz",
	"tgz", "tif", "tiff", "txz", "wav", "webm", "xz", "z", "zip", "zoo", "zst"}
