package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
	"linkcheck/store"
	"linkcheck/uri/equal"
)

// library is a folder of documents and a store.
type library struct {
	t    *testing.T
	dir  string
	st   *store.Store
	now  time.Time
	opts Options
}

func openStore(t testing.TB) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func newLibrary(t *testing.T) *library {
	return &library{t: t, dir: t.TempDir(), st: openStore(t), now: time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC),
		opts: Options{Collection: "c"}}
}

// write makes a document that names the URLs.
func (l *library) write(name string, urls ...string) {
	l.t.Helper()
	text := "A document.\n"
	for _, u := range urls {
		text += fmt.Sprintf("See <%s> for more.\n", u)
	}
	testdoc.Write(l.t, filepath.Join(l.dir, name), text)
}

func (l *library) remove(name string) {
	l.t.Helper()
	if err := os.RemoveAll(filepath.Join(l.dir, name)); err != nil {
		l.t.Fatal(err)
	}
}

// read ingests the folder on the next night.
func (l *library) read(want error) Summary {
	l.t.Helper()
	l.now = l.now.Add(24 * time.Hour)
	o := l.opts
	o.Now = func() time.Time { return l.now }
	sum, err := Read(l.t.Context(), l.st, []string{l.dir}, o)
	if !errors.Is(err, want) || err != nil && want == nil {
		l.t.Fatalf("got %v, want %v; %+v", err, want, sum)
	}
	if problems, err := l.st.Verify(l.t.Context()); err != nil || len(problems) > 0 {
		l.t.Fatalf("verify: %v, %v", problems, err)
	}
	return sum
}

// live counts the live mentions of a URL.
func (l *library) live(url string) int {
	l.t.Helper()
	link, found, err := l.st.Find(url)
	if err != nil {
		l.t.Fatal(err)
	}
	if !found {
		return -1
	}
	return link.Mentions
}

const u1, u2, u3 = "http://a.test.net/1", "http://a.test.net/2", "ftp://b.test.net/3"

func TestIngestReadsWhatChanged(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1, u2)
	l.write("sub/two.txt", u2, u3)
	if sum := l.read(nil); sum.Read != 2 || sum.NewLinks != 3 || sum.New != 4 {
		t.Fatalf("first night: %+v", sum)
	}
	if sum := l.read(nil); sum.Read != 0 || sum.Unchanged != 2 {
		t.Fatalf("nothing changed: %+v", sum)
	}
	if sum := l.read(nil); sum.Read != 0 || sum.Unchanged != 2 {
		t.Fatalf("again: %+v", sum)
	}
	l.write("one.txt", u1)
	if sum := l.read(nil); sum.Read != 1 || sum.Retired != 1 || l.live(u2) != 1 {
		t.Fatalf("a link went: %+v, %d live", sum, l.live(u2))
	}
	l.write("one.txt", u1, u2)
	if sum := l.read(nil); sum.Returned != 1 || sum.New != 0 || l.live(u2) != 2 {
		t.Fatalf("it came back: %+v", sum)
	}
	if err := os.Chtimes(filepath.Join(l.dir, "one.txt"), l.now, l.now); err != nil {
		t.Fatal(err)
	}
	if sum := l.read(nil); sum.Read != 0 || sum.Unchanged != 2 {
		t.Fatalf("touched: %+v", sum)
	}
	l.opts.Extract.Charset = "iso-8859-2"
	if sum := l.read(nil); sum.Read != 2 || sum.New != 0 {
		t.Fatalf("other options: %+v", sum)
	}
}

// TestIngestEditions: another edition of the extractor reads again what has not changed,
// another one of the rules that make keys does not.
func TestIngestEditions(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1, u2)
	l.write("two.txt", u2, u3)
	l.read(nil)
	l.opts.Edition = extract.Edition + 1
	if sum := l.read(nil); sum.Read != 2 || sum.New != 0 || sum.Retired != 0 {
		t.Fatalf("another extractor: %+v", sum)
	}
	if sum := l.read(nil); sum.Unchanged != 2 {
		t.Fatalf("the same again: %+v", sum)
	}
	var text bytes.Buffer
	if err := l.st.Export(t.Context(), &text, true); err != nil {
		t.Fatal(err)
	}
	rows := strings.SplitAfter(text.String(), "\n")
	rows = rows[:len(rows)-2] // exports of older stores have no last line with a sum
	head := regexp.MustCompile(`"store":\d+,"rules":\d+`).ReplaceAllString(rows[0], fmt.Sprintf(`"store":5,"rules":%d`, equal.Edition+1))
	if head == rows[0] {
		t.Fatal(head)
	}
	rows[0] = head
	st, err := store.Open(filepath.Join(t.TempDir(), "other.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if _, err := st.Import(t.Context(), strings.NewReader(strings.Join(rows, ""))); err != nil {
		t.Fatal(err)
	}
	l.st = st
	if sum := l.read(nil); sum.Read != 0 || sum.Unchanged != 2 {
		t.Fatalf("other rules: %+v", sum)
	}
}

