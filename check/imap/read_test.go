package imap

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/wire"
	"linkcheck/internal/lab/labtest"
)

// What Dovecot 2.3.19 said.
const (
	greeting = `S: * OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ AUTH=PLAIN] Dovecot (Debian) ready.\r\n
		`
	in = greeting + `C: a1 LOGIN "u1" "secret"\r\n
		S: a1 OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT UIDPLUS ESEARCH LITERAL+] Logged in\r\n
		`
	examine = `C: a2 EXAMINE "list"\r\n
		S: * FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)\r\n
		S: * OK [PERMANENTFLAGS ()] Read-only mailbox.\r\n
		S: * 3 EXISTS\r\n
		S: * 0 RECENT\r\n
		S: * OK [UNSEEN 1] First unseen.\r\n
		S: * OK [UIDVALIDITY 1795313229] UIDs valid\r\n
		S: * OK [UIDNEXT 5] Predicted next UID\r\n
		S: * OK [HIGHESTMODSEQ 7] Highest\r\n
		S: a2 OK [READ-ONLY] Examine completed (0.002 + 0.000 + 0.001 secs).\r\n
		`
	search = `C: a3 UID SEARCH ALL\r\n
		S: * SEARCH 1 3 4\r\n
		S: a3 OK Search completed (0.001 + 0.000 secs).\r\n
		`
	boxes = `
		C: a3 LIST "" "*"\r\n
		S: * LIST (\\HasNoChildren) "." lists.old\r\n
		S: * LIST (\\HasNoChildren) NIL "a \\"b\\""\r\n
		S: * LIST (\\HasNoChildren) "." Entw&APw-rfe\r\n
		S: * LIST (\\HasNoChildren) "." INBOX\r\n
		S: a3 OK List completed (0.002 + 0.000 + 0.001 secs).\r\n
		`
	fetch3 = `C: a3 UID FETCH 3 (UID BODY.PEEK[])\r\n
		`
	text3 = `Subject: three\r\n
		S: \r\n
		S: news:one@archive.example\r\n
		`
	message = `{at}/list;UIDVALIDITY=1795313229/;UID=3`
)

func logout(n int) string {
	return fmt.Sprintf("\nC: a%d LOGOUT\\r\\n\nS: * BYE Logging out\\r\\n\nS: a%d OK Logout completed.\\r\\n\n", n, n)
}

