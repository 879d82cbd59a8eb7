package all

import (
	"net"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// The table and the servers of the demo understand each other.
func TestLineLab(t *testing.T) {
	at := map[string]string{
		"{ftp}": labtest.Start(t, func(l net.Listener) error {
			return lab.FTP(l, map[string]string{"/pub/doc/memo.txt": "hello"})
		}),
		"{gopher}": labtest.Start(t, func(l net.Listener) error {
			return lab.Gopher(l, map[string]string{"": "0About\t0/about\tlab\t70\t+\r\n.\r\n", "0/about": "About us.\r\n", "/s\tcat": "0Cat\t0/cat\tlab\t70\r\n.\r\n"})
		}),
		"{nntp}":   labtest.Start(t, func(l net.Listener) error { return lab.NNTP(l, map[string][]string{"lab.talk": {"one@lab"}}) }),
		"{dict}":   labtest.Start(t, func(l net.Listener) error { return lab.Dict(l, map[string]string{"sun": "A star."}) }),
		"{telnet}": labtest.Start(t, func(l net.Listener) error { return lab.Telnet(l, "Catalogue\r\nlogin: ") }),
	}
	table := Table(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer(), Timeout: 2 * time.Second}})
	t.Cleanup(func() { table.Close() })
	for _, c := range []struct {
		url    string
		want   check.Outcome
		reason check.Reason
	}{
		{"ftp://{ftp}/", check.OK, "ftp-230"},
		{"ftp://{ftp}/pub/doc/", check.OK, "ftp-250"},
		{"ftp://{ftp}/pub/doc/memo.txt", check.OK, "ftp-213"},
		{"ftp://{ftp}/pub/doc", check.OK, "ftp-250"},
		{"ftp://{ftp}/pub/doc/none", check.Gone, "ftp-550"},
		{"ftp://alice@{ftp}/", check.Auth, "ftp-331"},
		{"gopher://{gopher}/", check.OK, "gopher-menu"},
		{"gopher://{gopher}/00/about", check.OK, "gopher-item"},
		{"gopher://{gopher}/00/about%09%09+", check.OK, "gopher-item"},
		{"gopher://{gopher}/7/s%09cat", check.OK, "gopher-menu"},
		{"gopher://{gopher}/00/none", check.Gone, "gopher-error-item"},
		{"gopher://{gopher}/00/none%09%09+", check.Gone, "gopher-error-1"},
		{"nntp://{nntp}/lab.talk/1", check.OK, "nntp-223"},
		{"nntp://{nntp}/lab.talk/2", check.Gone, "nntp-423"},
		{"news://{nntp}/one@lab", check.OK, "nntp-223"},
		{"news://{nntp}/lab.none", check.Gone, "nntp-411"},
		{"dict://{dict}/d:sun", check.OK, "dict-150"},
		{"dict://{dict}/m:sun:wells:exact", check.OK, "dict-152"},
		{"dict://{dict}/d:moon", check.Gone, "dict-552"},
		{"dict://{dict}/d:sun:none", check.Gone, "dict-550"},
		{"dict://{dict}/", check.Reachable, "dict-220"},
		{"telnet://{telnet}/", check.Reachable, "telnet-answer"},
		{"gopher://{telnet}/8", check.Reachable, "telnet-answer"},
	} {
		url := c.url
		for name, addr := range at {
			url = strings.ReplaceAll(url, name, addr)
		}
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		if r := table.Probe(t.Context(), check.Target{URI: u}); r.Outcome != c.want || r.Reason != c.reason {
			t.Errorf("%s: %s(%s) %q, want %s(%s)", c.url, r.Outcome, r.Reason, r.Reply, c.want, c.reason)
		}
	}
}
