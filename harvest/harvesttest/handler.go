package harvesttest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/internal/robots"
	"linkcheck/uri"
)

// Web is a reader of a web site in memory, whatever its host. It judges answers by their
// status alone. Requests are counted by address.
type Web struct {
	http.Handler
	Asked map[string]int
	Sent  int64 // octets of bodies
	rules *robots.Rules
}

// NewWeb is the reader of a site.
func NewWeb(h http.Handler) *Web { return &Web{Handler: h, Asked: map[string]int{}} }

// Requests is how many there were.
func (w *Web) Requests() (n int) {
	for _, times := range w.Asked {
		n += times
	}
	return n
}

const maxHops = 10 // redirects of a read

// Read implements check.Reader.
func (w *Web) Read(ctx context.Context, t check.Target, want check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	if ctx.Err() != nil {
		return check.Classify(ctx.Err()), nil
	}
	at, err := url.Parse(t.URI.String())
	if err != nil {
		return check.New(check.Internal, check.ReasonInternalError, err.Error()), nil
	}
	var hops []check.Hop
	for range maxHops {
		if at.Path != "/robots.txt" && !want.NoRobots && !w.robots(ctx, at) {
			return check.New(check.Blocked, check.ReasonRobots, "robots.txt disallows "+at.Path), nil
		}
		answer := w.get(ctx, at, want.Version, len(hops) > 0)
		to := answer.Header().Get("Location")
		if to == "" {
			return w.judge(at, answer, hops, want, take)
		}
		next, err := at.Parse(to)
		if err != nil {
			break
		}
		hops = append(hops, check.Hop{Code: answer.Code, URL: next.String()})
		if next.Hostname() != at.Hostname() {
			u, err := uri.Parse(next.String())
			if err != nil {
				break
			}
			return check.Result{Hops: hops}, &check.Elsewhere{To: u}
		}
		if at = next; want.Had != nil && want.Had(at.String()) {
			answer = httptest.NewRecorder()
			answer.Code = http.StatusNotModified
			return w.judge(at, answer, hops, want, take)
		}
	}
	return check.New(check.Undetermined, check.ReasonRedirectTooMany, ""), nil
}

// get makes one request.
func (w *Web) get(ctx context.Context, at *url.URL, version string, behind bool) *httptest.ResponseRecorder {
	at.Fragment = ""
	w.Asked[at.String()]++
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	r.RequestURI = ""
	if _, err := http.ParseTime(version); version != "" && !behind {
		r.Header.Set(map[bool]string{true: "If-Modified-Since", false: "If-None-Match"}[err == nil], version)
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	w.Sent += int64(answer.Body.Len())
	return answer
}

// robots asks for robots.txt once, and says whether an address is allowed.
func (w *Web) robots(ctx context.Context, at *url.URL) bool {
	if w.rules == nil {
		file := *at
		file.Path, file.RawPath, file.RawQuery = "/robots.txt", "", ""
		asked := w.Asked[file.String()]
		answer := w.get(ctx, &file, "", true)
		w.Asked[file.String()] = max(asked, 1) // a reader keeps it for the run
		var text string
		if answer.Code == http.StatusOK {
			text = answer.Body.String()
		}
		w.rules = new(robots.Parse(text, "linkcheck"))
	}
	return w.rules.Allow(at.RequestURI())
}

// judge makes a result of an answer, and hands it over if it is good.
func (w *Web) judge(at *url.URL, answer *httptest.ResponseRecorder, hops []check.Hop, want check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	r := check.New(outcomeOf(answer.Code), check.ReasonHTTP(answer.Code), http.StatusText(answer.Code))
	r.Hops = hops
	if len(hops) > 0 {
		r.FinalURL = at.String()
	}
	r.RetryAfter = check.RetryAfter(answer.Header(), time.Now, time.Hour)
	if answer.Code != http.StatusOK && !want.AnyStatus {
		return r, nil
	}
	u, err := uri.Parse(at.String())
	if err != nil {
		return check.InvalidResult(err), nil
	}
	h := answer.Header()
	a := &check.Answer{URI: u, Media: h.Get("Content-Type"), Version: h.Get("ETag"), Robots: strings.Join(h.Values("X-Robots-Tag"), ", ")}
	if a.Version == "" {
		a.Version = h.Get("Last-Modified")
	}
	a.Date, _ = http.ParseTime(h.Get("Date"))
	body := answer.Body.Bytes()
	if want.MaxBytes > 0 && int64(len(body)) > want.MaxBytes {
		body, a.Cut = body[:want.MaxBytes], true
	}
	a.Body = io.Reader(strings.NewReader(string(body)))
	return r, take(a)
}

func outcomeOf(status int) check.Outcome {
	switch {
	case status == http.StatusOK, status == http.StatusNotModified:
		return check.OK
	case status == http.StatusUnauthorized:
		return check.Auth
	case status == http.StatusForbidden, status == http.StatusTooManyRequests:
		return check.Blocked
	case status == http.StatusNotFound, status == http.StatusGone:
		return check.Gone
	case status >= 500:
		return check.Temporary
	}
	return check.Undetermined
}
