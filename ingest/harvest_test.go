package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/store"
)

const siteURI = "https://www.example.net/"

var harvestNight = time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)

// tells is a harvester that yields items, and then an error.
type tells func(known harvest.Known, yield func(harvest.Item) bool) error

func (h tells) Harvest(_ context.Context, known harvest.Known) iter.Seq2[harvest.Item, error] {
	return func(yield func(harvest.Item, error) bool) {
		more := true
		err := h(known, func(item harvest.Item) bool {
			if !more {
				panic("an item behind the end")
			}
			more = yield(item, nil)
			return more
		})
		if err != nil && more {
			yield(harvest.Item{}, err)
		}
	}
}

// items is a harvester that yields these and ends its sweep, but with an error.
func items(err error, list ...harvest.Item) harvest.Harvester {
	return tells(func(_ harvest.Known, yield func(harvest.Item) bool) error {
		for _, item := range list {
			if !yield(item) {
				return nil
			}
		}
		if err == nil {
			yield(harvest.Item{Kind: harvest.Whole})
		}
		return err
	})
}

func nameOfPage(n int) string { return fmt.Sprintf("%s%d", siteURI, n) }

func pageItem(n int, text string) harvest.Item {
	return harvest.Item{Kind: harvest.Read, Doc: harvest.Document{Name: nameOfPage(n), Version: "v" + text}, Body: strings.NewReader(text)}
}

func heard(kind harvest.Kind, n int) harvest.Item {
	return harvest.Item{Kind: kind, Doc: harvest.Document{Name: nameOfPage(n)}}
}

// archive is a store in which one root is read night after night.
type archive struct {
	*testing.T
	st   *store.Store
	now  time.Time
	root harvest.Root
	o    HarvestOptions
}

