package interop

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/z3950"
	"linkcheck/uri"
)

// z3950Case is one URL, without scheme and authority, and what must come of it.
type z3950Case struct {
	url     string
	outcome check.Outcome
	reason  check.Reason
	flag    string
}

// TestYazZtest asks the test server of YAZ, whose hit counts follow the digits
// that a term begins with, and whose databases are Default and db*.
func TestYazZtest(t *testing.T) {
	z3950Needs(t, "yaz-ztest")
	at := z3950Start(t, func(port string) *exec.Cmd {
		return exec.Command("yaz-ztest", "-v", "none", "-w", t.TempDir(), "tcp:127.0.0.1:"+port)
	})
	z3950Probe(t, at, []z3950Case{
		{"s /", check.Reachable, "z3950-init", ""},
		{"s /Default", check.Reachable, "z3950-init", ""},
		{"r /Default", check.Reachable, "z3950-init", "undefined-retrieval"},
		{"r /Default?1present", check.OK, "z3950-hit", ""},
		{"r /Default?1present;esn=F;rs=marc", check.OK, "z3950-hit", ""},
		{"r /Default?1present;rs=sutrs", check.OK, "z3950-hit", ""},
		{"r /Default?0missing", check.Gone, "z3950-no-hit", ""},
		{"r /Default?7many", check.Suspect, "not-unique", ""},
		{"r /nosuch?1present", check.Temporary, "z3950-109", ""},
		{"r /Default+db1?0missing", check.Gone, "z3950-no-hit", ""},
		{"r /Default+db1?1present", check.Suspect, "not-unique", ""},
	})
}

// TestBusyYazZtest asks for a search that takes longer than we wait.
func TestBusyYazZtest(t *testing.T) {
	z3950Needs(t, "yaz-ztest")
	at := z3950Start(t, func(port string) *exec.Cmd {
		return exec.Command("yaz-ztest", "-v", "none", "-w", t.TempDir(), "tcp:127.0.0.1:"+port)
	})
	z3950Within(t, time.Second, at, []z3950Case{{"r /Default%3Fsearch-delay%3D30?1present", check.Temporary, "timeout", ""}})
}

// TestZebra asks Zebra over records of its own, indexed by Doc-id.
func TestZebra(t *testing.T) {
	z3950Needs(t, "zebrasrv", "zebraidx", zebraTables+"/marc21.abs")
	config := zebraIndex(t, "")
	at := z3950Start(t, func(port string) *exec.Cmd {
		return exec.Command("zebrasrv", "-v", "none", "-c", config, "tcp:127.0.0.1:"+port)
	})
	z3950Probe(t, at, []z3950Case{
		{"s /Default", check.Reachable, "z3950-init", ""},
		{"r /Default?lc0001", check.OK, "z3950-hit", ""},
		{"s /books?bk0001;esn=F;rs=marc", check.OK, "z3950-hit", ""},
		{"r /Default?lc0001;rs=sutrs", check.OK, "z3950-hit", ""},
		{"r /Default?lc0001;rs=danmarc", check.OK, "z3950-hit", "form-refused"},
		{"r /Default?lc0001;esn=nosuch;rs=marc", check.OK, "z3950-hit", "form-refused"},
		{"r /Default+books?bk0001", check.OK, "z3950-hit", ""},
		{"r /Default?bk0001", check.Gone, "z3950-no-hit", ""},
		{"r /Default?nosuch", check.Gone, "z3950-no-hit", ""},
		{"r /nosuch?lc0001", check.Temporary, "z3950-109", ""},
	})
}

// TestZebraWithPasswords asks a Zebra that lets nobody in without a password.
func TestZebraWithPasswords(t *testing.T) {
	z3950Needs(t, "zebrasrv", "zebraidx", zebraTables+"/marc21.abs")
	config := zebraIndex(t, "wells:sesame\n")
	at := z3950Start(t, func(port string) *exec.Cmd {
		return exec.Command("zebrasrv", "-v", "none", "-c", config, "tcp:127.0.0.1:"+port)
	})
	z3950Probe(t, at, []z3950Case{
		{"s /Default", check.Auth, "z3950-1011", ""},
		{"r /Default?lc0001", check.Auth, "z3950-1011", ""},
	})
}

