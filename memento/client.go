package memento

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linkcheck/check/netguard"
)

const (
	maxHeaders   = 64 << 10 // octets of the header of an answer
	maxAnswer    = 1 << 20  // octets read of one answer
	maxRedirects = 5
	timeout      = 30 * time.Second
	longestWait  = time.Minute // that an archive may ask for before the same question
	// DefaultGap is the pause between two questions to an archive.
	DefaultGap = time.Second
)

// Doer sends one HTTP request and follows no redirect: an *http.Client whose
// CheckRedirect returns [http.ErrUseLastResponse] does.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// NewDoer makes a Doer that connects through d and through no proxy.
func NewDoer(d netguard.Dialer) Doer {
	return &http.Client{
		Transport:     &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeaders},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Client sends the questions to archives. It is not safe for concurrent use.
type Client struct {
	Doer      Doer
	UserAgent string
	Gap       time.Duration // between two questions to one host

	last map[string]time.Time // question, by host
}

// BusyError says that an archive answered 429 or 503: it is not asked again in this campaign, nor
// in a later one before Until, if it said so.
type BusyError struct {
	Status int
	Until  time.Time // zero: not said
}

func (e *BusyError) Error() string { return fmt.Sprintf("archive asks to be left alone: %d", e.Status) }

// Pause waits until the host of an address may be asked again, and counts it as asked.
func (c *Client) Pause(ctx context.Context, at string) error {
	host := at
	if u, err := url.Parse(at); err == nil {
		host = u.Host
	}
	if c.last == nil {
		c.last = map[string]time.Time{}
	}
	if err := sleep(ctx, time.Until(c.last[host].Add(c.Gap))); err != nil {
		return err
	}
	c.last[host] = time.Now()
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// get sends one question, the same once more where the archive wants a short pause, and reads a
// bounded answer; cut says that there was more.
func (c *Client) get(ctx context.Context, method, at string, seen time.Time) (res *http.Response, body []byte, cut bool, err error) {
	for again := false; ; again = true {
		if err := c.Pause(ctx, at); err != nil {
			return nil, nil, false, err
		}
		res, body, cut, err = c.send(ctx, method, at, seen)
		busy, ok := errors.AsType[*BusyError](err)
		if !ok || again || busy.Status != http.StatusTooManyRequests || busy.Until.IsZero() || time.Until(busy.Until) > longestWait {
			return res, body, cut, err
		}
		if err := sleep(ctx, time.Until(busy.Until)); err != nil {
			return nil, nil, false, err
		}
	}
}

func (c *Client) send(ctx context.Context, method, at string, seen time.Time) (*http.Response, []byte, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, at, nil)
	if err != nil {
		return nil, nil, false, fmt.Errorf("memento: archive: %w", err)
	}
	if !seen.IsZero() {
		req.Header.Set("Accept-Datetime", seen.UTC().Format(http.TimeFormat))
	}
	return c.do(req)
}

func (c *Client) do(req *http.Request) (*http.Response, []byte, bool, error) {
	if c.UserAgent != "" {
		req.Header.Set("User-Agent", c.UserAgent)
	}
	res, err := c.Doer.Do(req)
	if err != nil {
		return nil, nil, false, fmt.Errorf("memento: ask archive: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable {
		return nil, nil, false, &BusyError{res.StatusCode, retryAfter(res.Header.Get("Retry-After"), time.Now())}
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, nil, false, fmt.Errorf("memento: read archive: %w", err)
	}
	return res, body[:min(len(body), maxAnswer)], len(body) > maxAnswer, nil
}

// retryAfter reads the header of that name (RFC 9110 section 10.2.3); zero: it says nothing.
func retryAfter(value string, now time.Time) time.Time {
	if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31); err == nil {
		return now.Add(time.Duration(n) * time.Second)
	}
	at, _ := http.ParseTime(value)
	return at
}

// answered is the error of a status that answers nothing.
func answered(status int) error { return fmt.Errorf("memento: archive answered %d", status) }

// withPage is the address of a question about a page: in the place of {url}, or behind the
// address of the archive.
func withPage(archive, page string) string {
	if before, after, ok := strings.Cut(archive, "{url}"); ok {
		if strings.Contains(before, "?") {
			page = url.QueryEscape(page)
		}
		return before + page + after
	}
	if !strings.HasSuffix(archive, "/") && !strings.HasSuffix(archive, "=") {
		archive += "/"
	}
	return archive + page
}

// resolve gives the absolute address of a copy; it is an error if that is not http or https.
func resolve(base, ref string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("memento: archive: %w", err)
	}
	u, err := b.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("memento: archive named %.200q", ref)
	}
	return u.String(), nil
}
