package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
	"linkcheck/store"
)

// rowsOf gives the rows of `extract --jsonl`.
func rowsOf(t testing.TB, paths []string, o extract.Options, hidden bool) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for f, err := range Rows(t.Context(), paths, o, RowOptions{Hidden: hidden, All: true}, func(r *Row) bool { return enc.Encode(r) == nil }) {
		if hidden {
			f = extract.WithoutSecrets(f)
		}
		if err == nil && enc.Encode(&f) != nil {
			t.Fatal("no JSON")
		}
	}
	return b.String()
}

// linkRowsOf gives the rows of `extract --jsonl` where those of documents are not written.
func linkRowsOf(t testing.TB, paths []string) string {
	t.Helper()
	var b bytes.Buffer
	var row LinkRow
	enc := json.NewEncoder(&b)
	for f, err := range Rows(t.Context(), paths, extract.Options{}, RowOptions{}, func(r *Row) bool { row.Carry(r); return true }) {
		row.Found = f
		if err == nil && enc.Encode(&row) != nil {
			t.Fatal("no JSON")
		}
		row.Begin, row.Document = nil, nil
	}
	return b.String()
}

// twins are two stores over the same nights: one of the files, one of their rows.
type twins struct {
	t            *testing.T
	dir          string // of the documents
	rows         string // file of rows
	files, other *store.Store
	now          time.Time
	o            Options
	pack         func(string) string
}

func newTwins(t *testing.T) *twins {
	dir := t.TempDir()
	return &twins{t: t, dir: filepath.Join(dir, "docs"), rows: filepath.Join(dir, "out.jsonl"), files: openStore(t), other: openStore(t),
		now: time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC), pack: func(s string) string { return s }}
}

// write writes a document, of a time long gone.
func (w *twins) write(name, text string) {
	w.t.Helper()
	p := testdoc.Write(w.t, filepath.Join(w.dir, name), text)
	at := time.Date(2026, 1, 1, 0, 0, len(text)%60, 0, time.UTC)
	if err := os.Chtimes(p, at, at); err != nil {
		w.t.Fatal(err)
	}
}

// night reads both, and holds that the stores are the same. It gives the summary of the rows.
func (w *twins) night(paths ...string) Summary {
	w.t.Helper()
	w.now = w.now.Add(24 * time.Hour)
	o := w.o
	o.Now = func() time.Time { return w.now }
	if paths == nil {
		paths = []string{w.dir}
	}
	rows := w.pack(rowsOf(w.t, paths, o.Extract, false))
	if err := os.WriteFile(w.rows, []byte(rows), 0o644); err != nil {
		w.t.Fatal(err)
	}
	want, err := Read(w.t.Context(), w.files, paths, o)
	got, err2 := Read(w.t.Context(), w.other, []string{w.rows}, o)
	if errors.Is(err, ErrUnreadable) != errors.Is(err2, ErrUnreadable) || (err == nil) != (err2 == nil) {
		w.t.Errorf("files: %v, rows: %v %q", err, err2, got.Problems)
	}
	w.sameStores()
	w.sameSummaries(want, got)
	return got
}

func (w *twins) sameSummaries(want, got Summary) {
	w.t.Helper()
	for _, s := range []*Summary{&want, &got} {
		for i, p := range s.Problems {
			text := regexp.MustCompile(`^open |"[^"]*"`).ReplaceAllString(p.Error(), "")
			s.Problems[i] = errors.New(text)
		}
		s.Notes = nil
	}
	if a, b := fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got); a != b {
		w.t.Errorf("the readings differ:\nfiles %s\nrows  %s", a, b)
	}
}

// allKnown is all that a store knows.
func allKnown(t testing.TB, st *store.Store) string {
	t.Helper()
	var b strings.Builder
	if err := st.Canon(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if problems, err := st.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Fatalf("verify: %v, %v", problems, err)
	}
	return b.String()
}

func (w *twins) sameStores() {
	w.t.Helper()
	a, b := strings.Split(allKnown(w.t, w.files), "\n"), strings.Split(allKnown(w.t, w.other), "\n")
	if slices.Equal(a, b) {
		return
	}
	told := 0
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y && told < 5 {
			told++
			w.t.Errorf("the stores differ:\nfiles %.600s\nrows  %.600s", x, y)
		}
	}
}

