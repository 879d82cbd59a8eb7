package memento

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/secret"
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

// NewDoer makes a Doer that connects through d and through no proxy.
func NewDoer(d netguard.Dialer) Doer {
	return &http.Client{
		Transport:     &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: maxAnswer},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
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

// ErrBusy says that the archive answered 429 or 503: no further question is sent.
// Answers that it gave before are in the copies.
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
		page := cmp.Or(l.Target, l.URL) // archives do not come through a library's proxy
		if l.Mentions == 0 || l.State != judge.Dead && l.State != judge.Moved || !askable(page) || copies.fresh(page, now) {
			continue
		}
		if left--; left < 0 || len(copies.known) >= maxCopies {
			return nil
		}
		seen := l.LastOK
		if seen.IsZero() {
			seen = l.FirstSeen
		}
		found, err := c.find(ctx, page, seen)
		switch {
		case errors.Is(err, ErrBusy) || ctx.Err() != nil:
			return err
		case err == nil:
			copies.known[page] = Found{page, found, now.UTC()}
		}
		if err := c.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// askable reports whether an archive may be asked about an address: http, https or
// ftp, well formed, without a password.
func askable(url string) bool { return uri.Clickable(url) && secret.Mask(url) == url }

func (c *Client) pause(ctx context.Context) error {
	select {
	case <-time.After(cmp.Or(max(c.Gap, 0), DefaultGap)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find asks for the copy of one page that was made nearest to a time; "" means that
// the archive has none.
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
