package memento

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

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
	replay := *base
	replay.RawQuery = ""
	return replay.Scheme + "://" + replay.Host + replayPath(replay.Path) + stamp + "/" + original, nil
}

// replayPath gives where an archive shows the captures that its CDX lists:
// /cdx/search/cdx goes with /web/, /NAME/cdx with /NAME/.
func replayPath(cdx string) string {
	cdx = strings.TrimRight(cdx, "/")
	if strings.HasSuffix(cdx, "/cdx/search/cdx") {
		return strings.TrimSuffix(cdx, "/cdx/search/cdx") + "/web/"
	}
	return strings.TrimSuffix(cdx, "cdx")
}

// firstCapture reads either form of CDX in JSON: an array of arrays with a header
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
	for i, name := range rows[0] {
		if i < len(rows[1]) {
			named[name] = rows[1][i]
		}
	}
	return checkCapture(named["timestamp"], named["original"])
}

// checkCapture takes a capture only if it can be one.
func checkCapture(stamp, original string) (string, string, error) {
	if _, err := time.Parse(cdxTime, stamp); err != nil || !isWhole(original) {
		return "", "", fmt.Errorf("memento: archive listed the capture %.40q of %.200q", stamp, original)
	}
	return stamp, original, nil
}
