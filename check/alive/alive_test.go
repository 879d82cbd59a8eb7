package alive

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The rows of PROTOCOLS section 10 for ssh, sftp and ftps.
func TestGreetings(t *testing.T) {
	checktest.Rows(t, SSH, []checktest.Row{
		{Name: "greets", URL: "ssh://{at}/", Script: "S: SSH-2.0-OpenSSH_9.2p1\\r\\n", Outcome: check.Reachable, Reason: "server-greeting", Reply: "SSH-2.0-OpenSSH_9.2p1"},
		{Name: "other lines first, RFC 4253 section 4.2", URL: "sftp://anna@{at}/pub", Script: "S: For members only\\r\\nSSH-1.99-x\\r\\n", Outcome: check.Reachable, Reason: "server-greeting"},
		{Name: "another protocol", URL: "ssh://{at}/", Script: "S: 220 ftp ready\\r\\n\nS: <closes>", Outcome: check.Undetermined, Reason: "protocol-mismatch", Reply: "220 ftp ready"},
		{Name: "closes", URL: "ssh://{at}/", Script: "S: <closes>", Outcome: check.Temporary, Reason: "closed"},
	})
	checktest.Rows(t, FTPS, []checktest.Row{
		{Name: "greets", URL: "ftps://{at}/pub", Script: "S: <tls>\nS: 220 ready\\r\\n\nC: QUIT\\r\\n", Outcome: check.Reachable, Reason: "server-greeting"},
		{Name: "in several lines", URL: "ftps://{at}/pub", Script: "S: <tls>\nS: 220-welcome\\r\\n\nC: QUIT\\r\\n", Outcome: check.Reachable, Reason: "server-greeting"},
		{Name: "full", URL: "ftps://{at}/pub", Script: "S: <tls>\nS: 421 too many\\r\\n\nC: QUIT\\r\\n", Outcome: check.Temporary, Reason: "ftp-421", Reply: "421 too many"},
		{Name: "another protocol", URL: "ftps://{at}/pub", Script: "S: <tls>\nS: SSH-2.0-x\\r\\n\nC: QUIT\\r\\n", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
	})
}

// The rows of PROTOCOLS section 10 for rsync.
func TestRsync(t *testing.T) {
	const hello = "S: @RSYNCD: 31.0 sha512 md5\\r\\n\n" // daemons end lines with LF alone
	const asks = "S: @RSYNCD: 31.0 sha512 md5\\n\nC: @RSYNCD: 30.0\\npub\\n\n"
	checktest.Rows(t, Rsync, []checktest.Row{
		{Name: "the server", URL: "rsync://{at}/", Script: hello, Outcome: check.Reachable, Reason: "server-greeting"},
		{Name: "a module", URL: "rsync://{at}/pub/maps/", Script: asks + "S: welcome\\n\\n@RSYNCD: OK\\n", Outcome: check.OK, Reason: "rsync-module"},
		{Name: "an escaped module", URL: "rsync://{at}/%70ub", Script: asks + "S: @RSYNCD: OK\\n", Outcome: check.OK, Reason: "rsync-module"},
		{Name: "no such module", URL: "rsync://{at}/pub", Script: asks + "S: @ERROR: Unknown module 'pub'\\n", Outcome: check.Gone, Reason: "rsync-no-module"},
		{Name: "a login", URL: "rsync://{at}/pub", Script: asks + "S: @RSYNCD: AUTHREQD c2VjcmV0\\n", Outcome: check.Auth, Reason: "rsync-login", Reply: "@RSYNCD: AUTHREQD"},
		{Name: "not for us", URL: "rsync://{at}/pub", Script: asks + "S: @ERROR: access denied to pub from h (10.0.0.1)\\n", Outcome: check.Blocked, Reason: "access-list"},
		{Name: "full", URL: "rsync://{at}/pub", Script: asks + "S: @ERROR: max connections (4) reached -- try again later\\n", Outcome: check.Temporary, Reason: "full"},
		{Name: "another error", URL: "rsync://{at}/pub", Script: asks + "S: @ERROR: chdir failed\\n", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
		{Name: "another protocol", URL: "rsync://{at}/pub", Script: "S: HTTP/1.0 400 Bad Request\\r\\n\nS: <closes>", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
	})
}

const (
	asksRoot = "C: 0*\\x02\\x01\\x01c%\\x04\\x00\\n\\x01\\x00\\n\\x01\\x00\\x02\\x01\\x01\\x02\\x01\\n\\x01\\x01\\x00\\x87\\x0bobjectClass0\\x05\\x04\\x031.1\n"
	unbinds  = "C: 0\\x05\\x02\\x01\\x02B\\x00\n"
	calls    = "C: \\x80\\x00\\x00\\x28lnk1\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\x01\\x86\\xa3\\x00\\x00\\x00\\x03" +
		"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\n"
)

// The rows of PROTOCOLS section 10 for ldap, ldaps and nfs.
func TestQuestions(t *testing.T) {
	checktest.Rows(t, LDAP, []checktest.Row{
		{Name: "the root entry", URL: "ldap://{at}/o=Wells", Script: asksRoot + "S: 0\\x09\\x02\\x01\\x01d\\x04\\x04\\x000\\x00\n" + unbinds, Outcome: check.Reachable, Reason: "ldap-answer"},
		{Name: "in TLS", URL: "ldaps://{at}/", Script: "S: <tls>\n" + asksRoot + "S: 0\\x0c\\x02\\x01\\x01e\\x07\\n\\x01\\x00\\x04\\x00\\x04\\x00\n" + unbinds, Outcome: check.Reachable, Reason: "ldap-answer"},
		{Name: "refused: a server has answered", URL: "ldap://{at}/", Script: asksRoot + "S: 0\\x0c\\x02\\x01\\x01e\\x07\\n\\x01\\x32\\x04\\x00\\x04\\x00\n" + unbinds, Outcome: check.Reachable, Reason: "ldap-answer"},
		{Name: "a length in two octets", URL: "ldap://{at}/", Script: asksRoot + "S: 0\\x82\\x00\\x0c\\x02\\x01\\x01e\\x07\\n\\x01\\x00\\x04\\x00\\x04\\x00\n" + unbinds, Outcome: check.Reachable, Reason: "ldap-answer"},
		{Name: "another message", URL: "ldap://{at}/", Script: asksRoot + "S: 0\\x0c\\x02\\x01\\x05e\\x07\\n\\x01\\x00\\x04\\x00\\x04\\x00\n" + unbinds, Outcome: check.Undetermined, Reason: "protocol-mismatch"},
		{Name: "another protocol", URL: "ldap://{at}/", Script: asksRoot + "S: HTTP/1.0 400 Bad Request\\r\\n\n" + unbinds, Outcome: check.Undetermined, Reason: "protocol-mismatch"},
	})
	checktest.Rows(t, NFS, []checktest.Row{
		{Name: "answers", URL: "nfs://{at}/export", Script: calls + "S: \\x80\\x00\\x00\\x18lnk1\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00", Outcome: check.Reachable, Reason: "rpc-answer"},
		{Name: "no such program: a server has answered", URL: "nfs://{at}/export", Script: calls + "S: \\x80\\x00\\x00\\x18lnk1\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01", Outcome: check.Reachable, Reason: "rpc-answer"},
		{Name: "an answer to another call", URL: "nfs://{at}/export", Script: calls + "S: \\x80\\x00\\x00\\x0clnk2\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
		{Name: "another protocol", URL: "nfs://{at}/export", Script: calls + "S: 220 ready\\r\\n", Outcome: check.Undetermined, Reason: "protocol-mismatch"},
	})
}

func TestSuite(t *testing.T) {
	t.Run("ssh", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: SSH, URL: "ssh://{at}/", Speaks: "ssh", Greeting: "SSH-2.0-x\r\n"})
	})
	t.Run("rsync", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: Rsync, URL: "rsync://{at}/pub", Greeting: "@RSYNCD: 31.0\n", Reply: "@RSYNCD: OK\n", Lying: []string{"@RSYNCD: AUTHREQD\n", "@ERROR: \n"}})
	})
	t.Run("ldap", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: LDAP, URL: "ldap://{at}/", Reply: "0\x09\x02\x01\x01d\x04\x04\x000\x00", Lying: []string{"0\x82\xff\xff", "0\x84\x7f\xff\xff\xff", "0\x00", "0\x80"}})
	})
	t.Run("nfs", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: NFS, URL: "nfs://{at}/x", Reply: "\x80\x00\x00\x0clnk1\x00\x00\x00\x01\x00\x00\x00\x00", Lying: []string{"\xff\xff\xff\xff", "\x80\x00\x00\x00", "\x80\x00\x00\x0c"}})
	})
}

// Whatever a server says, a probe ends with a reason of the list.
func FuzzProbe(f *testing.F) {
	for which, said := range []string{"SSH-2.0-x\r\n", "@RSYNCD: 31.0\n@RSYNCD: OK\n", "0\x09\x02\x01\x01d\x04\x04\x000\x00", "\x80\x00\x00\x0clnk1\x00\x00\x00\x01\x00\x00\x00\x00"} {
		f.Add(byte(which), []byte(said))
	}
	probers := []func(check.Options) check.Prober{SSH, Rsync, LDAP, NFS}
	var targets []uri.URI
	for _, s := range []string{"ssh://h.example/", "rsync://h.example/pub", "ldap://h.example/", "nfs://h.example/x"} {
		u, err := uri.Parse(s)
		if err != nil {
			f.Fatal(err)
		}
		targets = append(targets, u)
	}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		i := int(which) % len(targets)
		r := probers[i](check.Options{Dialer: labtest.NewReplay(said), Timeout: time.Second}).Probe(context.Background(), check.Target{URI: targets[i]})
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
}
