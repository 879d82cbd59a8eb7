package nntp

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	in = `
		S: 200 news.archive.example InterNetNews NNRP server INN 2.7.1 ready (posting ok)\r\n
		C: MODE READER\r\n
		S: 200 news.archive.example InterNetNews NNRP server INN 2.7.1 ready (posting ok)\r\n
		`
	quit = `
		C: QUIT\r\n
		S: 205 Bye!\r\n`
)

type row struct {
	name, url, script string
	outcome           check.Outcome
	reason            check.Reason
	evidence          check.Evidence
}

// rows is the nntp table of OUTCOMES 1.3 and 1.4, with the words of INN and sn
// and the cases of PROTOCOLS 6.2.
var rows = []row{
	{"article by id", "news://{at}/one@archive.example", in + `
		C: STAT <one@archive.example>\r\n
		S: 223 0 <one@archive.example> status\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"article by id, missing", "news://{at}/none@archive.example", in + `
		C: STAT <none@archive.example>\r\n
		S: 430 No such article\r\n` + quit, check.Gone, "nntp-430", check.Strong},
	{"article by number", "nntp://{at}/test.linkcheck/1", in + `
		C: GROUP test.linkcheck\r\n
		S: 211 3 1 3 test.linkcheck\r\n
		C: STAT 1\r\n
		S: 223 1 <one@archive.example> status\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"article by number, missing", "nntp://{at}/test.linkcheck/99", in + `
		C: GROUP test.linkcheck\r\n
		S: 211 3 1 3 test.linkcheck\r\n
		C: STAT 99\r\n
		S: 423 No such article number 99\r\n` + quit, check.Gone, "nntp-423", check.Strong},
	{"article by number, sn's words", "nntp://{at}/test.linkcheck/99", `
		S: 200 Hi, you can post (sn version 0.3.8)\r\n
		C: MODE READER\r\n
		S: 200 Hi, you can post (sn version 0.3.8)\r\n
		C: GROUP test.linkcheck\r\n
		S: 211 3 10 12 test.linkcheck\r\n
		C: STAT 99\r\n
		S: 430 No such article\r\n` + quit, check.Gone, "nntp-430", check.Strong},
	{"group", "news://{at}/test.linkcheck", in + `
		C: GROUP test.linkcheck\r\n
		S: 211 3 1 3 test.linkcheck\r\n` + quit, check.OK, "nntp-211", check.Strong},
	{"empty group", "nntp://{at}/test.empty", in + `
		C: GROUP test.empty\r\n
		S: 211 0 1 0 test.empty\r\n` + quit, check.OK, "nntp-211", check.Strong},
	{"group, missing", "nntp://{at}/no.such.group/1", in + `
		C: GROUP no.such.group\r\n
		S: 411 No such group no.such.group\r\n` + quit, check.Gone, "nntp-411", check.Strong},
	{"server", "news://{at}/", in + quit, check.Reachable, "nntp-200", check.Strong},
	{"all groups", "news://{at}/*", in + quit, check.Reachable, "nntp-200", check.Strong},
	{"pattern", "news://{at}/test.*", in + `
		C: LIST ACTIVE test.*\r\n
		S: 215 Newsgroups in form "group high low status"\r\n
		S: test.linkcheck 0000000003 0000000001 y\r\n
		c: ignored`, check.OK, "nntp-215", check.Strong},
	{"pattern of nothing", "news://{at}/none.*", in + `
		C: LIST ACTIVE none.*\r\n
		S: 215 list\r\n.\r\n` + quit, check.Gone, "nntp-215", check.Strong},
	{"pattern passed over, WendzelNNTPd: a name farther down", "news://{at}/test.*", in + `
		C: LIST ACTIVE test.*\r\n
		S: 215 list of newsgroups follows\r\nalt.hypertext 2 1 y\r\ntest.linkcheck 3 1 y\r\n
		c: ignored`, check.OK, "nntp-215", check.Strong},
	{"pattern passed over, WendzelNNTPd: no such name", "news://{at}/none.*", in + `
		C: LIST ACTIVE none.*\r\n
		S: 215 list of newsgroups follows\r\nalt.hypertext 2 1 y\r\ntest.linkcheck 3 1 y\r\n.\r\n` + quit, check.Gone, "nntp-215", check.Weak},
	{"pattern passed over, and the list has no end", "news://{at}/none.*", in + `
		C: LIST ACTIVE none.*\r\n
		S: 215 list\r\n` + strings.Repeat("alt.hypertext 2 1 y\\r\\n", 600) + `
		c: ignored`, check.Reachable, "nntp-215", check.Strong},
	{"pattern passed over, and the list is cut off", "news://{at}/none.*", in + `
		C: LIST ACTIVE none.*\r\n
		S: 215 list\r\nalt.hypertext 2 1 y\r\n
		S: <closes>`, check.Reachable, "nntp-215", check.Strong},
	{"pattern not supported", "news://{at}/test.*", in + `
		C: LIST ACTIVE test.*\r\n
		S: 503 not stored\r\n` + quit, check.Reachable, "nntp-503", check.Strong},
	{"STAT not known, HEAD is", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 500 what?\r\n
		C: HEAD <a@b.c>\r\n
		S: 221 0 <a@b.c> head\r\nSubject: x\r\n..y\r\n.\r\n` + quit, check.OK, "nntp-221", check.Strong},
	{"STAT and HEAD not known", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 500 what?\r\n
		C: HEAD <a@b.c>\r\n
		S: 500 what?\r\n` + quit, check.Undetermined, "nntp-500", check.None},
	{"no posting", "news://{at}/a@b.c", `
		S: 201 no posting\r\n
		C: MODE READER\r\n
		S: 201 no posting\r\n
		C: STAT <a@b.c>\r\n
		S: 223 0 <a@b.c>\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"MODE READER not known", "news://{at}/a@b.c", `
		S: 200 old\r\n
		C: MODE READER\r\n
		S: 500 what?\r\n
		C: STAT <a@b.c>\r\n
		S: 223 0 <a@b.c>\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"transit mode wants to be told again, 401", "nntp://{at}/g.h", `
		S: 200 transit\r\n
		C: MODE READER\r\n
		S: 501 what?\r\n
		C: GROUP g.h\r\n
		S: 401 MODE-READER\r\n
		C: MODE READER\r\n
		S: 200 reader\r\n
		C: GROUP g.h\r\n
		S: 211 1 1 1 g.h\r\n` + quit, check.OK, "nntp-211", check.Strong},
	{"480 on STAT", "news://{at}/hidden@a.b", in + `
		C: STAT <hidden@a.b>\r\n
		S: 480 Read access denied for this article\r\n` + quit, check.Auth, "nntp-480", check.None},
	{"480 on GROUP", "nntp://{at}/test.private/1", in + `
		C: GROUP test.private\r\n
		S: 480 Read access denied\r\n` + quit, check.Auth, "nntp-480", check.None},
	{"480 on MODE READER", "news://{at}/a@b.c", `
		S: 200 x\r\n
		C: MODE READER\r\n
		S: 480 Authentication required for command\r\n` + quit, check.Auth, "nntp-480", check.None},
	{"381", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 381 password please\r\n` + quit, check.Auth, "nntp-381", check.None},
	{"483 without STARTTLS", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 483 secure connection required\r\n
		C: CAPABILITIES\r\n
		S: 101 list\r\nVERSION 2\r\nREADER\r\n.\r\n` + quit, check.Auth, "nntp-483", check.None},
	{"483 and STARTTLS", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 483 secure connection required\r\n
		C: CAPABILITIES\r\n
		S: 101 list\r\nVERSION 2\r\nSTARTTLS\r\n.\r\n
		C: STARTTLS\r\n
		S: 382 go\r\n
		S: <tls>
		C: MODE READER\r\n
		S: 200 x\r\n
		C: STAT <a@b.c>\r\n
		S: 223 0 <a@b.c>\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"483, capabilities not known, STARTTLS refused", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 483 secure connection required\r\n
		C: CAPABILITIES\r\n
		S: 500 what?\r\n
		C: STARTTLS\r\n
		S: 580 cannot\r\n` + quit, check.Auth, "nntp-483", check.None},
	{"502 greeting", "news://{at}/a@b.c", `
		S: 502 You have no permission to talk.  Goodbye!\r\n
		S: <closes>`, check.Blocked, "nntp-502", check.None},
	{"502 on MODE READER", "news://{at}/a@b.c", `
		S: 200 x\r\n
		C: MODE READER\r\n
		S: 502 no reading\r\n
		S: <closes>`, check.Blocked, "nntp-502", check.None},
	{"502 on STAT", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 502 not permitted\r\n` + quit, check.Blocked, "nntp-502", check.None},
	{"400 greeting", "news://{at}/a@b.c", `
		S: 400 testing\r\n
		S: <closes>`, check.Temporary, "nntp-400", check.Weak},
	{"400 greeting that means us", "news://{at}/a@b.c", `
		S: 400 no access from your host\r\n
		S: <closes>`, check.Blocked, "nntp-400", check.None},
	{"480 greeting", "news://{at}/a@b.c", `
		S: 480 who are you\r\n
		S: <closes>`, check.Auth, "nntp-480", check.None},
	{"400 on STAT", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 400 shutting down\r\n
		S: <closes>`, check.Temporary, "nntp-400", check.Weak},
	{"403", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 403 internal fault\r\n` + quit, check.Temporary, "nntp-403", check.Weak},
	{"503", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 503 program error\r\n` + quit, check.Temporary, "nntp-503", check.Weak},
	{"501", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 501 Syntax error in Message-ID\r\n` + quit, check.Undetermined, "nntp-501", check.None},
	{"420 for a number", "nntp://{at}/g.h/1", in + `
		C: GROUP g.h\r\n
		S: 211 0 1 0 g.h\r\n
		C: STAT 1\r\n
		S: 420 Current article number 0 is invalid\r\n` + quit, check.Undetermined, "nntp-420", check.None},
	{"NewsCache's 203, REAL-SERVERS E 5", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: 203 x\r\n` + quit, check.Undetermined, "nntp-203", check.None},
	{"an FTP server", "news://{at}/a@b.c", `
		S: 220 FTP server ready\r\n
		S: <silent>`, check.Undetermined, "protocol-mismatch", check.None},
	{"an HTTP server", "news://{at}/a@b.c", `
		S: HTTP/1.1 400 Bad Request\r\n
		S: <closes>`, check.Undetermined, "protocol-mismatch", check.None},
	{"a telnet host that waits", "news://{at}/a@b.c", `
		S: \xff\xfd\x18\xff\xfd\x20
		S: <silent>`, check.Undetermined, "protocol-mismatch", check.None},
	{"closes at once", "news://{at}/a@b.c", `
		S: <closes>`, check.Temporary, "closed", check.Weak},
	{"garbled in the middle", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: hello\r\n
		S: <silent>`, check.Undetermined, "garbled", check.None},
	{"cut in the middle", "news://{at}/a@b.c", in + `
		C: STAT <a@b.c>\r\n
		S: <closes>`, check.Temporary, "eof", check.Weak},
	{"snews", "snews://{at}/a@b.c", "S: <tls>\n" + in + `
		C: STAT <a@b.c>\r\n
		S: 223 0 <a@b.c>\r\n` + quit, check.OK, "nntp-223", check.Strong},
	{"nntps", "nntps://{at}/g.h/1", "S: <tls>\n" + in + `
		C: GROUP g.h\r\n
		S: 211 1 1 1 g.h\r\n
		C: STAT 1\r\n
		S: 223 1 <a@b.c>\r\n` + quit, check.OK, "nntp-223", check.Strong},
}

