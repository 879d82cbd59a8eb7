package ftp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// brought is what a reader handed on; entries as "name version", without the address of the
// folder.
type brought = checktest.Brought

func bring(t testing.TB, p check.Prober, u uri.URI, w check.Wanted) (check.Result, brought) {
	t.Helper()
	base := strings.TrimSuffix(strings.TrimSuffix(u.String(), ";type=d"), "/") + "/"
	return checktest.Bring(t, p, u, w, func(e check.Entry) string {
		name, ok := strings.CutPrefix(e.Name, base)
		if !ok || e.Folder != strings.HasSuffix(name, "/") {
			t.Errorf("%+v below %s", e, base)
		}
		return strings.TrimSpace(name + " " + e.Version)
	})
}

const (
	pub  = "C: CWD pub\\r\\n\nS: 250 CWD command successful\\r\\n\n"
	epsv = "C: EPSV\\r\\n\nS: 229 Entering Extended Passive Mode (|||{port}|)\\r\\n\n"
	// What ProFTPD 1.3.8 and vsftpd 3.0.3 list of one tree.
	mlsd = `C: MLSD\r\n
		S: 150 Opening BINARY mode data connection for MLSD\r\n
		D: modify=20261122021029;perm=adfr;size=3;type=OS.unix=symlink;unique=FE00U9BC371; latest\r\nmodify=20261122021029;perm=adfr;size=17;type=file;unique=FE00U9BC3E4; a#b%20c.txt\r\nmodify=20261122021029;perm=fle;type=cdir;unique=FE00U9BC361; .\r\nmodify=20261122021029;perm=fle;type=dir;unique=FE00U9BC383; dir with space\r\nmodify=20261122021029;perm=fle;type=pdir;unique=FE00U9BC352; ..\r\nmodify=20261120120000;perm=adfr;size=1;type=file; name  two  blanks.txt\r\nmodify=20261122021029;perm=adfr;size=13;type=file; caf\xe9.txt\r\n
		S: 226 Transfer complete\r\n
		`
	noMLSD = "C: MLSD\\r\\n\nS: 500 Unknown command.\\r\\n\n"
	list   = `C: LIST\r\n
		S: 150 Here comes the directory listing.\r\n
		D: total 7\r\n-r--r--r--    1 0        0              17 Nov 22 02:10 a#b%20c.txt\r\nlrwxrwxrwx    1 0        0               6 Nov 22 02:10 dangling -> nosuch\r\ndrwx------    2 0        0            4096 Nov 22 02:10 dir with space\r\n-r--r--r--    1 0        0              16 Jan 05  2026 hello.txt\r\n-rw-r--r--    1 0        0               1 Nov 20 12:00 name  two  blanks.txt\r\n
		S: 226 Directory send OK.\r\n
		`
	state213 = "C: MDTM f\\r\\n\nS: 213 20190304050607\\r\\n\nC: SIZE f\\r\\n\nS: 213 9\\r\\n\n"
	noState  = "C: MDTM f\\r\\n\nS: 500 What?\\r\\n\nC: SIZE f\\r\\n\nS: 500 What?\\r\\n\n"
	retr     = "C: RETR f\\r\\n\nS: 150 Opening\\r\\n\nD: RFC 2056\\n\nS: 226 Transfer complete\\r\\n\n"
	half     = "C: RETR f\\r\\n\nS: 150 Opening\\r\\n\nD: RFC\nS: 226 Transfer complete\\r\\n\n"
	asked    = "C: SIZE f\\r\\n\nS: 213 9\\r\\n\n" // the ladder of a probe
)

// refused is a file of which neither time nor size is told.
func refused(reply string) string { return strings.ReplaceAll(noState, "500 What?", reply) }

var listed = []string{"a%23b%2520c.txt -r--r--r--    1 0        0              17 Nov 22 02:10", "dangling lrwxrwxrwx    1 0        0               6 Nov 22 02:10",
	"dir%20with%20space/ drwx------    2 0        0            4096 Nov 22 02:10", "hello.txt -r--r--r--    1 0        0              16 Jan 05  2026", "name%20%20two%20%20blanks.txt -rw-r--r--    1 0        0               1 Nov 20 12:00"}

