package memento

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"linkcheck/uri"
)

// stampTime is how indexes write times.
const stampTime = "20060102150405"

// cdxServer is an archive that answers from its index (the CDX server API of pywb,
// OutbackCDX and the Wayback Machine).
type cdxServer struct {
	c    *Client
	base *url.URL
}

// nearest is how many captures a CDX server is asked for: the first, and those that take its
// place where it is none.
const nearest = "10"

// NewCDX makes an archive of the address of a CDX server. Its copies are shown below its own
// folder: /NAME/ for /NAME/cdx, /web/ for /cdx/search/cdx.
func NewCDX(c *Client, address string) (Archive, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("memento: %w", err)
	}
	return &cdxServer{c, base}, nil
}

func (s *cdxServer) Name() string { return s.base.String() }

func (s *cdxServer) Near(ctx context.Context, page string, at time.Time) iter.Seq2[Copy, error] {
	list, err := s.ask(ctx, page, at)
	return yieldNear(list, at, err)
}

func (s *cdxServer) ask(ctx context.Context, page string, seen time.Time) (list []Copy, err error) {
	at := *s.base
	query := at.Query()
	for name, value := range map[string]string{"url": page, "output": "json", "filter": "statuscode:200", "limit": nearest, "sort": "closest",
		"closest": seen.UTC().Format(stampTime)} {
		query.Set(name, value)
	}
	at.RawQuery = query.Encode()
	res, body, cut, err := s.c.get(ctx, http.MethodGet, at.String(), time.Time{})
	switch {
	case err != nil:
		return nil, err
	case res.StatusCode == http.StatusNotFound:
		return nil, nil
	case res.StatusCode != http.StatusOK:
		return nil, answered(res.StatusCode)
	case cut:
		return nil, errors.New("memento: archive answers a question for ten captures with a megabyte")
	}
	var faulty error
	captures, err := parseCDX(body)
	for _, c := range captures {
		if bad := c.check(); bad != nil {
			faulty = bad
		} else if c.good() {
			made, _ := time.Parse(stampTime, c.stamp)
			list = append(list, Copy{URL: s.base.Scheme + "://" + s.base.Host + replayPath(s.base.Path) + c.stamp + "/" + c.url, Made: made})
		}
	}
	if len(list) == 0 {
		err = cmp.Or(err, faulty)
	}
	return list, err
}

// replayPath gives the path below which an archive shows the captures of its CDX
// server: /web/ for /cdx/search/cdx, /NAME/ for /NAME/cdx.
func replayPath(cdx string) string {
	cdx = strings.TrimRight(cdx, "/")
	if before, ok := strings.CutSuffix(cdx, "/cdx/search/cdx"); ok {
		return before + "/web/"
	}
	if strings.HasSuffix(cdx, "/cdx") {
		return strings.TrimSuffix(cdx, "cdx")
	}
	return cdx + "/"
}

// capture is one line of an index.
type capture struct {
	stamp, url, status string
	file, offset       string
}

// check says what is wrong with a capture.
func (c *capture) check() error {
	if _, err := time.Parse(stampTime, c.stamp); err != nil || !uri.Clickable(c.url) {
		return fmt.Errorf("memento: archive listed the capture %.40q of %.200q", c.stamp, c.url)
	}
	return nil
}

// good says that the server gave the page.
func (c *capture) good() bool { return c.status == "" || c.status == "200" }

// cdxOrder is that of the fields of a line of CDX (CDX N b a m s k r M S V g: 11 fields), and of
// servers that name none.
var cdxOrder = []string{"urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "redirect", "robotflags", "length", "offset", "filename"}

// parseCDX reads the layouts of CDX: an array of arrays in JSON, whose first one may name the fields; an
// array or an object a line; lines of CDXJ (a key, a time, an object); lines of fields.
func parseCDX(body []byte) (list []capture, err error) {
	text := strings.TrimSpace(string(body))
	order := cdxOrder
	row := func(values []string) {
		if slices.Contains(values, "timestamp") {
			order = values
			return
		}
		list = append(list, byNames(order, values))
	}
	if strings.HasPrefix(text, "[") {
		var rows [][]string
		if json.Unmarshal([]byte(text), &rows) == nil {
			for _, values := range rows {
				row(values)
			}
			return list, nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '!' || strings.HasPrefix(line, "CDX "):
		case line[0] == '[':
			var values []string
			if err := json.Unmarshal([]byte(strings.TrimSuffix(line, ",")), &values); err != nil {
				return nil, fmt.Errorf("memento: archive: %w", err)
			}
			row(values)
		default:
			c, err := parseCDXLine(line)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// parseCDXLine reads a line of CDXJ, an object of JSON, or a line of fields.
func parseCDXLine(line string) (c capture, err error) {
	if begin := strings.IndexByte(line, '{'); begin == 0 || begin > 0 && strings.Count(line[:begin], " ") == 2 {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line[begin:]), &fields); err != nil {
			return c, fmt.Errorf("memento: archive: %w", err)
		}
		var names, values []string
		for name, value := range fields {
			names, values = append(names, name), append(values, fmt.Sprint(value))
		}
		if c = byNames(names, values); begin > 0 {
			c.stamp = strings.Fields(line)[1]
		}
		return c, nil
	}
	return byNames(cdxOrder, strings.Fields(line)), nil
}

// byNames makes a capture of fields and their names.
func byNames(names, values []string) (c capture) {
	for i, name := range names[:min(len(names), len(values))] {
		v := values[i]
		switch name {
		case "timestamp":
			c.stamp = v
		case "original", "url":
			c.url = v
		case "statuscode", "status":
			c.status = v
		case "filename":
			c.file = v
		case "offset":
			c.offset = v
		}
	}
	return c
}
