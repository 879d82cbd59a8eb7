package ftp

import (
	"bytes"
	"context"
	"slices"
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

// user and pass begin a login, in is one that goes well, lists asks for a listing, quit is a goodbye.
const (
	user = `
		S: 220 x\r\n
		C: USER anonymous\r\n
		`
	pass = `
		S: 331 ok\r\n
		C: PASS archive@lib.example\r\n
		`
	lists = `
		C: EPSV\r\n
		S: 229 Entering Extended Passive Mode (|||{port}|)\r\n
		C: NLST f\r\n
		`
	in = `
		S: 220 ready\r\n
		C: USER anonymous\r\n
		S: 331 Anonymous login ok, send your complete email address as your password\r\n
		C: PASS archive@lib.example\r\n
		S: 230 Anonymous access granted\r\n
		C: TYPE I\r\n
		S: 200 Type set to I\r\n
		`
	quit = `
		C: QUIT\r\n
		S: 221 Goodbye.\r\n`
	gone = `
		c: QUIT\r\n`
	next = "\nnext connection\n"
)

type row struct {
	name, url, script string
	outcome           check.Outcome
	reason            check.Reason
	evidence          check.Evidence
}

// rows is the whole table.
func rows() []row {
	all := slices.Concat(pathRows, loginRows)
	for _, r := range all {
		for _, code := range []string{"521", "534"} { // RFC 4217 section 9: as 522
			if s := strings.ReplaceAll(r.script, "S: 522 Data", "S: "+code+" Data"); s != r.script {
				r := r
				r.name, r.script = r.name+", "+code, s
				all = append(all, r)
			}
		}
	}
	return all
}

func TestRows(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, strings.Split(r.script, next)...)
			p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
			got := p.Probe(context.Background(), check.Target{URI: s.URI(r.url)})
			p.Close()
			if got.Outcome != r.outcome || got.Reason != r.reason || got.Evidence != r.evidence {
				t.Errorf("%s(%s) %s, want %s(%s) %s; reply %q", got.Outcome, got.Reason, got.Evidence,
					r.outcome, r.reason, r.evidence, got.Reply)
			}
			if said := len(labtest.ServerOctets(r.script)); said > 0 != (got.Bytes > 0) {
				t.Errorf("%d octets were read, %d said", got.Bytes, said)
			}
			if flagged := strings.Contains(r.script, "<tls>") || strings.Count(r.url, ":") > 1; flagged != (len(got.Flags) > 0) {
				t.Errorf("flags %q", got.Flags)
			}
			if _, listed := got.Reason.Meaning(); !listed {
				t.Errorf("reason %s is not on the list", got.Reason)
			}
		})
	}
}

// The root of file://host is that of its FTP server; without a host there is none.
func TestTarget(t *testing.T) {
	if u, ok := target(&uri.File{Host: "h.lib"}); !ok || len(u.Dirs) != 0 || u.Name != "" || u.At.Port != 21 {
		t.Errorf("%+v, %v", u, ok)
	}
	if u, ok := target(&uri.File{Segments: []string{"a"}}); ok {
		t.Errorf("%+v", u)
	}
	if u, ok := target(&uri.Telnet{}); ok {
		t.Errorf("%+v", u)
	}
}