var halfDigest = func() string { sum := sha256.Sum256([]byte("RFC")); return hex.EncodeToString(sum[:16]) }()

// TestSizes: what rows say of the size of a file.
func TestSizes(t *testing.T) {
	for words, want := range map[string]int64{
		"modify=20190304050607;size=9": 9, "size=12": 12, "size=3;type=os.unix=symlink": 0, "modify=20190304050607": 0, "": 0,
		"-r--r--r--    1 0        0              17 Nov 22 02:10": 17, "lrwxrwxrwx    1 0        0               6 Nov 22 02:10": 0,
		"08-07-15  07:50PM                  718": 718, "08-07-15  07:50PM                  1,718": 1718, "08-10-2015  02:04PM       <DIR>": 0,
	} {
		if got := sizeOf(words); got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
	}
}

// TestRead: HARVEST section 6, "FTP says".
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, url, script string
		wanted            check.Wanted
		result            string // outcome(reason)
		want              brought
		broken            bool
	}{
		{"MLSD", "ftp://{at}/pub/", in + pub + epsv + mlsd + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "MLSD", Entries: []string{
			"latest modify=20261122021029;size=3;type=os.unix=symlink", "a%23b%2520c.txt modify=20261122021029;size=17", "dir%20with%20space/ modify=20261122021029",
			"name%20%20two%20%20blanks.txt modify=20261120120000;size=1", "caf%E9.txt modify=20261122021029;size=13"}}, false},
		{"the first of it", "ftp://{at}/pub/", in + pub + epsv + mlsd + quit, check.Wanted{Most: 1}, "ok(ftp-250)", brought{Version: "MLSD", Entries: []string{"latest modify=20261122021029;size=3;type=os.unix=symlink"}}, false},
		{"LIST", "ftp://{at}/pub/", in + pub + epsv + noMLSD + epsv + list + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "LIST", Entries: listed}, false},
		{"the root, by its type", "ftp://{at}/pub;type=d", in + pub + epsv + noMLSD + epsv + list + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "LIST", Entries: listed}, false},
		{"the login folder", "ftp://{at}/", in + epsv + noMLSD + epsv + list + quit, check.Wanted{}, "ok(ftp-230)", brought{Version: "LIST", Entries: listed}, false},
		{"NLST, and PASV", "ftp://{at}/pub/", in + pub + `C: EPSV\r\n
			S: 500 What?\r\n
			C: PASV\r\n
			S: 227 Entering Passive Mode (10,0,0,1,{p1},{p2}).\r\n` + "\n" + noMLSD + `C: PASV\r\n
			S: 227 =10,0,0,1,{p1},{p2}\r\n
			C: LIST\r\n
			S: 502 What?\r\n
			C: PASV\r\n
			S: 227 Entering Passive Mode (10,0,0,1,{p1},{p2}).\r\n
			C: NLST\r\n
			S: 125 Here\r\n
			D: a\r\nb c\r\n.\r\n
			S: 226 Done\r\n` + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "NLST", Entries: []string{"a", "b%20c"}}, false},
		{"an empty folder", "ftp://{at}/pub/", in + pub + epsv + "C: MLSD\\r\\n\nS: 150 Opening\\r\\n\nD: \\r\\n\nS: 226 Done\\r\\n\n" + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "MLSD"}, false},
		{"an empty folder, said otherwise", "ftp://{at}/pub/", in + pub + epsv + noMLSD + epsv + "C: LIST\\r\\n\nS: 550 No files found.\\r\\n\n" + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "LIST"}, false},
		{"a row of no dialect", "ftp://{at}/pub/", in + pub + epsv + noMLSD + epsv + `C: LIST\r\n
			S: 150 Opening\r\n
			D: README.TXT;1  2/4  4-JAN-1990 09:00 [ANON]\r\n-r--r--r-- 1 0 0 17 Nov 22 02:10 a\r\n
			S: 226 Done\r\n` + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "LIST", Entries: []string{"a -r--r--r-- 1 0 0 17 Nov 22 02:10"}}, true},
		{"a list that did not end well", "ftp://{at}/pub/", in + pub + epsv + `C: MLSD\r\n
			S: 150 Opening\r\n
			D: type=file; a\r\n
			S: 426 Connection closed; transfer aborted.\r\n` + quit, check.Wanted{}, "ok(ftp-250)", brought{Version: "MLSD", Entries: []string{"a"}}, true},
		{"no such folder", "ftp://{at}/pub/", in + "C: CWD pub\\r\\n\nS: 550 pub: No such file or directory\\r\\n\n" + quit, check.Wanted{}, "gone(ftp-550)", brought{}, false},
		{"a folder that is closed", "ftp://{at}/pub/", in + pub + epsv + "C: MLSD\\r\\n\nS: 550 pub: Permission denied\\r\\n\n" + quit, check.Wanted{}, "auth(ftp-550)", brought{}, false},
		{"file", "ftp://{at}/pub/f", in + pub + state213 + epsv + retr + quit, check.Wanted{}, "ok(ftp-226)", brought{Text: "RFC 2056\n", Version: "modify=20190304050607;size=9"}, false},
		{"file whose state is not known", "ftp://{at}/pub/f", in + pub + noState + epsv + retr + quit, check.Wanted{}, "ok(ftp-226)", brought{Text: "RFC 2056\n"}, false},
		{"file, the same", "ftp://{at}/pub/f", in + pub + state213 + quit, check.Wanted{Version: "modify=20190304050607;size=9"}, "ok(ftp-213)", brought{}, false},
		{"file, the same by its row", "ftp://{at}/pub/f", in + pub + state213 + quit, check.Wanted{Version: "-r--r--r--    1 0        0               9 Mar 04  2019"}, "ok(ftp-213)", brought{}, false},
		{"file, of another size", "ftp://{at}/pub/f", in + pub + state213 + epsv + retr + quit, check.Wanted{Version: "-r--r--r--    1 0        0               8 Mar 04  2019"}, "ok(ftp-226)", brought{Text: "RFC 2056\n", Version: "modify=20190304050607;size=9"}, false},
		{"more than is wanted", "ftp://{at}/pub/f", in + pub + state213 + epsv + "C: RETR f\\r\\n\nS: 150 Opening\\r\\n\nD: RFC 2056\\n\n" + gone, check.Wanted{MaxBytes: 3}, "ok(ftp-226)", brought{Text: "RFC", Version: "modify=20190304050607;size=9", Cut: true}, false},
		{"file that did not end well", "ftp://{at}/pub/f", in + pub + noState + epsv + "C: RETR f\\r\\n\nS: 150 Opening\\r\\n\nD: RFC\nS: 451 Local error\\r\\n\n" + quit, check.Wanted{}, "ok(ftp-226)", brought{Text: "RFC"}, true},
		{"fewer octets than SIZE says, and 226", "ftp://{at}/pub/f", in + pub + state213 + epsv + half + quit, check.Wanted{Version: "modify=20180304050607;size=9"},
			"ok(ftp-226)", brought{Text: "RFC", Version: "modify=20190304050607;size=9", Short: halfDigest}, true},
		{"the same again, and it is believed", "ftp://{at}/pub/f", in + pub + state213 + epsv + half + quit, check.Wanted{Version: "modify=20180304050607;size=9", Short: halfDigest},
			"ok(ftp-226)", brought{Text: "RFC", Version: "modify=20190304050607;size=9"}, false},
		{"another half of it", "ftp://{at}/pub/f", in + pub + state213 + epsv + half + quit, check.Wanted{Version: "modify=20180304050607;size=9", Short: "00"},
			"ok(ftp-226)", brought{Text: "RFC", Version: "modify=20190304050607;size=9", Short: halfDigest}, true},
		{"as it was before it was cut", "ftp://{at}/pub/f", in + pub + state213 + quit, check.Wanted{Version: "modify=20190304050607;size=9", Short: "00"}, "ok(ftp-213)", brought{}, false},
		{"more octets than SIZE says", "ftp://{at}/pub/f", in + pub + strings.Replace(state213, "213 9", "213 8", 1) + epsv + retr + quit, check.Wanted{}, "ok(ftp-226)", brought{Text: "RFC 2056\n", Version: "modify=20190304050607;size=8"}, false},
		{"fewer octets than the row of a list says", "ftp://{at}/pub/f", in + pub + noState + epsv + half + quit, check.Wanted{Listed: "-r--r--r--    1 0        0               9 Mar 04  2019"},
			"ok(ftp-226)", brought{Text: "RFC", Short: halfDigest}, true},
		{"the row of a link", "ftp://{at}/pub/f", in + pub + noState + epsv + half + quit, check.Wanted{Listed: "lrwxrwxrwx    1 0        0               9 Mar 04  2019"}, "ok(ftp-226)", brought{Text: "RFC"}, false},
		{"a data connection to the port of a service", "ftp://{at}/pub/f", in + pub + noState + "C: EPSV\\r\\n\nS: 229 Entering Extended Passive Mode (|||25|)\\r\\n\n" + quit, check.Wanted{}, "skipped(port-denied)", brought{}, false},
		{"no such file", "ftp://{at}/pub/f", in + pub + refused("550 f: No such file") + epsv + "C: RETR f\\r\\n\nS: 550 Failed to open file.\\r\\n\n" + `
			C: MLST f\r\n
			S: 500 What?\r\n
			C: CWD f\r\n
			S: 550 f: No such file\r\n` + quit, check.Wanted{}, "gone(ftp-550)", brought{}, false},
		{"a folder in the place of the file", "ftp://{at}/pub/f", in + pub + refused("550 f: not a plain file.") + epsv + "C: RETR f\\r\\n\nS: 550 f: not a plain file.\\r\\n\n" + `
			C: MLST f\r\n
			S: 500 What?\r\n
			C: CWD f\r\n
			S: 250 ok\r\n` + quit, check.Wanted{}, "ok(ftp-250)", brought{}, false},
		{"a file that is there and not for us", "ftp://{at}/pub/f", in + pub + state213 + epsv + "C: RETR f\\r\\n\nS: 550 f: Permission denied\\r\\n\n" + quit, check.Wanted{}, "auth(ftp-550)", brought{}, false},
		{"a file that is there and does not come", "ftp://{at}/pub/f", in + pub + state213 + epsv + "C: RETR f\\r\\n\nS: 425 Cannot open data connection\\r\\n\n" + quit, check.Wanted{}, "temporary(ftp-425)", brought{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := labtest.Serve(t, tt.script)
			p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
			r, b := bring(t, p, s.URI(tt.url), tt.wanted)
			p.Close()
			handed := r.Outcome == check.OK && r.Reason != "ftp-213" && tt.name != "a folder in the place of the file"
			if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != tt.result || (b.Times == 1) != handed || b.Times > 1 {
				t.Fatalf("%s %q, want %s; handed on %d times", got, r.Reply, tt.result, b.Times)
			}
			if (b.Err != nil) != tt.broken || !slices.Equal(b.Entries, tt.want.Entries) || b.Text != tt.want.Text || b.Version != tt.want.Version || b.Short != tt.want.Short || b.Cut != tt.want.Cut {
				t.Errorf("got %+v, want %+v", b, tt.want)
			}
		})
	}
}

