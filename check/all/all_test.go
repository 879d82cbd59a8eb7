package all

import (
	"context"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// Every scheme that uri knows has a row, be it one that says why it is not probed,
// and no row promises anything about a scheme that uri does not know.
func TestEverySchemeHasAProber(t *testing.T) {
	p := Table(Options{})
	if len(uri.Schemes()) == 0 {
		t.Fatal("uri.Schemes lists nothing")
	}
	known := map[string]bool{}
	for _, s := range uri.Schemes() {
		known[s.Name] = true
	}
	for _, row := range p.Rows() {
		if !known[row.Scheme] {
			t.Errorf("uri does not know the scheme %q", row.Scheme)
		}
	}
	for _, s := range uri.Schemes() {
		prober, row := p.Lookup(s.Name)
		if _, ok := p.byScheme[s.Name]; !ok {
			t.Errorf("scheme %q has no row", s.Name)
			continue
		}
		if prober == nil || (row.Does == "") == (row.Off == "") {
			t.Errorf("scheme %q: row %+v", s.Name, row)
		}
		if s.DefaultPort != 0 && row.Port != s.DefaultPort {
			t.Errorf("scheme %q: port %d here, %d in uri", s.Name, row.Port, s.DefaultPort)
		}
	}
}

func TestRows(t *testing.T) {
	p := Table(Options{})
	last := ""
	for _, r := range p.Rows() {
		if r.Scheme <= last {
			t.Errorf("%q after %q", r.Scheme, last)
		}
		last = r.Scheme
	}
	prober, row := p.Lookup("x-nonsense")
	if got := prober.Probe(t.Context(), check.Target{}); got.Outcome != check.Unsupported || row.Off == "" {
		t.Errorf("got %+v, %+v", got, row)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if got := p.Hooks().Amendments(); len(got) != 0 {
		t.Errorf("amendments of a run without probes: %v", got)
	}
}

// OUTCOMES section 1.3, "file".
func TestFile(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		root, host string
		segments   []string
		outcome    check.Outcome
		reason     check.Reason
		read       string // --file-host
	}{
		{root, "", []string{"a.txt"}, check.OK, "file-exists", ""},
		{root, "localhost", []string{"a.txt"}, check.OK, "file-exists", ""},
		{root, "", nil, check.OK, "file-exists", ""},
		{root, "", []string{"b.txt"}, check.Gone, "file-missing", ""},
		{root, "", []string{"a.txt", "c"}, check.Gone, "file-missing", ""},
		{root, "", []string{"..", "..", "etc", "passwd"}, check.Skipped, "file-outside", ""},
		{root, "", []string{"out", "passwd"}, check.Skipped, "file-outside", ""},
		{root, "", []string{"a\x00b"}, check.Skipped, "control-character", ""},
		{root, "vms.host.edu", []string{"a.txt"}, check.Skipped, "file-other-host", ""},
		{"", "", []string{"a.txt"}, check.Skipped, "local-file", ""},
		{"", "vms.host.edu", []string{"a.txt"}, check.OK, "ftp-213", "ftp"},
		{"", "vms", []string{"a.txt"}, check.Skipped, "file-other-host", "ftp"}, // PROTOCOLS 9: never for a bare name
		{"", "localhost", []string{"a.txt"}, check.Skipped, "local-file", "ftp"},
	}
	for _, tt := range tests {
		u := &uri.File{Host: tt.host, Segments: tt.segments}
		e := fileRow(Options{Options: check.Options{}.WithDefaults(), FileRoot: tt.root, FileHost: tt.read}, fixed(check.Options{}.WithDefaults(), check.OK, "ftp-213"))
		if r := e.prober.Probe(t.Context(), check.Target{URI: u}); r.Outcome != tt.outcome || r.Reason != tt.reason {
			t.Errorf("%+v: got %s(%s) %q", tt, r.Outcome, r.Reason, r.Reply)
		}
	}
}

type domains map[string]error

func (r domains) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, r[host]
}

// OUTCOMES section 1.3, "mailto".
func TestMailto(t *testing.T) {
	r := domains{"gone.org": &net.DNSError{Err: "no such host", IsNotFound: true}}
	tests := []struct {
		mx      bool
		to      string
		outcome check.Outcome
		reason  check.Reason
	}{
		{false, "a@gone.org", check.NotDereferenceable, "mail-address"},
		{true, "a@gone.org", check.Unreachable, "dns-nxdomain"},
		{true, "a@here.org", check.NotDereferenceable, "mail-address"},
		{true, "a@[10.0.0.1]", check.NotDereferenceable, "mail-address"},
		{true, "a@example.com", check.Skipped, "reserved-name"},
	}
	for _, tt := range tests {
		e := mailtoRow(Options{Options: check.Options{}.WithDefaults(), MailtoMX: tt.mx, Resolver: r})
		got := e.prober.Probe(t.Context(), check.Target{URI: &uri.Mailto{To: []string{tt.to}}})
		if got.Outcome != tt.outcome || got.Reason != tt.reason {
			t.Errorf("%+v: got %s(%s)", tt, got.Outcome, got.Reason)
		}
	}
}

// TestOneClock: what no server is asked about bears the time of the clock handed in, too.
func TestOneClock(t *testing.T) {
	at := time.Date(2026, 11, 14, 2, 0, 0, 0, time.UTC)
	p := Table(Options{Options: check.Options{Now: func() time.Time { return at }}})
	asked := 0
	for _, scheme := range append(uri.Schemes(), uri.Descriptor{Name: "x-nonsense"}) {
		prober, row := p.Lookup(scheme.Name)
		if row.Off == "" || scheme.Name == "mailto" || scheme.Name == "file" {
			continue
		}
		asked++
		if r := prober.Probe(t.Context(), check.Target{}); !r.At.Equal(at) {
			t.Errorf("%s: at %s, want %s", scheme.Name, r.At, at)
		}
	}
	if asked < 20 {
		t.Errorf("only %d schemes were asked about", asked)
	}
}
