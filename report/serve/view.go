package serve

import (
	"bytes"
	"context"
	"html/template"
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/table"
	"linkcheck/store"
	"linkcheck/store/marks"
	"linkcheck/uri/secret"
)

const (
	logSize    = 200    // lines of a page of the log
	mostExport = 50_000 // links of an export: it is held as a whole
)

// serveEditing answers what only a server answers from whose pages the source is changed.
func (s *Server) serveEditing(w http.ResponseWriter, r *http.Request, snap *snapshot) bool {
	h := w.Header()
	switch path := r.URL.Path; path {
	case apiPath + "links":
		s.apiLinks(w, r, snap)
	case apiPath + "log":
		lines, more, err := s.log(r)
		if err != nil {
			refuse(w, http.StatusInternalServerError, "the store could not be read")
			return true
		}
		writeJSON(w, http.StatusOK, map[string]any{"log": lines, "more": more})
	case apiPath + "openapi.json":
		writeJSON(w, http.StatusOK, openAPI(snap.Options.Version))
	case "/log":
		s.serveLog(w, r, snap)
	case "/export.csv", "/export.xlsx", "/export.fixes.tsv", "/export.records.txt":
		s.export(w, r, snap, path)
	case "/edit-" + s.styleTag + ".js", "/edit-" + s.styleTag + ".css":
		h.Set("Cache-Control", "max-age=86400")
		if strings.HasSuffix(path, ".js") {
			h.Set("Content-Type", "text/javascript; charset=utf-8")
			io.WriteString(w, editScript)
		} else {
			h.Set("Content-Type", "text/css; charset=utf-8")
			io.WriteString(w, editStyle)
		}
	default:
		if methods := methods(path); len(methods) > 0 {
			h.Set("Allow", strings.Join(methods, ", "))
			refuse(w, http.StatusMethodNotAllowed, "that is not done here")
			return true
		} else if strings.HasPrefix(path, apiPath) {
			refuse(w, http.StatusNotFound, "there is no such thing")
			return true
		}
		return false
	}
	return true
}

// apiLink is a link as the API gives it.
type apiLink struct {
	ID        uint64    `json:"id"`
	URL       string    `json:"url"`
	Scheme    string    `json:"scheme"`
	Host      string    `json:"host"`
	Group     string    `json:"group"`
	State     string    `json:"state"`
	Outcome   string    `json:"outcome"`
	Reason    string    `json:"reason"`
	Message   string    `json:"message"`
	Step      string    `json:"step"`
	Suggested string    `json:"suggested_url"`
	Archived  string    `json:"archive_url"`
	Record    string    `json:"record_id"`
	Title     string    `json:"record_title"`
	Places    int       `json:"places"`
	Checked   time.Time `json:"last_checked,omitzero"`
	Owner     string    `json:"owner"`
	Note      string    `json:"note"`
	Decision  string    `json:"decision"`
	By        string    `json:"decided_by"`
	Why       string    `json:"why"`
	Until     time.Time `json:"until,omitzero"`
	Fix       string    `json:"fix"` // accepted or refused, and the address
	Again     bool      `json:"due_now"`
}

func (s *Server) apiLinks(w http.ResponseWriter, r *http.Request, snap *snapshot) {
	want := readSelection(r.URL.Query())
	part, total := snap.pick(&want, listSize)
	list := []apiLink{}
	for _, i := range part {
		e, err := s.src.Entry(snap.entries[i].id, maxShown)
		if err != nil {
			refuse(w, http.StatusInternalServerError, "the store could not be read")
			return
		}
		row := snap.Row(&e)
		snap.Describe(&row)
		m := row.First()
		l := apiLink{ID: row.ID, URL: row.URL, Scheme: row.Scheme, Host: row.Host, Group: row.Group.String(), State: row.Standing.String(), Outcome: row.Last.Outcome.String(),
			Reason: string(row.Last.Reason), Message: row.Message, Step: row.Step, Suggested: row.Suggested, Archived: row.Archived, Record: snap.Sanitize(m.Record), Title: snap.Sanitize(m.Title),
			Places: row.Count, Checked: row.Last.At, Owner: ownerOf(snap.Scope, &row), Again: row.Again != nil}
		said := saidOf(snap, &row)
		l.Note, l.Decision, l.By, l.Why, l.Fix = said.Note, said.Decision, said.By, said.Why, said.Fix
		if row.Pin != nil {
			l.Until = row.Pin.Until
		}
		list = append(list, l)
	}
	writeJSON(w, http.StatusOK, map[string]any{"links": list, "total": total, "page": want.Page, "size": listSize})
}