func newArchive(t *testing.T) *archive {
	st, err := store.Open(filepath.Join(t.TempDir(), "links.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return &archive{T: t, st: st, now: harvestNight, root: harvest.Root{URI: siteURI, Name: "Site", Kind: harvest.Web}}
}

// read reads the root by a harvester, and the next night comes.
func (a *archive) read(h harvest.Harvester) (RootSummary, error) {
	a.Helper()
	o := a.o
	if o.Now == nil {
		o.Now = func() time.Time { return a.now }
	}
	o.Harvester = func(harvest.Root) (harvest.Harvester, error) { return h, nil }
	sum, err := Harvest(a.Context(), a.st, []harvest.Root{a.root}, o)
	if err != nil && !errors.Is(err, ErrUnreadable) {
		a.Fatal(err)
	}
	if (err != nil) != (sum.Roots[0].Err != nil) {
		a.Errorf("the error is %v, that of the root %v", err, sum.Roots[0].Err)
	}
	if problems, verr := a.st.Verify(a.Context()); len(problems) > 0 || verr != nil {
		a.Fatal(problems, verr)
	}
	a.now = a.now.Add(24 * time.Hour)
	return sum.Roots[0], err
}

// stands are the documents that were read and are not gone, with the links in them.
func (a *archive) stands() map[string]string {
	a.Helper()
	list := map[string]string{}
	for src, err := range a.st.Sources() {
		if err != nil {
			a.Fatal(err)
		}
		if src.Gone.IsZero() && src.Remote != 0 {
			list[src.Path] = ""
		}
	}
	for e, err := range a.st.Scan(store.Pick{Mentions: true}) {
		if err != nil {
			a.Fatal(err)
		}
		for _, m := range e.LiveMentions {
			list[m.Path] += " " + e.URL
		}
	}
	for name, links := range list {
		words := strings.Fields(links)
		slices.Sort(words)
		list[name] = strings.Join(words, " ")
	}
	return list
}

// numbers are those of the pages that stand.
func (a *archive) numbers() string {
	a.Helper()
	var list []string
	for name := range a.stands() {
		list = append(list, strings.TrimPrefix(name, siteURI))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// What is heard of a document, and what becomes of it (HARVEST section 5).
func TestWhatRetires(t *testing.T) {
	gone := check.Result{Outcome: check.Gone, Reason: "http-404"}
	refused := check.Result{Outcome: check.Blocked, Reason: "http-403"}
	outage := &harvest.Stop{Why: harvest.Outage, Text: "timeout"}
	a1, b1 := pageItem(1, "http://a.example.org/"), pageItem(2, "http://b.example.org/")
	for _, tt := range []struct {
		name    string
		nights  [][]harvest.Item // behind one in which 1 and 2 were read
		err     error            // of the last night
		want    string           // pages that stand
		message string
	}{
		{"gone", [][]harvest.Item{{heard(harvest.Same, 1), heard(harvest.Gone, 2)}}, nil, "1", "whole"},
		{"missed once", [][]harvest.Item{{heard(harvest.Same, 1), heard(harvest.Missed, 2)}}, nil, "1 2", "whole"},
		{"missed twice", [][]harvest.Item{{heard(harvest.Missed, 2)}, {heard(harvest.Missed, 2)}}, nil, "1", "whole"},
		{"missed, there, missed", [][]harvest.Item{{heard(harvest.Missed, 2)}, {heard(harvest.Same, 2)}, {heard(harvest.Missed, 2)}}, nil, "1 2", "whole"},
		{"missed, failed, missed", [][]harvest.Item{{heard(harvest.Missed, 2)}, {heard(harvest.Failed, 2)}, {heard(harvest.Missed, 2)}}, nil, "1", "whole"},
		{"refused", [][]harvest.Item{{{Kind: harvest.Failed, Doc: b1.Doc, Heard: refused}}}, nil, "1 2", "whole; 1 refused"},
		{"failed", [][]harvest.Item{{heard(harvest.Failed, 2)}, {heard(harvest.Failed, 2), heard(harvest.Failed, 1)}}, nil, "1 2", "whole; 2 not read"},
		{"not named any more", [][]harvest.Item{{heard(harvest.Same, 1)}, {heard(harvest.Same, 1)}}, nil, "1 2", "whole"},
		{"left out", [][]harvest.Item{{heard(harvest.Left, 2)}}, nil, "1", "whole"},
		{"gone in an outage", [][]harvest.Item{{heard(harvest.Gone, 2)}}, outage, "1 2", "in outage (timeout)"},
		{"gone in a part that was listed", [][]harvest.Item{{heard(harvest.Gone, 2), {Kind: harvest.Window}}}, outage, "1", "in outage (timeout)"},
		{"gone before the outage of a night before", [][]harvest.Item{{heard(harvest.Gone, 2), {Kind: harvest.Marked, Mark: []byte{1}}, {}}, {heard(harvest.Same, 1)}}, nil, "1 2", "whole"},
		{"gone before it, and behind it", [][]harvest.Item{{heard(harvest.Gone, 2), {Kind: harvest.Marked, Mark: []byte{1}}, {}}, {heard(harvest.Same, 1), heard(harvest.Missed, 2)}}, nil, "1", "whole"},
		{"gone and back", [][]harvest.Item{{heard(harvest.Gone, 2)}, {pageItem(2, "http://b.example.org/")}}, nil, "1 2", "whole"},
		{"gone, and gone again", [][]harvest.Item{{heard(harvest.Gone, 2)}, {{Kind: harvest.Gone, Doc: b1.Doc, Heard: gone}}}, nil, "1", "whole"},
		{"the root itself", [][]harvest.Item{{}}, &harvest.Stop{Why: harvest.Vanished}, "1 2", "doubted: the root itself is not found"},
		{"empty", [][]harvest.Item{{pageItem(2, "")}}, nil, "1 2", "whole; 1 empty, doubted"},
		{"only found", [][]harvest.Item{{heard(harvest.Found, 3)}, {heard(harvest.Missed, 3)}, {heard(harvest.Missed, 3)}}, nil, "1 2", "whole"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newArchive(t)
			a.read(items(nil, a1, b1))
			a1.Body, b1.Body = strings.NewReader("http://a.example.org/"), strings.NewReader("http://b.example.org/")
			if got := a.numbers(); got != "1 2" {
				t.Fatalf("at first %q stand", got)
			}
			var sum RootSummary
			for i, night := range tt.nights {
				err := tt.err
				if n := len(night); n > 0 && night[n-1].Kind == 0 {
					night, err = night[:n-1], outage
				} else if i < len(tt.nights)-1 {
					err = nil
				}
				sum, _ = a.read(items(err, night...))
			}
			if got := a.numbers(); got != tt.want || sum.Root.Message != tt.message {
				t.Errorf("%q stand, %q; want %q, %q; problems %v", got, sum.Root.Message, tt.want, tt.message, sum.Problems)
			}
		})
	}
}

// A record is known by the identifier of its catalogue, whatever names it gives itself, but
// where a field was chosen.
func TestRecordOfCatalogue(t *testing.T) {
	const record = `<?xml version="1.0"?><record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001">own</controlfield>` +
		`<datafield tag="035" ind1=" " ind2=" "><subfield code="a">other</subfield></datafield>` +
		`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.example.net/x</subfield></datafield></record>`
	for chosen, want := range map[string]string{"": "oai:1", "035": "other"} {
		a := newArchive(t)
		a.o.Extract.RecordID = chosen
		item := pageItem(1, record)
		item.Doc.Record = "oai:1"
		if _, err := a.read(items(nil, item)); err != nil {
			t.Fatal(err)
		}
		found := ""
		for e, err := range a.st.Scan(store.Pick{Mentions: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range e.LiveMentions {
				found += m.Record
			}
		}
		if found != want {
			t.Errorf("chosen %q: %q, want %q", chosen, found, want)
		}
	}
}

// Twice missed is gone when 20 hours lie between, and the sweep is another one.
func TestMissedTooSoon(t *testing.T) {
	a := newArchive(t)
	a.read(items(nil, pageItem(1, "x http://a.example.org/")))
	a.read(items(nil, heard(harvest.Missed, 1)))
	a.now = a.now.Add(-23 * time.Hour)
	a.read(items(nil, heard(harvest.Missed, 1)))
	if got := a.numbers(); got != "1" {
		t.Errorf("%q stand after an hour", got)
	}
	a.read(items(nil, heard(harvest.Missed, 1)))
	if got := a.numbers(); got != "" {
		t.Errorf("%q stand after a day", got)
	}
	if l, found, err := a.st.Find("http://a.example.org/"); err != nil || !found || l.Mentions != 0 {
		t.Errorf("its link: %+v, %v", l, err)
	}
}

// A page that had links and has none keeps them until it has had none for a week; what it says
// by then of others is taken at once.
func TestBarePages(t *testing.T) {
	const link = "http://a.example.org/"
	for _, tt := range []struct {
		name   string
		kind   harvest.Shape
		nights []string // texts of the page, behind a night with the link
		days   int      // between the last two
		want   string
		state  string
	}{
		{"for a night", harvest.Web, []string{"sorry"}, 1, link, "whole; 1 empty, doubted"},
		{"there again", harvest.Web, []string{"sorry", link}, 1, link, "whole"},
		{"for six days", harvest.Web, []string{"sorry", "sorry"}, 6, link, "whole; 1 empty, doubted"},
		{"from now on", harvest.Web, []string{"sorry", "sorry"}, 7, "", "whole"},
		{"from now on, other words each night", harvest.Sitemap, []string{"sorry 1", "sorry 2"}, 7, "", "whole"},
		{"there again in between", harvest.Web, []string{"sorry", link, "sorry"}, 7, link, "whole; 1 empty, doubted"},
		{"another link", harvest.Web, []string{"http://b.example.org/"}, 1, "http://b.example.org/", "whole"},
		{"a record of a catalogue", harvest.OAI, []string{"no link"}, 1, "", "whole"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newArchive(t)
			a.root.Kind = tt.kind
			a.read(items(nil, pageItem(1, link)))
			var sum RootSummary
			for i, text := range tt.nights {
				if i == len(tt.nights)-1 {
					a.now = a.now.Add(time.Duration(tt.days-1) * 24 * time.Hour)
				}
				sum, _ = a.read(items(nil, pageItem(1, text)))
			}
			if got := a.stands()[nameOfPage(1)]; got != tt.want || sum.Root.Message != tt.state {
				t.Errorf("%q stands, %q; want %q, %q", got, sum.Root.Message, tt.want, tt.state)
			}
		})
	}
}

// many is a night in which pages are read, or said to be gone.
func many(read, gone int) harvest.Harvester {
	var list []harvest.Item
	for n := range read {
		list = append(list, pageItem(n, fmt.Sprintf("http://a.example.org/%d", n)))
	}
	for n := range gone {
		list = append(list, heard(harvest.Gone, read+n))
	}
	return items(nil, list...)
}

// The brake (HARVEST section 5).
func TestBrake(t *testing.T) {
	for _, tt := range []struct {
		documents, gone int
		allow           bool
		want            int
	}{
		{100, 25, false, 75}, {100, 26, false, 100}, {100, 26, true, 74}, {20, 20, false, 0}, {21, 21, false, 21}, {21, 20, false, 1}, {1000, 250, false, 750}, {1000, 251, false, 1000},
	} {
		a := newArchive(t)
		a.read(many(tt.documents, 0))
		a.o.AllowEmpty = tt.allow
		sum, err := a.read(many(tt.documents-tt.gone, tt.gone))
		doubted := tt.want == tt.documents
		if got := len(a.stands()); got != tt.want || sum.Root.Documents != tt.want || sum.Root.Doubted != doubted || errors.Is(sum.Err, ErrDoubted) != doubted || (err != nil) != doubted {
			t.Errorf("%+v: %d stand, %+v", tt, got, sum.Root)
		}
		if want := fmt.Sprintf("doubted: %d of %s are missing at once", tt.gone, thousands(tt.documents)); doubted && sum.Root.Message != want {
			t.Errorf("%q, want %q", sum.Root.Message, want)
		}
		if !doubted {
			continue
		}
		if sum, _ = a.read(many(tt.documents-tt.gone, 0)); !sum.Root.Doubted {
			t.Errorf("%+v: what was not asked again is not doubted: %+v", tt, sum.Root)
		}
		if sum, _ = a.read(many(tt.documents, 0)); sum.Root.Doubted || sum.Err != nil || sum.Root.Message != "whole" || len(a.stands()) != tt.documents {
			t.Errorf("%+v: found again, and %+v", tt, sum.Root)
		}
	}
}

// A root that is not found any more, or is empty, is doubted until the person says that it is so.
func TestVanishedRoot(t *testing.T) {
	for why, message := range map[harvest.Reason]string{harvest.Vanished: "doubted: the root itself is not found", harvest.Emptied: "doubted: 404"} {
		a := newArchive(t)
		a.read(many(3, 0))
		gone := items(&harvest.Stop{Why: why, Text: "404"}, heard(harvest.Missed, 1))
		if sum, _ := a.read(gone); sum.Err == nil || !sum.Root.Doubted || len(a.stands()) != 3 || sum.Root.Message != message {
			t.Errorf("%s: %+v", why, sum)
		}
		a.o.AllowEmpty = true
		if sum, err := a.read(gone); err != nil || sum.Root.Doubted || sum.Root.Documents != 0 || sum.Root.Gone != 3 || len(a.stands()) != 0 || sum.Root.Message != "whole" {
			t.Errorf("%s: %+v, %v", why, sum, err)
		}
	}
}

// What the settings leave out goes without the brake.
func TestLeftOut(t *testing.T) {
	a := newArchive(t)
	a.read(many(100, 0))
	var list []harvest.Item
	for n := range 90 {
		list = append(list, heard(harvest.Left, n))
	}
	if sum, _ := a.read(items(nil, list...)); sum.Err != nil || sum.Root.Documents != 10 || len(a.stands()) != 10 {
		t.Errorf("%+v", sum)
	}
}

// A body is read as a document is: links, names, what it leads to.
func TestBodies(t *testing.T) {
	a := newArchive(t)
	var told []harvest.Lead
	page := func(text string) harvest.Item {
		return harvest.Item{Kind: harvest.Read, Doc: harvest.Document{Name: siteURI + "dir/", Media: "text/html; charset=koi8-r", Title: "T"}, Body: strings.NewReader(text),
			Leads: func(l harvest.Lead) { told = append(told, l) }}
	}
	html := "<html><head><link rel=canonical href=/dir/><meta name=robots content=nofollow></head>\n<a href=x>\xd4</a><img src=i.png><a href=x>2</a><a rel=nofollow href=http://o.example.org/>o</a></html>"
	sum, _ := a.read(items(nil, page(html)))
	want := fmt.Sprintf("http://o.example.org/ %[1]s %[1]si.png %[1]sx %[1]sx", siteURI+"dir/") // the canonical address is a link too
	if a.stands()[siteURI+"dir/"] != want || sum.Octets != int64(len(html)) {
		t.Errorf("%q, want %q; %+v", a.stands(), want, sum)
	}
	slices.SortFunc(told, func(x, y harvest.Lead) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	wanted := []harvest.Lead{{URI: "http://o.example.org/", NoFollow: true}, {URI: siteURI + "dir/", Canonical: true}, {URI: siteURI + "dir/x"}, {URI: siteURI + "dir/x"}, {NoFollow: true}}
	for _, l := range wanted {
		if !slices.Contains(told, l) {
			t.Errorf("%+v is no lead; there are %+v", l, told)
		}
	}
	if len(told) != len(wanted) {
		t.Errorf("leads: %+v", told)
	}
	l, _, err := a.st.Find(siteURI + "dir/x")
	if err != nil {
		t.Fatal(err)
	}
	x, err := a.st.Explain(l.ID)
	if err != nil || len(x.Mentions) != 2 || x.Mentions[0].Nth+x.Mentions[1].Nth != 3 || x.Mentions[0].Context == "" || !strings.Contains(x.Mentions[0].Context, "т") {
		t.Errorf("%+v, %v", x.Mentions, err)
	}
	sum, _ = a.read(items(nil, page("\n\n"+html)))
	if sum.Root.Changed != 1 || sum.Read != 1 {
		t.Errorf("with other lines: %+v", sum)
	}
	if stats, err := a.st.Stats(); err != nil || stats.Retired != 0 || stats.Mentions != 5 {
		t.Errorf("with other lines: %+v, %v", stats, err)
	}
	sum, _ = a.read(items(nil, page("\n\n"+html)))
	if sum.Same != 1 || sum.Read+sum.Root.Changed != 0 {
		t.Errorf("the same: %+v", sum)
	}
	a.o.Edition = 99
	if sum, _ = a.read(items(nil, page("\n\n"+html))); sum.Read != 1 || sum.Root.Changed != 0 {
		t.Errorf("read by another edition: %+v", sum)
	}
}

// Of a document that does not come whole the last word is left out: it may be half a link.
// What is known of one that seems to be cut is kept.
func TestCutWords(t *testing.T) {
	const text = "http://a.example.org/ and http://b.example.org/path"
	for n := range len(text) {
		for _, size := range []int{1, 7, 100} {
			r := io.MultiReader(iotest.OneByteReader(strings.NewReader(text[:n])), iotest.ErrReader(errors.New("reset")))
			w := &lastWord{r: r}
			got, buf := "", make([]byte, size)
			var err error
			for err == nil {
				var n int
				n, err = w.Read(buf)
				got += string(buf[:n])
			}
			if want := text[:strings.LastIndexByte(text[:n], ' ')+1]; got != want || err.Error() != "reset" {
				t.Fatalf("%q and %v of %q", got, err, text[:n])
			}
		}
	}
	long := strings.Repeat("x", 5*longestWord) + " end"
	if got, err := io.ReadAll(&lastWord{r: strings.NewReader(long)}); err != nil || string(got) != long {
		t.Errorf("%d octets, %v", len(got), err)
	}
	a := newArchive(t)
	a.read(items(nil, pageItem(1, "http://a.example.org/ http://b.example.org/")))
	short := pageItem(1, "")
	short.Doc.Version, short.Doc.Short = "short=1f@1 v1", true
	short.Body = io.MultiReader(strings.NewReader("http://a.example.org/ http://b.exam"), iotest.ErrReader(errors.New("cut")))
	a.read(items(nil, short))
	if got := a.stands()[nameOfPage(1)]; got != "http://a.example.org/ http://b.example.org/" {
		t.Errorf("it holds %s", got)
	}
	a.read(tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		if d, _ := known.Document(nameOfPage(1)); d.Version != short.Doc.Version || !d.Read {
			t.Errorf("known as %+v", d)
		}
		yield(harvest.Item{Kind: harvest.Whole})
		return nil
	}))
}

// Of a document that does not come whole nothing is retired, and it is read again.
func TestBrokenBodies(t *testing.T) {
	a := newArchive(t)
	a.read(items(nil, pageItem(1, "http://a.example.org/ http://b.example.org/")))
	broken := pageItem(1, "")
	broken.Body = io.MultiReader(strings.NewReader("http://c.example.org/ "), iotest.ErrReader(errors.New("reset")))
	sum, err := a.read(items(nil, broken))
	if err != nil || len(sum.Problems) != 1 || !strings.Contains(sum.Problems[0].Error(), "reset") || sum.Root.Message != "whole; 1 not read" {
		t.Errorf("%+v, %v", sum, err)
	}
	if got := a.stands()[nameOfPage(1)]; got != "http://a.example.org/ http://b.example.org/ http://c.example.org/" {
		t.Errorf("it holds %s", got)
	}
	asked := tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		if d, ok := known.Document(nameOfPage(1)); !ok || d.Version != "" || !d.Read || d.Gone || d.Asked {
			t.Errorf("known as %+v", d)
		}
		yield(pageItem(1, "http://a.example.org/ http://b.example.org/"))
		yield(harvest.Item{Kind: harvest.Whole})
		return nil
	})
	a.read(asked)
	if got := a.stands()[nameOfPage(1)]; got != "http://a.example.org/ http://b.example.org/" {
		t.Errorf("it holds %s", got)
	}
}

