package lab

import (
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strings"
)

// CNRPItem is what a resolution service knows under a name and an identifier.
type CNRPItem struct{ ID, Name, URI string }

// cnrpQuery is what is asked; nothing for a servicequery.
type cnrpQuery struct {
	Name string `xml:"query>commonname"`
	ID   string `xml:"query>id"`
}

// CNRP serves items on l until it is closed, by common name and by identifier
// (RFC 3367 over HTTP).
func CNRP(l net.Listener, items []CNRPItem) error {
	return HTTP(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked cnrpQuery
		switch {
		case r.Method != http.MethodPost || r.URL.Path != "/":
			NotFound(w, r)
			return
		case xml.NewDecoder(io.LimitReader(r.Body, 16*maxLine)).Decode(&asked) != nil:
			http.Error(w, "no CNRP", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/cnrp+xml")
		fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><cnrp><results><service id="s"><serviceuri>http://lab/</serviceuri></service>%s</results></cnrp>`,
			cnrpResults(items, asked))
	}))
}

func cnrpResults(items []CNRPItem, asked cnrpQuery) (results string) {
	for _, i := range items {
		if asked.ID != "" && asked.ID == i.ID || asked.Name != "" && strings.EqualFold(asked.Name, i.Name) {
			results += fmt.Sprintf(`<resourcedescriptor><commonname>%s</commonname><id>%s</id><resourceuri>%s</resourceuri><serviceref ref="s"/></resourcedescriptor>`,
				html.EscapeString(i.Name), html.EscapeString(i.ID), html.EscapeString(i.URI))
		}
	}
	if results == "" && asked != (cnrpQuery{}) {
		results = `<status code="2.1.0">No results</status>`
	}
	return results
}
