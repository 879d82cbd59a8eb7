package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/report"
	"linkcheck/store"
)

const testToken = "0123456789abcdef0123"

var editTime = time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)

// desk is an editor over a store with three links.
type desk struct {
	t  *testing.T
	st *store.Store
	e  *Editor
	mu sync.Mutex
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), &store.Options{Now: func() time.Time { return editTime }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	var mentions []store.Mention
	for i, u := range []string{"http://a.example/1", "http://a.example/2", "http://u:secret@b.example/<script>"} {
		mentions = append(mentions, store.Mention{Collection: "k", Record: fmt.Sprint("r", i), Line: i + 1, Raw: u, URL: u})
	}
	in, err := st.BeginIngest(editTime)
	if err == nil {
		err = in.Add(store.Step{Batches: []*store.Batch{store.Prepare("a.txt", mentions, nil)}, Whole: []store.Source{{Path: "a.txt", Collection: "k", Mentions: 3}}})
	}
	if err == nil {
		_, err = in.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, st: st}
	s, err := NewEditing(t.Context(), st, report.Options{Now: editTime}, testToken)
	if err != nil {
		t.Fatal(err)
	}
	d.e = &Editor{Pages: s, Token: testToken, By: "root", Now: func() time.Time { return editTime }, Write: func(ctx context.Context, f func(*store.Store) error) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		if err := f(st); err != nil {
			return err
		}
		return s.Refresh(ctx)
	}}
	return d
}

// ask sends a request with the token; head are names of fields with their values.
func (d *desk) ask(method, path, body string, head ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8427"
	r.Header.Set("Authorization", "Bearer "+testToken)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(head); i += 2 {
		if r.Header.Set(head[i], head[i+1]); head[i] == "Host" {
			r.Host = head[i+1]
		}
		if head[i+1] == "" {
			r.Header.Del(head[i])
		}
	}
	w := httptest.NewRecorder()
	d.e.ServeHTTP(w, r)
	return w
}

