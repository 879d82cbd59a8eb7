package memento

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"linkcheck/store/archived"
)

// timeGate is an archive that is asked for the copy nearest to a time (RFC 7089 section 4).
type timeGate struct {
	c   *Client
	url string
}

// NewTimeGate makes an archive of the address of a TimeGate: that of a page is put in the place
// of {url} in it, or behind it.
func NewTimeGate(c *Client, url string) Archive { return &timeGate{c, url} }

func (g *timeGate) Name() string { return g.url }

// Near yields the copy that the TimeGate chose; then those that it names beside, and those of the
// TimeMap that it names.
func (g *timeGate) Near(ctx context.Context, page string, at time.Time) iter.Seq2[Copy, error] {
	return func(yield func(Copy, error) bool) {
		first, links, err := g.ask(ctx, page, at)
		if err != nil {
			yield(Copy{}, err)
			return
		}
		if first.URL == "" || !yield(first, nil) {
			return
		}
		more := mementos(g.url, links)
		for _, l := range links {
			if !l.is("timemap") {
				continue
			}
			address, err := resolve(g.url, l.target)
			if err == nil {
				var listed []Copy
				listed, err = g.c.timeMap(ctx, address)
				more = append(more, listed...)
			}
			if err != nil && len(more) == 0 {
				yield(Copy{}, err)
				return
			}
			break
		}
		sortNear(more, at)
		for i, c := range more {
			if c.URL != first.URL && !slices.ContainsFunc(more[:i], func(m Copy) bool { return m.URL == c.URL }) && !yield(c, nil) {
				return
			}
		}
	}
}

// ask follows RFC 7089 section 4.1: the TimeGate answers 302 with the copy in Location
// (pattern 1), or 200 being the copy itself (pattern 2). No copy is no URL.
func (g *timeGate) ask(ctx context.Context, page string, seen time.Time) (Copy, []link, error) {
	at := withPage(g.url, page)
	var links []link
	for range maxRedirects {
		res, _, _, err := g.c.get(ctx, http.MethodHead, at, seen)
		if err != nil {
			return Copy{}, nil, err
		}
		for _, v := range res.Header.Values("Link") {
			links = append(links, parseLinks(v)...)
		}
		to := res.Header.Get("Location")
		switch {
		case res.StatusCode == http.StatusOK && res.Header.Get("Memento-Datetime") != "":
			if there := res.Header.Get("Content-Location"); there != "" {
				at, err = resolve(at, there)
			}
			made, _ := http.ParseTime(res.Header.Get("Memento-Datetime"))
			return Copy{URL: at, Made: made}, links, err
		case res.StatusCode == http.StatusNotFound:
			return Copy{}, nil, nil
		case res.StatusCode < 300 || res.StatusCode > 399 || to == "":
			return Copy{}, nil, answered(res.StatusCode)
		}
		if at, err = resolve(at, to); err != nil {
			return Copy{}, nil, err
		}
		if strings.Contains(strings.ToLower(strings.Join(res.Header.Values("Vary"), ",")), "accept-datetime") {
			return Copy{URL: at, Made: madeOf(at, links)}, links, nil
		}
	}
	return Copy{}, nil, errors.New("memento: archive redirects without end")
}

// madeOf is when a copy was made, by the links beside it or by its address.
func madeOf(at string, links []link) time.Time {
	for _, l := range links {
		if l.is("memento") && l.target == at && !l.datetime.IsZero() {
			return l.datetime
		}
	}
	_, made, _ := archived.Held(at)
	return made
}

// timeMap is an archive that is asked for the list of all copies of a page.
type timeMap struct {
	c   *Client
	url string

	page   string // that was asked about last
	copies []Copy
}

// NewTimeMap makes an archive of the address of TimeMaps: that of a page is put in the place of
// {url} in it, or behind it.
func NewTimeMap(c *Client, url string) Archive { return &timeMap{c: c, url: url} }

func (t *timeMap) Name() string { return t.url }

func (t *timeMap) Near(ctx context.Context, page string, at time.Time) iter.Seq2[Copy, error] {
	if page != t.page {
		copies, err := t.c.timeMap(ctx, withPage(t.url, page))
		if err != nil {
			return yieldNear(nil, at, err)
		}
		t.page, t.copies = page, copies
	}
	return yieldNear(t.copies, at, nil)
}

const (
	maxMaps   = 20      // pages of one TimeMap that are read
	maxListed = 100_000 // copies of it that are remembered
)

// timeMap reads a TimeMap (RFC 7089 section 5), page after page; that there is none is no error.
func (c *Client) timeMap(ctx context.Context, at string) (list []Copy, err error) {
	pages := []string{at}
	for i := 0; i < len(pages); i++ {
		res, body, cut, err := c.get(ctx, http.MethodGet, pages[i], time.Time{})
		switch {
		case err != nil:
			return nil, err
		case res.StatusCode == http.StatusNotFound:
			continue
		case res.StatusCode > 300 && res.StatusCode < 400 && res.Header.Get("Location") != "" && len(pages) < maxMaps:
			to, err := resolve(pages[i], res.Header.Get("Location"))
			if err != nil {
				return nil, err
			}
			if !slices.Contains(pages, to) {
				pages = append(pages, to)
			}
			continue
		case res.StatusCode != http.StatusOK:
			return nil, answered(res.StatusCode)
		}
		text := string(body)
		if cut { // the last one is not whole
			text = text[:max(0, strings.LastIndexByte(text, '\n'))]
		}
		links := parseLinks(text)
		list = append(list, mementos(pages[i], links)...)
		for _, l := range links {
			if to, err := resolve(pages[i], l.target); err == nil && l.is("timemap") && len(pages) < maxMaps && !slices.Contains(pages, to) {
				pages = append(pages, to)
			}
		}
		if len(list) > maxListed {
			return nil, fmt.Errorf("memento: archive lists more than %d copies of a page", maxListed)
		}
	}
	return list, nil
}
