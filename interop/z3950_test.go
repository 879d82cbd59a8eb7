package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/internal/testdoc"
)

// TestYazZtest asks the test server of YAZ, whose hit counts follow the digits
// that a term begins with, and whose databases are Default and db*.
func TestYazZtest(t *testing.T) {
	at := ztest(t)
	probeAll(t, newProbers(t, all.Options{}), at, []expectation{
		{"z39.50s://{at}/", check.Reachable, "z3950-init", check.Strong},
		{"z39.50s://{at}/Default", check.Reachable, "z3950-init", check.Strong},
		{"z39.50r://{at}/Default?1present", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default?1present;esn=F;rs=marc", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default?1present;rs=sutrs", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default?0missing", check.Gone, "z3950-no-hit", check.Strong},
		{"z39.50r://{at}/Default?7many", check.Suspect, "not-unique", check.Weak},
		{"z39.50r://{at}/nosuch?1present", check.Temporary, "z3950-109", check.Weak},
		{"z39.50r://{at}/Default+db1?0missing", check.Gone, "z3950-no-hit", check.Strong},
		{"z39.50r://{at}/Default+db1?1present", check.Suspect, "not-unique", check.Weak},
	})
	if r := probe(t, newProbers(t, all.Options{}), at, "z39.50r://{at}/Default"); !slices.Equal(r.Flags, []string{"undefined-retrieval"}) {
		t.Errorf("flags %v", r.Flags)
	}
}

// TestYazZtestIsNotWAIS asks in the protocol that shares its port.
func TestYazZtestIsNotWAIS(t *testing.T) {
	at := ztest(t)
	probeAll(t, newProbers(t, all.Options{Options: check.Options{Timeout: 3 * time.Second}}), at, []expectation{
		{"wais://{at}/minutes", check.Undetermined, "protocol-mismatch", check.None},
	})
}

// TestYazZtestBusy asks for a search that takes longer than we wait.
func TestYazZtestBusy(t *testing.T) {
	at := ztest(t)
	probeAll(t, newProbers(t, all.Options{Options: check.Options{Timeout: time.Second}}), at, []expectation{
		{"z39.50r://{at}/Default%3Fsearch-delay%3D30?1present", check.Temporary, "timeout", check.Weak},
	})
}

func ztest(t *testing.T) string {
	t.Helper()
	path, p := need(t, "yaz-ztest"), port(t)
	return daemon(t, p, command(path, "-v", "none", "-w", t.TempDir(), fmt.Sprintf("tcp:127.0.0.1:%d", p)))
}

// TestZebra asks Zebra over records of its own, indexed by Doc-id.
func TestZebra(t *testing.T) {
	at, _ := zebra(t, "")
	probeAll(t, newProbers(t, all.Options{}), at, []expectation{
		{"z39.50s://{at}/Default", check.Reachable, "z3950-init", check.Strong},
		{"z39.50r://{at}/Default?lc0001", check.OK, "z3950-hit", check.Strong},
		{"z39.50s://{at}/books?bk0001;esn=F;rs=marc", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default?lc0001;rs=sutrs", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default+books?bk0001", check.OK, "z3950-hit", check.Strong},
		{"z39.50r://{at}/Default?bk0001", check.Gone, "z3950-no-hit", check.Strong},
		{"z39.50r://{at}/Default?nosuch", check.Gone, "z3950-no-hit", check.Strong},
		{"z39.50r://{at}/nosuch?lc0001", check.Temporary, "z3950-109", check.Weak},
	})
	for _, form := range []string{"rs=danmarc", "esn=nosuch;rs=marc"} { // the record is there, in other forms
		r := probe(t, newProbers(t, all.Options{}), at, "z39.50r://{at}/Default?lc0001;"+form)
		if r.Outcome != check.OK || !slices.Equal(r.Flags, []string{"form-refused"}) {
			t.Errorf("%s: %s(%s) %v %q", form, r.Outcome, r.Reason, r.Flags, r.Reply)
		}
	}
}

// TestZebraRefuses asks a Zebra that lets nobody in without a password.
func TestZebraRefuses(t *testing.T) {
	at, _ := zebra(t, "wells:sesame\n")
	probeAll(t, newProbers(t, all.Options{}), at, []expectation{
		{"z39.50s://{at}/Default", check.Auth, "z3950-1011", check.None},
		{"z39.50r://{at}/Default?lc0001", check.Auth, "z3950-1011", check.None},
	})
}

func TestZebraBusy(t *testing.T) {
	at, server := zebra(t, "")
	stop(t, server)
	probeAll(t, newProbers(t, all.Options{Options: check.Options{Timeout: time.Second}}), at, []expectation{
		{"z39.50r://{at}/Default?lc0001", check.Temporary, "timeout", check.Weak},
	})
}

const zebraTables = "/usr/share/idzebra-2.0/tab"

// zebra runs a server over lc0001 and lc0002 in Default and bk0001 in books,
// with the control number as Doc-id too.
func zebra(t *testing.T, passwords string) (at string, running *exec.Cmd) {
	t.Helper()
	server, config := zebraIndex(t, passwords)
	p := port(t)
	running = command(server, "-v", "none", "-c", config, fmt.Sprintf("tcp:127.0.0.1:%d", p))
	return daemon(t, p, running), running
}

// zebraIndex makes the databases, and gives the program and its configuration.
func zebraIndex(t *testing.T, passwords string) (server, config string) {
	t.Helper()
	indexer, dir := need(t, "zebraidx"), t.TempDir()
	server = need(t, "zebrasrv")
	marc21, err := os.ReadFile(zebraTables + "/marc21.abs")
	if err != nil {
		missing(t, "idzebra-2.0-common is not installed: run interop/install.sh")
	}
	docid := regexp.MustCompile(`(?m)^xpath disable.*$`).ReplaceAll(marc21, []byte("$0\nmelm 001 Local-number,Doc-id,Identifier-standard"))
	write(t, dir, "tab/marc21.abs", string(docid))
	modules, _ := filepath.Glob("/usr/lib/*/idzebra-2.0/modules")
	settings := []string{
		"profilePath: " + dir + "/tab:" + zebraTables, "modulePath: " + strings.Join(modules, ":"), "attset: bib1.att",
		"recordType: grs.marcxml.marc21", "recordId: (bib1,Local-number)", "storeKeys: 1", "storeData: 1",
		"register: " + dir + ":20M", "lockDir: " + dir, "setTmpDir: " + dir, "keyTmpDir: " + dir, "perm.anonymous: r", "perm.wells: r",
	}
	if passwords != "" {
		settings = append(settings, "passwd: "+write(t, dir, "passwd", passwords))
	}
	config = write(t, dir, "zebra.cfg", strings.Join(settings, "\n")+"\n")
	for _, args := range [][]string{
		{"init"},
		{"-d", "Default", "update", write(t, dir, "lc.mrc", testdoc.Catalogued("lc0001", "Universal document identifiers")+testdoc.Catalogued("lc0002", "Z39.50 in theory"))},
		{"-d", "books", "update", write(t, dir, "bk.mrc", testdoc.Catalogued("bk0001", "The telnet scheme"))},
	} {
		out, err := exec.Command(indexer, append([]string{"-v", "fatal,warn", "-c", config}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("zebraidx %v: %v %s", args, err, out)
		}
	}
	return server, config
}