// A run ends at its bounds, and goes on in the next one. What was asked for is kept.
func TestRunBounds(t *testing.T) {
	for name, bound := range map[string]func(*archive){
		"time":   func(a *archive) { a.root.Time = 5 * time.Minute },
		"octets": func(a *archive) { a.root.Bytes = 80 },
		"none":   func(a *archive) { a.root.Time = 1 },
	} {
		a := newArchive(t)
		bound(a)
		a.o.Now = func() time.Time { a.now = a.now.Add(10 * time.Second); return a.now }
		runs, last := 0, RootSummary{Root: store.Root{Sweep: 1}}
		for ; last.Root.Sweep != 0 && runs < 100; runs++ {
			last, _ = a.read(tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
				for n := range 20 {
					if d, ok := known.Document(nameOfPage(n)); ok && d.Asked {
						continue
					}
					if known.Enough() {
						return nil
					}
					a.now = a.now.Add(2 * time.Minute) // until it answers
					item := pageItem(n, fmt.Sprintf("http://a.example.org/%d", n))
					item.Leads = func(harvest.Lead) {}
					if !yield(item) {
						return nil
					}
					if !yield(harvest.Item{Kind: harvest.Found, Doc: harvest.Document{Name: nameOfPage(n + 1)}}) {
						t.Errorf("%s: it ends between a document and what was found in it", name)
						return nil
					}
				}
				yield(harvest.Item{Kind: harvest.Whole})
				return nil
			}))
			if last.Root.Sweep != 0 && (!strings.HasPrefix(last.Root.Message, "under way, ") || last.Err != nil || last.Read == 0) {
				t.Errorf("%s: %+v", name, last)
			}
		}
		if runs < 2 || runs > 20 || len(a.stands()) != 20 || last.Root.New != 20 || last.Known != 21 {
			t.Errorf("%s: %d runs, %d documents, %+v", name, runs, len(a.stands()), last)
		}
	}
}

