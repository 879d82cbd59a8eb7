package interop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modules is where Dovecot looks for its modules, wherever it was unpacked.
const modules = "/usr/lib/dovecot"

// dovecot starts Dovecot for the user u1, whose mail stands in the Maildir that it gives.
// more is what its listener is set to, where it speaks TLS; "": it does not.
func dovecot(t *testing.T, more string) (addr, mail string) {
	root(t)
	server, dir, n := need(t, "dovecot"), publicDir(t), port(t)
	unpacked := filepath.Join(filepath.Dir(server), "../lib/dovecot")
	if err := os.Symlink(unpacked, modules); err == nil {
		t.Cleanup(func() { os.Remove(modules) })
	} else if !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	mail = filepath.Join(dir, "u1/Maildir")
	tls := "ssl = no"
	if more != "" {
		cert := certificate(t, dir)
		tls = "ssl_cert = <" + cert + "\nssl_key = <" + cert
	}
	config := write(t, dir, "dovecot.conf", strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(n), "MORE", more, "TLS", tls).Replace(`protocols = imap
TLS
base_dir = DIR/run
state_dir = DIR/state
log_path = /dev/stderr
default_internal_user = mail
default_internal_group = mail
default_login_user = nobody
first_valid_uid = 1
auth_mechanisms = plain
mail_location = maildir:~/Maildir
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=mail gid=mail home=DIR/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = PORT
    MORE
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`))
	deliver(t, mail, "list") // that it is there
	start := command(need(t, "doveconf"), "-c", config, "-f", "service=master", "-m", "master", "-e", server, "-F", "-c", config)
	return daemon(t, n, start), mail
}

// deliver puts messages into a mailbox of a Maildir.
func deliver(t *testing.T, mail, box string, messages ...string) {
	t.Helper()
	for _, folder := range []string{"", ".." + box} {
		for _, part := range []string{"cur", "new", "tmp"} {
			if err := os.MkdirAll(filepath.Join(mail, strings.TrimPrefix(folder, "."), part), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range messages {
		write(t, mail, filepath.Join("."+box, "new", name+".m.archive.example"), "From: Ann <ann@archive.example>\nSubject: "+name+"\nMessage-ID: <"+name+"@archive.example>\n\nSee mailto:"+name+"@wells.example\n")
	}
	if out, err := exec.Command("chown", "-R", "mail:mail", filepath.Dir(mail)).CombinedOutput(); err != nil {
		t.Fatalf("chown: %s", out)
	}
}

// withLogin gives the flags of a configuration with a root and its password.
func withLogin(t *testing.T, uri, password string) []string {
	t.Helper()
	dir := t.TempDir()
	secret := write(t, dir, "password", password+"\n")
	if err := os.Chmod(secret, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--config", write(t, dir, "config.toml", fmt.Sprintf("[[root]]\nuri = %q\nuser = \"u1\"\npassword-file = %q\n", uri, secret))}
}

// testMail reads a mailbox of Dovecot: each message once, and no flag of it changes; those
// that were expunged are gone, and those that have new numbers are read again and lose nothing.
func testMail(t *testing.T, program string) {
	addr, mail := dovecot(t, "")
	box := filepath.Join(mail, ".list")
	deliver(t, mail, "list", "one", "two", "three")
	var c conversation
	uri := "imap://" + overheard(t, anyPort, addr, &c) + "/list"
	asked := func(want ...string) {
		t.Helper()
		var got []string
		for _, line := range c.lines() {
			_, command, _ := strings.Cut(line, " ")
			got = append(got, command)
		}
		once(t, got, slices.Concat([]string{`LOGIN "u1" "secret"`, `EXAMINE "list"`, "UID SEARCH ALL", "LOGOUT"}, want)...)
	}
	fetch := func(uid int) string { return fmt.Sprintf("UID FETCH %d (UID BODY.PEEK[])", uid) }
	links := func(names ...string) (want []string) {
		for _, name := range names {
			want = append(want, "not-checkable mailto:"+name+"@wells.example")
		}
		return want
	}
	a, login := newArchive(t, program, uri), withLogin(t, uri, "secret")
	a.night(0, login...).is(t, 3, 3, 0, 0, "whole")
	asked(fetch(1), fetch(2), fetch(3))
	if got, want := a.urls(), links("one", "three", "two"); !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	a.night(0, login...).is(t, 3, 0, 0, 0, "whole")
	asked()
	deliver(t, mail, "list", "four")
	files, err := filepath.Glob(filepath.Join(box, "*", "two*"))
	if err != nil || len(files) != 1 || os.Remove(files[0]) != nil {
		t.Fatal(files, err)
	}
	a.night(0, login...).is(t, 3, 1, 0, 1, "whole")
	asked(fetch(4))
	if seen, err := filepath.Glob(filepath.Join(box, "*", "*:2,*S*")); err != nil || len(seen) > 0 {
		t.Errorf("seen by reading: %q, %v", seen, err)
	}
	for _, name := range []string{"dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"} {
		if err := os.Remove(filepath.Join(box, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(mail, "dovecot-uidvalidity")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	c.lines()
	a.night(0, login...).is(t, 3, 3, 0, 3, "whole")
	asked(fetch(1), fetch(2), fetch(3))
	if got, want := a.urls(), links("four", "one", "three"); !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	a.night(3, withLogin(t, uri, "wrong")...).is(t, 3, 0, 0, 0, "refused: imap-login: [AUTHENTICATIONFAILED] Authentication failed.")
	if err := os.RemoveAll(box); err != nil {
		t.Fatal(err)
	}
	a.night(3, login...).is(t, 3, 0, 0, 0, "doubted: the root itself is not found")
	none := newArchive(t, program, strings.TrimSuffix(uri, "list")+"none")
	none.night(3, withLogin(t, none.root, "secret")...).is(t, 0, 0, 0, 0, "not found: imap-missing: Mailbox doesn't exist: none")
}

// testMailTLS reads a mailbox in TLS, from the first octet and by STARTTLS.
func testMailTLS(t *testing.T, program string) {
	for scheme, more := range map[string]string{"imaps": "ssl = yes", "imap": "ssl = no"} {
		addr, mail := dovecot(t, more)
		deliver(t, mail, "list", "one", "two")
		var c conversation
		a := newArchive(t, program, scheme+"://"+overheard(t, anyPort, addr, &c)+"/list")
		a.night(0, withLogin(t, a.root, "secret")...).is(t, 2, 2, 0, 0, "whole")
		if said := strings.Join(c.lines(), "\n"); strings.Contains(said, "secret") || scheme == "imap" && !strings.Contains(said, "STARTTLS") {
			t.Errorf("%s: said in clear %.200q", scheme, said)
		}
	}
}
