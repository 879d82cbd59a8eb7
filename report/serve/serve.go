package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/text"
	"linkcheck/store"
)

//go:embed assets/serve.html
var pages string

//go:embed assets/edit.js
var editScript string

//go:embed assets/edit.css
var editStyle string

// Source is a source that also finds one link by its number.
type Source interface {
	report.Source
	// Entry gives one link with its history and its first most mentions, or
	// store.ErrNotFound.
	Entry(id uint64, most int) (store.Entry, error)
}

// Server shows a report page by page over a live source, for stores too large
// for one file. It only reads, sets no cookie, runs no script, and answers only
// to the host names that it is given, so that no page elsewhere can reach it by a
// name of its own (DNS rebinding). It is an http.Handler, safe for concurrent use.
type Server struct {
	src      Source
	options  report.Options
	hosts    []string
	styleTag string // changes with the style, which browsers keep for a day
	csrf     string // what pages show from which the source is changed; "": they only read
	current  atomic.Pointer[snapshot]
}

// snapshot is the report and its index as of one reading of the source.
type snapshot struct {
	*report.Report
	*index
	pages *template.Template
	front []byte // the first page, which costs most and changes least
}

// New reads the source. hosts are the host names that the server answers to, beside
// those of loopback.
func New(ctx context.Context, src Source, o report.Options, hosts ...string) (*Server, error) {
	sum := sha256.Sum256([]byte(html.Stylesheet))
	o.MaxLinks = math.MaxInt // nothing is left out here
	s := &Server{src: src, options: o, hosts: append(slices.Clone(loopback), hosts...), styleTag: fmt.Sprintf("%x", sum[:6])}
	return s, s.Refresh(ctx)
}

// NewEditing reads the source for pages from which it is changed, by an Editor that has the
// token.
func NewEditing(ctx context.Context, src Source, o report.Options, token string) (*Server, error) {
	sum := sha256.Sum256([]byte(html.Stylesheet + editScript + editStyle))
	o.MaxLinks = math.MaxInt
	s := &Server{src: src, options: o, hosts: loopback, styleTag: fmt.Sprintf("%x", sum[:6]), csrf: csrfOf(token)}
	return s, s.Refresh(ctx)
}

// Refresh reads the source again; pages show the old figures until it is done.
func (s *Server) Refresh(ctx context.Context) error {
	r, err := report.Build(ctx, s.src, s.options)
	if err != nil {
		return err
	}
	ix, err := newIndex(ctx, r, s.csrf != "")
	if err != nil {
		return err
	}
	t, err := html.Template(r.Scope)
	if err != nil {
		return err
	}
	if t, err = t.Funcs(editFuncs).Parse(pages); err != nil {
		return fmt.Errorf("report: page template: %w", err)
	}
	snap := &snapshot{Report: r, index: ix, pages: t}
	if snap.front, err = s.frontPage(ctx, snap); err != nil {
		return err
	}
	s.current.Store(snap)
	return nil
}

// ServeHTTP answers GET and HEAD of /, /links, /link/NUMBER, /metrics and the style.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	secure(h)
	if !s.knowsHost(r.Host) {
		http.Error(w, "this server is not known by that name", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this server only shows", http.StatusMethodNotAllowed)
		return
	}
	snap := s.current.Load()
	if s.csrf != "" {
		h.Set("Content-Security-Policy", editPolicy+"; frame-ancestors 'none'")
	}
	switch path := r.URL.Path; {
	case s.csrf != "" && s.serveEditing(w, r, snap):
	case path == "/":
		writeHTML(w, snap.front)
	case path == "/links":
		s.serveList(w, r, snap)
	case strings.HasPrefix(path, "/link/"):
		s.serveLink(w, r, snap, strings.TrimPrefix(path, "/link/"))
	case path == "/metrics":
		h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		text.WriteMetrics(w, snap.Report) // fails only if the client is gone
	case path == "/report-"+s.styleTag+".css":
		h.Set("Content-Type", "text/css; charset=utf-8")
		h.Set("Cache-Control", "max-age=86400")
		io.WriteString(w, html.Stylesheet)
	default:
		http.NotFound(w, r)
	}
}

// knowsHost checks the name in a Host header.
func (s *Server) knowsHost(host string) bool { return knows(s.hosts, host) }

// frontPage makes the first page.
func (s *Server) frontPage(ctx context.Context, snap *snapshot) ([]byte, error) {
	p := s.newPage(snap, "", "")
	if err := p.SetSums(ctx); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := snap.pages.ExecuteTemplate(&b, "index", p)
	return b.Bytes(), err
}