// everything writes documents of many formats.
func (w *twins) everything() {
	catalogue := testdoc.Catalogued("a1", "Atlas", "|uhttp://a.test.net/1", "|uhttp://a.test.net/2") + testdoc.Catalogued("a2", "Water", "|uwww.b.test.net", "|uhttp://a.test.net/1")
	mbox := "From ann@a.test.net Mon Mar  7 09:12:00 1994\nMessage-ID: <1@a.test.net>\nSubject: One\n\nSee <http://a.test.net/3> and news:2@a.test.net\n\n" +
		"From bob@a.test.net Mon Mar  7 09:13:00 1994\nMessage-ID: <2@a.test.net>\nSubject: Two\n\nhttp://a.test.net/4\n"
	page := "<title>Mill</title><base href=\"http://a.test.net/d/\"><a href=\"5.html\">five</a> <a href='mid:1@a.test.net'>m</a>"
	menu := "1Menu\t/menu\tgopher.test.net\t70\r\n0Text\t/text\tgopher.test.net\t70\r\n.\r\n"
	w.write("catalogue.mrc", catalogue)
	w.write("list.mbox", mbox)
	w.write("page.html", page)
	w.write("relative.html", `<a href="../up.html">up</a>`)
	w.write("gophermap", menu)
	w.write("crawl.warc.gz", testdoc.Gzip(testdoc.WARC("response", "http://a.test.net/w/", testdoc.HTTPMedia, "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n"+page)))
	w.write("nested.tar.gz", testdoc.Gzip(testdoc.Tar(w.t, "in/list.mbox", mbox, "in/page.html", page, "in/deep.zip", testdoc.Zip(w.t, "menu", menu, "c.mrc", catalogue))))
	w.write("cut.gz", testdoc.Gzip(page + strings.Repeat(" ftp://ftp.test.net/x", 500))[:60])
	w.write("old.djvu", "AT&TFORM\x00\x00\x01\x00DJVU")
	w.write("torn.txt", "See <http://ann:pass\nand what follows is torn\n")
	w.write("secret.txt", "See <ftp://ann:s3same@ftp.test.net/x> and http://a.test.net/?token=s3same&x=1 there.\n")
	w.write("bare.txt", "no links here\n")
	w.write("empty.txt", "")
	w.write("name with \"quotes\" and \n end.txt", "http://a.test.net/6\n")
	w.write("odd\xff\xfe.txt", "http://a.test.net/7 caf\xe9 http://a.test.net/caf\xe9\n")
	w.write("box/cur/11.a:2,S", "Message-ID: <3@a.test.net>\nSubject: x\n\nhttp://a.test.net/8\n")
	w.write("box/new/12.a", "Message-ID: <4@a.test.net>\nSubject: x\n\nhttp://a.test.net/9\n")
	w.write("box/tmp/13.a", "Subject: x\n\nhttp://a.test.net/never\n")
	var many strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&many, "http://many.test.net/%d and http://a.test.net/1 stand here.\n", i)
	}
	w.write("many.txt", many.String())
}

// TestRowsSameStore: rows fill a store as the files do, whatever they are packed in.
func TestRowsSameStore(t *testing.T) {
	for name, pack := range map[string]func(string) string{"plain": nil, "gzip": testdoc.Gzip} {
		t.Run(name, func(t *testing.T) {
			w := newTwins(t)
			if pack != nil {
				w.pack = pack
			}
			w.everything()
			if s := w.night(); s.Read < 15 || s.Mentions < 5000 || s.Damages == 0 || s.NotRead == 0 {
				t.Errorf("%+v", s)
			}
			if s := w.night(); s.Read != 0 || s.Unchanged < 15 {
				t.Errorf("nothing changed: %+v", s)
			}
		})
	}
}

