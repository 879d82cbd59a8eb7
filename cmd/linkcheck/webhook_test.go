package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/report/builds"
)

// posted is a link that a webhook is told of.
type posted struct {
	URL       string
	Changes   []string
	Suggested string `json:"suggested_url"`
	Source    string
	Places    int
}

// TestRunPostsNews: a run posts what is new, once, as docs/OPERATIONS.md says; a hook that
// does not take it costs no answer, and its path is told nobody.
func TestRunPostsNews(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/old http://www.mill.test/a?token=s3cret"})
	l.serveWeb(lab.Web{"www.mill.test": {"/old": lab.Redirect(301, "/new"), "/new": lab.Text("text/plain", "here"), "/a": lab.Redirect(301, "/new")}})
	var bodies []string
	code := 200
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		w.WriteHeader(code)
	}))
	defer hook.Close()
	l.rules = append(l.rules, "hooks.test:80:"+strings.TrimPrefix(hook.URL, "http://"))
	to := []string{"--webhook", "http://hooks.test/s3cret-key"}
	if s := l.run(0, "--webhook", "ftp://hooks.test/s3cret-key"); s.code != exit.BadUsage || strings.Contains(s.err, "s3cret") {
		t.Errorf("%+v", s)
	}
	if s := l.run(0, append(to, "--show-secrets")...); s.code != exit.OK || len(bodies) != 1 || strings.Contains(bodies[0], "s3cret") {
		t.Fatalf("%+v, posted %q", s, bodies)
	}
	var said struct {
		Schema  string
		Run     int
		Ended   *string
		Exit    int
		Links   int
		Groups  map[string]int
		Changes map[string]int
		Changed []posted
		LeftOut int `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(bodies[0]), &said); err != nil {
		t.Fatal(err)
	}
	if said.Schema != builds.ChangesSchema || said.Run != 1 || said.Ended == nil || said.Exit != 0 || said.Links != 2 || said.Groups["update"] != 2 || said.Changes["newly-moved"] != 2 || said.LeftOut != 0 || len(said.Changed) != 2 {
		t.Fatalf("%s", bodies[0])
	}
	at := slices.IndexFunc(said.Changed, func(c posted) bool { return c.URL == "http://www.mill.test/old" })
	if at < 0 || said.Changed[at].Suggested != "http://www.mill.test/new" || said.Changed[at].Places != 1 || !strings.HasSuffix(said.Changed[at].Source, "a.txt") {
		t.Errorf("%s", bodies[0])
	}
	if s := l.run(1, append(to, "--all")...); s.code != exit.OK || len(bodies) != 1 {
		t.Errorf("a night without news: %+v, posted %q", s, bodies)
	}
	l.write("b.txt", "http://www.mill.test/old?2")
	code = 404
	s := l.run(2, append(to, "--all")...)
	if s.code != exit.Partial || !strings.Contains(s.err, "webhook: hooks.test answered 404") || strings.Contains(s.err+s.out, "s3cret-key") || len(bodies) != 2 {
		t.Errorf("%+v, posted %d times", s, len(bodies))
	}
	if checked := l.links()["http://www.mill.test/old"].LastChecked; checked != day(2) {
		t.Errorf("the answers are of %s", checked)
	}
}