func options(s *labtest.Server) Options {
	return Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}}
}

func TestRows(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, r.script)
			p := New(options(s))
			got := p.Probe(context.Background(), check.Target{URI: s.URI(r.url)})
			p.Close()
			expect(t, got, r.outcome, r.reason, r.evidence)
			if secure := strings.Contains(r.script, "<tls>"); secure != (len(got.Flags) > 0) {
				t.Errorf("flags %q", got.Flags)
			}
		})
	}
}

func expect(t *testing.T, got check.Result, o check.Outcome, r check.Reason, e check.Evidence) {
	t.Helper()
	if got.Outcome != o || got.Reason != r || got.Evidence != e {
		t.Errorf("%s(%s) %s, want %s(%s) %s; reply %q", got.Outcome, got.Reason, got.Evidence, o, r, e, got.Reply)
	}
	if _, listed := got.Reason.Meaning(); !listed {
		t.Errorf("reason %s is not on the list", got.Reason)
	}
}

// One session serves many articles; one that the server closed meanwhile is
// replaced, and nothing is asked twice otherwise.
func TestReuse(t *testing.T) {
	s := labtest.Serve(t, in+`
		C: STAT <a@b.c>\r\n
		S: 223 0 <a@b.c>\r\n
		C: GROUP g.h\r\n
		S: 211 1 1 1 g.h\r\n
		C: STAT <b@b.c>\r\n
		S: 430 no\r\n
		S: 400 idle for too long\r\n
		S: <closes>
		c: STAT <c@b.c>\r\n`, in+`
		C: STAT <c@b.c>\r\n
		S: 223 0 <c@b.c>\r\n`+quit)
	p := New(options(s))
	for _, step := range []struct {
		url     string
		outcome check.Outcome
	}{
		{"news://{at}/a@b.c", check.OK},
		{"nntp://{at}/g.h", check.OK},
		{"news://{at}/b@b.c", check.Gone},
		{"news://{at}/c@b.c", check.OK},
	} {
		if got := p.Probe(context.Background(), check.Target{URI: s.URI(step.url)}); got.Outcome != step.outcome {
			t.Errorf("%s: %s(%s) %q", step.url, got.Outcome, got.Reason, got.Reply)
		}
	}
	p.Close()
}

