package memento

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/store"
	"linkcheck/store/archived"
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

// Saved says whether an archive was asked to keep a page within 180 days.
func Saved(st *store.Store, page string, now time.Time) bool {
	_, is := archived.Rest(st, savedMark+page, now)
	return is
}

const savedMark = "saved "

// SaveAll asks for one page after the other, and notes in the store which were taken over. It
// ends where the archive wants to be left alone; the errors of single pages go to failed.
func (s *Saver) SaveAll(ctx context.Context, st *store.Store, pages []string, now time.Time, failed func(page string, err error)) (saved int, err error) {
	for _, page := range pages {
		err := s.Save(ctx, page)
		if err == nil {
			saved++
			if err := archived.SetRest(st, savedMark+page, now.Add(archived.Keep)); err != nil {
				return saved, err
			}
			continue
		}
		if ctx.Err() != nil {
			return saved, ctx.Err()
		}
		failed(page, err)
		if _, busy := errors.AsType[*BusyError](err); busy {
			break
		}
	}
	return saved, nil
}
