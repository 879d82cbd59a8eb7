package all

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// words stand in URIs where something of them may be sent; {x} is what a fuzzer writes.
var wordsInURIs = []string{
	"http://h.org/{x}?{x}", "http://{x}@h.org/", "ftp://h.org/a/{x}/{x};type=a", "ftp://{x}@h.org/{x}", "gopher://h.org/0{x}",
	"gopher://h.org/7a%09{x}", "gopher://h.org/0a%09%09+{x}", "gopher://h.org/2{x}", "nntp://h.org/{x}/{x}", "news://h.org/{x}", "news://h.org/a{x}@b",
	"finger://h.org/{x}", "dict://h.org/d:{x}:{x}", "dict://h.org/m:{x}:{x}:{x}", "telnet://{x}@h.org/", "whois://h.org/{x}", "cso://h.org/{x}",
	"wais://h.org/{x}", "wais://h.org/db?{x}", "wais://h.org/db/{x}/1=a;2=db;3={x};", "wais://h.org/db/TEXT/%02%02db%03%09{x}",
	"z39.50s://h.org/{x}?{x}", "z39.50r://h.org/db?{x};esn={x};rs={x}", "prospero://h.org/{x}", "prospero://h.org/a;object-version={x}",
	"go://h.org/?{x}", "go://h.org/?id={x};a={x}", "rwhois://h.org/{x}", "tn3270://{x}@h.org/",
	"gemini://h.org/{x}?{x}", "gophers://h.org/0{x}", "rtsp://h.org/{x}?{x}", "ws://h.org/{x}?{x}", "rsync://h.org/a{x}/{x}", // the name of a module has a line of its own
	"ssh://{x}@h.org/", "sftp://{x}@h.org/{x}", "ftps://{x}@h.org/{x}", "ldap://h.org/{x}?{x}", "nfs://h.org/{x}", "irc://h.org/{x}",
	"doi:10.1/{x}", "ark:/12148/{x}", "hdl:1/{x}", "urn:nbn:de:{x}", "http://doi.org/10.1/{x}",
}

// beginsLine is what a URI brought to the beginning of a line.
var beginsLine = regexp.MustCompile(`[\x00\r\n]MARK`)

// FuzzSent holds that nothing of a URI begins a line of its own, whatever stands in it,
// how it is escaped, and what the server says (PROTOCOLS section 0.2).
func FuzzSent(f *testing.F) {
	const (
		waisInit = "0000000007z2wais        0\x00\x05\x15\x01\x03\x01\x80"
		init     = "\xb5\x16\x83\x02\x00\xe0\x84\x03\x00\xe9\xa2\x85\x03\x01\x00\x00\x86\x03\x01\x00\x00\x8c\x01\x01" // of Z39.50
	)
	for i := range wordsInURIs {
		for _, said := range []string{"", "220 a\r\n331 b\r\n230 c\r\n250 d\r\n213 4\r\n226 e\r\n", "200 a\r\n200 b\r\n211 1 1 1 a\r\n223 1 <a@b>\r\n", waisInit, init, "HTTP/1.1 404 no\r\nContent-Length: 0\r\n\r\n"} {
			for _, control := range []string{"\r\n", "\n", "\r", "\x00"} {
				f.Add(uint8(i), "a"+control, "", true, []byte(said))
				f.Add(uint8(i), control, "\r\n", true, []byte(said))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, before, after string, escaped bool, said []byte) {
		word := before + "MARK" + after
		if escaped {
			word = escapeAll(word)
		}
		u, err := uri.Parse(strings.ReplaceAll(wordsInURIs[int(which)%len(wordsInURIs)], "{x}", word))
		if err != nil {
			return
		}
		replay := labtest.NewReplay(said)
		p := Table(Options{Options: check.Options{Dialer: replay, Timeout: time.Second}})
		p.Probe(t.Context(), check.Target{URI: u})
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if at := beginsLine.FindStringIndex(replay.Sent()); at != nil {
			t.Errorf("%s: sent %q", u, replay.Sent())
		}
	})
}

// escapeAll writes every octet as %XX.
func escapeAll(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// Every scheme that is probed has a row.
func TestWordsInURIs(t *testing.T) {
	for _, row := range Table(Options{}).Rows() {
		if row.Protocol == "" || row.Off != "" || slices.Contains([]string{"https", "snews", "nntps", "ldaps", "wss", "ircs", "rlogin", "whois++", "ph"}, row.Scheme) { // as others
			continue
		}
		if !slices.ContainsFunc(wordsInURIs, func(s string) bool { return strings.HasPrefix(s, row.Scheme+":") }) {
			t.Errorf("no row for %s", row.Scheme)
		}
	}
}
