// Package webhook posts a JSON object to an address of the web that the operator names, as
// chat rooms, ticket systems and build servers take it. It connects through the guard, follows
// no redirect, and tells nobody the path or query of the address: they are often a secret.
package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"linkcheck/check/netguard"
)

const (
	timeout   = 20 * time.Second // of one attempt
	pause     = 2 * time.Second  // before the second
	maxHeader = 64 << 10
	maxAnswer = 4 << 10 // of its body, which is not looked at
)

// Hook is an address that wants to be told.
type Hook struct {
	address string
	host    string
	agent   string
	client  *http.Client
	pause   time.Duration
}

// ErrAddress: what is to be told is no address of the web.
var ErrAddress = errors.New("no address of the web (https://host/path)")

// New makes a hook of an address, http or https. It connects through d, and
// calls itself agent.
func New(address, agent string, d netguard.Dialer) (*Hook, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, ErrAddress // without a word of it
	}
	return &Hook{address: address, host: u.Host, agent: agent, pause: pause, client: &http.Client{
		Timeout:       timeout,
		Transport:     &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Post posts the JSON text body, a second time where there was no answer or one that passes
// (408, 429, 5xx). Any answer of 2xx takes it. Errors name the host alone.
func (h *Hook) Post(ctx context.Context, body []byte) error {
	again, err := h.post(ctx, body)
	if !again {
		return err
	}
	select {
	case <-ctx.Done():
		return err
	case <-time.After(h.pause):
	}
	_, err = h.post(ctx, body)
	return err
}

// post is one attempt; again: another one may fare better.
func (h *Hook) post(ctx context.Context, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address, bytes.NewReader(body))
	if err != nil {
		return false, ErrAddress
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", h.agent)
	answer, err := h.client.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok { // it names the address
			err = wrapped.Err
		}
		_, refused := errors.AsType[*netguard.Refusal](err)
		return !refused && ctx.Err() == nil, fmt.Errorf("%s: %w", h.host, err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	switch code := answer.StatusCode; {
	case code/100 == 2:
		return false, nil
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return true, fmt.Errorf("%s answered %d", h.host, code)
	default:
		return false, fmt.Errorf("%s answered %d", h.host, code)
	}
}
