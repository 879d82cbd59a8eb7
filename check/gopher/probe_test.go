package gopher

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row struct {
	name     string // with the section that the row comes from
	item     byte
	selector string
	search   string
	plus     string
	scripts  []string
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
}

// rows is the gopher table of OUTCOMES 1.3 and 1.4, with the words of real
// servers from REAL-SERVERS D and PROTOCOLS 5.
var rows = []row{
	{"menu with an item, 1.3", '1', "", "", "", []string{`
		C: \r\n
		S: 0About\t0/About\tvm\t7070\t+\r\n
		S: 1views\t1/views\tvm\t7070\t+\r\n
		S: .\r\n`}, check.OK, "gopher-menu", check.Strong},
	{"menu without the dot line, 5.3", '1', "/docs", "", "", []string{`
		C: /docs\r\n
		S: 0rfc1436\t/docs/rfc1436.txt\t127.0.0.1\t7071\t+\r\n
		S: <closes>`}, check.OK, "gopher-menu", check.Strong},
	{"menu with an error line among items, 5.4", '1', "/m", "", "", []string{`
		C: /m\r\n
		S: 3gone\t\terror.host\t1\r\n
		S: 0here\t/here\thost\t70\r\n
		S: .\r\n`}, check.OK, "gopher-menu", check.Strong},
	{"menu of information lines", '1', "/i", "", "", []string{`
		C: /i\r\n
		S: iWelcome\tfake\t(NULL)\t0\r\n
		S: .\r\n`}, check.OK, "gopher-menu", check.Strong},
	{"menu of information lines that say no", '1', "/i", "", "", []string{`
		C: /i\r\n
		S: iPage not found\tfake\t(NULL)\t0\r\n
		S: .\r\n`}, check.Suspect, "error-text", check.Weak},
	{"menu of errors, 1.3", '1', "/none/", "", "", []string{`
		C: /none/\r\n
		S: 3Error: File or directory not found! (null)\tTITLE\tnull.host\t1\r\n
		S: .\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"menu of errors and information, 1.3", '1', "/none", "", "", []string{`
		C: /none\r\n
		S: iSorry\tfake\t(NULL)\t0\r\n
		S: 3No such directory\t\terror.host\t1\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"UMN missing directory, D 1", '1', "1/nope", "", "", []string{`
		C: 1/nope\r\n
		S: 0- Cannot access directory '/nope'\t\terror.host\t1\r\n
		S: .\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Weak},
	{"UMN cannot fork, D 1", '1', "1/x", "", "", []string{`
		C: 1/x\r\n
		S: 3Problems forking!\tmoo\terror.host\t0\r\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"errors of which a later one tells why", '1', "1/x", "", "", []string{`
		C: 1/x\r\n
		S: 3Sorry, no such luck\t\terror.host\t1\r\n
		S: 3The load is too high\t\terror.host\t1\r\n
		S: 3Goodbye\t\terror.host\t1\r\n
		S: .\r\n`}, check.Temporary, "gopher-busy", check.Weak},
	{"another protocol, cut off", '1', "1/x", "", "", []string{"C: 1/x\\r\\n\nS: HTTP/1.1 400 Bad Request\\r\\n\nS: <resets>"},
		check.Undetermined, "protocol-mismatch", check.None},
	{"a long menu whose one item comes late", '1', "1/x", "", "", []string{"C: 1/x\\r\\n\nS: " +
		strings.Repeat(`3Not found\t\terror.host\t1\r\n`, 300) + "\nS: 0About\\t/about\\th.lib\\t70\\r\\n.\\r\\n\n"}, check.OK, "gopher-menu", check.Strong},
	{"an error that denies", '1', "1/x", "", "", []string{`
		C: 1/x\r\n
		S: 3Access denied: off-site users may not read this\t\terror.host\t1\r\n
		S: .\r\n`}, check.Blocked, "access-list", check.Weak},
	{"UMN ftp gateway, D 1", '1', "ftp:h@/", "", "", []string{`
		C: ftp:h@/\r\n
		S: 3failed to connect to 127.0.0.1 (Connection refused)\t\terror.host\t1\r\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"a menu that is none, 5.4", '1', "/x", "", "", []string{`
		C: /x\r\n
		S: Hello there, this is a file and no menu.\r\n
		S: <closes>`}, check.Undetermined, "gopher-not-a-menu", check.None},
	{"empty menu, D 6", '1', "1/mydir", "", "", []string{`
		C: 1/mydir\r\n
		S: .\r\n
		S: <closes>`}, check.Suspect, "empty", check.Weak},
	{"closed without an octet, 1.3", '0', "/f", "", "", []string{`
		C: /f\r\n
		S: <closes>`}, check.Suspect, "empty", check.Weak},
	{"text, 1.3", '0', "0/hello.txt", "", "", []string{`
		C: 0/hello.txt\r\n
		S: Hello from UMN gopherd.\n
		S: .\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"text of dot lines, D 6", '0', "0/dots.txt", "", "", []string{`
		C: 0/dots.txt\r\n
		S: .dot\n
		S: ..two\n
		S: .\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"BinHex, 1.3", '4', "/a.hqx", "", "", []string{"C: /a.hqx\\r\\n\nS: (This file must be converted)\nS: <closes>"},
		check.OK, "gopher-item", check.Strong},
	{"DOS archive, 1.3", '5', "/a.zip", "", "", []string{"C: /a.zip\\r\\n\nS: PK\\x03\\x04\nS: <closes>"},
		check.OK, "gopher-item", check.Strong},
	{"uuencoded, 1.3", '6', "/a.uu", "", "", []string{"C: /a.uu\\r\\n\nS: begin 644 a\\r\\n\nS: <closes>"},
		check.OK, "gopher-item", check.Strong},
	{"binary, 1.3", '9', "9/pic.gif", "", "", []string{`
		C: 9/pic.gif\r\n
		S: GIF89a\x01\x00\x01\x00
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"GIF, 1.3", 'g', "/p.gif", "", "", []string{"C: /p.gif\\r\\n\nS: GIF89a\\x01\nS: <closes>"}, check.OK, "gopher-item", check.Strong},
	{"image, 1.3", 'I', "/p", "", "", []string{"C: /p\\r\\n\nS: \\xff\\xd8\\xff\nS: <closes>"}, check.OK, "gopher-item", check.Strong},
	{"HTML, 1.3", 'h', "/a.html", "", "", []string{"C: /a.html\\r\\n\nS: <html><p>hi</html>\nS: <closes>"}, check.OK, "gopher-item", check.Strong},
	{"HTML that is not found", 'h', "/a.html", "", "", []string{`
		C: /a.html\r\n
		S: 3'/a.html' does not exist (no handler found)\t\terror.host\t1\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"PyGopherd missing text, 5.4", '0', "/none.txt", "", "", []string{`
		C: /none.txt\r\n
		S: 3'/none.txt' does not exist (no handler found)\t\terror.host\t1\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"UMN missing text, D 1", '0', "0/nope.txt", "", "", []string{`
		C: 0/nope.txt\r\n
		S: 0'/nope.txt' does not exist!!\t\terror.host\t1\r\n
		S: .\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Weak},
	{"UMN gateway error with port 70, D 1", '9', "/x", "", "", []string{`
		C: /x\r\n
		S: 0gateway has no such thing\t\terror.host\t70\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Weak},
	{"Gophernicus missing text, 1.3", '0', "/none.txt", "", "", []string{`
		C: /none.txt\r\n
		S: Error: File or directory not found! (null)\r\n
		S: <closes>`}, check.Gone, "gopher-error-text", check.Weak},
	{"Gophernicus refusing", '0', "/../../etc/passwd", "", "", []string{`
		C: /../../etc/passwd\r\n
		S: Error: Access denied! Refusing to serve out dotfiles\r\n
		S: <closes>`}, check.Blocked, "access-list", check.Weak},
	{"other short text, 1.3", '0', "/x", "", "", []string{`
		C: /x\r\n
		S: Sorry, that file does not exist.\r\n
		S: <closes>`}, check.Suspect, "error-text", check.Weak},
	{"an HTTP server, 1.3", '1', "/x", "", "", []string{`
		C: /x\r\n
		S: HTTP/1.1 400 Bad Request\r\n\r\n
		S: <closes>`}, check.Undetermined, "protocol-mismatch", check.None},
	{"an HTTP/0.9 answer", '0', "/x", "", "", []string{`
		C: /x\r\n
		S: <html>\r\n<head><title>400 Bad Request</title></head>\r\n</html>\r\n
		S: <closes>`}, check.Undetermined, "protocol-mismatch", check.None},
	{"the error page of a web server", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: <html><title>503</title><h1>Service unavailable</h1></html>\nS: <closes>"},
		check.Undetermined, "protocol-mismatch", check.None},
	{"a page as text", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: <html><title>Weirs</title><h1>503 weirs</h1></html>\nS: <closes>"}, check.OK, "gopher-item", check.Strong},
	{"an FTP server, 1.3", '0', "/x", "", "", []string{`
		S: 220 FTP server ready\r\n
		C: /x\r\n
		S: 500 '/X': command not understood\r\n
		S: <closes>`}, check.Undetermined, "protocol-mismatch", check.None},
	{"search, 5.7", '7', "/s", "foo bar", "", []string{`
		C: /s\tfoo bar\r\n
		S: 0found: foo bar\t/hello.txt\t127.0.0.1\t7070\n
		S: <closes>`}, check.OK, "gopher-menu", check.Strong},
	{"search without a hit, 1.4", '7', "/s", "zzz", "", []string{`
		C: /s\tzzz\r\n
		S: .\r\n
		S: <closes>`}, check.Reachable, "search-no-hit", check.Strong},
	{"search that says so in information", '7', "/s", "zzz", "", []string{`
		C: /s\tzzz\r\n
		S: iNothing.\tfake\t(NULL)\t0\r\n
		S: .\r\n`}, check.Reachable, "search-no-hit", check.Strong},
	{"search that says so in an error", '7', "/s", "zzz", "", []string{`
		C: /s\tzzz\r\n
		S: 3No matches for zzz\t\terror.host\t1\r\n
		S: .\r\n`}, check.Reachable, "search-no-hit", check.Strong},
	{"search engine that is gone", '7', "/s", "zzz", "", []string{`
		C: /s\tzzz\r\n
		S: 3'/s' does not exist (no handler found)\t\terror.host\t1\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"search without words, 1.3", '7', "/s", "", "", []string{`
		C: /s\r\n
		S: 3No search words\t\terror.host\t1\r\n
		S: <closes>`}, check.Reachable, "gopher-service", check.Strong},
	{"search without words, closed without an octet", '7', "/s", "", "", []string{"C: /s\\r\\n\nS: <closes>"},
		check.Reachable, "gopher-service", check.Strong},
	{"search without words, engine gone", '7', "/s", "", "", []string{`
		C: /s\r\n
		S: 3'/s' does not exist (no handler found)\t\terror.host\t1\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Weak},
	{"UMN, words for a text, D 2", '0', "0/hello.txt", "words", "", []string{`
		C: 0/hello.txt\twords\r\n
		S: --1\r\n1 Test Admin <admin@example.org>\r\nMalformed command\r\n.\r\n
		S: <closes>`}, check.Undetermined, "gopher-error-other", check.None},
	{"Gopher+ attributes, D 5", '0', "0/hello.txt", "", "+", []string{`
		C: 0/hello.txt\t!\r\n
		S: +-1\r\n+INFO: 0hello\t0/hello.txt\tvm\t7070\t+\r\n+ADMIN:\r\n
		S:  Admin: Test Admin <admin@example.org>\r\n+VIEWS:\r\n Text/plain En_US: <.0k>\r\n.\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ attributes until the end, 5.5", '0', "/hello.txt", "", "+text/plain", []string{`
		C: /hello.txt\t!\r\n
		S: +-2\r\n+INFO: 0hello.txt\t/hello.txt\t127.0.0.1\t7071\t+\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ some attributes, rfc1738bis 2.3.7", '0', "file", "", "!+ABSTRACT", []string{`
		C: file\t!+ABSTRACT\r\n
		S: +-1\r\n+INFO: 0file\tfile\tvm\t70\t+\r\n.\r\n`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ attributes of another item, geomyidae: the plain item is asked for", '0', "/gone.txt", "", "+", []string{`
		C: /gone.txt\t!\r\n
		S: +-2\r\n+INFO: 1gopher+\t\tgopher.lib.example\t70\r\n+ADMIN:\r\n Admin: Me\r\n
		S: <closes>`, `
		C: /gone.txt\r\n
		S: 3Sorry, but the requested token '/gone.txt' could not be found.\tErr\tlocalhost\t70\r\n.\r\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"Gopher+ attributes of another item, geomyidae, and the item is there", '0', "/a.txt", "", "+", []string{`
		C: /a.txt\t!\r\n
		S: +-2\r\n+INFO: 1gopher+\t\tgopher.lib.example\t70\r\n+ADMIN:\r\n Admin: Me\r\n
		S: <closes>`, `
		C: /a.txt\r\n
		S: hello\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ attributes of a menu's items, geomyidae", '1', "/x", "", "$", []string{`
		C: /x\t$\r\n
		S: +-2\r\n+INFO: 1gopher+\t\tgopher.lib.example\t70\r\n+ADMIN:\r\n Admin: Me\r\n
		S: <closes>`, `
		C: /x\r\n
		S: 0a\t/a\th\t70\r\n.\r\n
		S: <closes>`}, check.OK, "gopher-menu", check.Strong},
	{"Gopher+ attributes of another item, for a form that is not asked for", '0', "/form", "", "?", []string{`
		C: /form\t!\r\n
		S: +-2\r\n+INFO: 1gopher+\t\tgopher.lib.example\t70\r\n+ADMIN:\r\n Admin: Me\r\n
		S: <closes>`}, check.Undetermined, "gopher-not-plus", check.None},
	{"a fault of the server, jgopherd", '1', "/x", "", "", []string{`
		C: /x\r\n
		S: 3Internal error\t/\terror.host\t70\niAn internal error has occurred while processing your request.\t/\terror.host\t70\n.\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"a fault of the server, in the words of the web", '0', "/x", "", "", []string{`
		C: /x\r\n
		S: 3Internal Server Error\t\terror.host\t70\r\n.\r\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"a directory that cannot be listed, jgopherd", '1', "/x", "", "", []string{`
		C: /x\r\n
		S: 3Directory listing failed\t/\terror.host\t70\niNo listing handler could list this directory.\t/\terror.host\t70\n.\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"missing, jgopherd", '0', "/x", "", "", []string{`
		C: /x\r\n
		S: 3Resource not found\t/\terror.host\t70\niFile does not exist.\t/\terror.host\t70\n.\n
		S: <closes>`}, check.Gone, "gopher-error-item", check.Strong},
	{"rows of information for a text, of a server that is down", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: iWe are under maintenance\\t\\t\\t0\\r\\n.\\r\\n\nS: <closes>"},
		check.Suspect, "error-text", check.Weak},
	{"a menu of information of a server that is down", '1', "/x", "", "", []string{"C: /x\\r\\n\nS: iWe are under maintenance\\t\\t\\t0\\r\\n.\\r\\n\nS: <closes>"},
		check.Suspect, "error-text", check.Weak},
	{"a text of a server that is down", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: -1 error: file system offline\\r\\n\nS: <closes>"},
		check.Suspect, "error-text", check.Weak},
	{"a text that speaks of maintenance", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: Minutes\\r\\n\\r\\nThe maintenance of the weir\\r\\nwas discussed.\\r\\n\nS: <closes>"},
		check.OK, "gopher-item", check.Strong},
	{"Gopher+ not available, for the server is down", '0', "/x", "", "+", []string{`
		C: /x\t!\r\n
		S: --1\r\n1 Admin <a@b.c>\r\nServer is down for maintenance\r\n.\r\n`}, check.Temporary, "gopher-busy", check.Weak},
	{"Gopher+ attributes of a menu", '1', "/", "", "$", []string{`
		C: /\t$\r\n
		S: +-2\r\n+INFO: 7Search\t/search.pyg\t127.0.0.1\t7071\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"an error line without its end: cut off, or more would follow", '1', "/none", "", "", []string{`
		C: /none\r\n
		S: 3'/none' does not exist\t\terror.ho
		S: <closes>`}, check.Gone, "gopher-error-item", check.Weak},
	{"Gopher+ not available, 1.3", '0', "/none.txt", "", "+", []string{`
		C: /none.txt\t!\r\n
		S: --2\r\n1 Admin <pygopherd@nowhere.nowhere>\r\n'/none.txt' does not exist (no handler found)\r\n
		S: <closes>`}, check.Gone, "gopher-error-1", check.Strong},
	{"Gopher+ try later, 1.3", '0', "/x", "", "+", []string{`
		C: /x\t!\r\n
		S: --1\r\n2 Admin <a@b.c>\r\nTry again later\r\n.\r\n`}, check.Temporary, "gopher-error-2", check.Weak},
	{"Gopher+ moved, 1.3", '0', "/x", "", "+", []string{`
		C: /x\t!\r\n
		S: --1\r\n3 Admin <a@b.c>\r\n0New place\t0/new place\tnew.host\t70\t+\r\n.\r\n`}, check.Moved, "gopher-error-3", check.Strong},
	{"Gopher+ of nothing: it was understood, and is not asked again", '0', "/x", "", "+", []string{`
		C: /x\t!\r\n
		S: +-1\r\n.\r\n
		S: <closes>`}, check.Suspect, "empty", check.Weak},
	{"Gopher+ code of no meaning", '0', "/x", "", "+", []string{`
		C: /x\t!\r\n
		S: --1\r\n9 Admin <a@b.c>\r\nWhat?\r\n.\r\n`}, check.Undetermined, "gopher-error-other", check.None},
	{"Gopher+ asked of a plain server, 5.5", '0', "/hello.txt", "", "+", []string{`
		C: /hello.txt\t!\r\n
		S: Hello, gopherspace.\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ misread by a plain server", '0', "/hello.txt", "", "+", []string{`
		C: /hello.txt\t!\r\n
		S: Error: File or directory not found! (null)\r\n
		S: <closes>`, `
		C: /hello.txt\r\n
		S: Hello, gopherspace.\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"Gopher+ search", '7', "/s", "cat", "+", []string{`
		C: /s\tcat\t+\r\n
		S: +-1\r\n0A cat\t0/cat\tvm\t70\t+\r\n.\r\n`}, check.OK, "gopher-menu", check.Strong},
	{"ASK form fetched, 5.6", '0', "0/form", "", "?", []string{`
		C: 0/form\t!\r\n
		S: +-1\r\n+INFO: 0form\t0/form\tvm\t7070\t?\r\n+ASK:\r\n Note: Tell us\r\n.\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"ASK form never submitted, 5.6", '0', "0/form", "", "+\t1\r\n+-1\r\nAnn\r\n.\r\n", []string{`
		C: 0/form\t!\r\n
		S: +-1\r\n+INFO: 0form\t0/form\tvm\t7070\t?\r\n.\r\n
		S: <closes>`}, check.OK, "gopher-item", check.Strong},
	{"ASK item of a plain server is not asked for again", '0', "0/form", "", "?", []string{`
		C: 0/form\t!\r\n
		S: 3no such thing\t\terror.host\t1\r\n
		S: <closes>`}, check.Undetermined, "gopher-not-plus", check.None},
	{"ASK item of a server that is busy", '0', "0/form", "", "?", []string{`
		C: 0/form\t!\r\n
		S: 3Too many users, try later\t\terror.host\t1\r\n
		S: <closes>`}, check.Temporary, "gopher-busy", check.Weak},
	{"ASK item of a server that breaks off", '0', "0/form", "", "?", []string{"C: 0/form\\t!\\r\\n\nS: <resets>"}, check.Temporary, "tcp-reset", check.Weak},
	{"control octet, 0.2", '0', "a\r\nb", "", "", nil, check.Skipped, "control-character", check.None},
	{"reset before a word", '0', "/x", "", "", []string{"C: /x\\r\\n\nS: <resets>"}, check.Temporary, "tcp-reset", check.Weak},
}

func TestRows(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, r.scripts...)
			u := &uri.Gopher{At: s.At, Type: r.item, Selector: r.selector}
			if r.search != "" {
				u.Search = &r.search
			}
			if r.plus != "" {
				u.Plus = &r.plus
			}
			got := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}}).
				Probe(context.Background(), check.Target{URI: u})
			if got.Outcome != r.outcome || got.Reason != r.reason || got.Evidence != r.evidence {
				t.Errorf("%s(%s) %s, want %s(%s) %s; reply %q", got.Outcome, got.Reason, got.Evidence,
					r.outcome, r.reason, r.evidence, got.Reply)
			}
			if _, listed := got.Reason.Meaning(); !listed {
				t.Errorf("reason %s is not on the list", got.Reason)
			}
			if got.Outcome == check.Moved && got.SuggestedURL != "gopher://new.host:70/00/new%20place" {
				t.Errorf("suggested %q", got.SuggestedURL)
			}
		})
	}
}

// TestErrorItems: an error item means that the thing is missing only where it says so. The
// words are those of real servers, and of outages (OUTCOMES section 1.4).
func TestErrorItems(t *testing.T) {
	for text, want := range map[string]string{
		"Error: File or directory not found!":                           "gone(gopher-error-item)", // Gophernicus
		"'/none.txt' does not exist (no handler found)":                 "gone(gopher-error-item)", // PyGopherd
		"'/nope.txt' does not exist!!":                                  "gone(gopher-error-item)", // UMN gopherd
		"- Cannot access directory '/nope'":                             "gone(gopher-error-item)",
		"Sorry, but the requested token '/a' could not be found.":       "gone(gopher-error-item)", // geomyidae
		"The selected resource doesn't exist!":                          "gone(gopher-error-item)", // Motsognir
		"Error: resource caps.txt does not exist on gopher.lib.example": "gone(gopher-error-item)", // Bucktooth
		"Resource not found":                                            "gone(gopher-error-item)", // jgopherd
		"An error occurred: Resource not found.":                        "gone(gopher-error-item)",
		"Nothing is served at this selector.":                           "gone(gopher-error-item)",
		"/papers/a doesn't exist!":                                      "gone(gopher-error-item)",
		"404":                                                           "gone(gopher-error-item)",
		"'/temporary/too many.txt' does not exist":                      "gone(gopher-error-item)", // a name says nothing
		"Sorry, no such file: 0/server/offline.txt":                     "gone(gopher-error-item)",
		"Server is down for maintenance":                                "temporary(gopher-busy)",
		"Error: file system offline":                                    "temporary(gopher-busy)",
		"Cannot read directory: Input/output error":                     "temporary(gopher-busy)",
		"Server overloaded, please try again":                           "temporary(gopher-busy)",
		"Too many connections":                                          "temporary(gopher-busy)",
		"Rate limit exceeded. Please wait 3 seconds":                    "temporary(gopher-busy)",
		"Error: /pub: Stale NFS file handle":                            "temporary(gopher-busy)",
		"database not available, connection timed out":                  "temporary(gopher-busy)",
		"Permission denied":                                             "blocked(access-list)",
		"Error: Access denied!":                                         "blocked(access-list)",
		"Error reading file...":                                         "suspect(gopher-error-other)",
		"Sorry, your selector contains '..'. That's illegal here.":      "suspect(gopher-error-other)", // geomyidae
		"Cannot access database":                                        "suspect(gopher-error-other)",
		"'/not found/a.txt' cannot be read":                             "suspect(gopher-error-other)",
		"Fehler 7":                                                      "suspect(gopher-error-other)",
	} {
		q := question{item: '0'}
		r, _ := q.judge([]byte("3"+text+"\t\terror.host\t1\r\n.\r\n"), nil)
		if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The text of an item is looked at, wherever the lines end; menus and errors are not
// (OUTCOMES section 1.5).
func TestLook(t *testing.T) {
	const words = "The weir above the mill was built of oak and stood for two hundred years until the flood of that spring."
	look := func(item byte, script string) likeness.Look {
		s := labtest.Serve(t, "C: /x\\r\\n\nS: "+script+"\nS: <closes>")
		r := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}}).
			Probe(t.Context(), check.Target{URI: &uri.Gopher{At: s.At, Type: item, Selector: "/x"}})
		return r.Look
	}
	var m likeness.Memory
	m = m.After(look('0', words+`\r\n.\r\n`), "", time.Unix(1, 0))
	for script, want := range map[string]likeness.Degree{
		strings.ReplaceAll(words, " was", `\r\nwas`):                                         likeness.Same,
		"3no such thing\\t\\terror.host\\t1\\r\\n":                                           likeness.Unclear,
		strings.Repeat("Play at our tables and win more than you can spend on one day. ", 3): likeness.Other,
	} {
		if got := m.Compare(look('0', script), ""); got != want {
			t.Errorf("%q: %d, want %d", script, got, want)
		}
	}
	if l := look('1', `0`+words+`\t/a\th\t70\r\n.\r\n`); l != nil {
		t.Errorf("a menu: %v", l)
	}
}

// A search item whose field for words is there and empty is asked as one without
// words (rfc1738bis section 2.3.4): its engine answers.
func TestEmptySearch(t *testing.T) {
	s := labtest.Serve(t, `
		C: /s\t\r\n
		S: 0A cat\t0/cat\tvm\t70\r\n.\r\n
		S: <closes>`)
	words := ""
	u := &uri.Gopher{At: s.At, Type: '7', Selector: "/s", Search: &words}
	got := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}}).Probe(t.Context(), check.Target{URI: u})
	if got.Outcome != check.Reachable || got.Reason != "gopher-service" {
		t.Errorf("%s(%s) %q", got.Outcome, got.Reason, got.Reply)
	}
}

// A server that sends enough and then hangs does not spoil what it said; one
// that hangs earlier is temporary, never gone.
func TestHangs(t *testing.T) {
	for _, r := range []row{
		{"after a menu item", '1', "", "", "", []string{"C: \\r\\n\nS: 0A\\t0/a\\th\\t70\\r\\n\nS: <silent>"}, check.OK, "gopher-menu", check.Strong},
		{"in a line of the menu", '1', "", "", "", []string{"C: \\r\\n\nS: 0A\\t0/a\\th\\t70\nS: <silent>"}, check.Temporary, "timeout", check.Weak},
		{"after an error line", '1', "", "", "", []string{"C: \\r\\n\nS: 3no such\\t\\th\\t70\\r\\n\nS: <silent>"}, check.Temporary, "timeout", check.Weak},
		{"in a short text", '0', "", "", "", []string{"C: \\r\\n\nS: Hello\\r\\n\nS: <silent>"}, check.Temporary, "timeout", check.Weak},
		{"silent", '0', "", "", "", []string{"C: \\r\\n\nS: <silent>"}, check.Temporary, "timeout", check.Weak},
	} {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, r.scripts...)
			got := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 500 * time.Millisecond}}).
				Probe(context.Background(), check.Target{URI: &uri.Gopher{At: s.At, Type: r.item, Selector: r.selector}})
			if got.Outcome != r.outcome || got.Reason != r.reason || got.Evidence != r.evidence {
				t.Errorf("%s(%s) %s, want %s(%s) %s", got.Outcome, got.Reason, got.Evidence, r.outcome, r.reason, r.evidence)
			}
		})
	}
}
