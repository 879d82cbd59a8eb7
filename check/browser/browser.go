package browser

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/idna"

	"linkcheck/check/netguard"
)

const (
	atOnce     = 2               // browsers side by side
	grace      = 5 * time.Second // that a helper gets beyond the time of its question
	margin     = time.Second     // that is left of a caller's time to answer
	usualLimit = 64 << 10
)

// Options say which browser, and how.
type Options struct {
	Path      string        // of Chromium, or of a browser built from it
	NoSandbox bool          // start it without its own sandbox, as root must
	Confine   bool          // in one of ours, where the kernel has it
	Timeout   time.Duration // for one question, the start of the browser among it; 0: 30 s
	MaxBytes  int64         // of the body of an answer; 0: 64 KiB
}

// Browser is a browser that can be asked, by several clients side by side.
type Browser struct {
	options Options
	proxy   *proxy
	free    chan *outpost
	all     []*outpost
	once    sync.Once
}

// Start starts the helpers and tries the browser once. Its processes end with Close, or
// with this one. Nothing is dialled but for a Client.
func Start(o Options) (*Browser, error) {
	if !supported {
		return nil, errors.New("browsers are not asked on this system")
	}
	path, err := executable(o.Path)
	if err != nil {
		return nil, err
	}
	o.Path, o.Timeout, o.MaxBytes = path, cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.MaxBytes, usualLimit)
	p, err := newProxy()
	if err != nil {
		return nil, err
	}
	b := &Browser{options: o, proxy: p, free: make(chan *outpost, atOnce)}
	first := settings{Path: o.Path, NoSandbox: o.NoSandbox, Confine: o.Confine, Proxy: p.port(), Patience: o.Timeout}
	for range atOnce {
		h, agent, err := newOutpost(first)
		if first.Agent = agent; err != nil {
			b.Close()
			return nil, err
		}
		b.all = append(b.all, h)
		b.free <- h
	}
	return b, nil
}

// Client asks questions through a browser. It is an http.RoundTripper for GET that follows
// no redirect and keeps no cookie, and takes what servers are told from the browser, but
// for Cookie and for the User-Agent, which is added in brackets to the browser's own.
type Client struct {
	*Browser
	dialer netguard.Dialer
}

// Through makes a client whose servers are dialled through a guard.
func (b *Browser) Through(d netguard.Dialer) *Client { return &Client{b, d} }

// Close ends the browsers and removes what they wrote.
func (b *Browser) Close() {
	b.once.Do(func() {
		for _, h := range b.all {
			h.close()
		}
		b.proxy.close()
	})
}

// held is the key under which a context holds the helper whose turn it is.
type held struct{}

