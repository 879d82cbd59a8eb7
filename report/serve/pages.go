package serve

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"

	"linkcheck/report/html"
)

// newPage makes the part of a page that all pages share; up leads to the root, back
// to the first page.
func (s *Server) newPage(snap *snapshot, up, back string) *html.Page {
	p := &html.Page{Report: snap.Report, Back: back, Base: template.URL(up + "links?"),
		CSP:   "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'",
		Style: template.HTML(`<link rel="stylesheet" href="` + up + `report-` + s.styleTag + `.css">`),
		Made:  snap.Words.Get("made.serve", "version", snap.Options.Version, "date", snap.Words.Day(snap.Now))}
	if s.csrf != "" {
		p.CSP, p.Made = editPolicy, snap.Words.Get("made.edit", "version", snap.Options.Version, "date", snap.Words.Day(snap.Now))
		p.Early = template.HTML(`<meta name="csrf-token" content="` + s.csrf + `"><link rel="stylesheet" href="` + up + `edit-` + s.styleTag + `.css"><script src="` + up + `edit-` + s.styleTag + `.js" defer></script>`)
	}
	return p
}

// editPolicy is that of pages from which a store is changed: one script, which asks this
// server alone.
const editPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'"

// writePage writes a page as a whole, or says that it could not be made.
func (s *Server) writePage(w http.ResponseWriter, snap *snapshot, name string, p any, err error) {
	var b bytes.Buffer
	if err == nil {
		err = snap.pages.ExecuteTemplate(&b, name, p)
	}
	if err != nil {
		http.Error(w, "the store could not be read", http.StatusInternalServerError)
		return
	}
	writeHTML(w, b.Bytes())
}

func writeHTML(w http.ResponseWriter, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	w.Write(page)
}

// Whole gives a handler that sends an answer only once all of it is made: nobody waits for the
// one who reads it. What make fails with is a fault of the program, and is told to faulty.
func Whole(make func(http.ResponseWriter, *http.Request) error, faulty func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{header: w.Header(), code: http.StatusOK}
		if err := make(a, r); err != nil {
			a.code, a.body = http.StatusInternalServerError, *bytes.NewBufferString("this is a fault of linkcheck, told where it runs\n")
			faulty(err)
		}
		w.WriteHeader(a.code)
		_, _ = w.Write(a.body.Bytes()) // fails only if the reader is gone
	})
}

// answer is one that is kept until it is complete.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

// The three methods are http.ResponseWriter's.
func (a *answer) Header() http.Header            { return a.header }
func (a *answer) WriteHeader(code int)           { a.code = code }
func (a *answer) Write(text []byte) (int, error) { return a.body.Write(text) }

// refuse answers with an error.
func refuse(w http.ResponseWriter, code int, text string) {
	writeJSON(w, code, map[string]string{"error": text})
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	if err := enc.Encode(v); err != nil {
		code, b = http.StatusInternalServerError, *bytes.NewBufferString(`{"error":"the answer could not be written"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(code)
	w.Write(b.Bytes())
}