// file://host is anonymous FTP at port 21: seed 004 (UDI).
func TestUDI(t *testing.T) {
	feat := "S: 220 ready\\r\\n\nC: FEAT\\r\\n\nS: 502 no\\r\\n"
	s := labtest.Serve(t, strings.Replace(in, "S: 220 ready\\r\\n", feat, 1)+`
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: SIZE a b\r\n
		S: 213 3\r\n`+quit)
	p := New(check.Options{Dialer: s.Dialer("ftp.lib.edu:21"), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
	got := p.Probe(t.Context(), check.Target{URI: s.URI("file://ftp.lib.edu/pub/a%20b")})
	p.Close()
	if got.Outcome != check.OK || got.Reason != "ftp-213" {
		t.Errorf("%s(%s) %q", got.Outcome, got.Reason, got.Reply)
	}
}

// A host with a name is named where FEAT offers that, RFC 7151; what it answers is no
// judgement of the link. An address is not a name.
func TestHost(t *testing.T) {
	rest := strings.Replace(in, "S: 220 ready\\r\\n", "", 1) + `
		C: SIZE f\r\n
		S: 213 3\r\n` + quit
	for name, script := range map[string]string{
		"offered, ProFTPD's words": `
			C: FEAT\r\n
			S: 211-Features:\r\n HOST\r\n MDTM\r\n UTF8\r\n211 End\r\n
			C: HOST ftp.lib.edu\r\n
			S: 220 ProFTPD Server (library) [192.0.2.1]\r\n`,
		"offered, and the name is not known": `
			C: FEAT\r\n
			S: 211-Features:\r\n HOST\r\n211 End\r\n
			C: HOST ftp.lib.edu\r\n
			S: 504 ftp.lib.edu: Unknown hostname provided\r\n`,
		"not offered": `
			C: FEAT\r\n
			S: 211-Extensions supported:\r\n MDTM\r\n211 End.\r\n`,
		"FEAT wants a login": `
			C: FEAT\r\n
			S: 530 Please login with USER and PASS.\r\n`,
		"FEAT is not known": `
			C: FEAT\r\n
			S: 500 'FEAT': command not understood.\r\n`,
	} {
		t.Run(name, func(t *testing.T) {
			s := labtest.Serve(t, "S: 220 ready\\r\\n"+script+rest)
			p := New(check.Options{Dialer: s.Dialer("ftp.lib.edu:21"), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
			got := p.Probe(t.Context(), check.Target{URI: s.URI("ftp://ftp.lib.edu/f")})
			p.Close()
			if got.Outcome != check.OK || got.Reason != "ftp-213" {
				t.Errorf("%s(%s) %q", got.Outcome, got.Reason, got.Reply)
			}
		})
	}
}

// One session serves several URLs of a server where its login directory can be
// had back, and only there.
func TestReuse(t *testing.T) {
	s := labtest.Serve(t, in+`
		C: SIZE a\r\n
		S: 213 1\r\n
		C: CWD pub\r\n
		S: 250 ok\r\n
		C: SIZE b\r\n
		S: 213 2\r\n
		C: PWD\r\n
		S: 257 "/home/ftp/pub" is the current directory\r\n
		C: CWD /home/ftp\r\n
		S: 250 ok\r\n
		C: CWD link\r\n
		S: 250 ok\r\n
		C: PWD\r\n
		S: 257 "/elsewhere"\r\n`+quit, in+`
		C: CWD /etc\r\n
		S: 250 ok\r\n
		C: SIZE motd\r\n
		S: 213 3\r\n`+quit, `
		S: 220 ready\r\n
		C: USER ann\r\n
		S: 230 in\r\n
		C: TYPE I\r\n
		S: 200 ok\r\n
		C: SIZE c\r\n
		S: 213 4\r\n`+quit, in+`
		C: SIZE d\r\n
		S: 213 5\r\n
		S: 421 Timeout.\r\n
		S: <closes>
		c: QUIT\r\n
		c: SIZE e\r\n
		c: SIZE e\r\nQUIT\r\n`, in+`
		C: SIZE e\r\n
		S: 213 6\r\n`+quit)
	p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
	for _, url := range []string{"ftp://{at}/a", "ftp://{at}/pub/b", "ftp://{at}/link/", "ftp://{at}/%2Fetc/motd",
		"ftp://ann@{at}/c", "ftp://{at}/d", "ftp://{at}/e"} {
		if r := p.Probe(t.Context(), check.Target{URI: s.URI(url)}); r.Outcome != check.OK {
			t.Errorf("%s: %s(%s) %q", url, r.Outcome, r.Reason, r.Reply)
		}
	}
	p.Close()
}

// The size of a file is remembered, a directory has none (OUTCOMES section 1.5).
func TestLook(t *testing.T) {
	for reply, want := range map[string]likeness.Look{
		`213 4096`: likeness.LookAtSize(4096), `213 4096 bytes`: nil, `213 -1`: nil, `250 fine`: nil,
	} {
		s := labtest.Serve(t, in+"C: SIZE a\\r\\n\nS: "+reply+"\\r\\n"+quit)
		p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
		r := p.Probe(t.Context(), check.Target{URI: s.URI("ftp://{at}/a")})
		p.Close()
		if r.Outcome != check.OK || !bytes.Equal(r.Look, want) {
			t.Errorf("%s: %s, %v", reply, r.Outcome, r.Look)
		}
	}
}
