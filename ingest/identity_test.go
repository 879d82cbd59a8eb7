package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
	"linkcheck/store"
)

// readPaths ingests some paths on the next night.
func (l *library) readPaths(paths ...string) Summary {
	l.t.Helper()
	l.now = l.now.Add(24 * time.Hour)
	o := l.opts
	o.Now = func() time.Time { return l.now }
	sum, err := Read(l.t.Context(), l.st, paths, o)
	if err != nil {
		l.t.Fatalf("%v: %v", err, sum.Problems)
	}
	if problems, err := l.st.Verify(l.t.Context()); err != nil || len(problems) > 0 {
		l.t.Fatalf("verify: %v, %v", problems, err)
	}
	return sum
}

// sources lists the sources that are there, by their names, and the live mentions of them.
func (l *library) sources() (names []string) {
	l.t.Helper()
	for src, err := range l.st.Sources() {
		if err != nil {
			l.t.Fatal(err)
		}
		if src.Gone.IsZero() {
			names = append(names, shown(&src))
		}
	}
	return names
}

// Whatever a run calls a document, it is one source, and is counted once.
func TestOneIdentity(t *testing.T) {
	l := newLibrary(t)
	l.opts.Collection = "" // the default differs from name to name
	l.write("docs/a.txt", u1, u2)
	l.write("docs/sub/b.txt", u3)
	t.Chdir(l.dir)
	whole := filepath.Join(l.dir, "docs")
	for _, step := range []struct {
		paths []string
		read  int
		note  string
	}{
		{[]string{"docs"}, 2, ""},
		{[]string{whole}, 0, ""},
		{[]string{"./docs/../docs"}, 0, ""},
		{[]string{"docs", whole}, 0, "2 documents are named by another path of this run too"},
		{[]string{"docs", "docs/a.txt", "docs/sub"}, 0, "1 document is named by another path"},
		{[]string{"docs/sub"}, 1, `1 document was read as part of "` + whole + `" before`}, // of another collection
		{[]string{"docs"}, 1, `read as part of "` + filepath.Join(whole, "sub") + `" before`},
	} {
		sum := l.readPaths(step.paths...)
		notes := strings.Join(sum.Notes, "\n")
		if sum.Read != step.read || l.live(u1) != 1 || l.live(u2) != 1 || l.live(u3) != 1 || !strings.Contains(notes, step.note) || step.note == "" && notes != "" {
			t.Fatalf("%q: %+v; %d %d %d", step.paths, sum, l.live(u1), l.live(u2), l.live(u3))
		}
	}
	if got, want := l.sources(), []string{"docs/a.txt", "docs/sub/b.txt"}; !slices.Equal(got, want) {
		t.Errorf("shown as %q, want %q", got, want)
	}
	l.remove("docs/sub/b.txt")
	l.write("docs/sub/c.txt", u1)
	if sum := l.readPaths("docs"); sum.Gone != 1 || l.live(u3) != 0 {
		t.Errorf("removed: %+v", sum)
	}
}

