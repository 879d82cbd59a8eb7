package resolver

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
)

// maxAnswer bounds an answer of the REST interface, in octets.
const maxAnswer = 64 << 10

// Codes of the handle protocol (RFC 3652 section 2.2.1.3).
const (
	codeSuccess       = 1
	codeNotFound      = 100
	codeNoValues      = 200
	valueURL          = "URL" // the type of the value that a proxy server redirects to
	mediaType         = "application/json"
	maxRetryAfterDays = 365
)

// record is what the REST interface says of a handle.
type record struct {
	Code   int    `json:"responseCode"`
	Handle string `json:"handle"`
	Values []struct {
		Type string `json:"type"`
		Data struct {
			Value json.RawMessage `json:"value"`
		} `json:"data"`
	} `json:"values"`
}

// reply is an answer of the REST interface.
type reply struct {
	record
	status     int
	retryAfter time.Duration
	clear      bool // it is a word of the interface about this handle
	unverified bool // the server's certificate was not
}

// askHandle asks the REST interface for a handle. What is not clear proves nothing.
func (p *Prober) askHandle(ctx context.Context, address, id string) (r reply, err error) {
	r, err = p.get(ctx, p.strict, address)
	if err != nil && isTLS(err) && ctx.Err() == nil {
		r, err = p.get(ctx, p.lax, address)
		r.unverified = true
	}
	handle, uerr := url.PathUnescape(id)
	if uerr != nil {
		handle = id
	}
	r.clear = err == nil && r.clear && (r.Handle == "" || strings.EqualFold(r.Handle, handle))
	return r, err
}

func isTLS(err error) bool { return strings.HasPrefix(string(check.Classify(err).Reason), "tls-") }

// get makes one question.
func (p *Prober) get(ctx context.Context, client *http.Client, address string) (r reply, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return r, err
	}
	q.Header.Set("User-Agent", p.o.UserAgent)
	q.Header.Set("Accept", mediaType)
	if !strings.HasSuffix(p.o.Contact, ".invalid") {
		q.Header.Set("From", p.o.Contact)
	}
	a, err := client.Do(q)
	if err != nil {
		return r, err
	}
	defer a.Body.Close()
	r.status = a.StatusCode
	if days, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil && days > 0 {
		r.retryAfter = min(time.Duration(days)*time.Second, maxRetryAfterDays*24*time.Hour)
	}
	body, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer+1))
	if err != nil || len(body) > maxAnswer {
		return r, err
	}
	// 200 is the status of a handle that is there, 404 that of one that is not.
	r.clear = (r.status == http.StatusOK || r.status == http.StatusNotFound) && json.Unmarshal(body, &r.record) == nil && r.Code != 0
	return r, nil
}

// target is the address that a proxy server would redirect to; "" if the record names none.
func (r *record) target() string {
	for _, v := range r.Values {
		var s string
		if v.Type == valueURL && json.Unmarshal(v.Data.Value, &s) == nil {
			return s
		}
	}
	return ""
}

// newClient asks through the guard. It follows a redirect to TLS on the same host, and no
// other.
func newClient(o check.Options, lax bool) *http.Client {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		return o.Dialer.DialContext(ctx, network, address)
	}
	return &http.Client{
		Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true, MaxResponseHeaderBytes: maxAnswer,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: lax, RootCAs: o.Roots}},
		CheckRedirect: func(q *http.Request, via []*http.Request) error {
			if len(via) > 1 || q.URL.Scheme != "https" || via[0].URL.Scheme != "http" || q.URL.Hostname() != via[0].URL.Hostname() {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}