func TestIngestRetiresAndForgets(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1)
	l.write("two.txt", u1, u3)
	l.read(nil)
	l.remove("two.txt")
	if sum := l.read(nil); sum.Gone != 1 || sum.Retired != 2 || l.live(u3) != 0 || l.live(u1) != 1 {
		t.Fatalf("%+v", sum)
	}
	for turn, err := range l.st.Due(l.now, store.Filter{All: true}) {
		if err != nil || turn.URL == u3 {
			t.Errorf("a retired link is due: %v, %v", turn, err)
		}
	}
	if sum := l.read(nil); sum.Gone != 0 || sum.Retired != 0 {
		t.Fatalf("reported twice: %+v", sum)
	}
	l.now = l.now.Add(91 * 24 * time.Hour)
	l.write("one.txt", u1, u2)
	if sum := l.read(nil); sum.Dropped != 2 {
		t.Fatalf("after 90 days: %+v", sum)
	}
	l.write("two.txt", u3)
	if sum := l.read(nil); sum.New != 1 || sum.NewLinks != 0 || l.live(u3) != 1 {
		t.Fatalf("the link is known still: %+v", sum)
	}
}

func TestIngestUnmountedDisk(t *testing.T) {
	l := newLibrary(t)
	l.write("here/one.txt", u1)
	l.write("disk/two.txt", u2)
	l.write("disk/deep/three.txt", u3)
	l.read(nil)
	l.remove("disk/two.txt")
	l.remove("disk/deep")
	if sum := l.read(ErrUnreadable); sum.Unreadable != 2 || sum.Retired != 0 || l.live(u3) != 1 {
		t.Fatalf("an empty folder: %+v", sum)
	}
	l.remove("here")
	l.remove("disk")
	if sum := l.read(ErrUnreadable); sum.Retired != 0 || l.live(u1) != 1 {
		t.Fatalf("an empty root: %+v", sum)
	}
	l.write("here/one.txt", u1)
	l.write("disk/two.txt", u2)
	l.write("disk/deep/three.txt", u3)
	if sum := l.read(nil); sum.New != 0 || sum.Unreadable != 0 {
		t.Fatalf("mounted again: %+v", sum)
	}
	l.remove("disk/two.txt")
	l.remove("disk/deep")
	l.opts.AllowEmpty = true
	if sum := l.read(nil); sum.Gone != 2 || sum.Retired != 2 {
		t.Fatalf("really empty: %+v", sum)
	}
	if _, err := Read(t.Context(), l.st, []string{filepath.Join(l.dir, "nowhere")}, Options{}); !errors.Is(err, ErrUnreadable) {
		t.Errorf("no such source: %v", err)
	}
}

// TestIngestEmptiedFile: a catalogue of no octet is a broken export (OUTCOMES 5.1.10).
func TestIngestEmptiedFile(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1)
	l.write("two.txt", u2, u3)
	l.read(nil)
	if err := os.Truncate(filepath.Join(l.dir, "two.txt"), 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if sum := l.read(ErrUnreadable); sum.OutOfReach != 1 || sum.Retired != 0 || l.live(u2) != 1 {
			t.Fatalf("an empty file: %+v", sum)
		}
	}
	l.write("two.txt", u2, u3)
	if sum := l.read(nil); sum.OutOfReach != 0 || sum.New != 0 || l.live(u2) != 1 {
		t.Fatalf("written again: %+v", sum)
	}
	if err := os.Truncate(filepath.Join(l.dir, "two.txt"), 0); err != nil {
		t.Fatal(err)
	}
	l.opts.AllowEmpty = true
	if sum := l.read(nil); sum.Retired != 2 || l.live(u2) != 0 {
		t.Fatalf("really empty: %+v", sum)
	}
	l.opts.AllowEmpty = false
	l.read(nil) // and no more is said of it
}