// A store of before knows relative paths, the same document by two, and messages by the
// names of their files. A run takes them over, without reading what has not changed.
func TestOldPathsAreTakenOver(t *testing.T) {
	for _, cwd := range []string{".", "elsewhere"} {
		l := newLibrary(t)
		l.write("docs/a.txt", u1)
		l.write("docs/b.txt", u2)
		testdoc.Write(t, filepath.Join(l.dir, "elsewhere/x"), "x")
		old := []string{"docs/a.txt", "docs/b.txt"}
		if cwd == "." {
			old = append(old, filepath.Join(l.dir, "docs/a.txt"))
		}
		in, err := l.st.BeginIngest(l.now)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range old {
			url := map[string]string{"a.txt": u1, "b.txt": u2}[filepath.Base(path)]
			info, err := os.Stat(filepath.Join(l.dir, "docs", filepath.Base(path)))
			if err != nil {
				t.Fatal(err)
			}
			o := l.opts
			o.Extract.Limits = extract.Limits{}
			list := []store.Mention{{Collection: "c", Line: 2, Column: 6, Raw: url, URL: url, How: "bare"}}
			src := store.Source{Path: path, Collection: "c", Root: strings.TrimSuffix(path, "/"+filepath.Base(path)), Options: fingerprint(o), Size: info.Size(), ModTime: info.ModTime(), Mentions: 1}
			if err := in.Add(store.Step{Whole: []store.Source{src}, Batches: []*store.Batch{store.Prepare(path, list, nil)}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := in.Finish(); err != nil {
			t.Fatal(err)
		}
		t.Chdir(filepath.Join(l.dir, cwd))
		sum := l.readPaths(filepath.Join(l.dir, "docs"))
		if sum.Read != 0 || sum.Unchanged != 2 || sum.New != 0 || sum.Gone != 0 || l.live(u1) != 1 || l.live(u2) != 1 || len(l.sources()) != 2 {
			t.Errorf("from %s: %+v; %d, %d live; %q", cwd, sum, l.live(u1), l.live(u2), l.sources())
		}
	}
}

// What is in the store by a relative path, and is another file, is not taken over.
func TestOldPathsOfOthersAreLeft(t *testing.T) {
	l := newLibrary(t)
	l.write("x/docs/a.txt", u1)
	in, err := l.st.BeginIngest(l.now)
	if err != nil {
		t.Fatal(err)
	}
	list := []store.Mention{{Collection: "c", Line: 2, Raw: u2, URL: u2, How: "bare"}}
	if err := in.Add(store.Step{Whole: []store.Source{{Path: "docs/a.txt", Collection: "c", Root: "docs", Size: 7, Mentions: 1}}, Batches: []*store.Batch{store.Prepare("docs/a.txt", list, nil)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
	l.readPaths(filepath.Join(l.dir, "x/docs"))
	if l.live(u1) != 1 || l.live(u2) != 1 {
		t.Errorf("%d and %d live: %q", l.live(u1), l.live(u2), l.sources())
	}
}

func message(l *library, name, url string) {
	testdoc.Write(l.t, filepath.Join(l.dir, name), "From: a@b.net\nSubject: x\n\nSee <"+url+">.\n")
}

// A mail that is read, flagged and answered stays one document, and an emptied new/ or
// cur/ is nothing to tell.
func TestLiveMaildir(t *testing.T) {
	l := newLibrary(t)
	for _, dir := range []string{"cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Sent/tmp"} {
		if err := os.MkdirAll(filepath.Join(l.dir, "box", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	message(l, "box/new/1.a.host", u1)
	message(l, "box/new/2.b.host", u2)
	message(l, "box/tmp/3.c.host", u3)
	if sum := l.read(nil); sum.Read != 2 || l.live(u3) != -1 {
		t.Fatalf("the first night: %+v", sum)
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(l.dir, "box", from), filepath.Join(l.dir, "box", to)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range [][2]string{{"new/1.a.host", "cur/1.a.host:2,S"}, {"new/2.b.host", "cur/2.b.host:2,"}, {"cur/1.a.host:2,S", "cur/1.a.host:2,RS"}} {
		move(step[0], step[1])
		if sum := l.read(nil); sum.Read != 0 || sum.Unchanged != 2 || sum.Gone != 0 || sum.New != 0 || l.live(u1) != 1 || l.live(u2) != 1 {
			t.Fatalf("%q: %+v", step, sum)
		}
	}
	if names := l.sources(); len(names) != 2 || !strings.HasSuffix(names[0], "cur/1.a.host:2,RS") {
		t.Errorf("shown as %q", names)
	}
	l.remove("box/cur/2.b.host:2,")
	move("cur/1.a.host:2,RS", ".Sent/cur/1.a.host:2,RS")
	if sum := l.read(nil); sum.Gone != 2 || sum.Read != 1 || l.live(u1) != 1 || l.live(u2) != 0 {
		t.Fatalf("an emptied box beside one with mail: %+v", sum)
	}
	l.remove("box/.Sent/cur/1.a.host:2,RS")
	if sum := l.read(ErrUnreadable); sum.OutOfReach != 1 || l.live(u1) != 1 {
		t.Fatalf("no mail at all: %+v", sum)
	}
}

// A message that gets another name between the walk and its opening is read all the same,
// and once.
func TestMaildirMovesUnderTheWalk(t *testing.T) {
	l := newLibrary(t)
	for _, dir := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(l.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	message(l, "new/1.a.host", u1)
	message(l, "new/2.b.host", u2)
	n := 0
	for s := range sources([]string{l.dir}, way{newFirst: true}) {
		if n++; n == 1 {
			for _, name := range []string{"1.a.host", "2.b.host"} {
				if err := os.Rename(filepath.Join(l.dir, "new", name), filepath.Join(l.dir, "cur", name+":2,S")); err != nil {
					t.Fatal(err)
				}
			}
		}
		f, err := s.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

// Links to folders are counted, or followed: each folder once, and not in a circle.
func TestLinkedFolders(t *testing.T) {
	l := newLibrary(t)
	l.write("in/one.txt", u1)
	l.write("out/two.txt", u2)
	l.write("out/deep/three.txt", u3)
	for name, to := range map[string]string{"in/away": "../out", "in/again": "../out/deep", "in/self": ".", "out/back": "../in", "out/deep/up": "..", "in/broken": "nothing"} {
		if err := os.Symlink(to, filepath.Join(l.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(l.dir, "in")
	for follow, want := range map[bool]string{
		false: u1 + " 3 links to folders are not followed; --follow reads what they lead to",
		true:  strings.Join([]string{u1, u3, u2}, " "),
	} {
		var got []string
		for f, err := range Extract(t.Context(), []string{in}, Selection{Follow: follow}, extract.Options{}) {
			if got = append(got, f.URI); err != nil {
				got[len(got)-1] = err.Error()
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("extracted, follow %v: %s, want %s", follow, got, want)
		}
	}
	if sum := l.readPaths(in); sum.Links != 3 || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "3 links to folders are not followed") || l.live(u2) != -1 {
		t.Fatalf("not followed: %+v", sum)
	}
	l.opts.Follow = true
	if sum := l.readPaths(in); sum.Sources != 3 || sum.Links != 0 || l.live(u1) != 1 || l.live(u2) != 1 || l.live(u3) != 1 {
		t.Fatalf("followed: %+v, %q", sum, l.sources())
	}
	l.opts.Follow = false
	o := l.opts
	if sum, err := Read(t.Context(), l.st, []string{in}, o); err == nil || sum.OutOfReach != 2 || l.live(u2) != 1 {
		t.Fatalf("not followed again: %+v, %v", sum, err)
	}
	if got := LinkedFolders([]string{in}); !slices.Contains(got, filepath.Join(l.dir, "out")) {
		t.Errorf("LinkedFolders: %q", got)
	}
	o.Follow = true
	out := filepath.Join(l.dir, "out")
	if err := os.Rename(out, out+"-away"); err != nil { // a disk that is not there
		t.Fatal(err)
	}
	if sum, err := Read(t.Context(), l.st, []string{in}, o); err == nil || sum.OutOfReach != 2 || sum.Gone != 0 || l.live(u2) != 1 || l.live(u3) != 1 || !strings.Contains(fmt.Sprint(sum.Problems), "leads to no folder now") {
		t.Fatalf("links that dangle: %+v, %v", sum, err)
	}
	if err := errors.Join(os.Rename(out+"-away", out), os.Remove(filepath.Join(in, "away")), os.Remove(filepath.Join(in, "again"))); err != nil {
		t.Fatal(err)
	}
	if sum, err := Read(t.Context(), l.st, []string{in}, o); err != nil || sum.Gone != 2 || l.live(u2) != 0 || l.live(u3) != 0 {
		t.Fatalf("links that were taken away: %+v, %v", sum, err)
	}
}

// A catalogue that was exported anew under another name takes the place of the old one,
// unless it looks broken.
func TestReplace(t *testing.T) {
	l := newLibrary(t)
	l.write("2025.txt", u1, u2, "http://a.test.net/4", "http://a.test.net/5")
	l.write("other.txt", u3)
	path := func(name string) string { return filepath.Join(l.dir, name) }
	l.readPaths(path("2025.txt"))
	l.opts.Collection = "d"
	l.readPaths(path("other.txt"))
	l.opts.Collection = "c"
	l.opts.Replace = true
	for _, broken := range [][]string{{}, {u1}} {
		l.write("2026.txt", broken...)
		sum, err := Read(t.Context(), l.st, []string{path("2026.txt")}, l.opts)
		if err == nil || sum.OutOfReach != 1 || l.live(u2) != 1 {
			t.Fatalf("%q: %+v, %v", broken, sum, err)
		}
	}
	l.write("2026.txt", u1, "http://a.test.net/4", "http://a.test.net/6")
	if sum := l.readPaths(path("2026.txt")); sum.Gone != 1 || l.live(u2) != 0 || l.live(u1) != 1 || l.live(u3) != 1 {
		t.Fatalf("%+v", sum)
	}
	if sum := l.readPaths(path("2026.txt")); sum.Gone != 0 || len(sum.Notes) != 0 {
		t.Fatalf("the next night: %+v", sum)
	}
	l.write("2027.txt", u1)
	l.opts.AllowEmpty = true
	if sum := l.readPaths(path("2027.txt")); sum.Gone != 1 || l.live("http://a.test.net/6") != 0 {
		t.Fatalf("allowed: %+v", sum)
	}
}

// Damage is told when it is met first and when it changes, and is known all the time.
func TestDamageIsToldOnce(t *testing.T) {
	l := newLibrary(t)
	whole := testdoc.Gzip(strings.Repeat("See http://a.test.net/1 for more.\n", 2000))
	file := filepath.Join(l.dir, "a.txt.gz")
	write := func(n int) {
		t.Helper()
		if err := os.WriteFile(file, []byte(whole[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, l.now, l.now.Add(time.Duration(n)*time.Second-100*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	write(len(whole) - 20)
	if sum := l.read(nil); sum.Damages != 1 || sum.KnownDamages != 0 || len(sum.Problems) != 1 {
		t.Fatalf("the first night: %+v", sum)
	}
	if sum := l.read(nil); sum.Damages != 0 || sum.Unchanged != 1 || l.live(u1) < 1 {
		t.Fatalf("unchanged: %+v", sum)
	}
	write(len(whole) - 21)
	if sum := l.read(nil); sum.Damages != 0 || sum.KnownDamages != 1 || sum.Read != 1 || len(sum.Problems) != 0 {
		t.Fatalf("damaged in the same way: %+v", sum)
	}
	for src := range l.st.Sources() {
		if src.Problems != 1 || src.Damage == "" || strings.Contains(src.Damage, l.dir) {
			t.Errorf("%d: %q", src.Problems, src.Damage)
		}
	}
	write(len(whole))
	if sum := l.read(nil); sum.Damages+sum.KnownDamages != 0 {
		t.Fatalf("mended: %+v", sum)
	}
	write(len(whole) - 20)
	if sum := l.read(nil); sum.Damages != 1 {
		t.Fatalf("damaged again: %+v", sum)
	}
}
