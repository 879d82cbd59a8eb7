package all

import (
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// TestRead: what can be read is read by its scheme; all else has a result that says so, and
// no server is asked.
func TestRead(t *testing.T) {
	server := httptest.NewServer(lab.Web{"127.0.0.1": {"/a": lab.Page("Annals", "two hundred comets")}})
	defer server.Close()
	hosts, err := hostsettings.Parse([]hostsettings.Source{{Values: map[string]any{"match": "skip.org", "skip": "it is ours"}, Where: func(key string) string { return key }}})
	if err != nil {
		t.Fatal(err)
	}
	at := server.Listener.Addr().String()
	p := Table(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer(), Timeout: 2 * time.Second}, Hosts: hosts})
	defer p.Close()
	for address, want := range map[string]string{
		"http://" + at + "/a":    "ok(http-200) once",
		"http://" + at + "/none": "gone(http-404) never",
		"http://skip.org/a":      "skipped(excluded) never",
		"telnet://site.org/":     "unsupported(no-client) never",
		"finger://site.org/":     "unsupported(no-client) never",
		"imap://site.org/":       "unsupported(no-client) never",
		"doi:10.1000/1":          "unsupported(no-client) never",
		"file:///etc/passwd":     "skipped(local-file) never",
	} {
		u, err := uri.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		took := "never"
		r, err := p.Read(t.Context(), check.Target{URI: u}, check.Wanted{}, func(a *check.Answer) error {
			took = "once"
			_, err := io.Copy(io.Discard, a.Body)
			return err
		})
		if got := fmt.Sprintf("%s(%s) %s", r.Outcome, r.Reason, took); got != want || err != nil {
			t.Errorf("%s: %s, want %s; %v", address, got, want, err)
		}
	}
}

// TestRoots: which schemes can be roots, and that those and no others have readers.
func TestRoots(t *testing.T) {
	var roots []string
	p := Table(Options{})
	for _, e := range p.rows {
		if e.Root {
			roots = append(roots, e.Scheme)
		}
		if e.Root != (e.reader != nil) || e.Root && e.Does+e.Off == "" {
			t.Errorf("%s: %+v", e.Scheme, e.Row)
		}
	}
	if want := []string{"ftp", "gopher", "http", "https", "imap", "imaps", "news", "nntp", "nntps", "snews", "z39.50r", "z39.50s"}; !slices.Equal(roots, want) {
		t.Errorf("%q, want %q", roots, want)
	}
}