// news: without a server: OUTCOMES 1.3 and 1.4.
func TestConfiguredServers(t *testing.T) {
	const (
		has = in + `
			C: STAT <a@b.c>\r\n
			S: 223 0 <a@b.c>\r\n` + quit
		hasNot = in + `
			C: STAT <a@b.c>\r\n
			S: 430 No such article\r\n` + quit
		denies = `
			S: 502 no\r\n
			S: <closes>`
		busy = `
			S: 400 later\r\n
			S: <closes>`
	)
	for _, c := range []struct {
		name    string
		scripts []string
		servers []string
		outcome check.Outcome
		reason  check.Reason
		ev      check.Evidence
	}{
		{"none configured", nil, nil, check.NotDereferenceable, "no-news-server", check.None},
		{"the second has it", []string{hasNot, has}, []string{"a.lib", "b.lib"}, check.OK, "nntp-223", check.Strong},
		{"all say no", []string{hasNot, hasNot}, []string{"a.lib", "b.lib"}, check.Gone, "nntp-430", check.Strong},
		{"one is busy", []string{hasNot, busy}, []string{"a.lib", "b.lib"}, check.Temporary, "nntp-400", check.Weak},
		{"one denies", []string{denies, hasNot}, []string{"a.lib", "b.lib"}, check.Blocked, "nntp-502", check.None},
		{"one cannot be reached", []string{hasNot}, []string{"a.lib", "b.lib:1"}, check.Temporary, "tcp-refused", check.Weak},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := labtest.Serve(t, c.scripts...)
			o := options(s)
			o.Dialer = s.Dialer("a.lib:119", "b.lib:119")
			o.Servers = c.servers
			p := New(o)
			got := p.Probe(context.Background(), check.Target{URI: s.URI("news:a@b.c")})
			p.Close()
			expect(t, got, c.outcome, c.reason, c.ev)
		})
	}
}