// How it stands with a root, in one sentence (HARVEST section 11).
func TestSentences(t *testing.T) {
	a := newArchive(t)
	stop := func(why harvest.Reason, text string) harvest.Harvester {
		return items(&harvest.Stop{Why: why, Text: text, Until: harvestNight})
	}
	for _, tt := range []struct {
		h    harvest.Harvester
		want string
	}{
		{stop(harvest.Outage, "no answer"), "in outage (no answer)"},
		{stop(harvest.Outage, "no answer"), "in outage for 2 nights (no answer)"},
		{stop(harvest.Outage, "no answer"), "in outage for 3 nights (no answer)"},
		{stop(harvest.Refused, "robots.txt"), "refused: robots.txt"},
		{stop(harvest.Resting, ""), "resting until 2026-03-01 03:00 UTC"},
		{stop(harvest.Moved, "to www.example.org"), "moved: to www.example.org"},
		{stop(harvest.NotThis, "no OAI-PMH answer"), "not understood: no OAI-PMH answer"},
		{stop(harvest.Incomplete, "50,000 of 1,204,113 by the server's limit"), "50,000 of 1,204,113 by the server's limit"},
		{items(nil, harvest.Item{Kind: harvest.Note, Note: "20 documents are the bound"}), "whole; 20 documents are the bound"},
		{stop(harvest.Outage, "no answer"), "in outage (no answer)"},
		{items(errors.New("broken")), "broken"},
		{stop(harvest.Vanished, "HTTP/1.1 404 Not Found"), "not found: HTTP/1.1 404 Not Found"},
		{stop(harvest.Refused, "see https://u:hunter2@example.net/ "+strings.Repeat("\xff", 1000)), "refused: see https://u:***@example.net/ "},
	} {
		if sum, _ := a.read(tt.h); sum.Root.Message != tt.want || sum.Root.Tried.IsZero() || (sum.Err == nil) != sum.Root.Failing.IsZero() {
			t.Errorf("%q, want %q; %+v", sum.Root.Message, tt.want, sum)
		}
	}
}

