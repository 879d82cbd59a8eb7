package interop

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// TestMend mends records of every kind that is beside the project, and has a parser that
// nobody here wrote read the copies: yaz-marcdump sees the intended change and no other.
func TestMend(t *testing.T) {
	dump, program := need(t, "yaz-marcdump"), buildProgram(t)
	dir := t.TempDir()
	docs, store, out := filepath.Join(dir, "docs"), filepath.Join(dir, "s.db"), filepath.Join(dir, "mended")
	testdoc.Write(t, filepath.Join(docs, "made.mrc"), testdoc.MARC("001b1", "24510|aMills", "505  |aA note: http://old.example/a, and more", "85640|3T|uhttp://old.example/b|zx")+
		testdoc.MARC("001b2", "856  |uhttp://other.example/")+testdoc.MARC("001b3", "856  |uhttp://old.example/c", "85641|uhttp://old.example/d"))
	shared := testdoc.Shared(t, "corpus", "marc")
	for _, name := range []string{"marc4j/065001035.mrc", "yaz/marc8.marc", "marc-perl/title_proper.usmarc", "openlibrary/880_arabic_french_many_linkages.mrc", "marc4j/unordered-directory-entries.mrc"} {
		octets, err := os.ReadFile(filepath.Join(shared, name))
		if err != nil {
			t.Fatal(err)
		}
		testdoc.Write(t, filepath.Join(docs, filepath.Base(name)), string(octets))
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		text, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 3 {
			t.Fatalf("%q: %v: %s", args, err, text)
		}
		return string(text)
	}
	run("run", "--quiet", "--host", "nowhere.example", "--store", store, docs)
	shown := run("mend", "--store", store, "--prefix", "http://=https://n.example/", "--write", "--all", "--out", out)
	files, lines := 0, 0
	for _, entry := range listOf(t, docs) {
		before, after := dumped(t, dump, filepath.Join(docs, entry)), dumped(t, dump, filepath.Join(out, "docs", entry))
		if len(before) != len(after) {
			t.Errorf("%s: %d lines, %d before", entry, len(after), len(before))
			continue
		}
		files++
		for i := range before {
			if bytes.Equal(before[i], after[i]) {
				continue
			}
			lines++
			if back := bytes.ReplaceAll(after[i], []byte("https://n.example/"), []byte("http://")); !bytes.Equal(back, before[i]) && !isLeader(before[i]) {
				t.Errorf("%s: %q became %q", entry, before[i], after[i])
			}
		}
	}
	if files < 6 || lines < 20 {
		t.Errorf("%d files, %d lines differ\n%s", files, lines, shown)
	}
}

// isLeader says whether a line shows a leader, whose length follows from the fields.
func isLeader(line []byte) bool { return len(line) == 24 }

func listOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// dumped gives the lines in which yaz-marcdump shows a file; it complains of damaged ones.
func dumped(t *testing.T, dump, file string) [][]byte {
	t.Helper()
	text, err := exec.Command(dump, file).Output()
	if len(text) == 0 {
		t.Fatalf("yaz-marcdump %s: %v", file, err)
	}
	if strings.Contains(file, "made.mrc") && err != nil {
		t.Errorf("yaz-marcdump %s: %v", file, err)
	}
	return bytes.Split(text, []byte{'\n'})
}