// z3950Needs skips the test, by the name of what is missing, or fails it where
// LINKCHECK_INTEROP=require says that everything is installed.
func z3950Needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		_, err := exec.LookPath(p)
		if filepath.IsAbs(p) {
			_, err = os.Stat(p)
		}
		if err == nil {
			continue
		}
		if os.Getenv("LINKCHECK_INTEROP") == "require" {
			t.Fatalf("%s is not installed", p)
		}
		t.Skipf("%s is not installed", p)
	}
}

// z3950Start runs a server on a free port until the test ends, and gives its address.
func z3950Start(t *testing.T, command func(port string) *exec.Cmd) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(at)
	cmd := command(port)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it forks for every connection
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s says %q", cmd.Path, output.String())
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			return at
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s does not listen: %q", cmd.Path, output.String())
		case <-tick.C:
		}
	}
}

// z3950Probe probes every case.
func z3950Probe(t *testing.T, at string, cases []z3950Case) {
	t.Helper()
	z3950Within(t, 10*time.Second, at, cases)
}

func z3950Within(t *testing.T, timeout time.Duration, at string, cases []z3950Case) {
	t.Helper()
	guard := &check.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	p := z3950.New(z3950.Options{Options: check.Options{Dialer: guard, Timeout: timeout}})
	defer p.Close()
	for _, c := range cases {
		scheme, path, _ := strings.Cut(c.url, " ")
		url := "z39.50" + scheme + "://" + at + path
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		r := p.Probe(t.Context(), check.Target{URI: u})
		if r.Outcome != c.outcome || r.Reason != c.reason || strings.Join(r.Flags, " ") != c.flag {
			t.Errorf("%s: %v(%s) %v %q, want %v(%s) %s", url, r.Outcome, r.Reason, r.Flags, r.Reply, c.outcome, c.reason, c.flag)
		}
	}
}

const zebraTables = "/usr/share/idzebra-2.0/tab"

// zebraIndex indexes lc0001 and lc0002 in Default and bk0001 in books, with the
// control number as Doc-id too, and gives the path of the configuration.
func zebraIndex(t *testing.T, passwords string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table, err := os.ReadFile(zebraTables + "/marc21.abs")
	if err != nil {
		t.Fatal(err)
	}
	docid := regexp.MustCompile(`(?m)^xpath disable.*$`).ReplaceAll(table, []byte("$0\nmelm 001 Local-number,Doc-id,Identifier-standard"))
	write("tab/marc21.abs", string(docid))
	modules, _ := filepath.Glob("/usr/lib/*/idzebra-2.0/modules")
	settings := []string{
		"profilePath: " + dir + "/tab:" + zebraTables, "modulePath: " + strings.Join(modules, ":"), "attset: bib1.att",
		"recordType: grs.marcxml.marc21", "recordId: (bib1,Local-number)", "storeKeys: 1", "storeData: 1",
		"register: " + dir + ":20M", "lockDir: " + dir, "setTmpDir: " + dir, "keyTmpDir: " + dir, "perm.anonymous: r", "perm.wells: r",
	}
	if passwords != "" {
		settings = append(settings, "passwd: "+write("passwd", passwords))
	}
	config := write("zebra.cfg", strings.Join(settings, "\n")+"\n")
	run := func(args ...string) {
		t.Helper()
		out, err := exec.Command("zebraidx", append([]string{"-v", "fatal,warn", "-c", config}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("zebraidx %v: %v %s", args, err, out)
		}
	}
	run("init")
	run("-d", "Default", "update", write("lc.mrc", marcRecord("lc0001", "Universal document identifiers")+marcRecord("lc0002", "Z39.50 in theory")))
	run("-d", "books", "update", write("bk.mrc", marcRecord("bk0001", "The telnet scheme")))
	return config
}

// marcRecord is a MARC 21 record in ISO 2709 with a control number and a title.
func marcRecord(id, title string) string {
	const end, terminator = "\x1d", "\x1e"
	fields := []struct{ tag, text string }{{"001", id + terminator}, {"245", "10\x1fa" + title + terminator}}
	directory, data := "", ""
	for _, f := range fields {
		directory += fmt.Sprintf("%s%04d%05d", f.tag, len(f.text), len(data))
		data += f.text
	}
	base := 24 + len(directory) + 1
	return fmt.Sprintf("%05dnam a22%05d a 4500", base+len(data)+1, base) + directory + terminator + data + end
}
