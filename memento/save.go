package memento

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Saver asks an archive to keep pages (Save Page Now): a GET of the address with the page in the
// place of {url}; an address without that place gets a POST with the page as the field url of a
// form, as version 2 of the interface of the Internet Archive wants it.
type Saver struct {
	Client *Client
	URL    string
	Key    string // value of the header Authorization, such as "LOW access:secret"; "": none
}

// Save asks for one page. That the archive took the question over is all that nil says: it keeps
// pages later.
func (s *Saver) Save(ctx context.Context, page string) error {
	at, method, form := s.URL, http.MethodPost, url.Values{"url": {page}}.Encode()
	if strings.Contains(at, "{url}") {
		at, method, form = withPage(at, page), http.MethodGet, ""
	}
	if err := s.Client.Pause(ctx, at); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, at, strings.NewReader(form))
	if err != nil {
		return fmt.Errorf("memento: archive: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	if form != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if s.Key != "" {
		req.Header.Set("Authorization", s.Key)
	}
	res, _, _, err := s.Client.do(req)
	if err != nil {
		return err
	}
	if res.StatusCode < 200 || res.StatusCode > 399 {
		return answered(res.StatusCode)
	}
	return nil
}