// Each change has its status, and one that is refused changes nothing.
func TestAPI(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		method, path, body string
		code               int
		has                string
	}{
		{"POST", "marks", `{"url":"http://a.example/1","decision":"alive","why":"seen","until":"2027-01-02","by":"ann"}`, 200, `"id":1,"time":"2026-11-28T09:00:00Z","who":"ann","from":"api","verb":"mark","target":"http://a.example/1","before":"","after":"alive until 2027-01-02","reason":"seen"`},
		{"POST", "marks", `{"url":"http://a.example/9","decision":"alive","why":"seen"}`, 404, "not in the store"},
		{"POST", "marks", `{"link":99,"decision":"alive","why":"seen"}`, 404, "not in the store"},
		{"POST", "marks", `{"url":"nowhere.example","decision":"alive","why":"seen"}`, 404, "not in the store"},
		{"POST", "marks", `{"url":"B.example","decision":"ignore","why":"ours"}`, 200, `"target":"b.example"`},
		{"POST", "marks", `{"url":"http://a.example/1","decision":"broken","why":"x"}`, 422, "no decision"},
		{"POST", "marks", `{"url":"http://a.example/1","decision":"alive"}`, 422, "say why"},
		{"POST", "marks", `{"url":"http://a.example/1","decision":"alive","why":"x","until":"2020-01-01"}`, 422, "is over"},
		{"POST", "marks", `{"url":"http://a.example/1","decision":"alive","why":"x","until":"soon"}`, 422, "no date"},
		{"POST", "marks", `{"decision":"alive","why":"x"}`, 422, "give the url"},
		{"POST", "marks", `{"url":"http://a.example/1","text":"x"}`, 422, "no field"},
		{"POST", "marks", `{"url":7}`, 422, "another kind"},
		{"POST", "marks", `{"url":`, 400, "no JSON"},
		{"POST", "marks", `[]`, 400, "no JSON"},
		{"POST", "marks", `{"url":"` + strings.Repeat("x", maxBody) + `"}`, 413, "octets"},
		{"DELETE", "marks?url=http%3A%2F%2Fa.example%2F1", "", 200, `"before":"alive until 2027-01-02","after":""`},
		{"DELETE", "marks?url=http%3A%2F%2Fa.example%2F1", "", 404, "not in the store"},
		{"DELETE", "marks?url=a&url=b", "", 422, "no value"},
		{"POST", "notes", `{"url":"http://a.example/1","text":" two\n\u001b lines "}`, 200, `"after":"two lines"`},
		{"POST", "notes", `{"url":"http://a.example/1","text":"` + strings.Repeat("x", 5000) + `"}`, 422, "octets"},
		{"POST", "owners", `{"link":1,"owner":"maps"}`, 200, `"verb":"assign"`},
		{"POST", "rechecks", `{"link":1}`, 200, `"after":"due now"`},
		{"POST", "fixes", `{"link":1,"decision":"accept","new":"https://a.example/new"}`, 200, `"after":"accepted https://a.example/new"`},
		{"POST", "fixes", `{"link":1,"decision":"perhaps","new":"https://a.example/new"}`, 422, "no decision"},
		{"POST", "fixes", `{"link":1,"decision":"accept","new":"no address"}`, 422, "no address"},
		{"POST", "fixes", `{"link":1,"decision":"accept","new":"https://u:***@a.example/"}`, 422, "hidden"},
		{"POST", "notes", `{"link":1,"text":"other"}`, 200, `"before":"two lines"`},
		{"POST", "undo", `{"id":4}`, 409, "undo 8 first"},
		{"POST", "undo", `{"id":8}`, 200, `"after":"two lines"`},
		{"POST", "undo", `{"id":99}`, 404, "not in the store"},
		{"POST", "notes", `{"link":3,"text":"http://u:secret@b.example/"}`, 200, `u:***@b.example`},
		{"GET", "links?owner=maps", "", 200, `"total":1`},
		{"GET", "links?record=r1", "", 200, `"total":1`},
		{"GET", "links?record=none", "", 200, `"total":0`},
		{"GET", "log", "", 200, `"undoes":8`},
		{"PUT", "marks", `{}`, 405, "not done here"},
		{"GET", "marks", "", 405, "not done here"},
		{"POST", "log", `{}`, 405, "not done here"},
		{"GET", "nothing", "", 404, "no such thing"},
		{"POST", "nothing", `{}`, 404, "no such thing"},
	} {
		w := d.ask(c.method, apiPath+c.path, c.body)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.has) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" || w.Header().Get("Content-Security-Policy") == "" || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s %.80s: %d %s %v", c.method, c.path, c.body, w.Code, w.Body, w.Header())
		}
		if strings.Contains(w.Body.String(), "secret@") {
			t.Errorf("%s %s shows a secret: %s", c.method, c.path, w.Body)
		}
		if c.code == 405 && w.Header().Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.path)
		}
	}
	if log, err := d.st.Log(); err != nil || len(log) != 10 {
		t.Errorf("%d lines in the log, %v", len(log), err)
	}
	d.e.Write = func(context.Context, func(*store.Store) error) error { return fmt.Errorf("x: %w", store.ErrInUse) }
	if w := d.ask("POST", apiPath+"notes", `{"link":1,"text":"x"}`); w.Code != http.StatusLocked || !strings.Contains(w.Body.String(), "a run holds the store") {
		t.Errorf("while a run holds the store: %d %s", w.Code, w.Body)
	}
}

