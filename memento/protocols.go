package memento

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/uri"
)

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

// cdxTime is how CDX writes times.
const cdxTime = "20060102150405"

// askCDX asks a CDX server for the good capture nearest to a time.
func (c *Client) askCDX(ctx context.Context, base *url.URL, page string, seen time.Time) (string, error) {
	at := *base
	at.RawQuery = url.Values{"url": {page}, "output": {"json"}, "filter": {"statuscode:200"}, "limit": {"1"}, "sort": {"closest"},
		"closest": {seen.UTC().Format(cdxTime)}}.Encode()
	res, body, err := c.get(ctx, http.MethodGet, at.String(), seen)
	if err != nil {
		return "", err
	}
	if res.StatusCode == http.StatusNotFound {
		return "", nil
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("memento: archive answered %d", res.StatusCode)
	}
	stamp, original, err := firstCapture(body)
	if err != nil || stamp == "" {
		return "", err
	}
	return base.Scheme + "://" + base.Host + replayPath(base.Path) + stamp + "/" + original, nil
}

// replayPath gives the path below which an archive shows the captures of its CDX
// server: /web/ for /cdx/search/cdx, /NAME/ for /NAME/cdx.
func replayPath(cdx string) string {
	cdx = strings.TrimRight(cdx, "/")
	if strings.HasSuffix(cdx, "/cdx/search/cdx") {
		return strings.TrimSuffix(cdx, "/cdx/search/cdx") + "/web/"
	}
	return strings.TrimSuffix(cdx, "cdx")
}

// firstCapture reads either layout of CDX in JSON: an array of arrays with a header
// row, or an object a line.
func firstCapture(body []byte) (stamp, original string, err error) {
	text := strings.TrimSpace(string(body))
	if text == "" || text == "[]" {
		return "", "", nil
	}
	if text[0] == '{' {
		var c struct{ Timestamp, URL string }
		first, _, _ := strings.Cut(text, "\n")
		if err := json.Unmarshal([]byte(first), &c); err != nil {
			return "", "", fmt.Errorf("memento: archive: %w", err)
		}
		return checkCapture(c.Timestamp, c.URL)
	}
	var rows [][]string
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		return "", "", fmt.Errorf("memento: archive: %w", err)
	}
	if len(rows) < 2 {
		return "", "", nil
	}
	named := map[string]string{}
	for i, name := range rows[0][:min(len(rows[0]), len(rows[1]))] {
		named[name] = rows[1][i]
	}
	return checkCapture(named["timestamp"], named["original"])
}

// checkCapture gives the time stamp and the address of a capture, if they are well formed.
func checkCapture(stamp, original string) (string, string, error) {
	if _, err := time.Parse(cdxTime, stamp); err != nil || !uri.Clickable(original) {
		return "", "", fmt.Errorf("memento: archive listed the capture %.40q of %.200q", stamp, original)
	}
	return stamp, original, nil
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

// resolve gives the absolute address of a copy; it is an error if that is not http or https.
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
