package serve

import (
	"bytes"
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
		p.CSP = editPolicy
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
