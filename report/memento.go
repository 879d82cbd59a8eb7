package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/store"
	"linkcheck/uri"
)

const (
	maxArchiveAnswer = 64 << 10 // bytes read of one answer of an archive
	maxArchiveHops   = 3        // redirects of a TimeGate to itself
	archiveTimeout   = 30 * time.Second
	// DefaultArchiveGap is the pause between two questions to an archive.
	DefaultArchiveGap = time.Second
	// DefaultArchiveMax is how many addresses one report asks an archive about;
	// the others wait for the next one.
	DefaultArchiveMax = 500
)

// Doer sends one HTTP request and follows no redirect: an *http.Client whose
// CheckRedirect returns [http.ErrUseLastResponse] does.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Memento asks one archive for copies: a TimeGate (RFC 7089 section 2.1.2), or a
// CDX server where the path of URL ends in "cdx".
type Memento struct {
	URL       string // the address of a page is appended, or for CDX a query
	Doer      Doer
	UserAgent string
	Gap       time.Duration // between questions; 0: DefaultArchiveGap
	Max       int           // questions of one Ask; 0: DefaultArchiveMax
}

// ErrArchiveBusy says that the archive asked to be left alone; what it said
// before that is kept.
var ErrArchiveBusy = errors.New("archive asks to be left alone")

// Ask looks up copies of the dead and moved links of a source, of the time when
// they were last seen, and remembers the answers in c. Addresses with a password
// are not asked about. An error of a single question leaves that link open.
func (m *Memento) Ask(ctx context.Context, src Source, c *Copies, now time.Time) error {
	left := m.Max
	if left <= 0 {
		left = DefaultArchiveMax
	}
	for l, err := range src.Scan(store.Pick{}) {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if l.Mentions == 0 || l.State != store.Dead && l.State != store.Moved || !clickable(l.URL) || uri.Mask(l.URL) != l.URL || c.fresh(l.URL, now) {
			continue
		}
		if left--; left < 0 || len(c.known) >= maxCopies {
			return nil
		}
		seen := l.LastOK
		if seen.IsZero() {
			seen = l.FirstSeen
		}
		found, err := m.find(ctx, l.URL, seen)
		switch {
		case errors.Is(err, ErrArchiveBusy) || ctx.Err() != nil:
			return err
		case err == nil:
			c.known[l.URL] = Found{l.URL, found, now.UTC()}
		}
		if err := m.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memento) pause(ctx context.Context) error {
	gap := m.Gap
	if gap <= 0 {
		gap = DefaultArchiveGap
	}
	t := time.NewTimer(gap)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find asks about one address; "" means that the archive has no copy.
func (m *Memento) find(ctx context.Context, page string, seen time.Time) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, archiveTimeout)
	defer cancel()
	base, err := url.Parse(m.URL)
	if err != nil {
		return "", fmt.Errorf("report: archive: %w", err)
	}
	if strings.HasSuffix(strings.TrimRight(base.Path, "/"), "cdx") {
		return m.askCDX(ctx, base, page, seen)
	}
	return m.askTimeGate(ctx, page, seen)
}

// askTimeGate follows RFC 7089 section 4.1: the TimeGate answers 302 with the
// copy in Location (pattern 1), or 200 being the copy itself (pattern 2).
func (m *Memento) askTimeGate(ctx context.Context, page string, seen time.Time) (string, error) {
	at := m.URL + page
	if !strings.HasSuffix(m.URL, "/") && !strings.HasSuffix(m.URL, "=") {
		at = m.URL + "/" + page
	}
	for range maxArchiveHops {
		res, _, err := m.get(ctx, http.MethodHead, at, seen)
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
			return "", fmt.Errorf("report: archive answered %d", res.StatusCode)
		}
		if at, err = resolve(at, res.Header.Get("Location")); err != nil {
			return "", err
		}
		if strings.Contains(strings.ToLower(strings.Join(res.Header.Values("Vary"), ",")), "accept-datetime") {
			return at, nil
		}
	}
	return "", fmt.Errorf("report: archive redirects without end")
}

// resolve makes the address of a copy whole; only web addresses are taken.
func resolve(base, ref string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("report: archive: %w", err)
	}
	u, err := b.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("report: archive named %.200q", ref)
	}
	return u.String(), nil
}

// get sends one request and reads a bounded answer.
func (m *Memento) get(ctx context.Context, method, at string, seen time.Time) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("report: archive: %w", err)
	}
	req.Header.Set("Accept-Datetime", seen.UTC().Format(http.TimeFormat))
	if m.UserAgent != "" {
		req.Header.Set("User-Agent", m.UserAgent)
	}
	res, err := m.Doer.Do(req)
	if err != nil {
		return nil, nil, fmt.Errorf("report: ask archive: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable {
		return nil, nil, fmt.Errorf("%w: %d", ErrArchiveBusy, res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxArchiveAnswer))
	if err != nil {
		return nil, nil, fmt.Errorf("report: read archive: %w", err)
	}
	return res, body, nil
}
