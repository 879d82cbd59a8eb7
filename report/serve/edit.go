package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/store"
)

// Editor lets a page and plugins change a store, by the API below /api/v1/; what only reads
// is left to Pages. It answers to the names of loopback alone, to nobody without the token,
// and to no page of another origin, whatever that knows. Safe for concurrent use.
type Editor struct {
	Pages http.Handler // a Server of NewEditing
	// Write opens the store, has a change made and closes it. The error wraps store.ErrInUse
	// where a run holds the store.
	Write func(ctx context.Context, change func(*store.Store) error) error
	Token string
	By    string // who decides, where a request does not say
	Now   func() time.Time
}

// csrfOf is what a page has to show beside its cookie: pages of other origins cannot read it.
func csrfOf(token string) string {
	sum := sha256.Sum256([]byte("csrf " + token))
	return hex.EncodeToString(sum[:])
}

// ServeHTTP implements http.Handler.
func (e *Editor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	api := strings.HasPrefix(r.URL.Path, apiPath)
	bearer, browser := shows(r, e.Token)
	switch {
	case !knows(loopback, r.Host):
		refuse(w, http.StatusMisdirectedRequest, "this server is not known by that name")
	case foreign(r):
		refuse(w, http.StatusForbidden, "another origin asks")
	case !api:
		WithToken(e.Pages, e.Token).ServeHTTP(w, r)
	case !bearer && !browser:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "this server wants the token of the address that linkcheck printed")
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		e.Pages.ServeHTTP(w, r)
	case !bearer && !equal(r.Header.Get("X-CSRF-Token"), csrfOf(e.Token)):
		refuse(w, http.StatusForbidden, "X-CSRF-Token is not that of the page")
	default:
		from := "browser"
		if bearer {
			from = "api"
		}
		e.change(w, r, from)
	}
}

// foreign says whether a page of another origin asks. Programs send no Origin.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return r.Method != http.MethodGet || strings.HasPrefix(r.URL.Path, apiPath) // a link to the page may stand anywhere
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || u.Path != "" || !strings.EqualFold(u.Host, r.Host) {
			return true
		}
	}
	return false
}