// TestIngestSaysOnceThatADiskIsGone: one line for the folder, not one a document.
func TestIngestSaysOnceThatADiskIsGone(t *testing.T) {
	l := newLibrary(t)
	for i := range 30 {
		l.write(fmt.Sprintf("disk/%d.txt", i), u1)
	}
	l.write("here/one.txt", u2)
	l.read(nil)
	for i := range 30 {
		l.remove(fmt.Sprintf("disk/%d.txt", i))
	}
	for range 2 {
		if sum := l.read(ErrUnreadable); sum.OutOfReach != 30 || sum.Untold != 0 || len(sum.Problems) != 1 || !strings.Contains(sum.Problems[0].Error(), "gave 30 documents before") {
			t.Fatalf("%+v", sum)
		}
	}
}

// TestIngestCleansPaths: one folder by two names is one source.
func TestIngestCleansPaths(t *testing.T) {
	l := newLibrary(t)
	l.write("d/one.txt", u1)
	for _, path := range []string{"d", "d/", "d/../d", "./d/one.txt", "d/one.txt"} {
		if _, err := Read(t.Context(), l.st, []string{l.dir + "/" + path}, l.opts); err != nil || l.live(u1) != 1 {
			t.Errorf("%s: %d live, %v", path, l.live(u1), err)
		}
	}
}

func TestIngestRenamedCollection(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1, u2)
	l.read(nil)
	l.opts.Collection = "d"
	if sum := l.read(nil); sum.NewLinks != 0 || sum.New != 2 || sum.Retired != 2 || l.live(u1) != 1 {
		t.Fatalf("%+v", sum)
	}
	link, _, _ := l.st.Find(u1)
	names := map[string]bool{}
	all, err := l.st.Explain(link.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all.Mentions {
		names[m.Collection] = m.Retired.IsZero()
	}
	if names["c"] || !names["d"] {
		t.Errorf("live by collection: %v", names)
	}
}

func TestIngestOneDocumentUnderTwoNames(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1)
	l.write("copy.txt", u1)
	if sum := l.read(nil); sum.NewLinks != 1 || l.live(u1) != 2 {
		t.Fatalf("%+v, %d live", sum, l.live(u1))
	}
	l.remove("copy.txt")
	if sum := l.read(nil); sum.Retired != 1 || l.live(u1) != 1 {
		t.Fatalf("one of them went: %+v", sum)
	}
}

func TestIngestStopsWithItsContext(t *testing.T) {
	l := newLibrary(t)
	for i := range 50 {
		l.write(fmt.Sprintf("%d.txt", i), u1, u2)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, l.st, []string{l.dir}, l.opts); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if sum := l.read(nil); sum.Sources != 50 || l.live(u1) != 50 {
		t.Errorf("the next night: %+v", sum)
	}
}

func TestIngestIsDeterministic(t *testing.T) {
	a, b := newLibrary(t), newLibrary(t)
	for i := range 40 {
		for _, l := range []*library{a, b} {
			l.write(fmt.Sprintf("d%d/%d.txt", i%3, i), fmt.Sprintf("http://h%d.test.net/%d", i%5, i), u1)
		}
	}
	a.read(nil)
	b.read(nil)
	var list [2][]string
	for i, l := range []*library{a, b} {
		for e, err := range l.st.Scan(store.Pick{}) {
			link := e.Link
			if err != nil {
				t.Fatal(err)
			}
			list[i] = append(list[i], fmt.Sprint(link.ID, link.URL, link.Mentions))
		}
	}
	if fmt.Sprint(list[0]) != fmt.Sprint(list[1]) || len(list[0]) != 41 {
		t.Errorf("%v\n%v", list[0], list[1])
	}
}

// What cannot be read is reported and counted, and what it held before stays.
func TestKeepOfWhatCannotBeRead(t *testing.T) {
	l := newLibrary(t)
	l.write("one.txt", u1)
	l.read(nil)
	path := filepath.Join(l.dir, "one.txt")
	in, err := l.st.BeginIngest(l.now.Add(24 * time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	r := &reading{st: l.st, in: in}
	broken := errors.New("input/output error")
	if err := r.finish(t.Context(), &document{src: store.Source{Path: path}, err: broken}); err != nil {
		t.Fatal(err)
	}
	if r.sum.Unreadable != 1 || r.sum.Read != 0 || len(r.sum.Problems) != 1 || !errors.Is(r.sum.Problems[0], broken) {
		t.Errorf("%+v", r.sum)
	}
	if _, err := in.Finish(); err != nil || l.live(u1) != 1 {
		t.Errorf("%d mentions, %v", l.live(u1), err)
	}
}
