package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Read implements check.Reader by the steps of Start, but that the body is read whole
// before it is judged, and that nothing is asked in a second manner. Each answer has
// Options.Timeout in which its header must come, and then some octets of its body; the
// Read as a whole has ten minutes. The earlier answer of the target is not used.
func (p *Prober) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, ok := t.URI.(*uri.HTTP)
	if !ok {
		return check.New(check.Internal, check.ReasonInternalError, "not a web URI"), nil
	}
	c := newChain(resourceOf(u))
	c.asBrowsers, c.earlier = t.AsBrowsers, t.Heard
	c.reading = newReading(w, c.start.origin())
	defer c.reading.drop()
	v := &visit{p: p, uri: u, once: true, chain: c}
	r, next := v.ask(ctx)
	if next != nil {
		c.reading = nil
		return r, elsewhere(c, next)
	}
	if !c.had && c.end.status == http.StatusNotModified && r.Reason == check.ReasonHTTP(http.StatusNotModified) {
		c.reading.keepVersion(&r)
	}
	if c.had || c.heard != nil || !c.reading.good(&r) {
		return r, nil
	}
	return r, take(c.answer(t.URI))
}

// elsewhere is the error for a redirect to another host.
func elsewhere(c *chain, rest *check.Continuation) error {
	to := rest.URI
	if u, err := uri.Parse(c.hidden(to.String())); err == nil {
		to = u
	}
	return &check.Elsewhere{To: to, Rest: rest}
}

// reading is what a reader wants, and the body that came last.
type reading struct {
	check.Wanted
	secret string   // the field Authorization, for the server that is asked first; "": none
	hidden []string // of it, what must not be shown
	came   bool
	body   wire.Spool
	cut    bool  // there is more
	broken error // it ended in an error
}

func newReading(w check.Wanted, first origin) *reading {
	w.MaxBytes = wire.Largest(w.MaxBytes)
	r := &reading{Wanted: w}
	s := w.Secret
	switch code := base64.StdEncoding.EncodeToString([]byte(s.User + ":" + s.Password)); { // RFC 7617 section 2
	case first.scheme != "https" && !first.loopback():
	case s.Token != "":
		r.secret, r.hidden = "Bearer "+s.Token, []string{s.Token} // RFC 6750 section 2.1
	case s.User != "" || s.Password != "":
		r.secret, r.hidden = "Basic "+code, []string{s.Password, code}
	}
	return r
}

// loopback says whether a server is on this machine, by its name alone.
func (s origin) loopback() bool {
	name := strings.Trim(resource{host: s.host}.hostname(), "[]")
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// header gives the fields of a request. The version that is known goes along, but not
// behind a redirect: a date is one of Last-Modified, all else an entity tag (RFC 9110
// section 13.1).
func (r *reading) header(usual http.Header, c *chain) http.Header {
	if r.Version == "" || len(c.hops) > 0 {
		return usual
	}
	h := usual.Clone()
	if dated(r.Version) {
		h.Set("If-Modified-Since", r.Version)
	} else {
		h.Set("If-None-Match", r.Version)
	}
	return h
}

// dated says whether a version is a date.
func dated(version string) bool {
	_, err := http.ParseTime(version)
	return err == nil
}

// keepVersion says in a result which version is still there, as far as the server does not.
func (r *reading) keepVersion(res *check.Result) {
	if dated(r.Version) {
		res.LastModified = cmp.Or(res.LastModified, r.Version)
	} else {
		res.ETag = cmp.Or(res.ETag, r.Version)
	}
}

// good says whether what came is what was asked for.
func (r *reading) good(res *check.Result) bool {
	switch {
	case !r.came || res.Outcome == check.Internal, res.RetryAfter > 0 && res.Outcome != check.OK: // which is no answer, whoever judges it
		return false
	case r.AnyStatus:
		return true
	}
	return res.Outcome == check.OK || res.Outcome == check.Moved || res.Outcome == check.Reachable
}

// drop forgets the body.
func (r *reading) drop() {
	_ = r.body.Close() // of a file that nobody reads any more
	r.came, r.cut, r.broken = false, false, nil
}

// take takes a body that came before.
func (r *reading) take(body string, broken error) {
	r.drop()
	r.broken = cmp.Or(r.keep(strings.NewReader(body)), broken)
}

// askWhole makes one request, and keeps the body of the answer where it may be what is
// wanted: what a probe would see of it is the answer's own.
func (p *Prober) askWhole(ctx context.Context, by *client, c *chain, header http.Header) (answer, error) {
	r := c.reading
	r.drop()
	wait := wire.NewPatience(ctx, p.timeout(c.at.origin()))
	defer wait.End()
	most := max(r.MaxBytes, p.opt.MaxBytes) + r.MaxBytes/8 + maxFrames // a coding may add to what it packs, and TLS to both
	return by.askFor(wait, http.MethodGet, c.at, header, most+most/8, r.AnyStatus, func(a *answer, body io.Reader) error {
		body = wait.Reader(body)
		if a.status/100 != 2 && !r.AnyStatus {
			a.read(body, new(bytes.Buffer), p.opt.MaxBytes)
			return nil
		}
		raw := &io.LimitedReader{R: body, N: most}
		err := r.keep(a.decoded(raw))
		r.cut = r.cut || raw.N == 0
		a.bytes = most - raw.N
		a.body = string(r.body.Head(p.opt.MaxBytes))
		a.cut = r.cut || r.body.Size() > int64(len(a.body))
		switch ofHTTP := (*badAnswer)(nil); {
		case errors.Is(err, wire.ErrSpool):
			return err
		case r.cut:
		case errors.As(err, &ofHTTP) && !a.cut: // a probe sees no end behind what it reads
			a.broken, r.broken = err, err
		case err != nil: // of the coding
			a.cut, r.broken = true, err
		}
		return nil
	})
}

// keep takes a body, of which all is read up to the limit.
func (r *reading) keep(plain io.Reader) (err error) {
	r.came = true
	r.cut, err = r.body.Fill(plain, r.MaxBytes)
	return err
}

// answer is what a reader is handed. What the server says may repeat what it was told.
func (c *chain) answer(asked uri.URI) *check.Answer {
	r, h := c.reading, c.end.header
	a := &check.Answer{Body: r.body.Reader(), URI: asked, Cut: r.cut,
		Media:  c.hidden(check.CleanReply(h.Get("Content-Type"))),
		Robots: c.hidden(check.CleanReply(strings.Join(h.Values("X-Robots-Tag"), ", ")))}
	if at, err := uri.Parse(c.hidden(c.at.String())); err == nil && len(c.hops) > 0 {
		a.URI = at
	}
	if r.broken != nil {
		a.Body = io.MultiReader(a.Body, failing{r.broken})
	}
	if a.Version = c.hidden(validator(h.Get("ETag"))); a.Version == "" && dated(h.Get("Last-Modified")) {
		a.Version = h.Get("Last-Modified")
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		a.Date = date
	}
	return a
}

// failing is the end of a body that did not come whole.
type failing struct{ error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.error }