// TestRowsOfCorpora: the documents that the project ships, and those beside it.
func TestRowsOfCorpora(t *testing.T) {
	for name, dir := range map[string]func(t testing.TB) string{
		"shipped": func(testing.TB) string { return filepath.Join("..", "testdata", "corpus") },
		"beside":  func(t testing.TB) string { return testdoc.Shared(t, "corpus") },
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "beside" {
				t.Skip("the same code as for those that are shipped")
			}
			w := newTwins(t)
			if s := w.night(dir(t)); s.Sources < 10 || s.Mentions < 100 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestRowsNights: what changed, was touched, came, went, was emptied, fails.
func TestRowsNights(t *testing.T) {
	w := newTwins(t)
	w.everything()
	w.night()
	w.write("page.html", "<title>Mill</title><a href=\"http://a.test.net/new\">new</a>")
	w.write("fresh.txt", "http://a.test.net/fresh\n")
	w.write("list.mbox", "")
	long := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"many.txt", "catalogue.mrc"} { // read by its hash
		if err := os.Chtimes(filepath.Join(w.dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"gophermap", "nested.tar.gz"} {
		if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(w.dir, "box/new/12.a"), filepath.Join(w.dir, "box/cur/12.a:2,S")); err != nil {
		t.Fatal(err)
	}
	if s := w.night(); s.Gone != 0 || s.OutOfReach != 3 { // a file that is emptied makes the folder one that may be broken
		t.Errorf("%+v", s)
	}
	w.write("list.mbox", "From x@y Mon Mar  7 09:12:00 1994\nMessage-ID: <9@a.test.net>\n\nhttp://a.test.net/again\n")
	if s := w.night(); s.Gone != 2 || s.Read != 1 {
		t.Errorf("%+v", s)
	}
	w.o.Collection = "named"
	if s := w.night(); s.Read < 10 {
		t.Errorf("another collection: %+v", s)
	}
	w.o.Extract.Base = "http://base.test.net/"
	if s := w.night(); s.Read < 10 {
		t.Errorf("another base: %+v", s)
	}
}

// TestRowsOutOfReach: what the walk could not see is not gone.
func TestRowsOutOfReach(t *testing.T) {
	w := newTwins(t)
	w.write("a/1.txt", "http://a.test.net/1\n")
	w.write("b/c/2.txt", "http://a.test.net/2\n")
	w.write("3.txt", "http://a.test.net/3\n")
	w.night()
	remove := func(name string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	remove("b/c") // an empty folder may be one on which nothing is mounted
	if s := w.night(); s.Gone != 0 || s.OutOfReach != 1 {
		t.Errorf("%+v", s)
	}
	remove("b")
	if s := w.night(); s.Gone != 1 || s.OutOfReach != 0 {
		t.Errorf("%+v", s)
	}
	remove("a")
	if err := os.Symlink(t.TempDir(), filepath.Join(w.dir, "a")); err != nil {
		t.Fatal(err)
	}
	if s := w.night(); s.Gone != 0 || s.OutOfReach != 1 || s.Links != 1 {
		t.Errorf("%+v", s)
	}
	if err := errors.Join(os.Remove(filepath.Join(w.dir, "a")), os.Symlink(filepath.Join(w.dir, "nowhere"), filepath.Join(w.dir, "a"))); err != nil {
		t.Fatal(err)
	}
	if s := w.night(); s.Gone != 0 || s.OutOfReach != 1 {
		t.Errorf("%+v", s)
	}
	remove("3.txt")
	remove("a")
	if s := w.night(); s.Gone != 0 || s.OutOfReach != 2 { // nothing is left
		t.Errorf("%+v", s)
	}
	if w.o.AllowEmpty = true; w.night().Gone != 2 {
		t.Error("it is really empty")
	}
}

// TestRowsOfManyRoots: each root is judged by itself, though one call of extract read them.
func TestRowsOfManyRoots(t *testing.T) {
	w := newTwins(t)
	w.write("a/1.txt", "http://a.test.net/1\n")
	w.write("b/2.txt", "http://a.test.net/2\n")
	w.write("b/3.txt", "http://a.test.net/3\n")
	a, b := filepath.Join(w.dir, "a"), filepath.Join(w.dir, "b")
	if s := w.night(a, b); s.Read != 3 {
		t.Errorf("%+v", s)
	}
	if err := errors.Join(os.Remove(filepath.Join(a, "1.txt")), os.Remove(filepath.Join(b, "2.txt"))); err != nil {
		t.Fatal(err)
	}
	if s := w.night(a, b); s.Gone != 1 || s.OutOfReach != 1 {
		t.Errorf("%+v", s)
	}
}

// batch is an archive whose files are extracted one by one, as a batch system does.
type batch struct {
	*library
	t *testing.T
}

func (b *batch) rows(names ...string) string {
	var all strings.Builder
	for _, n := range names {
		all.WriteString(rowsOf(b.t, []string{filepath.Join(b.dir, n)}, extract.Options{}, false))
	}
	return all.String()
}

// run reads files of rows, given as names and texts in turn.
func (b *batch) run(files ...string) (Summary, error) {
	b.t.Helper()
	b.now = b.now.Add(24 * time.Hour)
	o := b.opts
	o.Now = func() time.Time { return b.now }
	var paths []string
	for i := 0; i < len(files); i += 2 {
		paths = append(paths, testdoc.Write(b.t, filepath.Join(b.dir, "..", filepath.Base(b.dir)+files[i]), files[i+1]))
	}
	sum, err := Read(b.t.Context(), b.st, paths, o)
	if err != nil && !errors.Is(err, ErrUnreadable) {
		b.t.Fatal(err)
	}
	if problems, err := b.st.Verify(b.t.Context()); err != nil || len(problems) > 0 {
		b.t.Fatalf("verify: %v, %v", problems, err)
	}
	return sum, err
}

// lives holds how many of u1, u2, u3 are live.
func (b *batch) lives(when string, want ...int) {
	b.t.Helper()
	for i, u := range []string{u1, u2, u3} {
		if got := b.live(u); got != want[i] {
			b.t.Errorf("%s: %s has %d mentions, want %d", when, u, got, want[i])
		}
	}
}

func newBatch(t *testing.T) *batch {
	b := &batch{newLibrary(t), t}
	b.write("one.txt", u1)
	b.write("two.txt", u2)
	b.write("three.txt", u3)
	return b
}

// TestRowsSweep: a file of rows stands for its documents, and for no others.
func TestRowsSweep(t *testing.T) {
	b := newBatch(t)
	both := b.rows("one.txt", "two.txt")
	if _, err := b.run(".p0", both, ".p1", b.rows("three.txt")); err != nil {
		t.Fatal(err)
	}
	b.lives("first", 1, 1, 1)
	if sum, err := b.run(".p0", b.rows("one.txt"), ".p1", b.rows("two.txt", "three.txt")); err != nil || sum.Gone != 0 || sum.Unchanged != 3 {
		t.Errorf("a document of another part: %+v, %v", sum, err)
	}
	b.lives("another part", 1, 1, 1)
	for name, broken := range map[string]func(both, three string) string{
		"without its end": func(both, _ string) string { return both[:strings.LastIndex(strings.TrimSpace(both), "\n")+1] },
		"cut within":      func(both, _ string) string { return both[:len(both)-20] },
		"cut in packing":  func(both, _ string) string { s := testdoc.Gzip(both); return s[:len(s)-20] },
		"empty":           func(_, _ string) string { return "" },
		"something else":  func(_, _ string) string { return "no rows\n" },
		"garbage":         func(_, three string) string { return three + "garbage\n" },
		"without a begin": func(both, _ string) string { return both[strings.Index(both, "\n")+1:] },
		"links alone": func(both, _ string) string {
			return strings.Join(slices.DeleteFunc(strings.SplitAfter(both, "\n"), func(l string) bool { return strings.HasPrefix(l, `{"schema"`) }), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBatch(t)
			both := b.rows("one.txt", "two.txt")
			text := broken(both, b.rows("three.txt"))
			if _, err := b.run(".p0", both); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				sum, err := b.run(".p0", text)
				if !errors.Is(err, ErrUnreadable) || sum.Gone != 0 {
					t.Errorf("%+v, %v", sum, err)
				}
			}
			if b.live(u1) != 1 || b.live(u2) != 1 {
				t.Errorf("%d, %d", b.live(u1), b.live(u2))
			}
			if sum, err := b.run(".p0", b.rows("two.txt")); err != nil || sum.Gone == 0 || b.live(u1) != 0 {
				t.Errorf("whole again: %+v, %v", sum, err)
			}
		})
	}
	if sum, err := b.run(".p1", b.rows("three.txt")); err != nil || sum.Gone != 1 {
		t.Errorf("a document that no row names: %+v, %v", sum, err)
	}
	b.lives("two is gone", 1, 0, 1)
	b.opts.Collection = "c"
	sum, err := Read(t.Context(), b.st, []string{b.dir}, b.opts)
	if err != nil || sum.Unchanged != 2 || sum.Read != 1 {
		t.Errorf("the files themselves: %+v, %v", sum, err)
	}
	b.lives("of the files", 1, 1, 1)
	if err := os.Remove(filepath.Join(b.dir, "three.txt")); err != nil {
		t.Fatal(err)
	}
	if sum, err := b.run(".p1", b.rows("one.txt")); err != nil || sum.Gone != 0 {
		t.Errorf("it is the files' now: %+v, %v", sum, err)
	}
}

// TestRowsTwice: a task that was done again is read once, one that broke off for what it has.
func TestRowsTwice(t *testing.T) {
	b := newBatch(t)
	one := b.rows("one.txt")
	if sum, err := b.run(".p0", one+b.rows("two.txt")+one); err != nil || sum.Read != 2 {
		t.Errorf("%+v, %v", sum, err)
	}
	b.lives("twice", 1, 1, -1)
	lines := strings.SplitAfter(b.rows("three.txt"), "\n")
	if sum, err := b.run(".p0", one+strings.Join(lines[:3], "")+b.rows("three.txt", "two.txt")); err == nil || sum.Read != 1 || sum.Gone != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
	b.lives("again", 1, 1, 1)
	for name, known := range map[string]bool{"new": false, "known": true} {
		b := newBatch(t)
		all := b.rows("one.txt", "two.txt")
		if known {
			all += b.rows("three.txt")
		}
		if _, err := b.run(".p0", all); err != nil {
			t.Fatal(err)
		}
		b.write("three.txt", u3, u3)
		torn := strings.Join(strings.SplitAfter(b.rows("three.txt"), "\n")[:3], "")
		if sum, err := b.run(".p0", torn, ".p1", b.rows("three.txt", "two.txt", "one.txt")); err == nil || sum.Unreadable != 1 || sum.Read != 1 || sum.Gone != 0 {
			t.Errorf("%s, in another file: %+v, %v", name, sum, err)
		}
		b.lives(name, 1, 1, 2)
	}
}

// TestRowsHidden: where secrets are hidden the links that hold one are others, which are not
// asked about, and the document is read again once they are shown.
func TestRowsHidden(t *testing.T) {
	w := newTwins(t)
	w.everything()
	hidden := rowsOf(t, []string{w.dir}, extract.Options{}, true)
	if strings.Contains(hidden, "s3same") || !strings.Contains(hidden, `"hidden":true`) {
		t.Error("a secret is shown")
	}
	o := Options{Now: func() time.Time { return w.now }}
	read := func(text string) Summary {
		t.Helper()
		if err := os.WriteFile(w.rows, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(24 * time.Hour)
		sum, _ := Read(t.Context(), w.other, []string{w.rows}, o)
		return sum
	}
	const secret, masked = "http://a.test.net/?token=s3same&x=1", "http://a.test.net/?token=***&x=1"
	has := func(url string) int {
		t.Helper()
		l, _, err := w.other.Find(url)
		if err != nil {
			t.Fatal(err)
		}
		return l.Mentions
	}
	if read(hidden); has(secret) != 0 || has(masked) != 1 || strings.Contains(allKnown(t, w.other), "s3same") {
		t.Error("a secret is stored")
	}
	if s := read(hidden); s.Read != 0 {
		t.Errorf("again: %+v", s)
	}
	shown := rowsOf(t, []string{w.dir}, extract.Options{}, false)
	if s := read(shown); s.Read != 1 || has(secret) != 1 || has(masked) != 0 {
		t.Errorf("shown: %+v", s)
	}
	if s := read(hidden); s.Read != 0 || has(secret) != 1 {
		t.Errorf("what is known better stays: %+v", s)
	}
}

// TestHostileRows: what no extraction gives is told with its line, and nothing is retired by it.
func TestHostileRows(t *testing.T) {
	const link = `{"uri":"http://a.test.net/x","raw":"http://a.test.net/x","scheme":"http","source":"s","line":1}`
	row := func(kind, fields string) string {
		return strings.TrimSuffix(`{"schema":"linkcheck.extract.v1","row":"`+kind+`",`+fields, ",") + `}`
	}
	begin := row("begin", `"edition":10,"options":"0123456789abcdef","roots":["/srv/a"]`)
	doc := func(fields string) string { return row("document", `"root":"/srv/a",`+fields) }
	carry := func(key, row string) string { return strings.TrimSuffix(link, "}") + `,"` + key + `":` + row + "}" }
	good := doc(`"path":"/srv/a/x","size":3`)
	end := row("end", `"documents":1`)
	for name, c := range map[string]struct {
		lines []string
		at    int
		says  string
	}{
		"bad JSON":          {[]string{begin, good, `{"uri":"http://a/`, row("read", `"links":1`), end}, 3, "no row"},
		"no JSON":           {[]string{begin, good, "\x00\x01\xff", row("read", `"links":1`), end}, 3, "no row"},
		"no object":         {[]string{begin, good, "null", row("read", `"links":1`), end}, 3, "without an address"},
		"wrong type":        {[]string{begin, good, `{"uri":5,"raw":"x"}`, end}, 3, `"uri" holds a number`},
		"huge line":         {[]string{begin, good, `{"uri":"http://a/","line":99999999999999999999}`, end}, 3, `"line" holds a number`},
		"large line":        {[]string{begin, good, `{"uri":"http://a/","line":9999999999}`, end}, 3, "line 9999999999"},
		"below one":         {[]string{begin, good, `{"uri":"http://a/","column":-1}`, end}, 3, "column -1"},
		"huge size":         {[]string{begin, doc(`"path":"/srv/a/x","size":99999999999999999999`), end}, 2, `"size" holds`},
		"negative size":     {[]string{begin, doc(`"path":"/srv/a/x","size":-5`), end}, 2, "a size of -5"},
		"long ago":          {[]string{begin, doc(`"path":"/srv/a/x","modified":"0004-01-01T00:00:00Z"`), end}, 2, "the year 4"},
		"relative":          {[]string{begin, doc(`"path":"x"`), end}, 2, "no whole path"},
		"upwards":           {[]string{begin, doc(`"path":"/srv/a/../../etc/passwd"`), end}, 2, "no whole path"},
		"elsewhere":         {[]string{begin, doc(`"path":"/etc/passwd"`), end}, 2, "not below"},
		"no root of it":     {[]string{begin, row("document", `"root":"/srv","path":"/srv/a/x"`), end}, 2, "is no root"},
		"NUL":               {[]string{begin, doc(`"path":"/srv/a/\u0000"`), end}, 2, "no whole path"},
		"long path":         {[]string{begin, doc(`"path":"/srv/a/` + strings.Repeat("x", 40_000) + `"`), end}, 2, "no whole path"},
		"long member":       {[]string{begin, good, `{"uri":"http://a/","member":"` + strings.Repeat("x", 100_000) + `"}`, end}, 3, "100000 octets"},
		"long root":         {[]string{row("begin", `"edition":10,"options":"0123456789abcdef","roots":["/`+strings.Repeat("x", 40_000)+`"]`)}, 1, "no whole path"},
		"another schema":    {[]string{strings.Replace(begin, "v1", "v2", 1), good, row("read", ""), end}, 1, `"linkcheck.extract.v2"`},
		"another edition":   {[]string{strings.Replace(begin, `"edition":10`, `"edition":11`, 1), good, row("read", ""), end}, 1, "edition 11"},
		"no fingerprint":    {[]string{strings.Replace(begin, "0123456789abcdef", "xyz", 1), good, row("read", ""), end}, 1, "fingerprint"},
		"another kind":      {[]string{begin, row("wizard", ""), end}, 2, `"wizard"`},
		"no document":       {[]string{begin, link, end}, 2, "none is under way"},
		"a lost link":       {[]string{begin, good, link, row("read", `"links":2`), end}, 4, "1 links of 2"},
		"a lost document":   {[]string{begin, good, link, row("read", `"links":1`), row("end", `"documents":2`)}, 5, "1 documents of 2"},
		"a lost read":       {[]string{begin, good, link, good, end}, 4, `"document" where`},
		"no hash":           {[]string{begin, good, row("read", `"hash":"00"`), end}, 3, "no hash"},
		"a lost end":        {[]string{begin, good, link, row("read", `"links":1`), begin, row("end", "")}, 5, "begin anew"},
		"many formats":      {append(append([]string{begin, good}, formats(200, row)...), row("read", ""), end), 103, "100 formats"},
		"carried, no begin": {[]string{begin, row("end", ""), carry("document", good)}, 3, "where rows of documents are"},
		"carried twice":     {[]string{begin, good, carry("document", good), end}, 3, "where rows of documents are"},
		"carried, upwards":  {[]string{carry("begin", begin+`,"document":`+doc(`"path":"/srv/a/../x"`))}, 1, "no whole path"},
		"carried, schema":   {[]string{carry("begin", strings.Replace(begin, `v1"`, `v2"`, 1))}, 1, `"linkcheck.extract.v2"`},
		"carried, then row": {[]string{carry("begin", begin+`,"document":`+good), end}, 2, "before the begin"},
		"no link":           {[]string{begin, good, `{"uri":"","raw":""}`, end}, 3, "without an address"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBatch(t)
			if _, err := b.run(".p0", begin+"\n"+good+"\n"+link+"\n"+row("read", `"links":1`)+"\n"+doc(`"path":"/srv/a/y","size":3`)+"\n"+row("read", "")+"\n"+row("end", `"documents":2`)+"\n"); err != nil {
				t.Fatal(err)
			}
			sum, err := b.run(".p0", strings.Join(c.lines, "\n")+"\n"+b.rows("two.txt"))
			if !errors.Is(err, ErrUnreadable) || sum.Gone != 0 || sum.Retired != 0 {
				t.Errorf("%v, %+v", err, sum)
			}
			if told := fmt.Sprint(sum.Problems); !strings.Contains(told, fmt.Sprintf(".p0:%d: ", c.at)) || !strings.Contains(told, c.says) || len(told) > 2000 {
				t.Errorf("%.3000s", told)
			}
			if b.live(u2) != 1 {
				t.Error("what follows is not read")
			}
		})
	}
}

func formats(n int, row func(kind, fields string) string) (list []string) {
	for i := range n {
		list = append(list, row("foreign", fmt.Sprintf(`"format":"f%d"`, i)))
	}
	return list
}

// TestEndlessRow: neither a row without an end nor what unfolds without one takes memory or time.
func TestEndlessRow(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 100 MB")
	}
	b := newBatch(t)
	sum, err := b.run(".p0", b.rows("one.txt")+`{"schema":"linkcheck.extract.v1","row":"`+strings.Repeat("x", 40<<20))
	if told := fmt.Sprint(sum.Problems); !errors.Is(err, ErrUnreadable) || !strings.Contains(told, ".p0:6: a row of more than") || b.live(u1) != 1 {
		t.Errorf("%v, %.500s", err, told)
	}
	bomb := testdoc.Gzip(b.rows("one.txt") + strings.Repeat("\n", 60<<20))
	sum, err = b.run(".p1", bomb)
	if told := fmt.Sprint(sum.Problems); !errors.Is(err, ErrUnreadable) || !strings.Contains(told, "max-unfolded") {
		t.Errorf("%v, %.500s", err, told)
	}
}

// FuzzRows: of whatever stands in a file of rows only such documents come as extraction
// gives, all of which lie below a root, and what is cut off anywhere is told.
func FuzzRows(f *testing.F) {
	dir := f.TempDir()
	for name, u := range map[string]string{"one.txt": u1, "two.txt": u2} {
		testdoc.Write(f, filepath.Join(dir, name), "See <"+u+"> and ftp://ann:word@b.test.net/?token=s3same there.\n")
	}
	one, all := rowsOf(f, []string{filepath.Join(dir, "one.txt")}, extract.Options{}, false), rowsOf(f, []string{dir}, extract.Options{}, true)
	f.Add(one)
	f.Add(all)
	f.Add(one + all)
	f.Add(one[:len(one)/2] + all)
	f.Add(strings.ReplaceAll(one, `"line":1`, `"line":99999999999`))
	f.Add(strings.ReplaceAll(one, `one.txt`, `../one.txt`))
	f.Add(testdoc.Gzip(one))
	links := linkRowsOf(f, []string{dir})
	f.Add(links)
	f.Add(links + all + links)
	st := openStore(f)
	in, err := st.BeginIngest(time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := testdoc.Write(t, filepath.Join(t.TempDir(), "x.jsonl"), text)
		end, documents := readAs(t, st, in, path)
		for _, d := range documents {
			src := &d.src
			if !filepath.IsAbs(src.Path) || filepath.Clean(src.Path) != src.Path || src.Rows != path || src.Size < 0 || len(src.Path) > maxPath ||
				!Below(src.Path, src.Root) && filepath.Base(filepath.Dir(src.Path)) != "cur" || len(src.Hash) != 0 && len(src.Hash) != hashLen {
				t.Errorf("a document %+v", src)
			}
		}
		if end == nil || end.cut || strings.HasPrefix(text, "\x1f\x8b") {
			return
		}
		cut := strings.TrimRight(text, "\r\n")
		testdoc.Write(t, path, cut[:len(cut)-1])
		if end, _ := readAs(t, st, in, path); end != nil && !end.cut {
			t.Errorf("that %q is cut is not told", text)
		}
	})
}

// readAs reads a file as one of rows; without an end it is none.
func readAs(t testing.TB, st *store.Store, in *store.Ingest, path string) (end *rowsEnd, documents []*document) {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &reading{st: st, in: in, rootEnd: rootEnd{path: path, root: path}}
	r.readRows(t.Context(), source{path: path, info: info}, func(p part) bool {
		if p.rows != nil {
			end = p.rows
		}
		if p.document != nil && p.document.err == nil {
			documents = append(documents, p.document)
		}
		return true
	})
	return end, documents
}

// BenchmarkRows reads rows of 100,000 mentions: into batches, and into a store.
func BenchmarkRows(b *testing.B) {
	dir := b.TempDir()
	const files, each = 100, 1000
	for i := range files {
		var text strings.Builder
		for j := range each {
			fmt.Fprintf(&text, "In the year %d the survey <http://h%d.test.net/reports/%d/%d.html> was made of it.\n", 1990+j%30, j%700, i, j)
		}
		testdoc.Write(b, filepath.Join(dir, "docs", fmt.Sprintf("%d.txt", i)), text.String())
	}
	rows := testdoc.Write(b, filepath.Join(dir, "out.jsonl"), rowsOf(b, []string{filepath.Join(dir, "docs")}, extract.Options{}, false))
	rate := func(b *testing.B, before time.Duration) {
		b.ReportMetric(float64(b.N)*files*each/(processorTime(b)-before).Seconds(), "mentions/s-core")
	}
	b.Run("read", func(b *testing.B) {
		st := openStore(b)
		in, err := st.BeginIngest(time.Now())
		if err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(rows)
		if err != nil {
			b.Fatal(err)
		}
		before := processorTime(b)
		for b.Loop() {
			r := &reading{st: st, in: in, rootEnd: rootEnd{path: rows, root: rows}}
			n := 0
			if !r.readRows(b.Context(), source{path: rows, info: info}, func(p part) bool {
				n += p.mentions
				return true
			}) || n != files*each {
				b.Fatalf("%d mentions", n)
			}
		}
		rate(b, before)
	})
	b.Run("store", func(b *testing.B) {
		before := processorTime(b)
		for b.Loop() {
			if sum, err := Read(b.Context(), openStore(b), []string{rows}, Options{}); err != nil || sum.Mentions != files*each {
				b.Fatal(err, sum.Mentions)
			}
		}
		rate(b, before)
	})
}

// processorTime is what the process has used: other work on the machine does not count.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
