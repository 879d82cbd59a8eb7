package gopher

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// recorded lists the sessions of real servers that a prober would have: the
// file's name without "gopher-" and ".txt", the type of the item, and what is
// to be learned from it.
var recorded = []struct {
	file    string
	item    byte
	outcome check.Outcome
	reason  check.Reason
}{
	{"menu-gophernicus", '1', check.OK, "gopher-menu"},
	{"menu-pygopherd", '1', check.OK, "gopher-menu"},
	{"menu-umn-gopherd-3.0.5", '1', check.OK, "gopher-menu"},
	{"menu-docs-gophernicus", '1', check.OK, "gopher-menu"},
	{"menu-docs-pygopherd", '1', check.OK, "gopher-menu"},
	{"empty-menu-umn-gopherd-3.0.5", '1', check.Suspect, "empty"},
	{"missing-dir-gophernicus", '1', check.Gone, "gopher-error-item"},
	{"missing-dir-umn-gopherd-3.0.5", '1', check.Gone, "gopher-error-item"},
	{"wrongtype-umn-gopherd-3.0.5", '1', check.Gone, "gopher-error-item"},
	{"ftp-gateway-umn-gopherd-3.0.5", '1', check.Temporary, "gopher-busy"},
	{"text-gophernicus", '0', check.OK, "gopher-item"},
	{"text-pygopherd", '0', check.OK, "gopher-item"},
	{"text-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"text-noslash-gophernicus", '0', check.OK, "gopher-item"},
	{"text-noslash-pygopherd", '0', check.OK, "gopher-item"},
	{"text-notype-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"text-typed-gophernicus", '0', check.Gone, "gopher-error-text"},
	{"text-typed-pygopherd", '0', check.Gone, "gopher-error-item"},
	{"text-dots-gophernicus", '0', check.OK, "gopher-item"},
	{"text-dots-pygopherd", '0', check.OK, "gopher-item"},
	{"text-dots-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"space-gophernicus", '0', check.OK, "gopher-item"},
	{"space-pygopherd", '0', check.OK, "gopher-item"},
	{"caps-gophernicus", '0', check.OK, "gopher-item"},
	{"caps-umn-gopherd-3.0.5", '0', check.Gone, "gopher-error-item"},
	{"badtype-umn-gopherd-3.0.5", '0', check.Gone, "gopher-error-item"},
	{"dir-as-text-umn-gopherd-3.0.5", '0', check.Suspect, "empty"},
	{"ask-file-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"missing-gophernicus", '0', check.Gone, "gopher-error-text"},
	{"missing-pygopherd", '0', check.Gone, "gopher-error-item"},
	{"missing-umn-gopherd-3.0.5", '0', check.Gone, "gopher-error-item"},
	{"traversal-gophernicus", '0', check.Blocked, "access-list"},
	{"traversal-pygopherd", '0', check.Gone, "gopher-error-item"},
	{"traversal-umn-gopherd-3.0.5", '0', check.Gone, "gopher-error-item"},
	{"binary-umn-gopherd-3.0.5", '9', check.OK, "gopher-item"},
	{"search-gophernicus", '7', check.OK, "gopher-menu"},
	{"search-pygopherd", '7', check.OK, "gopher-menu"},
	{"search-file-umn-gopherd-3.0.5", '0', check.Undetermined, "gopher-error-other"},
	{"plus-attr-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"plus-attr-pygopherd", '0', check.OK, "gopher-item"},
	{"plus-attr-gophernicus", '0', check.OK, "gopher-item"},
	{"plus-attr-root-umn-gopherd-3.0.5", '1', check.OK, "gopher-item"},
	{"plus-attr-dir-pygopherd", '1', check.OK, "gopher-item"},
	{"plus-attr-views-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
	{"plus-dollar-umn-gopherd-3.0.5", '1', check.OK, "gopher-item"},
	{"plus-missing-attr-umn-gopherd-3.0.5", '0', check.Gone, "gopher-error-1"},
	{"plus-missing-attr-pygopherd", '0', check.Gone, "gopher-error-1"},
	{"plus-missing-dir-umn-gopherd-3.0.5", '1', check.Gone, "gopher-error-1"},
	{"ask-attr-umn-gopherd-3.0.5", '0', check.OK, "gopher-item"},
}

// TestRecorded replays the sessions octet for octet.
func TestRecorded(t *testing.T) {
	dir := labtest.Transcripts(t)
	for _, r := range recorded {
		t.Run(r.file, func(t *testing.T) {
			script, err := os.ReadFile(filepath.Join(dir, "gopher-"+r.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			s := labtest.Serve(t, string(script)+"\nS: <closes>") // some were cut when they were recorded
			u := asked(t, string(script), r.item)
			u.At = s.At
			got := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}}).
				Probe(t.Context(), check.Target{URI: u})
			if got.Outcome != r.outcome || got.Reason != r.reason {
				t.Errorf("%s(%s), want %s(%s); reply %q", got.Outcome, got.Reason, r.outcome, r.reason, got.Reply)
			}
		})
	}
}

// asked makes the URL that leads to the request of a session.
func asked(t *testing.T, script string, item byte) *uri.Gopher {
	t.Helper()
	for l := range strings.Lines(script) {
		request, ok := strings.CutPrefix(l, "C: ")
		if !ok {
			continue
		}
		selector, rest, more := strings.Cut(strings.TrimRight(string(labtest.Unescape(strings.TrimSpace(request))), "\r\n"), "\t")
		u := &uri.Gopher{Type: item, Selector: selector}
		switch {
		case more && strings.ContainsRune("!$+", rune(rest[0])):
			u.Plus = &rest
		case more:
			u.Search = &rest
		}
		return u
	}
	t.Fatal("the session has no request")
	return nil
}
