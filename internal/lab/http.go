package lab

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

// Site is a web site: handlers by path, and "*" for all others. Without "*" the
// others are 404, as on an honest server.
type Site map[string]http.HandlerFunc

// Web answers for several sites by the Host of the request.
type Web map[string]Site

// ServeHTTP implements http.Handler. A host without a site is 404 throughout.
func (web Web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := strings.ToLower(r.Host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	site := web[host]
	for _, h := range []http.HandlerFunc{site[r.URL.Path], site["*"], NotFound} {
		if h != nil {
			h(w, r)
			return
		}
	}
}

// HTTP serves web on l until l is closed; then it ends what is still going on.
func HTTP(l net.Listener, web http.Handler) error {
	s := &http.Server{Handler: web, ReadHeaderTimeout: idle, ErrorLog: log.New(io.Discard, "", 0)}
	defer s.Close()
	if err := s.Serve(l); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Page is a page with a title and a text of its own.
func Page(title, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html>\n<title>%s</title>\n<h1>%s</h1>\n<p>%s</p>\n", title, title, text)
	}
}

// Status answers with a status, and header fields as name and value in turn.
func Status(code int, fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(fields); i += 2 {
			w.Header().Set(fields[i], fields[i+1])
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "text/plain")
		}
		w.WriteHeader(code)
		if code >= 200 && code != http.StatusNoContent && code != http.StatusResetContent && code != http.StatusNotModified {
			fmt.Fprintln(w, code, http.StatusText(code))
		}
	}
}

// Redirect sends the reader to another address.
func Redirect(code int, to string) http.HandlerFunc { return Status(code, "Location", to) }

// NotFound is the honest answer for what is not there.
func NotFound(w http.ResponseWriter, r *http.Request) { Status(http.StatusNotFound)(w, r) }

// Text answers with a body of a given type.
func Text(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Write([]byte(body))
	}
}

// Sorry is the page of a dishonest site: 200 for whatever was asked.
func Sorry(w http.ResponseWriter, r *http.Request) {
	Page("Page not found", "We are sorry, but there is no "+r.URL.Path+" on this site any more. "+
		"Our pages were put in a new order last spring. Please use the search or begin at the front page.")(w, r)
}

// Slow waits before it answers, as long as the reader does.
func Slow(d time.Duration, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(d):
			h(w, r)
		case <-r.Context().Done():
		}
	}
}

// HeadRefuser answers HEAD with a status of its own and all else by h.
func HeadRefuser(code int, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			w.WriteHeader(code)
			return
		}
		h(w, r)
	}
}

// ParkedPage is the page of a domain that is for sale.
func ParkedPage(w http.ResponseWriter, r *http.Request) {
	Text("text/html", `<html data-adblockkey="MFwwDQYJ"><title>`+r.Host+`</title><p>This domain may be for sale.</p></html>`)(w, r)
}