// Who does not show what is asked for changes nothing and sees nothing.
func TestEditorRefuses(t *testing.T) {
	d := newDesk(t)
	pass, csrf := cookie+"="+cookieOf(testToken), csrfOf(testToken)
	const note, body = apiPath + "notes", `{"link":1,"text":"x"}`
	for name, c := range map[string]struct {
		method, path, body string
		head               []string
		code               int
	}{
		"no token":                  {"POST", note, body, []string{"Authorization", ""}, 401},
		"another token":             {"POST", note, body, []string{"Authorization", "Bearer 0123456789abcdef0124"}, 401},
		"the token in the address":  {"POST", note + "?token=" + testToken, body, []string{"Authorization", ""}, 401},
		"a basic token":             {"POST", note, body, []string{"Authorization", "Basic " + testToken}, 401},
		"no token, reading":         {"GET", apiPath + "links", "", []string{"Authorization", ""}, 401},
		"no token, the description": {"GET", apiPath + "openapi.json", "", []string{"Authorization", ""}, 401},
		"no token, the page":        {"GET", "/links", "", []string{"Authorization", ""}, 401},
		"no token, an export":       {"GET", "/export.csv", "", []string{"Authorization", ""}, 401},
		"the cookie alone":          {"POST", note, body, []string{"Authorization", "", "Cookie", pass}, 403},
		"another CSRF token":        {"POST", note, body, []string{"Authorization", "", "Cookie", pass, "X-CSRF-Token", csrf[1:]}, 403},
		"the token as CSRF token":   {"POST", note, body, []string{"Authorization", "", "Cookie", pass, "X-CSRF-Token", testToken}, 403},
		"another origin":            {"POST", note, body, []string{"Origin", "http://evil.example"}, 403},
		"the origin null":           {"POST", note, body, []string{"Origin", "null"}, 403},
		"another port":              {"POST", note, body, []string{"Origin", "http://127.0.0.1:9999"}, 403},
		"another scheme":            {"POST", note, body, []string{"Origin", "https://127.0.0.1:8427"}, 403},
		"another origin, reading":   {"GET", apiPath + "log", "", []string{"Origin", "http://evil.example"}, 403},
		"another site":              {"POST", note, body, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"another host":              {"POST", note, body, []string{"Host", "evil.example"}, 421},
		"a host that begins like":   {"POST", note, body, []string{"Host", "127.0.0.1.evil.example"}, 421},
		"another host, the token":   {"GET", "/?token=" + testToken, "", []string{"Authorization", "", "Host", "evil.example"}, 421},
		"a form":                    {"POST", note, body, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		"plain text":                {"POST", note, body, []string{"Content-Type", "text/plain"}, 415},
		"no content type":           {"POST", note, body, []string{"Content-Type", ""}, 415},
		"a page is not changed":     {"POST", "/links", body, nil, 405},
	} {
		w := d.ask(c.method, c.path, c.body, c.head...)
		if w.Code != c.code || strings.Contains(w.Body.String(), "a.example") || w.Header().Get("Set-Cookie") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s %v", name, w.Code, w.Body, w.Header())
		}
	}
	if log, err := d.st.Log(); err != nil || len(log) != 0 {
		t.Errorf("%d lines in the log, %v", len(log), err)
	}
	w := d.ask("POST", note, body, "Authorization", "", "Cookie", pass, "X-CSRF-Token", csrf, "Origin", "http://127.0.0.1:8427", "Sec-Fetch-Site", "same-origin")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"from":"browser"`) {
		t.Errorf("the page itself: %d %s", w.Code, w.Body)
	}
}

// The description names every route with its methods, and no other.
func TestOpenAPI(t *testing.T) {
	d := newDesk(t)
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Responses   map[string]any
			RequestBody struct {
				Content map[string]struct {
					Schema struct{ Properties map[string]any }
				}
			}
		}
	}
	if w := d.ask("GET", apiPath+"openapi.json", ""); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &doc) != nil || doc.OpenAPI != "3.1.0" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if len(doc.Paths) != 9 {
		t.Errorf("%d paths", len(doc.Paths))
	}
	for path, of := range doc.Paths {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
			body := ""
			if method != "GET" && method != "DELETE" {
				body = "{}"
			}
			w := d.ask(method, path, body)
			op, told := of[strings.ToLower(method)]
			if served := w.Code != http.StatusMethodNotAllowed && (w.Code != http.StatusNotFound || path == apiPath+"undo"); served != told {
				t.Errorf("%s %s: described %v, answered %d", method, path, told, w.Code)
			}
			if told && op.Responses[fmt.Sprint(w.Code)] == nil {
				t.Errorf("%s %s: %d is not described", method, path, w.Code)
			}
			if told && body != "" { // each field that is described is taken
				for name := range op.RequestBody.Content["application/json"].Schema.Properties {
					if w := d.ask(method, path, fmt.Sprintf(`{%q:null}`, name)); strings.Contains(w.Body.String(), "no field") {
						t.Errorf("%s %s: %s", path, name, w.Body)
					}
				}
			}
		}
	}
}

// Two editors at once: each change is kept, once, with a number of its own.
func TestTwoEditors(t *testing.T) {
	d := newDesk(t)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			if w := d.ask("POST", apiPath+"notes", fmt.Sprintf(`{"link":%d,"text":"note %d"}`, 1+n%2, n)); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	log, err := d.st.Log()
	ids := map[uint64]bool{}
	for _, p := range log {
		ids[p.ID] = true
	}
	if err != nil || len(log) != 20 || len(ids) != 20 {
		t.Errorf("%d lines, %d numbers, %v", len(log), len(ids), err)
	}
}

// The pages show what was said, escaped, and hold what the script needs; a view is exported
// whole, and only it.
func TestEditingPages(t *testing.T) {
	d := newDesk(t)
	for _, body := range []string{`{"link":1,"text":"<script>alert(1)</script>"}`, `{"link":2,"text":"plain"}`} {
		if w := d.ask("POST", apiPath+"notes", body); w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	d.ask("POST", apiPath+"owners", `{"link":1,"owner":"maps & atlases"}`)
	for path, wants := range map[string][]string{
		"/links":                             {`data-link="1"`, `name="csrf-token" content="` + csrfOf(testToken) + `"`, "alert(1)", `href="links?owner=maps%20%26%20atlases"`, `href="links?host=a.example"`, `href="links?record=r0"`},
		"/links?owner=maps+%26+atlases":      {`data-link="1"`, "maps &amp; atlases", "export.csv?owner=maps"},
		"/link/1":                            {`data-link="1"`, "alert(1)"},
		"/log":                               {"maps &amp; atlases", `data-undo="3"`},
		"/export.csv?record=r1":              {"http://a.example/2", "plain"},
		"/export.records.txt?host=a.example": {"r0\nr1\n"},
		"/export.fixes.tsv":                  {"record_id"},
		"/export.xlsx":                       {"PK"},
	} {
		w := d.ask("GET", path, "")
		body, _ := io.ReadAll(w.Body)
		for _, want := range wants {
			if w.Code != 200 || !strings.Contains(string(body), want) {
				t.Errorf("%s: %d without %q: %.3000s", path, w.Code, want, body)
			}
		}
		if strings.Contains(string(body), "<script>alert") && !strings.HasPrefix(path, "/export") || strings.Contains(string(body), "u:secret") {
			t.Errorf("%s shows what it should not", path)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %s", path, csp)
		}
	}
	if w := d.ask("GET", "/export.csv?record=r1", ""); strings.Contains(w.Body.String(), "a.example/1") {
		t.Error("the export has more than the view")
	}
	w := d.ask("GET", "/?token="+testToken, "", "Authorization", "")
	if c := w.Result().Cookies(); w.Code != http.StatusSeeOther || !slices.ContainsFunc(c, func(c *http.Cookie) bool {
		return c.HttpOnly && c.SameSite == http.SameSiteLaxMode && c.Value != testToken
	}) {
		t.Errorf("%d %v", w.Code, c)
	}
}