// TestReadReuse: one session serves a folder and its files, and then a probe.
func TestReadReuse(t *testing.T) {
	s := labtest.Serve(t, in+pub+epsv+noMLSD+epsv+list+`
		C: PWD\r\n
		S: 257 "/pub"\r\n
		C: CWD /\r\n
		S: 250 ok\r\n`+"\n"+pub+state213+epsv+retr+`
		C: PWD\r\n
		S: 257 "/pub"\r\n
		C: CWD /\r\n
		S: 250 ok\r\n`+"\n"+pub+asked+quit)
	p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second, Contact: "archive@lib.example"})
	defer p.Close()
	if _, b := bring(t, p, s.URI("ftp://{at}/pub/"), check.Wanted{}); len(b.Entries) != 5 {
		t.Errorf("%+v", b)
	}
	if _, b := bring(t, p, s.URI("ftp://{at}/pub/f"), check.Wanted{}); b.Text != "RFC 2056\n" {
		t.Errorf("%+v", b)
	}
	if r := p.Probe(t.Context(), check.Target{URI: s.URI("ftp://{at}/pub/f")}); r.Outcome != check.OK {
		t.Errorf("%s(%s)", r.Outcome, r.Reason)
	}
}

// TestRecordedRows: every row that real servers list is read.
func TestRecordedRows(t *testing.T) {
	dir := filepath.Join(labtest.Transcripts(t), "harvest")
	n := 0
	for _, name := range []string{"ftp-harvest-proftpd.txt", "ftp-harvest-vsftpd.txt"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		command := ""
		for line := range strings.Lines(string(text)) {
			if c, ok := strings.CutPrefix(line, "C: "); ok {
				command, _, _ = strings.Cut(strings.TrimSpace(c), " ")
				command = strings.TrimSuffix(command, `\r\n`)
			}
			d, ok := strings.CutPrefix(line, "D: ")
			if !ok || strings.HasPrefix(d, "<") {
				continue
			}
			said := strings.TrimRight(string(labtest.Unescape(strings.TrimSuffix(d, "\n"))), "\r\n")
			read := map[string]format{"LIST": listRow, "MLSD": factRow, "NLST": nameRow}[command]
			if read == nil {
				continue
			}
			n++
			if r, ok := read(said); !ok || r.name == "" && !strings.HasSuffix(said, ".") {
				t.Errorf("%s %s: %q: %+v", name, command, said, r)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d rows", n)
	}
}

// TestRows: dialects beside those that were recorded.
func TestDialects(t *testing.T) {
	for line, want := range map[string]member{
		"-rw-r--r--   1 ftp  ftp  1234 Dec 02  2009 fedora.ogg":                    {name: "fedora.ogg"},
		"-r--------   0 user group     65222236 Feb 24 00:39 RegularFile":          {name: "RegularFile"},
		"drwxr-xr-x               folder        0 Aug 15 05:49 !!!-Tipp des Haus!": {name: "!!!-Tipp des Haus!", folder: true},
		"drwxr-xr-x+  3 110 1002  3 Dec 02  2009 p u b":                            {name: "p u b", folder: true},
		"lrwxrwxrwx   1 root other 7 Jan 25 00:17 bin -> usr/bin":                  {name: "bin"},
		"-rw-r--r-- 1 a b 9 2026-01-05 12:00 x":                                    {name: "x"},
		"-rw-r--r-- 1 a b 9 5 Jan 12:00  led by a blank":                           {name: " led by a blank"},
		"08-07-15  07:50PM                  718 Post_PRR_20150901_1166_265118.txt": {name: "Post_PRR_20150901_1166_265118.txt"},
		"08-10-2015  02:04PM       <DIR>          Billing":                         {name: "Billing", folder: true},
		"modify=20150813224845;perm=fle;type=dir;unique=119FBB87U4; foo-bar":       {name: "foo-bar", folder: true},
		"total 12":                              {},
		"drwxr-xr-x 2 0 0 4096 Nov 22 02:10 ..": {},
	} {
		if r, ok := listRow(line); !ok || r.name != want.name || r.folder != want.folder {
			t.Errorf("%q: %+v %v, want %+v", line, r, ok, want)
		}
	}
	for _, line := range []string{"README.TXT;1  2/4  4-JAN-1990 09:00", "hello", "-rw-r--r-- 1 a b 9 Jan 5 12:00 a/b", "d [R----F--] supervisor 512 Jan 16 18:53 login"} {
		if r, ok := listRow(line); ok {
			t.Errorf("%q: %+v", line, r)
		}
	}
}

func TestReadSuite(t *testing.T) {
	for _, path := range []string{"/pub/f", "/pub/"} {
		checktest.Run(t, checktest.Case{
			New:      checktest.ByRead(New, 64<<10),
			URL:      "ftp://anonymous:secret@{at}" + path,
			Speaks:   "ftp",
			Greeting: "220 ready\r\n",
			Reply:    "230 in\r\n",
			Lying:    []string{"220-hello\r\n", "230-a\r\n331 b\r\n", "999 x\r\n", "229 (|||99999999|)\r\n"},
			Never:    []string{"secret"},
			Control:  []uri.URI{&uri.FTP{Dirs: []string{"a\r\nDELE b"}}, &uri.FTP{Name: "a\x00"}, &uri.FTP{User: &uri.User{Name: "a\nb"}}},
		})
	}
}

// FuzzRows: whatever a folder lists, its entries are things in it, whose names come back
// as the server wrote them, or an error says that not all could be read.
func FuzzRows(f *testing.F) {
	f.Add(byte(0), []byte("modify=20261122021029;size=3;type=OS.unix=symlink; latest\r\ntype=dir; a b\r\n"))
	f.Add(byte(1), []byte("total 3\r\ndrwx------ 2 0 0 4096 Nov 22 02:10 dir\r\n08-10-15  02:04PM <DIR> B\r\nhello\r\n"))
	f.Add(byte(2), []byte("a\r\nb c\r\n..\r\n"))
	base := parse("ftp://h.example/pub/").(*uri.FTP)
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		read := []format{factRow, listRow, nameRow}[int(which)%3]
		b := &bringing{}
		io.Copy(&b.body, bytes.NewReader(said))
		for e, err := range b.entries(base, read, &transfer{last: reply{code: 226}, began: true}, false) {
			if err != nil {
				continue
			}
			u, err := uri.Parse(e.Name)
			it, ok := u.(*uri.FTP)
			if err != nil || !ok || len(it.Dirs) < 1 || it.Dirs[0] != "pub" || it.Type != 0 || e.Folder == (it.Name != "") || len(it.Dirs) != 1 && !e.Folder || len(it.Dirs) > 2 {
				t.Fatalf("%q: %+v %v", e.Name, u, err)
			}
			name := it.Name
			if e.Folder {
				name = it.Dirs[1]
			}
			if !bytes.Contains(said, []byte(name)) || name == "" {
				t.Errorf("%q is not in %q", name, said)
			}
		}
	})
}

