package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"html/template"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"linkcheck/store"
)

// ServeSource is a source that also finds one link by its number.
type ServeSource interface {
	Source
	// Entry gives one link, its history and its places, but of very many places
	// only so many; or store.ErrNotFound.
	Entry(id uint64, most int) (store.Entry, error)
}

// Server shows a report page by page over a live source, for stores too large
// for one file. It only reads, sets no cookie, runs no script, and answers only
// to the hosts it is told of, so that no page elsewhere can reach it by a name of
// its own (DNS rebinding). It is an http.Handler, safe for concurrent use.
type Server struct {
	src   ServeSource
	o     Options
	hosts []string
	style []byte
	tag   string
	now   atomic.Pointer[edition]
}

// edition is the report and its index as of one reading of the source.
type edition struct {
	*Report
	*index
	pages *template.Template
	front []byte // the first page, which costs most and changes least
}

// NewServer reads the source. hosts are names beside the loopback ones under
// which the server may be asked.
func NewServer(ctx context.Context, src ServeSource, o Options, hosts ...string) (*Server, error) {
	style, err := assets.ReadFile("assets/report.css")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(style)
	o.MaxLinks = math.MaxInt // nothing is left out here
	s := &Server{src: src, o: o, hosts: append([]string{"localhost", "127.0.0.1", "[::1]", "::1"}, hosts...), style: style, tag: fmt.Sprintf("%x", sum[:6])}
	return s, s.Refresh(ctx)
}

// Refresh reads the source again; pages show the old figures until it is done.
func (s *Server) Refresh(ctx context.Context) error {
	r, err := Build(ctx, s.src, s.o)
	if err != nil {
		return err
	}
	ix, err := r.index(ctx, s.src)
	if err != nil {
		return err
	}
	t, err := r.template()
	if err != nil {
		return err
	}
	ed := &edition{Report: r, index: ix, pages: t}
	if ed.front, err = s.first(ctx, ed); err != nil {
		return err
	}
	s.now.Store(ed)
	return nil
}

// ServeHTTP answers GET and HEAD of /, /links, /link/NUMBER, /metrics and the style.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !s.mayAsk(r.Host) {
		http.Error(w, "this server is not known by that name", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this server only shows", http.StatusMethodNotAllowed)
		return
	}
	ed := s.now.Load()
	switch path := r.URL.Path; {
	case path == "/":
		showHTML(w, ed.front)
	case path == "/links":
		s.list(w, r, ed)
	case strings.HasPrefix(path, "/link/"):
		s.one(w, r, ed, strings.TrimPrefix(path, "/link/"))
	case path == "/metrics":
		h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var b bytes.Buffer
		if err := ed.WriteMetrics(&b); err == nil {
			w.Write(b.Bytes())
		}
	case path == "/report-"+s.tag+".css":
		h.Set("Content-Type", "text/css; charset=utf-8")
		h.Set("Cache-Control", "max-age=86400")
		w.Write(s.style)
	default:
		http.NotFound(w, r)
	}
}

// mayAsk checks the Host header.
func (s *Server) mayAsk(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	for _, h := range s.hosts {
		if strings.EqualFold(name, h) {
			return true
		}
	}
	return false
}

// head makes the part of a page that all pages share; up leads to the root, back
// to the first page.
func (s *Server) head(ed *edition, up, back string) *page {
	return &page{Report: ed.Report, Lang: ed.words.lang, Back: back, Base: template.URL(up + "links?"), LeftOut: "",
		CSP:   "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'",
		Style: template.HTML(`<link rel="stylesheet" href="` + up + `report-` + s.tag + `.css">`),
		Made:  ed.words.get("made.serve", "version", ed.Options.Version, "date", ed.words.day(ed.Now))}
}

// first makes the first page.
func (s *Server) first(ctx context.Context, ed *edition) ([]byte, error) {
	p := s.head(ed, "", "")
	p.Bar, p.Cards, p.Trend, p.Coverage = ed.bar(), ed.cards(), ed.trend(), ed.coverage()
	p.setCauses()
	p.setOdd()
	if err := p.setDupes(ctx); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := ed.pages.ExecuteTemplate(&b, "index", p)
	return b.Bytes(), err
}

// show writes a page as a whole, or says that it could not be made.
func (s *Server) show(w http.ResponseWriter, ed *edition, name string, p any, err error) {
	var b bytes.Buffer
	if err == nil {
		err = ed.pages.ExecuteTemplate(&b, name, p)
	}
	if err != nil {
		http.Error(w, "the store could not be read", http.StatusInternalServerError)
		return
	}
	showHTML(w, b.Bytes())
}

func showHTML(w http.ResponseWriter, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	w.Write(page)
}