// Roots are read side by side, and one inside another holds what it holds.
func TestRootsSideBySide(t *testing.T) {
	a := newArchive(t)
	var roots []harvest.Root
	for i := range 7 {
		roots = append(roots, harvest.Root{URI: fmt.Sprintf("%s%d/", siteURI, i), Name: fmt.Sprint("Part ", i)})
	}
	o := HarvestOptions{Options: Options{Now: func() time.Time { return a.now }}, Workers: 3,
		Harvester: func(r harvest.Root) (harvest.Harvester, error) {
			if r.Name == "Part 6" {
				return nil, errors.New("no such thing")
			}
			return many(300, 0), nil
		}}
	sum, err := Harvest(t.Context(), a.st, roots, o)
	if !errors.Is(err, ErrUnreadable) || sum.NewLinks != 300 || sum.New != 6*300 {
		t.Errorf("%+v, %v", sum.IngestCounts, err)
	}
	for i, r := range sum.Roots {
		if bad := i == 6; r.Root.URI != roots[i].URI || int(r.Root.Number) != i+1 || (r.Err != nil) != bad || !bad && (r.Read != 300 || r.Root.Message != "whole") {
			t.Errorf("%+v", r)
		}
	}
	kept, err := a.st.Roots()
	if err != nil || len(kept) != 7 || kept[3].Documents != 300 || kept[6].Message != "no such thing" {
		t.Errorf("%+v, %v", kept, err)
	}
	roots[0].Name = "Renamed"
	if sum, err = Harvest(t.Context(), a.st, roots[:1], o); err != nil || sum.New+sum.Retired != 0 || sum.Roots[0].Same != 300 {
		t.Errorf("renamed: %+v, %v", sum, err)
	}
}