// TestRead: what servers say, and what is brought.
func TestRead(t *testing.T) {
	uids := func(list ...int) (all []string) {
		for _, n := range list {
			all = append(all, fmt.Sprintf("imap://{at}/list;UIDVALIDITY=1795313229/;UID=%d %d", n, n))
		}
		return all
	}
	list := func(list ...int) checktest.Brought {
		return checktest.Brought{Version: "1795313229", Entries: uids(list...), Times: 1}
	}
	three := checktest.Brought{Media: "message/rfc822", Text: "Subject: three\r\n\r\nnews:one@archive.example\r\n", Times: 1}
	for _, tt := range []struct {
		name, url, script string
		most              int64
		result            string // outcome(reason)
		want              checktest.Brought
		broken            bool
	}{
		{"a list", "{at}/list", in + examine + search + logout(4), 0, "ok(imap-answer)", list(1, 3, 4), false},
		{"in another order, twice", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 4 1\r\n
			S: * SEARCH 3 1 (MODSEQ 917162500)\r\n
			S: a3 OK\r\n` + logout(4), 0, "ok(imap-answer)", list(1, 3, 4), false},
		{"one that comes between count and list", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 1 3 4 5\r\n
			S: a3 OK\r\n
			C: a4 UID SEARCH ALL\r\n
			S: * SEARCH 1 3 4 5\r\n
			S: * 4 EXISTS\r\n
			S: a4 OK\r\n` + logout(5), 0, "ok(imap-answer)", list(1, 3, 4, 5), false},
		{"one that goes", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * 2 EXPUNGE\r\n
			S: * SEARCH 1 4\r\n
			S: a3 OK\r\n` + logout(4), 0, "ok(imap-answer)", list(1, 4), false},
		{"fewer than are counted", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 1\r\n
			S: a3 OK\r\n
			C: a4 UID SEARCH ALL\r\n
			S: * SEARCH 1\r\n
			S: a4 OK\r\n` + logout(5), 0, "ok(imap-answer)", list(1), true},
		{"no SEARCH response at all", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: a3 OK\r\n
			C: a4 UID SEARCH ALL\r\n
			S: a4 OK\r\n` + logout(5), 0, "ok(imap-answer)", list(), true},
		{"UID 0", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 0 1 3\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"a UID of 33 bits", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 4294967296\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"another tag", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 1 3 4\r\n
			S: a2 OK\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"an end that is none", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: a3 FINE\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"a wish for more", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: + go on\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"a list that breaks off", "{at}/list", in + examine + `C: a3 UID SEARCH ALL\r\n
			S: * SEARCH 1 3
			S: <closes>`, 0, "temporary(eof)", checktest.Brought{}, false},
		{"the server goes", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: * BYE Too many connections from your address\r\n
			S: <closes>`, 0, "temporary(imap-bye)", checktest.Brought{}, false},
		{"no such mailbox", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 NO Mailbox doesn't exist: list (0.001 + 0.000 secs).\r\n` + boxes + logout(4), 0, "gone(imap-missing)", checktest.Brought{}, false},
		{"no such mailbox, RFC 5530", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 NO [NONEXISTENT] Unknown\r\n` + boxes + logout(4), 0, "gone(imap-missing)", checktest.Brought{}, false},
		{"a mailbox that is not ours", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 NO [NOPERM] Not yours\r\n` + logout(3), 0, "auth(imap-no)", checktest.Brought{}, false},
		{"a mailbox that cannot be opened", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 NO Unable to open this mailbox.\r\n` + boxes + logout(4), 0, "undetermined(imap-no)", checktest.Brought{}, false},
		{"too much", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 NO [LIMIT] Slow down\r\n` + logout(3), 0, "temporary(imap-no)", checktest.Brought{}, false},
		{"UIDs that do not last", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: * 3 EXISTS\r\n
			S: * NO [UIDNOTSTICKY] They do not last\r\n
			S: a2 OK [READ-ONLY]\r\n` + logout(3), 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"a command that is not known", "{at}/list", in + `C: a2 EXAMINE "list"\r\n
			S: a2 BAD What?\r\n` + logout(3), 0, "undetermined(imap-bad)", checktest.Brought{}, false},

		{"a message", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] {44}\r\n
			S: ` + text3 + `S: )\r\n
			S: a3 OK Fetch completed (0.001 + 0.000 secs).\r\n` + logout(4), 0, "ok(imap-answer)", three, false},
		{"in another order, with what was not asked for", message, in + examine + fetch3 + `S: * 1 FETCH (FLAGS (\\Seen "a)b") MODSEQ (7))\r\n
			S: * 2 FETCH (FLAGS (\\Recent) X-A {2}\r\n
			S: ab BODY[] {44}\r\n
			S: ` + text3 + `S:  UID 3)\r\n
			S: * STATUS {5}\r\n
			S: other (MESSAGES 1)\r\n
			S: a3 OK\r\n` + logout(4), 0, "ok(imap-answer)", three, false},
		{"in quotes", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] "Subject: \\"a\\"")\r\n
			S: a3 OK\r\n` + logout(4), 0, "ok(imap-answer)", checktest.Brought{Media: "message/rfc822", Text: `Subject: "a"`, Times: 1}, false},
		{"one that was expunged", message, in + examine + fetch3 + `S: a3 OK Fetch completed.\r\n` + logout(4), 0, "gone(imap-missing)", checktest.Brought{}, false},
		{"one without text", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] NIL)\r\n
			S: a3 OK\r\n` + logout(4), 0, "undetermined(empty)", checktest.Brought{}, false},
		{"one that cannot be read", message, in + examine + fetch3 + `S: a3 NO [SERVERBUG] Internal error\r\n` + logout(4), 0, "temporary(imap-no)", checktest.Brought{}, false},
		{"another one", message, in + examine + fetch3 + `S: * 2 FETCH (UID 4 BODY[] {44}\r\n
			S: ` + text3 + `S: )\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"one without its number", message, in + examine + fetch3 + `S: * 2 FETCH (BODY[] {44}\r\n
			S: ` + text3 + `S: )\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"one that comes twice", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] {44}\r\n
			S: ` + text3 + `S: )\r\n
			S: * 2 FETCH (UID 3 BODY[] {44}\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"one that is shorter than it says", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] {4400}\r\n
			S: ` + text3 + `S: )\r\n
			S: a3 OK\r\n
			S: <closes>`, 0, "temporary(eof)", checktest.Brought{}, false},
		{"one that is longer than it says", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] {4}\r\n
			S: ` + text3 + `S: )\r\n
			S: <silent>`, 0, "undetermined(garbled)", checktest.Brought{}, false},
		{"one that is longer than is wanted", message, in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] {44000000000}\r\n
			S: ` + text3 + `S: <silent>`, 10, "ok(imap-answer)", checktest.Brought{Media: "message/rfc822", Text: "Subject: t", Cut: true, Times: 1}, false},
		{"one of another time", "{at}/list;UIDVALIDITY=1795313000/;UID=3", in + examine + logout(3), 0, "temporary(imap-no)", checktest.Brought{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := labtest.Serve(t, tt.script)
			p := New(check.Options{Dialer: s.Dialer(), Timeout: 5 * time.Second})
			r, b := checktest.Bring(t, p, s.URI("imap://"+tt.url), check.Wanted{MaxBytes: tt.most, Secret: check.Secret{User: "u1", Password: "secret"}}, func(e check.Entry) string { return e.Name + " " + e.Version })
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != tt.result {
				t.Fatalf("%s %q, want %s", got, r.Reply, tt.result)
			}
			if named := strings.HasSuffix(r.Reply, `; there are INBOX, a "b", lists.old`); named != strings.Contains(tt.script, "LIST \"") {
				t.Errorf("reply %q", r.Reply)
			}
			for i := range tt.want.Entries {
				tt.want.Entries[i] = strings.ReplaceAll(tt.want.Entries[i], "{at}", fmt.Sprintf("%s:%d", s.At.Host, s.At.Port))
			}
			if (b.Err != nil) != tt.broken || !slices.Equal(b.Entries, tt.want.Entries) || b.Text != tt.want.Text || b.Media != tt.want.Media || b.Version != tt.want.Version || b.Cut != tt.want.Cut || b.Times != tt.want.Times {
				t.Errorf("got %+v, want %+v", b, tt.want)
			}
		})
	}
}

// TestLogin: who is let in, and where the password is not sent.
func TestLogin(t *testing.T) {
	certified := httptest.NewTLSServer(nil)
	certified.Close()
	pool := x509.NewCertPool()
	pool.AddCert(certified.Certificate())
	const examined = `S: * 0 EXISTS\r\n
		S: * OK [UIDVALIDITY 1]\r\n`
	list := func(tag int) string {
		return fmt.Sprintf("\nC: a%d EXAMINE \"list\"\\r\\n\n%s\nS: a%d OK\\r\\n\nC: a%d UID SEARCH ALL\\r\\n\nS: a%d OK\\r\\n\n", tag, examined, tag, tag+1, tag+1) + logout(tag+2)
	}
	reader := check.Secret{User: "reader", Password: `pass"word`}
	for _, tt := range []struct {
		name, url, script string
		secret            check.Secret
		result            string // outcome(reason) reply
		believes          bool   // the certificate
	}{
		{"as anybody", "imap://mail.example/list", greeting + `C: a1 LOGIN anonymous "us@library.example"\r\n
			S: a1 OK\r\n` + list(2), check.Secret{}, "ok(imap-answer) ", false},
		{"as anybody, RFC 4505", "imap://mail.example/list", `S: * OK [CAPABILITY IMAP4rev1 LOGINDISABLED AUTH=ANONYMOUS] ready\r\n
			C: a1 AUTHENTICATE ANONYMOUS\r\n
			S: + \r\n
			C: dXNAbGlicmFyeS5leGFtcGxl\r\n
			S: a1 OK\r\n` + list(2), check.Secret{}, "ok(imap-answer) ", false},
		{"known already", "imap://mail.example/list", `S: * PREAUTH ready\r\n` + list(1), check.Secret{}, "ok(imap-answer) ", false},
		{"what it can do is asked for", "imap://127.0.0.1/list", `S: * OK ready\r\n
			C: a1 CAPABILITY\r\n
			S: * CAPABILITY IMAP4rev1\r\n
			S: a1 OK\r\n
			C: a2 LOGIN "reader" "pass\\"word"\r\n
			S: a2 OK\r\n` + list(3), reader, "ok(imap-answer) ", false},
		{"a password that cannot be quoted", "imap://127.0.0.1/list", greeting + `C: a1 AUTHENTICATE PLAIN\r\n
			S: + \r\n
			C: AHJlYWRlcgBmw7xuZg==\r\n
			S: a1 NO [AUTHENTICATIONFAILED] not AHJlYWRlcgBmw7xuZg==\r\n` + logout(2), check.Secret{User: "reader", Password: "fünf"}, "auth(imap-login) [AUTHENTICATIONFAILED] not ***", false},
		{"refused, with the password in it", "imap://127.0.0.1/list", greeting + `C: a1 LOGIN "reader" "sesame"\r\n
			S: a1 NO sesame is not it\r\n` + logout(2), check.Secret{User: "reader", Password: "sesame"}, "auth(imap-login) *** is not it", false},
		{"refused for a while", "imap://127.0.0.1/list", greeting + `C: a1 LOGIN "reader" "sesame"\r\n
			S: a1 NO [UNAVAILABLE] Try later\r\n` + logout(2), check.Secret{User: "reader", Password: "sesame"}, "temporary(imap-no) [UNAVAILABLE] Try later", false},
		{"no TLS", "imap://mail.example/list", greeting + logout(1), reader, "skipped(tls-required) the server offers no TLS: the password is not sent", false},
		{"no login without TLS", "imap://mail.example/list", `S: * OK [CAPABILITY IMAP4rev1 LOGINDISABLED] ready\r\n` + logout(1), reader, "auth(tls-required) the server takes no login without TLS, and offers none", false},
		{"STARTTLS", "imap://example.com/list", `S: * OK [CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED] ready\r\n
			C: a1 STARTTLS\r\n
			S: a1 OK Begin\r\n
			S: <tls>
			C: a2 CAPABILITY\r\n
			S: * CAPABILITY IMAP4rev1\r\n
			S: a2 OK\r\n
			C: a3 LOGIN "reader" "pass\\"word"\r\n
			S: a3 OK\r\n` + list(4), reader, "ok(imap-answer) ", true},
		{"STARTTLS that is refused", "imap://example.com/list", `S: * OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n
			C: a1 STARTTLS\r\n
			S: a1 NO Not now\r\n` + logout(2), reader, "skipped(tls-required) the server offers no TLS: the password is not sent", true},
		{"STARTTLS by nobody known", "imap://example.com/list", `S: * OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n
			C: a1 STARTTLS\r\n
			S: a1 OK Begin\r\n
			S: <tls>
			C: a2 CAPABILITY\r\n
			S: * CAPABILITY IMAP4rev1\r\n
			S: a2 OK\r\n` + logout(3), reader, "skipped(tls-untrusted) the certificate does not hold: the password is not sent", false},
		{"TLS at once", "imaps://example.com/list", `S: <tls>
			S: * OK [CAPABILITY IMAP4rev1] ready\r\n
			C: a1 LOGIN "reader" "pass\\"word"\r\n
			S: a1 OK\r\n` + list(2), reader, "ok(imap-answer) ", true},
		{"TLS at once by nobody known", "imaps://example.com/list", `S: <tls>
			S: * OK [CAPABILITY IMAP4rev1] ready\r\n` + logout(1), reader, "skipped(tls-untrusted) the certificate does not hold: the password is not sent", false},
		{"another protocol", "imap://mail.example/list", `S: 220 mail.example ESMTP\r\n
			S: <silent>`, reader, "undetermined(protocol-mismatch) 220 mail.example ESMTP", false},
		{"no room", "imap://mail.example/list", `S: * BYE Too many users\r\n
			S: <closes>`, reader, "temporary(imap-bye) Too many users", false},
		{"no word", "imap://mail.example/list", `S: <closes>`, reader, "temporary(closed) ", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := labtest.Serve(t, tt.script)
			u := labtest.URI(t, "", tt.url)
			at, _ := u.Endpoint()
			p := New(check.Options{Dialer: s.Dialer(wire.Address(at)), Timeout: 5 * time.Second, Contact: "us@library.example"})
			ctx := t.Context()
			if ctx = check.WithRoots(ctx, x509.NewCertPool()); tt.believes {
				ctx = check.WithRoots(ctx, pool)
			}
			r, err := p.(check.Reader).Read(ctx, check.Target{URI: u}, check.Wanted{Secret: tt.secret}, func(*check.Answer) error { return nil })
			if got := fmt.Sprintf("%s(%s) %s", r.Outcome, r.Reason, r.Reply); got != tt.result || err != nil {
				t.Errorf("%q, want %q; %v", got, tt.result, err)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReuse: one session serves a list and messages; one that the server ended is replaced
// once, and another password is another session.
func TestReuse(t *testing.T) {
	fetch := func(tag int) string {
		return fmt.Sprintf("\nC: a%d UID FETCH 3 (UID BODY.PEEK[])\\r\\n\nS: * 2 FETCH (UID 3 BODY[] {2}\\r\\n\nS: a\\n)\\r\\n\nS: a%d OK\\r\\n\n", tag, tag)
	}
	s := labtest.Serve(t, in+examine+search+fetch(4)+`S: * BYE You were idle\r\n
		S: <closes>
		c: a5 UID FETCH 3 (UID BODY.PEEK[])\r\n`, in+examine+fetch(3)+logout(4), greeting+`C: a1 LOGIN "u2" "secret"\r\n
		S: a1 NO Who?\r\n`+logout(2))
	p := New(check.Options{Dialer: s.Dialer(), Timeout: 5 * time.Second})
	show := func(e check.Entry) string { return e.Version }
	known := check.Wanted{Secret: check.Secret{User: "u1", Password: "secret"}}
	if _, b := checktest.Bring(t, p, s.URI("imap://{at}/list"), known, show); !slices.Equal(b.Entries, []string{"1", "3", "4"}) {
		t.Errorf("%+v", b)
	}
	for range 2 {
		if r, b := checktest.Bring(t, p, s.URI("imap://"+message), known, show); b.Text != "a\n" {
			t.Errorf("%s(%s) %q %+v", r.Outcome, r.Reason, r.Reply, b)
		}
	}
	if r, _ := checktest.Bring(t, p, s.URI("imap://{at}/list"), check.Wanted{Secret: check.Secret{User: "u2", Password: "secret"}}, show); r.Reason != check.ReasonIMAPLogin {
		t.Errorf("%s(%s)", r.Outcome, r.Reason)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestNames: RFC 3501 section 5.1.3 has the examples with letters of Asia.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"INBOX": "INBOX", "~peter/mail/台北/日本語": "~peter/mail/&U,BTFw-/&ZeVnLIqe-", "a&b": "a&-b", "Entwürfe": "Entw&APw-rfe", "\U0001F4EC": "&2D3c7A-", "a\tb": "a&AAk-b",
	} {
		if got := modifiedUTF7(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for path, ok := range map[string]bool{"/INBOX": true, "/a/b%20c": true, "/": false, "": false, "/a;UIDVALIDITY=1": false, "/a;UIDVALIDITY=1/;UID=2": true,
		"/a;uidvalidity=1/;uid=2": true, "/a;UIDVALIDITY=0/;UID=2": false, "/a;UIDVALIDITY=1/;UID=4294967296": false, "/a/;UID=2": false, "/a?SUBJECT%20b": false, "/a;TYPE=LIST": false} {
		if _, got := addressOf(labtest.URI(t, "", "imap://mail.example"+path)); got != ok {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// repeating says a beginning, and then the same for ever, whatever it is asked.
func repeating(begin, again string) func(net.Listener) error {
	return func(l net.Listener) error {
		for {
			c, err := l.Accept()
			if err != nil {
				return nil
			}
			c.SetDeadline(time.Now().Add(20 * time.Second))
			_, err = io.WriteString(c, begin)
			for many := strings.Repeat(again, 1+1000/len(again)); err == nil; {
				_, err = io.WriteString(c, many)
			}
			c.Close()
		}
	}
}

// TestEndless: what has no end is left, at a bound.
func TestEndless(t *testing.T) {
	const opened = "* PREAUTH hello\r\n* 3 EXISTS\r\n* OK [UIDVALIDITY 1795313229]\r\na1 OK\r\n"
	for name, c := range map[string]struct {
		begin, again string
		reason       check.Reason
	}{
		"a greeting":            {"* OK ", "x", check.ReasonLineTooLong},
		"octets without a line": {"", "\x00", check.ReasonLineTooLong},
		"words":                 {"* PREAUTH hello\r\n", "* OK still there\r\n", check.ReasonTooLong},
		"capabilities":          {"* OK [CAPABILITY ", "A=B ", check.ReasonLineTooLong},
		"a line":                {opened, "x", check.ReasonLineTooLong},
		"one number":            {opened + "* SEARCH ", "1", check.ReasonLineTooLong},
		"lists of numbers":      {opened, "* SEARCH 7\r\n", check.ReasonTooLong},
		"literals":              {opened, "* X {3}\r\nabc\r\n", check.ReasonTooLong},
		"one with many":         {opened + "* X ", "{3}\r\nabc ", check.ReasonLineTooLong},
		"a literal":             {opened + "* X {4000000000000}\r\n", "x", check.ReasonTooLong},
		"others' messages":      {opened, "* 1 FETCH (FLAGS ())\r\n", check.ReasonTooLong},
	} {
		at := labtest.Start(t, repeating(c.begin, c.again))
		p := New(check.Options{Dialer: checktest.Loopback(), Timeout: 20 * time.Second})
		r, b := checktest.Bring(t, p, labtest.URI(t, at, "imap://{at}/list"), check.Wanted{}, func(e check.Entry) string { return "" })
		if r.Reason != c.reason || b.Times > 0 || r.Bytes > wire.LargestList+wire.LargestList/8+64<<10 {
			t.Errorf("%s: %s(%s) %.80q after %d octets, want %s", name, r.Outcome, r.Reason, r.Reply, r.Bytes, c.reason)
		}
		p.Close()
	}
}

// Whatever a server says, a reading ends with a reason of the list, sends only questions, and
// brings no more than is wanted.
func FuzzRead(f *testing.F) {
	for _, script := range []string{greeting, in + examine + search, in + examine + fetch3 + "S: * 2 FETCH (FLAGS (\\\\Seen) BODY[] {44}\\r\\n\nS: " + text3 + "S:  UID 3)\\r\\n\nS: a3 OK\\r\\n",
		in + examine + fetch3 + `S: * 2 FETCH (UID 3 BODY[] "a\\"b")\r\n`, "S: * PREAUTH\\r\\nS: + \\r\\n"} {
		f.Add(false, labtest.ServerOctets(script))
		f.Add(true, labtest.ServerOctets(script))
	}
	may := map[string]bool{"CAPABILITY": true, "LOGIN": true, "AUTHENTICATE": true, "STARTTLS": true, "EXAMINE": true, "LIST": true, "UID": true, "LOGOUT": true}
	f.Fuzz(func(t *testing.T, one bool, said []byte) {
		c := labtest.NewReplay(said)
		p := New(check.Options{Dialer: c, Timeout: time.Second}).(*reader)
		url := "imap://127.0.0.1/list"
		if one {
			url += ";UIDVALIDITY=1795313229/;UID=3"
		}
		const most = 30
		r, err := p.Read(context.Background(), check.Target{URI: labtest.URI(t, "", url)}, check.Wanted{MaxBytes: most, Secret: check.Secret{User: "u1", Password: "secret"}}, func(a *check.Answer) error {
			if a.Entries == nil {
				if text, err := io.ReadAll(a.Body); err != nil || len(text) == 0 || len(text) > most {
					t.Errorf("%d octets, %v", len(text), err)
				}
				return nil
			}
			last := uint32(0)
			for e, err := range a.Entries {
				if err != nil {
					break
				}
				if uid := numberOf(e.Version); uid <= last {
					t.Errorf("%d behind %d", uid, last)
				} else {
					last = uid
				}
			}
			return nil
		})
		p.Close()
		if _, listed := r.Reason.Meaning(); err != nil || !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q, %v", r.Outcome, r.Reason, r.Reply, err)
		}
		for l := range strings.Lines(c.Sent()) {
			words := strings.Fields(l)
			if len(words) > 1 && words[1] == "STARTTLS" {
				break // what follows is TLS
			}
			if len(words) > 1 && !may[words[1]] || len(words) == 1 && !strings.Contains(c.Sent(), "AUTHENTICATE") {
				t.Errorf("sent %q", l)
			}
		}
	})
}