// Turn waits until a browser is free. The questions under the context that it gives are
// asked by that one, until release.
func (b *Browser) Turn(ctx context.Context) (turn context.Context, release func(), err error) {
	select {
	case h := <-b.free:
		return context.WithValue(ctx, held{}, h), func() { b.free <- h }, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// RoundTrip implements http.RoundTripper, under a context of Turn. Whatever is no answer
// of the server is an error that check.Classify makes internal.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	h, ok := ctx.Value(held{}).(*outpost)
	secure := req.URL.Scheme == "https"
	if !ok || req.Method != http.MethodGet || !secure && req.URL.Scheme != "http" {
		return nil, fault("no GET of a page in its turn")
	}
	password, way, leave := c.proxy.begin(ctx, c.dialer, addressOf(req.Host, secure), secure)
	defer leave()
	q := question{URL: req.URL.String(), Cookies: cookiesOf(req, secure), User: user, Password: password, Limit: c.options.MaxBytes, Patience: c.options.Timeout}
	if end, ok := ctx.Deadline(); ok {
		q.Patience = min(q.Patience, time.Until(end)-margin)
	}
	if agent := req.Header.Get("User-Agent"); agent != "" {
		q.Agent = "(" + agent + ")"
	}
	a, err := h.ask(ctx, q)
	switch unreachable := way.failure(); {
	case ctx.Err() == context.Canceled:
		return nil, ctx.Err()
	case err == nil && a.Status != 0:
		return a.response(req), nil
	case unreachable != nil:
		return nil, unreachable
	case err != nil:
		return nil, fault("%s", err)
	case a.Fault != "":
		return nil, fault("%s", a.Fault)
	}
	return nil, failed(a.Failed)
}

// addressOf is where a browser connects for a host[:port] of a URL.
func addressOf(host string, secure bool) string {
	if name, err := idna.Lookup.ToASCII(host); err == nil {
		host = name
	}
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	if secure {
		return host + ":443"
	}
	return host + ":80"
}

// cookiesOf takes the cookies of a request apart.
func cookiesOf(req *http.Request, secure bool) (list []cookie) {
	for _, c := range req.Cookies() {
		list = append(list, cookie{Name: c.Name, Value: c.Value, URL: req.URL.String(), Secure: secure})
	}
	return list
}

// response is an answer as net/http gives it. The browser has decoded the body.
func (a *reply) response(req *http.Request) *http.Response {
	resp := &http.Response{Request: req, StatusCode: a.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: -1}
	resp.Status = strings.TrimSpace(fmt.Sprintf("%d %s", a.Status, cmp.Or(a.Words, http.StatusText(a.Status))))
	for _, h := range a.Header {
		if strings.EqualFold(h.Name, "Content-Encoding") || strings.EqualFold(h.Name, "Content-Length") {
			continue
		}
		for value := range strings.SplitSeq(h.Value, "\n") { // of fields that came more than once
			resp.Header.Add(h.Name, value)
		}
	}
	return resp
}

// outpost is a helper as this process sees it.
type outpost struct {
	cmd     *exec.Cmd
	to      *os.File
	from    *os.File
	replies *bufio.Reader
	lost    error // it answers no more
}

// newOutpost starts a helper, and waits until that knows what the browser calls itself.
func newOutpost(s settings) (h *outpost, agent string, err error) {
	theirIn, to, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		to.Close()
		return nil, "", err
	}
	defer theirIn.Close()
	defer theirOut.Close()
	h = &outpost{cmd: helperCommand(), to: to, from: from, replies: bufio.NewReader(from)}
	h.cmd.Stdin, h.cmd.Stdout = theirIn, theirOut
	if err := startHelper(h.cmd); err != nil {
		to.Close()
		from.Close()
		return nil, "", err
	}
	var a reply
	err = h.exchange(context.Background(), s, s.Patience, &a)
	if err == nil && a.Fault != "" {
		err = errors.New(a.Fault)
	}
	if err != nil {
		h.close()
		return nil, "", err
	}
	return h, a.Words, nil
}

// ask asks a question. A helper that does not answer is ended, and asked no more.
func (h *outpost) ask(ctx context.Context, q question) (a reply, err error) {
	if h.lost == nil {
		h.lost = h.exchange(ctx, q, q.Patience, &a)
	}
	return a, h.lost
}

func (h *outpost) exchange(ctx context.Context, message any, patience time.Duration, a *reply) error {
	end := time.Now().Add(patience + grace)
	if err := errors.Join(h.to.SetWriteDeadline(end), h.from.SetReadDeadline(end)); err != nil {
		return err
	}
	// The answer of a question that nobody waits for any more would be that of the next.
	defer context.AfterFunc(ctx, func() { _ = h.from.SetReadDeadline(time.Now()) })()
	err := send(h.to, message)
	if err == nil {
		err = receive(h.replies, a)
	}
	if err != nil {
		h.to.Close() // the helper ends its browser and itself
		return errors.New("its helper does not answer")
	}
	return nil
}

// close ends a helper and waits for it.
func (h *outpost) close() {
	h.to.Close()
	ended := time.AfterFunc(grace, func() { _ = h.cmd.Process.Kill() })
	_ = h.cmd.Wait()
	ended.Stop()
	h.from.Close()
}