// What a run that was cut off left is ended by the next one, whatever that reads.
func TestHarvestOfNothing(t *testing.T) {
	a := newArchive(t)
	a.read(many(3, 0))
	in, err := a.st.BeginIngest(a.now)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Add(store.Step{Gone: []store.Source{{Remote: 1, Path: nameOfPage(1)}}}); err != nil {
		t.Fatal(err)
	}
	if sum, err := Harvest(t.Context(), a.st, nil, HarvestOptions{}); err != nil || sum.Retired != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// The end of its context ends a reading, and what was not kept is read again.
func TestHarvestInterrupted(t *testing.T) {
	for k := range 7 {
		a := newArchive(t)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		h := tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
			for i := range 5 {
				if n++; n == k {
					cancel()
					return ctx.Err()
				}
				if d, _ := known.Document(nameOfPage(i)); !d.Asked && !yield(pageItem(i, fmt.Sprintf("http://a.example.org/%d", i))) {
					return nil
				}
			}
			yield(harvest.Item{Kind: harvest.Whole})
			return nil
		})
		o := HarvestOptions{Harvester: func(harvest.Root) (harvest.Harvester, error) { return h, nil }}
		_, err := Harvest(ctx, a.st, []harvest.Root{a.root}, o)
		if want := k > 0 && k < 6; errors.Is(err, context.Canceled) != want || err != nil && !want {
			t.Errorf("cancelled at %d: %v", k, err)
		}
		cancel()
		if sum, _ := a.read(h); sum.Root.Documents != 5 || len(a.stands()) != 5 {
			t.Errorf("cancelled at %d: %+v", k, sum)
		}
	}
}

// A fault of the program in one root ends the reading as such.
func TestHarvestFault(t *testing.T) {
	a := newArchive(t)
	defer func() {
		if caught := recover(); caught == nil || !strings.Contains(fmt.Sprint(caught), "a fault") {
			t.Errorf("caught %v", caught)
		}
	}()
	a.read(tells(func(harvest.Known, func(harvest.Item) bool) error { panic("a fault") }))
}