// log gives a page of the log, the newest line first, without secrets.
func (s *Server) log(r *http.Request) (lines []marks.Line, more bool, err error) {
	from, ok := s.src.(marks.Source)
	if !ok {
		return []marks.Line{}, false, nil
	}
	all, err := marks.Log(from)
	slices.Reverse(all)
	page, perr := strconv.Atoi(r.URL.Query().Get("page"))
	if perr != nil || page < 1 || page > 1<<30/logSize {
		page = 1
	}
	at := min((page-1)*logSize, len(all))
	lines = append([]marks.Line{}, all[at:min(at+logSize, len(all))]...)
	for i := range lines {
		l := &lines[i]
		l.Target = secret.Mask(l.Target)
		for _, text := range []*string{&l.Before, &l.After, &l.Why, &l.Who} {
			*text = secret.MaskText(*text)
		}
	}
	return lines, at+logSize < len(all), err
}

// editRow is a row from which its link is changed.
type editRow struct {
	html.LinkRow
	Said said
}

// deskKeys are what can be done with a link, each with its key.
var deskKeys = []struct{ Name, Key string }{{"mark", "m"}, {"unmark", "d"}, {"note", "n"}, {"assign", "o"}, {"check", "r"}, {"accept", "a"}, {"refuse", "x"}, {"undo", "u"}}

// editFuncs are the functions of templates of pages from which the source is changed.
var editFuncs = template.FuncMap{
	"editing":   func(row html.LinkRow, what said) *editRow { return &editRow{row, what} },
	"desk":      func() any { return deskKeys },
	"decisions": func() []string { return marks.Decisions },
	"logHeads":  func() []string { return []string{"time", "who", "from", "verb", "target", "before", "after", "reason"} },
	"listOf":    func(name, value string) string { return (selection{}).href(name, value) },
	"owners": func(page any) []string {
		if p, ok := page.(*listPage); ok {
			return p.Owners
		}
		return nil
	},
}

// logPage is the page of the log.
type logPage struct {
	*html.Page
	Lines []marks.Line
	More  bool
}

func (s *Server) serveLog(w http.ResponseWriter, r *http.Request, snap *snapshot) {
	p := &logPage{Page: s.newPage(snap, "", ".")}
	var err error
	p.Lines, p.More, err = s.log(r)
	s.writePage(w, snap, "log", p, err)
}

// viewed is a source of which only some links are seen.
type viewed struct {
	report.Source
	only map[uint64]bool
}

// Scan implements report.Source.
func (v viewed) Scan(pick store.Pick) iter.Seq2[store.Entry, error] {
	inner := pick.Only
	pick.Only = func(id uint64) bool { return v.only[id] && (inner == nil || inner(id)) }
	return v.Source.Scan(pick)
}

// export writes the links of a view, all pages of it.
func (s *Server) export(w http.ResponseWriter, r *http.Request, snap *snapshot, path string) {
	want := readSelection(r.URL.Query())
	want.Page = 1
	part, total := snap.pick(&want, mostExport)
	if total > mostExport {
		http.Error(w, "more than "+strconv.Itoa(mostExport)+" links: narrow the view, or use linkcheck report", http.StatusRequestEntityTooLarge)
		return
	}
	v := viewed{s.src, make(map[uint64]bool, len(part))}
	for _, i := range part {
		v.only[snap.entries[i].id] = true
	}
	o := s.options
	o.Now, o.ShowSecrets = snap.Now, false
	ways := map[string]struct {
		kind  string
		write func(context.Context, io.Writer, report.Source, report.Options) error
	}{
		"/export.csv":         {"text/csv; charset=utf-8", table.WriteCSV},
		"/export.xlsx":        {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", table.WriteXLSX},
		"/export.fixes.tsv":   {"text/tab-separated-values; charset=utf-8", table.WriteFixes},
		"/export.records.txt": {"text/plain; charset=utf-8", writeRecords},
	}
	var b bytes.Buffer
	way := ways[path]
	if err := way.write(r.Context(), &b, v, o); err != nil {
		http.Error(w, "the store could not be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", way.kind)
	w.Header().Set("Content-Disposition", `attachment; filename="linkcheck`+strings.TrimPrefix(path, "/export")+`"`)
	w.Write(b.Bytes())
}

// writeRecords writes the records in which links stand, one a line, each once.
func writeRecords(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	scope, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	var b bytes.Buffer
	err = scope.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		for i := range r.LiveMentions {
			if id := scope.Sanitize(r.LiveMentions[i].Record); id != "" && !known[id] {
				known[id] = true
				b.WriteString(id + "\n")
			}
		}
		return nil
	})
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return err
}