// FuzzRead: whatever a server says, a reading ends with a reason of the list, sends only
// its commands and no password of the URL, and hands on no more than is wanted.
func FuzzRead(f *testing.F) {
	for _, script := range []string{in + pub + epsv + mlsd, in + pub + epsv + noMLSD + epsv + list, in + pub + state213 + epsv + retr} {
		said := bytes.ReplaceAll(labtest.ServerOctets(script), []byte("{port}"), []byte("2121"))
		f.Add(byte(0), said)
		f.Add(byte(1), said)
	}
	may := map[string]bool{"FEAT": true, "HOST": true, "USER": true, "PASS": true, "TYPE": true, "CWD": true, "PWD": true, "SIZE": true, "MDTM": true, "MLST": true,
		"EPSV": true, "PASV": true, "NLST": true, "LIST": true, "MLSD": true, "RETR": true, "AUTH": true, "QUIT": true}
	targets := []uri.URI{parse("ftp://anonymous:secret@h.example/pub/f"), parse("ftp://anonymous:secret@h.example/pub/")}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		c := labtest.NewReplay(said)
		p := New(check.Options{Dialer: c, Timeout: time.Second})
		r, b := bring(t, p, targets[int(which)%len(targets)], check.Wanted{MaxBytes: 100})
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		if len(b.Text) > 100 || b.Times > 1 {
			t.Errorf("%d octets, %d times", len(b.Text), b.Times)
		}
		for l := range strings.Lines(c.Sent()) {
			verb, _, _ := strings.Cut(strings.TrimSuffix(l, "\r\n"), " ")
			if verb == "AUTH" {
				break // what follows is TLS
			}
			if !may[verb] || strings.Contains(l, "secret") {
				t.Errorf("sent %q", l)
			}
		}
	})
}
