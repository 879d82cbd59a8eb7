package memento

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

const (
	maxAnswer    = 64 << 10 // bytes read of one answer of an archive
	maxRedirects = 3        // of a TimeGate to itself
	timeout      = 30 * time.Second
	// DefaultGap is the pause between two questions to an archive.
	DefaultGap = time.Second
	// DefaultMax is how many addresses one Ask looks up; the others wait for the
	// next one.
	DefaultMax = 500
)

// Doer sends one HTTP request and follows no redirect: an *http.Client whose
// CheckRedirect returns [http.ErrUseLastResponse] does.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Source is what Ask needs of a store: a *store.Store is one.
type Source interface {
	Scan(pick store.Pick) iter.Seq2[store.Entry, error]
}

// Client asks one archive for copies: a TimeGate (RFC 7089 section 2.1.2), or a
// CDX server where the path of URL ends in "cdx".
type Client struct {
	URL       string // the address of a page is appended, or for CDX a query
	Doer      Doer
	UserAgent string
	Gap       time.Duration // between questions; 0: DefaultGap
	Max       int           // questions of one Ask; 0: DefaultMax
}

// ErrBusy says that the archive asked to be left alone (429 or 503). Answers that
// it gave before are kept.
var ErrBusy = errors.New("archive asks to be left alone")

// Ask looks up copies of the dead and moved links of a source, made as near as
// possible to when a link was last seen, and adds the answers to copies. Addresses
// with a password are never sent. A question that fails is asked again next time.
func (c *Client) Ask(ctx context.Context, src Source, copies *Copies, now time.Time) error {
	left := cmp.Or(max(c.Max, 0), DefaultMax)
	for l, err := range src.Scan(store.Pick{}) {
		if err != nil {
			return fmt.Errorf("memento: read links: %w", err)
		}
		if l.Mentions == 0 || l.State != judge.Dead && l.State != judge.Moved || !askable(l.URL) || copies.fresh(l.URL, now) {
			continue
		}
		if left--; left < 0 || len(copies.known) >= maxCopies {
			return nil
		}
		seen := l.LastOK
		if seen.IsZero() {
			seen = l.FirstSeen
		}
		found, err := c.find(ctx, l.URL, seen)
		switch {
		case errors.Is(err, ErrBusy) || ctx.Err() != nil:
			return err
		case err == nil:
			copies.known[l.URL] = Found{l.URL, found, now.UTC()}
		}
		if err := c.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// askable reports whether an archive may be asked about an address: one of the web
// or of FTP, whole, and without a password.
func askable(url string) bool { return isWhole(url) && uri.Mask(url) == url }

// isWhole reports whether an address is http, https or ftp and holds nothing that
// no address can.
func isWhole(url string) bool {
	if strings.ContainsAny(url, "<>\"\ufffd") || strings.IndexFunc(url, unicode.IsSpace) >= 0 {
		return false
	}
	scheme, _, _ := strings.Cut(url, "://")
	return slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme))
}

func (c *Client) pause(ctx context.Context) error {
	t := time.NewTimer(cmp.Or(max(c.Gap, 0), DefaultGap))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find asks about one address; "" means that the archive has no copy.
func (c *Client) find(ctx context.Context, page string, seen time.Time) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	base, err := url.Parse(c.URL)
	if err != nil {
		return "", fmt.Errorf("memento: %w", err)
	}
	if strings.HasSuffix(strings.TrimRight(base.Path, "/"), "cdx") {
		return c.askCDX(ctx, base, page, seen)
	}
	return c.askTimeGate(ctx, page, seen)
}

// askTimeGate follows RFC 7089 section 4.1: the TimeGate answers 302 with the
// copy in Location (pattern 1), or 200 being the copy itself (pattern 2).
func (c *Client) askTimeGate(ctx context.Context, page string, seen time.Time) (string, error) {
	at := c.URL + page
	if !strings.HasSuffix(c.URL, "/") && !strings.HasSuffix(c.URL, "=") {
		at = c.URL + "/" + page
	}
	for range maxRedirects {
		res, _, err := c.get(ctx, http.MethodHead, at, seen)
		if err != nil {
			return "", err
		}
		switch {
		case res.StatusCode == http.StatusOK && res.Header.Get("Memento-Datetime") != "":
			if to := res.Header.Get("Content-Location"); to != "" {
				return resolve(at, to)
			}
			return at, nil
		case res.StatusCode == http.StatusNotFound:
			return "", nil
		case res.StatusCode < 300 || res.StatusCode > 399 || res.Header.Get("Location") == "":
			return "", fmt.Errorf("memento: archive answered %d", res.StatusCode)
		}
		if at, err = resolve(at, res.Header.Get("Location")); err != nil {
			return "", err
		}
		if strings.Contains(strings.ToLower(strings.Join(res.Header.Values("Vary"), ",")), "accept-datetime") {
			return at, nil
		}
	}
	return "", fmt.Errorf("memento: archive redirects without end")
}

// resolve makes the address of a copy whole; only web addresses are taken.
func resolve(base, ref string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("memento: archive: %w", err)
	}
	u, err := b.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("memento: archive named %.200q", ref)
	}
	return u.String(), nil
}

// get sends one request and reads a bounded answer.
func (c *Client) get(ctx context.Context, method, at string, seen time.Time) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("memento: archive: %w", err)
	}
	req.Header.Set("Accept-Datetime", seen.UTC().Format(http.TimeFormat))
	if c.UserAgent != "" {
		req.Header.Set("User-Agent", c.UserAgent)
	}
	res, err := c.Doer.Do(req)
	if err != nil {
		return nil, nil, fmt.Errorf("memento: ask archive: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable {
		return nil, nil, fmt.Errorf("%w: %d", ErrBusy, res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, nil, fmt.Errorf("memento: read archive: %w", err)
	}
	return res, body, nil
}
